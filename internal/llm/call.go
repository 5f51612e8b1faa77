package llm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/sashabaranov/go-openai"

	"github.com/agentloop/agentloop/loop"
)

// call is one Complete: its tries and what they cost.
type call struct {
	client    *Client
	ctx       context.Context // ends with the caller's, or after limits.elapsed
	req       loop.Request
	limits    limits
	transport http.RoundTripper
	query     string   // of the base URL
	offered   []string // options that the last request held
	echoed    string   // the field in which it gave the model's thoughts back, "" for none
	heard     *heard   // of the reply that comes
	renamed   bool     // the server refused a name of the answer's bound

	tries int        // requests that left
	usage loop.Usage // what they cost
}

// run asks until a reply is whole, or asking again would not help.
func (k *call) run(model *openai.Client) (loop.Reply, error) {
	for {
		reply, err := k.try(model)
		var f *fault
		if err == nil || !errors.As(err, &f) {
			return reply, err
		}
		if f.option != "" && k.tries < k.limits.attempts && k.without(f.option) {
			k.announce(&fault{detail: fmt.Sprintf("the server does not take %s; asking without", f.option)}, 0)
			continue
		}
		wait, err := k.next(f)
		if err != nil {
			return reply, err
		}
		k.announce(f, wait)
		if err := sleep(k.ctx, wait); err != nil {
			return reply, err
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// try asks once, as far as what comes after the response's header goes.
func (k *call) try(model *openai.Client) (loop.Reply, error) {
	stream, err := model.CreateChatCompletionStream(k.ctx, openai.ChatCompletionRequest{
		Model: k.client.Model, // Do puts the rest in
	})
	if err != nil {
		return loop.Reply{}, err
	}
	defer stream.Close()
	reply, err := k.receive(stream)
	if err != nil {
		k.charge(err, reply.Usage, k.heard.size)
		return loop.Reply{}, err
	}
	k.usage = k.usage.Add(k.settle(reply.Usage, k.heard.size))
	k.client.learned.thoughtsCameIn(k.heard.field)
	return reply, nil
}

// receive puts a reply together. The body below has already refused what is no
// whole reply (see replyBody), so io.EOF means the end of one.
func (k *call) receive(stream *openai.ChatCompletionStream) (reply loop.Reply, err error) {
	var said, thought strings.Builder
	reply.Finish = loop.FinishStop // for servers that only send [DONE]
	for {
		part, err := stream.Recv()
		if err == io.EOF {
			break
		}
		if err != nil {
			return reply, err
		}
		if reply.Model == "" && part.Model != "" {
			reply.Model = k.client.scrub(part.Model, 200)
		}
		if part.Usage != nil {
			reply.Usage = most(reply.Usage, *part.Usage)
		}
		for _, c := range part.Choices { // one or none
			said.WriteString(c.Delta.Content)
			thought.WriteString(c.Delta.ReasoningContent)
			if c.FinishReason != "" {
				reply.Finish = finish(string(c.FinishReason))
			}
			if c.Delta.Content != "" && k.req.Chunk != nil {
				k.req.Chunk(c.Delta.Content)
			}
		}
	}
	reply.Text, reply.Reasoning = said.String(), thought.String()
	reply.Calls = k.heard.made(reply.Finish != loop.FinishStop, k.callIDs())
	return reply, nil
}

// finish gives the names that other APIs use in OpenAI's words, because a reply
// that was cut for its length must never pass for a whole one. Servers disagree
// on the name of a stop to call tools, and some use it without any call.
func finish(reason string) loop.Finish {
	switch lower := strings.ToLower(reason); lower {
	case "stop", "end_turn", "eos", "stop_sequence", "tool_calls", "tool_use", "function_call":
		return loop.FinishStop
	case "length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded":
		return loop.FinishLength
	case "content_filter", "safety", "refusal":
		return loop.FinishFilter
	}
	return loop.Finish(shorten(reason, 64))
}
