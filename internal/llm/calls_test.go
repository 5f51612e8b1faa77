package llm

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentloop/agentloop/loop"
	"github.com/agentloop/agentloop/prompts"
)

// parts is an event with pieces of tool calls.
func parts(pieces ...string) string {
	return `data: {"choices":[{"index":0,"delta":{"tool_calls":[` + strings.Join(pieces, ",") + "]}}]}\n\n"
}

// part is a piece of a call; what is empty is left out, and the arguments are
// text.
func part(index, id, name, arguments string) string {
	function := map[string]string{"arguments": arguments}
	if name != "" {
		function["name"] = name
	}
	p := map[string]any{"function": function}
	if index != "" {
		p["index"] = json.RawMessage(index)
	}
	if id != "" {
		p["id"], p["type"] = id, "function"
	}
	text, _ := json.Marshal(p)
	return string(text)
}

// finished is an event with a reason to finish.
func finished(reason string) string { return strings.Replace(stop, "stop", reason, 1) }

const (
	readA = `{"path":"a"}`
	readB = `{"path":"b {\"}\\"}`
)

// TestCalls has a row for each way in which servers send tool calls.
func TestCalls(t *testing.T) {
	both := []loop.Call{{ID: "x1", Name: "read", Arguments: readA}, {ID: "x2", Name: "read", Arguments: readB}}
	made := []loop.Call{{ID: "call_1", Name: "read", Arguments: readA}, {ID: "call_2", Name: "read", Arguments: readB}}
	one := both[:1]
	message := func(message, finish string) http.HandlerFunc {
		return sends("application/json", `{"choices":[{"index":0,"message":`+message+`,"finish_reason":`+finish+`}]}`)
	}
	tests := []struct {
		name   string
		answer http.HandlerFunc
		want   []loop.Call
	}{
		{"OpenAI", stream(
			parts(part("0", "x1", "read", "")), parts(part("0", "", "", `{"pa`)), parts(part("0", "", "", `th":"a"}`)),
			parts(part("1", "x2", "read", "")), parts(part("1", "", "", readB)), finished("tool_calls"), finis), both},
		{"interleaved", stream(
			parts(part("0", "x1", "read", `{"path`), part("1", "x2", "read", readB[:9])),
			parts(part("1", "", "", readB[9:]), part("0", "", "", `":"a"}`)), finished("tool_calls")), both},
		{"in one event with the finish", stream(strings.Replace(parts(part("0", "x1", "read", readA)), `]}}]`, `]},"finish_reason":"tool_calls"}]`, 1)), one},
		{"without an index", stream(parts(part("", "x1", "read", readA)), parts(part("", "x2", "read", readB)), stop), both},
		{"without an index, in parts", stream(parts(part("", "x1", "read", `{"path"`)), parts(part("", "", "", `:"a"}`)), parts(part("", "x2", "read", "")), parts(part("", "", "", readB)), stop), both},
		{"all of index 0", stream(parts(part("0", "x1", "read", readA)), parts(part("0", "x2", "read", readB)), stop), both},
		{"all of index 0, in one event", stream(parts(part("0", "x1", "read", readA), part("0", "x2", "read", readB)), stop), both},
		{"all of index 0, in parts", stream(parts(part("0", "x1", "read", "")), parts(part("0", "", "", readA)), parts(part("0", "x2", "read", "")), parts(part("0", "", "", readB)), stop), both},
		{"indices are text", stream(parts(part(`"0"`, "x1", "read", "")), parts(part(`"1"`, "x2", "read", "")), parts(part(`"0"`, "", "", readA)), parts(part(`"1"`, "", "", readB)), stop), both},
		{"id and name in each part", stream(parts(part("0", "x1", "read", `{"path"`)), parts(part("0", "x1", "read", `:"a"}`)), parts(part("0", "x1", "read", "")), parts(part("1", "x2", "read", readB)), stop), both},
		{"name in each part", stream(parts(part("0", "", "read", `{"path"`)), parts(part("0", "", "read", `:"a"}`)), parts(part("1", "", "read", readB)), stop), made},
		{"name in each part and nothing else", stream(parts(part("", "", "read", `{"path"`)), parts(part("", "", "read", `:"a"}`)), parts(part("", "", "read", readB)), stop), made},
		{"an id for each part", stream(parts(part("0", "x1", "read", `{"path"`)), parts(part("0", "x8", "", `:"a"}`)), parts(part("1", "x2", "read", "")), parts(part("1", "x9", "", readB)), stop), both},
		{"no id, no index", stream(parts(part("", "", "read", readA), part("", "", "read", readB)), stop), made},
		{"no id, all of index 0", stream(parts(part("0", "", "read", readA)), parts(part("0", "", "read", readB)), stop), made},
		{"one id for all", stream(parts(part("0", "x1", "read", readA)), parts(part("1", "x1", "read", readB)), stop), []loop.Call{both[0], {ID: "call_1", Name: "read", Arguments: readB}}},
		{"the id later", stream(parts(part("0", "", "read", "")), parts(part("0", "x1", "", readA)), stop), one},
		{"the id is a number", stream(strings.Replace(parts(part("0", "x1", "read", readA)), `"x1"`, `7`, 1), stop), []loop.Call{{ID: "7", Name: "read", Arguments: readA}}},
		{"each byte by itself", stream(parts(part("0", "x1", "read", "")), bytewise("0", readA), parts(part("1", "x2", "read", "")), bytewise("1", readB), finished("tool_calls")), both},
		{"arguments are an object", stream(`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"x1","function":{"name":"read","arguments":{"path":"a"}}}]}}]}`+"\n\n", stop), one},
		{"a placeholder first", stream(parts(part("0", "x1", "read", "{}")), parts(part("0", "", "", readA)), parts(part("1", "x2", "read", "{}")), parts(part("1", "x2", "read", readB)), stop), both},
		{
			"without arguments", stream(parts(part("0", "x1", "list", ""), part("1", "x2", "list", "{}")), parts(`{"index":2,"id":"x3","function":{"name":"list"}}`, `{"index":3,"id":"x4","function":{"name":"list","arguments":null}}`), stop),
			[]loop.Call{{ID: "x1", Name: "list", Arguments: "{}"}, {ID: "x2", Name: "list", Arguments: "{}"}, {ID: "x3", Name: "list", Arguments: "{}"}, {ID: "x4", Name: "list", Arguments: "{}"}},
		},
		{"two without arguments, all of index 0", stream(parts(part("0", "x1", "list", "")), parts(part("0", "x2", "list", "")), stop), []loop.Call{{ID: "x1", Name: "list", Arguments: "{}"}, {ID: "x2", Name: "list", Arguments: "{}"}}},
		{"a signature", stream(parts(`{"id":"x1","function":{"name":"read","arguments":"{\"path\":\"a\"}"},"extra_content":{"google":{"thought_signature":"s"}}}`), stop), []loop.Call{{ID: "x1", Name: "read", Arguments: readA, Extra: json.RawMessage(`{"google":{"thought_signature":"s"}}`)}}},
		{"no signature", stream(parts(`{"id":"x1","function":{"name":"read","arguments":"{\"path\":\"a\"}"},"extra_content":null}`), stop), one},
		{"a signature by itself", stream(parts(part("", "x1", "read", readA)), parts(`{"extra_content":{"s":1}}`), stop), []loop.Call{{ID: "x1", Name: "read", Arguments: readA, Extra: json.RawMessage(`{"s":1}`)}}},
		{"finish stop", stream(parts(part("0", "x1", "read", readA)), stop, costs, finis), one},
		{"finish function_call", stream(parts(part("0", "x1", "read", readA)), finished("function_call")), one},
		{"finish tool_use", stream(parts(part("0", "x1", "read", readA)), finished("tool_use")), one},
		{"finish too early", stream(finished("tool_calls"), parts(part("0", "x1", "read", readA)), finis), one},
		{"only [DONE]", stream(parts(part("0", "x1", "read", readA)), finis), one},
		{"empty list", stream(parts(), parts(part("0", "x1", "read", readA)), parts(), stop), one},
		{"of another choice", stream(parts(part("0", "x1", "read", readA)), strings.Replace(parts(part("0", "", "", "no")), `"index":0`, `"index":1`, 1), stop), one},
		{"whole", message(`{"content":null,"tool_calls":[`+part("", "x1", "read", readA)+","+part("", "x2", "read", readB)+`]}`, `"tool_calls"`), both},
		{"whole, one id and no finish", message(`{"tool_calls":[`+part("0", "x", "list", "")+","+part("0", "x", "list", "")+`]}`, `null`), []loop.Call{{ID: "x", Name: "list", Arguments: "{}"}, {ID: "call_1", Name: "list", Arguments: "{}"}}},
		{"before there were tools", stream(`data: {"choices":[{"delta":{"function_call":{"name":"read","arguments":""}}}]}`+"\n\n", `data: {"choices":[{"delta":{"function_call":{"arguments":"{\"path\":\"a\"}"}}}]}`+"\n\n", finished("function_call")), made[:1]},
		{"before there were tools, whole", message(`{"content":"","function_call":{"name":"read","arguments":"{\"path\":\"a\"}"}}`, `"function_call"`), made[:1]},
		{"none", stream(finished("tool_calls"), finis), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			reply, tr, err := ask(t, serve(t, tt.answer).client(t))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, reply.Calls); d != "" {
				t.Error(d)
			}
			if reply.Finish != loop.FinishStop || reply.Text != "" || tr.text != "" {
				t.Errorf("finish %s, text %q, chunks %q", reply.Finish, reply.Text, tr.text)
			}
		})
	}
}

