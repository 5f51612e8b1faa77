package standin

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// MaxBody is the largest request that is read, in bytes; a larger one gets 413.
const MaxBody = 64 << 20

// MaxLog is how many requests the log keeps.
const MaxLog = 10_000

// Request is one entry of the server's log.
type Request struct {
	N            int       // number, from 0
	Arrived      time.Time // the header was read
	First        time.Time // first byte of the answer left; zero for none
	Done         time.Time // the answer ended, however
	Size         int       // bytes of the request's body
	Sent         int       // bytes of the answer's body
	Status       int       // HTTP status; 0 for a dropped connection
	PromptTokens int       // estimate
	ReplyTokens  int       // estimate, of the whole answer
	Authorized   bool      // a bearer token came with it; the token itself is not kept
	Chat         Chat
	Answer       Answer
	Wire         Wire
}

// Server answers chat completions on 127.0.0.1.
type Server struct {
	player Player
	wire   func(n int) Wire
	http   *http.Server
	url    string
	done   chan struct{}
	cancel context.CancelFunc
	active sync.WaitGroup

	asking sync.Mutex // one answer is made at a time
	missed map[[32]byte]Answer

	mu   sync.Mutex
	seen int
	log  []Request
}

// Serve starts a server on a free port. A nil wire sends every answer well. The
// caller must Close it.
func Serve(p Player, wire func(n int) Wire) (*Server, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start the stand-in model: %w", err)
	}
	if wire == nil {
		wire = InOrder()
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &Server{
		player: p, wire: wire, url: "http://" + ln.Addr().String() + "/v1",
		done: make(chan struct{}), cancel: cancel, missed: map[[32]byte]Answer{},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.complete)
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"object":"list","data":[{"id":"standin","object":"model"}]}`)
	})
	s.http = &http.Server{
		Handler: mux, ReadHeaderTimeout: 30 * time.Second, ReadTimeout: 5 * time.Minute,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	go func() {
		defer close(s.done)
		s.http.Serve(ln)
	}()
	return s, nil
}

// URL is the base URL to give to a client; it ends in /v1.
func (s *Server) URL() string { return s.url }

// Close ends every connection, stalled ones too, and returns when the last
// request has been logged.
func (s *Server) Close() error {
	s.cancel()
	err := s.http.Close()
	<-s.done
	s.active.Wait()
	return err
}

// Requests is a copy of the log, in order of arrival. An answer that is still on
// its way has a zero Done.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.log...)
}

func (s *Server) complete(w http.ResponseWriter, r *http.Request) {
	s.active.Add(1)
	defer s.active.Done()
	req := Request{Arrived: time.Now(), Authorized: strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ")}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	req.Size = len(body)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		req.Wire = Wire{Status: http.StatusRequestEntityTooLarge, Body: "the request is too large"}
	case err != nil:
		req.Wire = Wire{Status: http.StatusBadRequest, Body: "the request was cut"}
	default:
		if err := json.Unmarshal(body, &req.Chat); err != nil {
			req.Wire = Wire{Status: http.StatusBadRequest, Body: "the request is not a chat: " + err.Error()}
		}
	}
	bad := req.Wire.refuses()
	req.PromptTokens = req.Chat.Tokens()
	s.enter(&req)
	if !bad {
		req.Wire = s.wire(req.N)
	}
	if !req.Wire.refuses() && !req.Wire.Reject {
		req.Answer = s.answer(req.Chat, sha256.Sum256(body), req.Wire.whole())
		req.ReplyTokens = Tokens(req.Answer.Text) + Tokens(req.Answer.Reasoning) + callTokens(req.Answer.Calls)
	}
	defer func() {
		req.Done = time.Now()
		s.leave(req)
	}()
	send(r.Context(), w, &req)
}

// answer asks the player, unless this very request was asked before and its
// answer was lost on the way: then the client is only trying again.
func (s *Server) answer(c Chat, key [32]byte, whole bool) Answer {
	s.asking.Lock()
	defer s.asking.Unlock()
	a, again := s.missed[key]
	if !again {
		a = s.player.Answer(c)
	}
	if whole {
		delete(s.missed, key)
	} else if len(s.missed) < MaxLog {
		s.missed[key] = a
	}
	return a
}

// enter gives the request its number and its place in the log.
func (s *Server) enter(req *Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	req.N = s.seen
	s.seen++
	if req.N < MaxLog {
		s.log = append(s.log, *req)
	}
}

func (s *Server) leave(req Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if req.N < len(s.log) {
		s.log[req.N] = req
	}
}
