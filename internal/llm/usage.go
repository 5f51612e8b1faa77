package llm

import (
	"encoding/json"
	"errors"

	"github.com/sashabaranov/go-openai"

	"github.com/agentloop/agentloop/loop"
)

// usage is what a server says a request has cost.
type usage struct {
	Prompt     count `json:"prompt_tokens"`
	Completion count `json:"completion_tokens"`
	Total      count `json:"total_tokens"`
	CacheHit   count `json:"prompt_cache_hit_tokens"` // DeepSeek
	InDetail   *struct {
		Cached count `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	OutDetail *struct {
		Reasoning count `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
}

// count is a number of tokens; what is no number or cannot be one is 0.
type count int

// mostTokens bounds what a single request can cost; more is nonsense.
const mostTokens = 10_000_000

func (n *count) UnmarshalJSON(data []byte) error {
	var f float64
	*n = 0
	if json.Unmarshal(data, &f) == nil && f > 0 && f <= mostTokens {
		*n = count(f)
	}
	return nil
}

func (u *usage) normal() map[string]any {
	out := map[string]any{"prompt_tokens": u.Prompt, "completion_tokens": u.Completion, "total_tokens": u.Total}
	cached := u.CacheHit
	if u.InDetail != nil {
		cached = max(cached, u.InDetail.Cached)
	}
	out["prompt_tokens_details"] = map[string]any{"cached_tokens": cached}
	if u.OutDetail != nil {
		out["completion_tokens_details"] = map[string]any{"reasoning_tokens": u.OutDetail.Reasoning}
	}
	return out
}

// estimate is the number of tokens in so many bytes: one for 3.5, rounded up.
func estimate(bytes int) int { return (2*bytes + 6) / 7 }

// most merges usage reports: servers repeat them, or count up from chunk to
// chunk.
func most(u loop.Usage, v openai.Usage) loop.Usage {
	u.Prompt = max(u.Prompt, v.PromptTokens)
	u.Completion = max(u.Completion, v.CompletionTokens)
	if d := v.PromptTokensDetails; d != nil {
		u.Cached = max(u.Cached, d.CachedTokens)
	}
	if d := v.CompletionTokensDetails; d != nil {
		u.Reasoning = max(u.Reasoning, d.ReasoningTokens)
		// Some leave reasoning out of the completion and only in the total.
		if rest := v.TotalTokens - v.PromptTokens; rest == v.CompletionTokens+d.ReasoningTokens {
			u.Completion = max(u.Completion, rest)
		}
	}
	return u
}

// asked is the size of the prompt, in bytes.
func (k *call) asked() int {
	n := len(k.req.System) + len(k.req.User)
	for _, t := range k.req.Tools {
		n += len(t.Name) + len(t.Description) + len(t.Parameters)
	}
	for _, s := range k.req.Steps {
		n += len(s.Reply.Text)
		if k.echoed != "" {
			n += len(s.Reply.Reasoning)
		}
		for _, c := range s.Reply.Calls {
			n += len(c.ID) + len(c.Name) + len(c.Arguments) + len(c.Extra)
		}
		for _, a := range s.Answers {
			n += len(a)
		}
	}
	return n
}

// settle replaces by estimates what the server did not say or cannot mean: less
// than a token for 64 bytes. size is the reply's, in bytes.
func (k *call) settle(u loop.Usage, size int) loop.Usage {
	asked := k.asked()
	if u.Prompt < asked/64 || u.Prompt == 0 {
		u.Prompt, u.Estimated = estimate(asked), true
	}
	if u.Completion < size/64 || u.Completion == 0 && size > 0 {
		u.Completion, u.Estimated = estimate(size), true
	}
	u.Cached = min(u.Cached, u.Prompt)
	u.Reasoning = min(u.Reasoning, u.Completion)
	return u
}

// charge adds what a failed try may have cost: what it reported or an estimate.
// size is what came of a reply.
func (k *call) charge(err error, u loop.Usage, size int) {
	var f *fault
	if errors.As(err, &f) && !f.sent {
		return
	}
	k.usage = k.usage.Add(k.settle(u, size))
}