// bytewise sends a call's arguments in an event for each byte.
func bytewise(index, arguments string) string {
	var b strings.Builder
	for i := range len(arguments) {
		b.WriteString(parts(part(index, "", "", arguments[i:i+1])))
	}
	return b.String()
}

// TestCutCalls: what the reply was cut in stays as it is, and a stream that just
// ends is no reply.
func TestCutCalls(t *testing.T) {
	for _, arguments := range []string{"", `{"pa`} {
		reply, tr, err := ask(t, serve(t, stream(delta("hello"), parts(part("0", "x1", "read", arguments)), finished("length"))).client(t))
		want := []loop.Call{{ID: "x1", Name: "read", Arguments: arguments}}
		if d := cmp.Diff(want, reply.Calls); err != nil || d != "" || reply.Finish != loop.FinishLength || reply.Text != "hello" || tr.text != "hello" {
			t.Errorf("%+v, %v: %s", reply, err, d)
		}
	}
	s := serve(t, stream(parts(part("0", "x1", "read", readA))), good())
	if reply, _, err := ask(t, s.client(t)); err != nil || len(reply.Calls) != 0 || s.requests() != 2 || !reply.Usage.Estimated {
		t.Errorf("%+v, %v after %d requests", reply, err, s.requests())
	}
}

