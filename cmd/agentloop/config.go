package main

import (
	"time"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/internal/syntax"
	"github.com/agentloop/agentloop/prompts"
)

// Config is every setting that a file, the environment or a flag can give. The
// names that users write stand in keys; a test holds both together.
type Config struct {
	Model           string
	BaseURL         string
	PlainHTTP       bool // http:// beyond this machine: key and files go unencrypted
	EditFormat      string
	Tools           []string // offered where the format is tools
	MaxCalls        int      // of tools in one round
	Check           []string
	Rounds          int
	Timeout         time.Duration // of the whole run
	CheckTimeout    time.Duration // of one check
	MaxTokensTotal  int           // both directions, all rounds
	MaxCost         float64       // USD; 0: off
	MaxRequests     int           // tries included; 0: off
	MaxOutputTokens int           // of one reply; 0: the model's own limit
	Temperature     *float64      // nil: not sent
	Seed            *int          // nil: not sent
	ReasoningEffort string        // "": not sent
	Looks           int           // how often the model may ask for more files, in text
	MapTokens       int           // of the map of the other files; 0: none
	ContextTokens   int           // of the files put into a prompt
	Files           []string      // globs sent when the command line names none
	Ignore          []string      // globs never sent
	PromptExtra     string        // put below the rules of every prompt
	PromptDir       string        // template overrides; "": prompts beside the user's file
	Stage           bool
	Commit          bool
	Matching        string   // "": what the format is made for
	AfterFailed     string   // "": what the format is made for
	FileOperations  string   // suggest or apply
	Validate        modes    // which files must still parse; none: all
	Allow           []string // globs opened although protected
	Protect         []string // globs that are never written
	PassEnv         []string // variables that checks may see, by name
	IdleTimeout     time.Duration
	HeaderTimeout   time.Duration
	RequestTimeout  time.Duration
	MaxAttempts     int
	MaxRetryWait    time.Duration
	KeyFile         string // file of mode 0600 that holds the API key
	Models          map[string]ModelConfig
}

// ModelConfig is what is known of one model. Prices are USD for a million
// tokens; nil is unknown, which is never taken for free.
type ModelConfig struct {
	BaseURL         string
	KeyEnv          string // name of the variable that holds the key
	PricePrompt     *float64
	PriceCached     *float64
	PriceCompletion *float64
	ContextWindow   int // tokens; 0: unknown
	Headers         map[string]string
	Fields          map[string]any // put into every request's JSON
}

// editFormats lists the formats that a prompt can teach.
func editFormats() []string {
	return []string{string(edits.SearchReplace), string(edits.Anchored), prompts.FormatTools}
}

// defaultConfig is what holds where nobody says otherwise. The example file
// shows the same values.
func defaultConfig() Config {
	return Config{
		BaseURL:        "https://api.openai.com/v1",
		EditFormat:     string(edits.SearchReplace),
		Tools:          prompts.ToolNames(),
		MaxCalls:       50,
		Rounds:         5,
		Timeout:        30 * time.Minute,
		CheckTimeout:   10 * time.Minute,
		MaxTokensTotal: 2_000_000,
		ContextTokens:  16_000,
		Looks:          3,
		MapTokens:      1000,
		FileOperations: string(edits.OpsSuggest),
		Stage:          true,
		Validate:       modes{string(syntax.Refuse)},
		IdleTimeout:    2 * time.Minute,
		HeaderTimeout:  5 * time.Minute,
		RequestTimeout: 15 * time.Minute,
		MaxAttempts:    6,
		MaxRetryWait:   10 * time.Minute,
	}
}

// A key is one setting: the name that users write, the field that it fills and
// what the field may hold.
type key struct {
	name  string
	into  any           // pointer to the field
	repo  repoRule      // what a repository's own file may do with it
	wants func() string // "" while the field holds an allowed value, else what is wrong
}

// repoRule says what a repository's own file may do with a key.
type repoRule int

const (
	repoNever  repoRule = iota // naming it is an error
	repoSets                   // harmless: it replaces the user's value
	repoAdds                   // a list that only gets longer
	repoLowers                 // a budget that only gets smaller
	repoTrust                  // used only after `agentloop trust`
)

