package standin

import (
	"bufio"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// readCalls puts the calls of a stream together as its client should.
func readCalls(t *testing.T, raw string) (calls []Call, pieces int) {
	t.Helper()
	sc := bufio.NewScanner(strings.NewReader(raw))
	for sc.Scan() {
		data, ok := strings.CutPrefix(sc.Text(), "data: {")
		if !ok {
			continue
		}
		type deltas[C any] struct {
			Choices []struct {
				Delta struct {
					Calls []C `json:"tool_calls"`
				}
			}
		}
		var said deltas[Call]
		var where deltas[struct{ Index int }]
		if err := json.Unmarshal([]byte("{"+data), &said); err != nil {
			t.Fatalf("event %q: %v", data, err)
		}
		json.Unmarshal([]byte("{"+data), &where)
		for i, choice := range said.Choices {
			for k, c := range choice.Delta.Calls {
				at := where.Choices[i].Delta.Calls[k].Index
				if at == len(calls) {
					calls = append(calls, c)
					continue
				}
				calls[at].Arguments += c.Arguments
				pieces++
			}
		}
	}
	return calls, pieces
}

func TestCalls(t *testing.T) {
	answer := Answer{Text: "I look.\n", Calls: []Call{{ID: "mine", Name: "read_file", Arguments: `{"path":"ä/ö.go"}`}, {Name: "list_files"}, {Name: "edit", Arguments: `{"pa`}}}
	want := []Call{answer.Calls[0], {"call_0_1", "list_files", ""}, {"call_0_2", "edit", `{"pa`}}
	s := serve(t, NewAnswers(answer, answer), Wire{Chunk: 3})
	_, raw, err := ask(t, s, true, "do it")
	if err != nil {
		t.Fatal(err)
	}
	text, _, finish, _, done := read(t, raw)
	calls, pieces := readCalls(t, raw)
	if text != answer.Text || finish != "tool_calls" || !done || !slices.Equal(calls, want) || pieces < 7 {
		t.Errorf("%q, %q, %v in %d pieces", text, finish, calls, pieces)
	}
	_, raw, _ = ask(t, s, false, "again")
	var v struct {
		Choices []struct {
			Message Message
			Finish  string `json:"finish_reason"`
		}
	}
	if err := json.Unmarshal([]byte(raw), &v); err != nil {
		t.Fatal(err)
	}
	want[1].ID, want[2].ID = "call_1_1", "call_1_2"
	if m := v.Choices[0]; string(m.Message.Content) != answer.Text || m.Finish != "tool_calls" || !slices.Equal(m.Message.Calls, want) {
		t.Errorf("%+v", m)
	}
	s.Close()
	if n := s.Requests()[0].ReplyTokens; n != Tokens(answer.Text)+callTokens(answer.Calls) {
		t.Errorf("%d tokens", n)
	}
}

// A cut may fall into a call's arguments, and the client that asks again gets
// the same calls.
func TestCallsCut(t *testing.T) {
	s := serve(t, NewAnswers(Answer{Text: "abc", Calls: []Call{{Name: "f", Arguments: "0123456789"}}}), Wire{Cut: 7})
	_, raw, err := ask(t, s, true, "go")
	if calls, _ := readCalls(t, raw); err == nil || len(calls) != 1 || calls[0].Arguments != "0123" {
		t.Errorf("%v, %v", calls, err)
	}
	_, raw, err = ask(t, s, true, "go")
	if calls, _ := readCalls(t, raw); err != nil || len(calls) != 1 || calls[0].Arguments != "0123456789" {
		t.Errorf("%v, %v", calls, err)
	}
}

func TestChatWithCalls(t *testing.T) {
	s := serve(t, Fixed("x"))
	body := `{"messages":[{"role":"user","content":"u"},
		{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"a","content":"answer"}],"tools":[{"type":"function","function":{"name":"f","parameters":{}}}]}`
	resp, err := http.Post(s.URL()+"/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	s.Close()
	c := s.Requests()[0].Chat
	if !c.Offers("f") || c.Offers("g") || len(c.Messages) != 3 || !slices.Equal(c.Messages[1].Calls, []Call{{"a", "f", "{}"}}) || c.Messages[2].CallID != "a" || c.Messages[2].Content != "answer" {
		t.Errorf("%+v", c)
	}
}