// TestCallsHaveBounds: arguments are part of the reply's size and cost.
func TestCallsHaveBounds(t *testing.T) {
	long := parts(part("0", "x1", "write", strings.Repeat("x", 3500-len("x1write"))))
	reply, _, err := ask(t, serve(t, stream(long, stop)).client(t))
	if err != nil || reply.Usage.Completion != 1000 {
		t.Errorf("%+v, %v", reply.Usage, err)
	}
	c := serve(t, stream(long, stop)).client(t)
	c.MaxReplyBytes = 3000
	if _, _, err = ask(t, c); modelError(err) == nil || modelError(err).Kind != loop.TroubleTooLarge {
		t.Error(err)
	}
	var many []string
	for i := range maxCalls + 1 {
		many = append(many, parts(part(fmt.Sprint(i), "", "list", "")))
	}
	if _, _, err = ask(t, serve(t, stream(append(many, stop)...)).client(t)); modelError(err) == nil || modelError(err).Kind != loop.TroubleTooLarge {
		t.Error(err)
	}
	if reply, _, err = ask(t, serve(t, stream(append(many[:maxCalls:maxCalls], stop)...)).client(t)); err != nil || len(reply.Calls) != maxCalls {
		t.Errorf("%d calls, %v", len(reply.Calls), err)
	}
}