// keys lists every setting of c in the order of the example file. A repository
// may only do what cannot hurt: an entry without a rule is refused there.
func keys(c *Config) []key {
	return []key{
		{"model", &c.Model, repoNever, printable(&c.Model, 256)},
		{"base_url", &c.BaseURL, repoNever, httpURL(&c.BaseURL)},
		{"plain_http", &c.PlainHTTP, repoNever, nil},
		{"key_file", &c.KeyFile, repoNever, printable(&c.KeyFile, 4096)},
		{"edit_format", &c.EditFormat, repoSets, oneOf(&c.EditFormat, editFormats()...)},
		{"tools", &c.Tools, repoSets, someOf(&c.Tools, prompts.ToolNames()...)},
		{"max_calls", &c.MaxCalls, repoLowers, between(&c.MaxCalls, 1, 10_000)},
		{"check", &c.Check, repoTrust, commands(&c.Check)},
		{"rounds", &c.Rounds, repoLowers, between(&c.Rounds, 1, 1000)},
		{"timeout", &c.Timeout, repoLowers, between(&c.Timeout, time.Second, 7*24*time.Hour)},
		{"check_timeout", &c.CheckTimeout, repoLowers, between(&c.CheckTimeout, time.Second, 24*time.Hour)},
		{"max_tokens_total", &c.MaxTokensTotal, repoLowers, between(&c.MaxTokensTotal, 1, 1_000_000_000_000)},
		{"max_cost", &c.MaxCost, repoLowers, between(&c.MaxCost, 0, 1_000_000)},
		{"max_requests", &c.MaxRequests, repoLowers, between(&c.MaxRequests, 0, 1_000_000)},
		{"max_output_tokens", &c.MaxOutputTokens, repoLowers, between(&c.MaxOutputTokens, 0, 10_000_000)},
		{"temperature", &c.Temperature, repoNever, optional(&c.Temperature, 0, 2)},
		{"seed", &c.Seed, repoNever, nil},
		{"reasoning_effort", &c.ReasoningEffort, repoNever, word(&c.ReasoningEffort)},
		{"context_tokens", &c.ContextTokens, repoSets, between(&c.ContextTokens, 100, 10_000_000)},
		{"looks", &c.Looks, repoLowers, between(&c.Looks, 0, 100)},
		{"map_size", &c.MapTokens, repoSets, between(&c.MapTokens, 0, 1_000_000)},
		{"files", &c.Files, repoSets, globs(&c.Files)},
		{"ignore", &c.Ignore, repoAdds, globs(&c.Ignore)},
		{"prompt_extra", &c.PromptExtra, repoSets, atMost(&c.PromptExtra, 64<<10)},
		{"prompt_dir", &c.PromptDir, repoNever, printable(&c.PromptDir, 4096)},
		{"stage", &c.Stage, repoNever, nil},
		{"commit", &c.Commit, repoNever, nil},
		{"matching", &c.Matching, repoNever, oneOf(&c.Matching, "exact", "tiered", "full")},
		{"after_failed_block", &c.AfterFailed, repoNever, oneOf(&c.AfterFailed, "skip", "continue")},
		{"validate", &c.Validate, repoSets, func() string { _, wrong := c.Validate.parsed(); return wrong }},
		{"file_operations", &c.FileOperations, repoNever, oneOf(&c.FileOperations, string(edits.OpsSuggest), string(edits.OpsApply))},
		{"allow", &c.Allow, repoNever, globs(&c.Allow)},
		{"protect", &c.Protect, repoAdds, globs(&c.Protect)},
		{"pass_env", &c.PassEnv, repoNever, passable(&c.PassEnv)},
		{"idle_timeout", &c.IdleTimeout, repoNever, between(&c.IdleTimeout, time.Second, time.Hour)},
		{"header_timeout", &c.HeaderTimeout, repoNever, between(&c.HeaderTimeout, time.Second, 6*time.Hour)},
		{"request_timeout", &c.RequestTimeout, repoNever, between(&c.RequestTimeout, time.Second, 24*time.Hour)},
		{"max_attempts", &c.MaxAttempts, repoNever, between(&c.MaxAttempts, 1, 100)},
		{"max_retry_wait", &c.MaxRetryWait, repoNever, between(&c.MaxRetryWait, 0, 24*time.Hour)},
		{"models", &c.Models, repoNever, nil},
	}
}

// modelKeys lists the settings of one [models."NAME"] table.
func modelKeys(m *ModelConfig) []key {
	const most = 1_000_000
	return []key{
		{"base_url", &m.BaseURL, repoNever, httpURL(&m.BaseURL)},
		{"key_env", &m.KeyEnv, repoNever, envName(&m.KeyEnv)},
		{"price_prompt", &m.PricePrompt, repoNever, optional(&m.PricePrompt, 0, most)},
		{"price_cached", &m.PriceCached, repoNever, optional(&m.PriceCached, 0, most)},
		{"price_completion", &m.PriceCompletion, repoNever, optional(&m.PriceCompletion, 0, most)},
		{"context_window", &m.ContextWindow, repoNever, between(&m.ContextWindow, 0, 1_000_000_000)},
		{"headers", &m.Headers, repoNever, headers(&m.Headers)},
		{"fields", &m.Fields, repoNever, nil},
	}
}
