package llm

import (
	"strings"

	"github.com/agentloop/agentloop/loop"
)

// guessStatus gives the HTTP status that the codes of an error within a stream
// stand for; 0 if they say nothing.
func guessStatus(codes string) int {
	codes = strings.ToLower(codes)
	switch {
	case has(codes, "rate_limit", "ratelimit", "too_many_requests", "resource_exhausted", "throttl"):
		return 429
	case has(codes, "overloaded", "server_error", "internal", "unavailable", "api_error", "timeout"):
		return 503
	case has(codes, "authentication", "unauthorized", "unauthenticated", "invalid_api_key"):
		return 401
	case has(codes, "permission", "forbidden"):
		return 403
	case has(codes, "model_not_found", "not_found"):
		return 404
	case has(codes, "invalid_request", "bad_request", "badrequest", "invalid_argument", "invalid_prompt"):
		return 400
	}
	return 0
}

// judge classifies an error by its status and its words in lower case, and says
// whether asking again may help. The words come first: servers use 400, 429 and
// 500 for much else than what they stand for.
func judge(status int, text string) (kind loop.Trouble, again bool) {
	switch {
	case status == 413 || tooLong(status, text):
		return loop.TroubleContext, false
	case status == 402 || status < 500 && outOfMoney(text):
		return loop.TroubleQuota, false
	case status == 401 || status == 403:
		return loop.TroubleAuth, false
	case status == 400 && has(text, "api key not valid", "invalid api key", "invalid_api_key", "incorrect api key"):
		return loop.TroubleAuth, false
	case status == 400 && has(text, "tool_use_failed"): // Groq: what the model wrote was no call
		return loop.TroubleUnavailable, true
	case status == 404 || status == 400 && has(text, "model_not_found"):
		return loop.TroubleNotFound, false
	case status == 429:
		return loop.TroubleRateLimit, true
	case status == 408 || status == 409 || status == 425 || status == 0:
		return loop.TroubleUnavailable, true
	case status >= 500:
		return loop.TroubleUnavailable, status != 501 && status != 505
	case status >= 300 && status < 400:
		return loop.TroubleBadAddress, false
	}
	return loop.TroubleBadRequest, false
}

// tooLong recognises a prompt longer than the model's window by the servers'
// words.
func tooLong(status int, text string) bool {
	if has(text, "context_length_exceeded", "exceed_context_size", "maximum context length", "context window",
		"context length", "context size", "model_context_window_exceeded", "string_above_max_length",
		"reduce the length of", "request too large for") {
		return true
	}
	if status == 429 || status == 401 || status == 403 { // "too many tokens" is a rate there
		return false
	}
	return has(text, "prompt is too long", "prompt too long", "input is too long", "input too long", "too many tokens",
		"input token count", "input length and", "exceeds the maximum number of tokens", "maximum input length",
		"maximum prompt length", "token limit exceeded", "exceeds the token limit", "too many input tokens",
		"requested token count exceeds", "max_prompt_tokens", "prompt length", "maximum allowed number of input tokens",
		"request_too_large", "request entity too large")
}

// outOfMoney recognises an exhausted quota or balance. Google says so of its
// limits by the minute, too: those pass.
func outOfMoney(text string) bool {
	if has(text, "perminute", "per minute", "per_minute") {
		return false
	}
	return has(text, "insufficient_quota", "exceeded your current quota", "billing_hard_limit", "billing_not_active",
		"check your plan and billing", "check your billing", "billing details", "insufficient balance",
		"insufficient_balance", "insufficient credit", "insufficient_credit", "insufficient funds", "credit balance is too low",
		"out of credits", "no credits", "more credits", "credit limit", "payment required", "spend limit", "spending limit",
		"usage limit", "quota_exceeded", "account_deactivated", "arrearage")
}

// has reports whether the text holds any of the signs.
func has(text string, signs ...string) bool {
	for _, sign := range signs {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}