// twoSteps is a request after a step with calls and one without.
func twoSteps() loop.Request {
	return loop.Request{
		System: "s", User: "u",
		Tools: []prompts.Tool{{Name: "read", Description: "reads", Parameters: json.RawMessage(`{"type":"object"}`)}, {Name: "list"}},
		Steps: []loop.Step{
			{Reply: loop.Reply{Reasoning: "hm", Calls: []loop.Call{
				{ID: "a", Name: "read", Arguments: `{"path": "x<y"}`, Extra: json.RawMessage(`{"s":"t"}`)}, {ID: "b", Name: "list now"}, {ID: "c", Name: "read", Arguments: `{"pa`},
			}}, Answers: []string{"text\n", ""}},
			{Reply: loop.Reply{Text: "done?"}, Answers: []string{"no"}},
		},
	}
}

func TestStepsLeave(t *testing.T) {
	type obj = map[string]any
	function := func(id, name, arguments string) obj {
		return obj{"id": id, "type": "function", "function": obj{"name": name, "arguments": arguments}}
	}
	first := function("a", "read", `{"path": "x<y"}`)
	first["extra_content"] = obj{"s": "t"}
	assistant := obj{"role": "assistant", "content": nil, "tool_calls": []any{first, function("b", "list_now", "{}"), function("c", "read", "{}")}}
	want := []any{
		obj{"role": "system", "content": "s"},
		obj{"role": "user", "content": "u"},
		assistant,
		obj{"role": "tool", "tool_call_id": "a", "content": "text\n"},
		obj{"role": "tool", "tool_call_id": "b", "content": "(nothing)"},
		obj{"role": "tool", "tool_call_id": "c", "content": "(nothing)"},
		obj{"role": "assistant", "content": "done?"},
		obj{"role": "user", "content": "no"},
	}
	s := serve(t, stream(delta("hello"), parts(part("", "", "list", "")), stop))
	reply, err := s.client(t).Complete(t.Context(), twoSteps())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, s.bodies[0]["messages"]); d != "" {
		t.Error(d)
	}
	tools := []any{
		obj{"type": "function", "function": obj{"name": "read", "description": "reads", "parameters": obj{"type": "object"}}},
		obj{"type": "function", "function": obj{"name": "list", "description": "", "parameters": obj{"type": "object", "properties": obj{}}}},
	}
	if d := cmp.Diff(tools, s.bodies[0]["tools"]); d != "" {
		t.Error(d)
	}
	if u := reply.Usage; u.Prompt != estimate(len("s"+"u"+"readreads"+`{"type":"object"}`+"list"+`aread{"path": "x<y"}{"s":"t"}`+"blist now"+`cread{"pa`+"text\n"+"done?"+"no")) {
		t.Errorf("prompt estimated at %d", u.Prompt)
	}
	if reply.Calls[0].ID != "call_1" {
		t.Errorf("made up %q", reply.Calls[0].ID)
	}
}

// TestMadeUpIDs are not used twice in a round.
func TestMadeUpIDs(t *testing.T) {
	req := twoSteps()
	req.Steps[0].Reply.Calls[1].ID = "call_1"
	reply, err := serve(t, stream(parts(part("", "", "list", "")), stop)).client(t).Complete(t.Context(), req)
	if err != nil || reply.Calls[0].ID != "call_2" {
		t.Errorf("%+v, %v", reply.Calls, err)
	}
}

