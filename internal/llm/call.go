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
		Model:    k.client.Model,
		Messages: k.messages(),
	})
	if err != nil {
		return loop.Reply{}, err
	}
	defer stream.Close()
	reply, size, err := k.receive(stream)
	if err != nil {
		k.charge(err, reply.Usage, size)
		return loop.Reply{}, err
	}
	k.usage = k.usage.Add(k.settle(reply.Usage, size))
	return reply, nil
}

func (k *call) messages() []openai.ChatCompletionMessage {
	var all []openai.ChatCompletionMessage
	if k.req.System != "" {
		all = append(all, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleSystem, Content: k.req.System})
	}
	return append(all, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleUser, Content: k.req.User})
}

// receive puts a reply together. The body below has already refused what is no
// whole reply (see replyBody), so io.EOF means the end of one. size is what was
// received of it, in bytes, also with an error.
func (k *call) receive(stream *openai.ChatCompletionStream) (reply loop.Reply, size int, err error) {
	var said, thought strings.Builder
	reply.Finish = loop.FinishStop // for servers that only send [DONE]
	for {
		part, err := stream.Recv()
		if err == io.EOF {
			break
		}
		if err != nil {
			return reply, size, err
		}
		if reply.Model == "" && part.Model != "" {
			reply.Model = k.client.scrub(part.Model, 200)
		}
		if part.Usage != nil {
			reply.Usage = most(reply.Usage, *part.Usage)
		}
		for _, c := range part.Choices { // one or none
			size += len(c.Delta.Content) + len(c.Delta.ReasoningContent)
			if int64(size) > k.limits.reply {
				return reply, size, &fault{kind: loop.TroubleTooLarge, sent: true, detail: fmt.Sprintf("the reply is longer than %d bytes", k.limits.reply)}
			}
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
	return reply, size, nil
}

// finish gives the names that other APIs use in OpenAI's words, because a reply
// that was cut for its length must never pass for a whole one.
func finish(reason string) loop.Finish {
	switch lower := strings.ToLower(reason); lower {
	case "stop", "end_turn", "eos", "stop_sequence":
		return loop.FinishStop
	case "length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded":
		return loop.FinishLength
	case "content_filter", "safety", "refusal":
		return loop.FinishFilter
	}
	return loop.Finish(shorten(reason, 64))
}
