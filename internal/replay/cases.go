package replay

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
)

// BadCase is a line that is no case.
type BadCase struct {
	Line int // from 1
	Why  string
}

func (b *BadCase) Error() string { return fmt.Sprintf("line %d: %s", b.Line, b.Why) }

// maxCase caps one case's line.
const maxCase = 256 << 20

// Each replays the cases that in holds, one JSON object a line, on all cores,
// and gives the results in the order of the cases, until one is wrong or give
// fails. Memory holds as many cases as there are cores, twice.
func (e Engine) Each(in *bufio.Reader, give func(Result) error) (err error) {
	n := runtime.GOMAXPROCS(0)
	work, queue, stop := make(chan *job), make(chan *job, n), make(chan struct{})
	var workers sync.WaitGroup
	for range n {
		workers.Go(func() {
			for j := range work {
				e.do(j)
			}
		})
	}
	var readErr error
	go func() {
		defer close(queue)
		defer close(work)
		readErr = feed(in, queue, work, stop)
	}()
	for j := range queue {
		<-j.done
		if err != nil {
			continue // the feeder has not seen the stop yet
		}
		if err = j.err; err == nil {
			err = give(j.result)
		}
		if err != nil {
			close(stop)
		}
	}
	workers.Wait()
	if err == nil {
		err = readErr
	}
	return err
}

// job is one case on its way. Result and err are set when done is closed.
type job struct {
	line   int
	raw    []byte
	done   chan struct{}
	result Result
	err    error
}

func (e Engine) do(j *job) {
	defer close(j.done)
	var c Case
	if err := json.Unmarshal(j.raw, &c); err != nil {
		j.err = &BadCase{j.line, "not a JSON object of a case: " + err.Error()}
		return
	}
	j.raw = nil
	j.result, j.err = e.Run(c)
}

// feed reads lines and hands each to the queue, which keeps the order, and to a worker.
func feed(in *bufio.Reader, queue, work chan<- *job, stop <-chan struct{}) error {
	for line := 1; ; line++ {
		raw, err := in.ReadBytes('\n')
		if len(raw) > maxCase {
			return &BadCase{line, "longer than 256 MiB"}
		}
		if len(raw) > 1 && (err == nil || errors.Is(err, io.EOF)) {
			j := &job{line: line, raw: raw, done: make(chan struct{})}
			select {
			case queue <- j:
				work <- j
			case <-stop:
				return nil
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading cases: %w", err)
		}
	}
}