// TestThoughtsGoBack under the name by which they came, and only to a server
// that sent some and takes them.
func TestThoughtsGoBack(t *testing.T) {
	think := func(field string) http.HandlerFunc {
		return stream(fmt.Sprintf("data: {\"choices\":[{\"delta\":{%q:\"hm\",\"tool_calls\":[%s]}}]}\n\n", field, part("0", "x1", "read", readA)), stop)
	}
	for _, field := range []string{"reasoning_content", "reasoning"} {
		refuses := status(400, `{"error":{"message":"property 'messages.2.assistant.`+field+`' is unsupported"}}`)
		s := serve(t, think(field), good(), refuses, good())
		c := s.client(t)
		var sent []any
		for range 4 {
			if _, err := c.Complete(t.Context(), twoSteps()); err != nil {
				t.Fatal(err)
			}
		}
		for _, body := range s.bodies {
			sent = append(sent, body["messages"].([]any)[2].(map[string]any)[field])
		}
		if d := cmp.Diff([]any{nil, "hm", "hm", nil, nil}, sent); d != "" {
			t.Errorf("%s: %s", field, d)
		}
	}
}

// TestToolsRefused: a server that takes no tools is asked without, from then on,
// and earlier calls reach it in words.
func TestToolsRefused(t *testing.T) {
	tests := []struct {
		status  int
		body    string
		refused bool
	}{
		{400, `{"error":{"message":"registry.ollama.ai/library/gemma:2b does not support tools","type":"api_error"}}`, true},
		{400, `{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","param":null,"code":400}`, true},
		{404, `{"error":{"message":"No endpoints found that support tool use. To learn more about provider routing, visit: x","code":404}}`, true},
		{500, `{"error":{"code":500,"message":"Unsupported param: tools","type":"server_error"}}`, true},
		{500, `{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}`, true},
		{400, `{"error":{"message":"Function calling is not supported by this model"}}`, true},
		{400, `{"error":{"message":"Unrecognized request argument supplied: tools"}}`, true},
		{422, `{"detail":[{"type":"extra_forbidden","loc":["body","tools"],"msg":"Extra inputs are not permitted"}]}`, true},
		{400, `{"error":{"message":"An assistant message with 'tool_calls' must be followed by tool messages"}}`, false},
		{401, `{"error":{"message":"your plan does not support tools"}}`, false},
	}
	for _, tt := range tests {
		s := serve(t, status(tt.status, tt.body), good())
		c := s.client(t)
		_, err := c.Complete(t.Context(), twoSteps())
		if !tt.refused {
			if err == nil || s.requests() != 1 {
				t.Errorf("%s: %v after %d requests", tt.body, err, s.requests())
			}
			continue
		}
		if _, again := c.Complete(t.Context(), twoSteps()); err != nil || again != nil || s.requests() != 3 {
			t.Errorf("%s: %v, %v after %d requests", tt.body, err, again, s.requests())
			continue
		}
		want := []any{
			map[string]any{"role": "system", "content": "s"},
			map[string]any{"role": "user", "content": "u"},
			map[string]any{"role": "assistant", "content": "Call of read: {\"path\": \"x<y\"}\n\nCall of list now: \n\nCall of read: {\"pa"},
			map[string]any{"role": "user", "content": "Answer to read: text\n\n\nAnswer to list now: (nothing)\n\nAnswer to read: (nothing)"},
			map[string]any{"role": "assistant", "content": "done?"},
			map[string]any{"role": "user", "content": "no"},
		}
		for _, body := range s.bodies[1:] {
			if d := cmp.Diff(want, body["messages"]); d != "" || body["tools"] != nil {
				t.Errorf("%s: tools %v, %s", tt.body, body["tools"], d)
			}
		}
	}
}

// TestFailedGeneration: Groq says with a status of 400 that the model wrote no
// sound call; asking again helps.
func TestFailedGeneration(t *testing.T) {
	s := serve(t, status(400, `{"error":{"message":"Failed to call a function. Please adjust your prompt.","type":"invalid_request_error","code":"tool_use_failed","failed_generation":"<function=read"}}`), good())
	if _, err := s.client(t).Complete(t.Context(), twoSteps()); err != nil || s.requests() != 2 {
		t.Errorf("%v after %d requests", err, s.requests())
	}
}
