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
// and gives the results in the order of the cases. Memory holds as many cases
// as there are cores, twice.
func (e Engine) Each(in *bufio.Reader, give func(Result) error) error {
	type job struct {
		line int
		raw  []byte
		done chan struct{}
		res  Result
		err  error
	}
	n := runtime.GOMAXPROCS(0)
	work, queue := make(chan *job), make(chan *job, n)
	var workers sync.WaitGroup
	for range n {
		workers.Go(func() {
			for j := range work {
				var c Case
				if err := json.Unmarshal(j.raw, &c); err != nil {
					j.err = &BadCase{j.line, "not a JSON object of a case: " + err.Error()}
				} else {
					j.res, j.err = e.Run(c)
				}
				j.raw = nil
				close(j.done)
			}
		})
	}
	stop := make(chan struct{})
	var readErr error
	go func() {
		defer close(queue)
		defer close(work)
		for line := 1; ; line++ {
			raw, err := in.ReadBytes('\n')
			if len(raw) > maxCase {
				err = &BadCase{line, "longer than 256 MiB"}
			}
			if len(raw) > 1 && (err == nil || errors.Is(err, io.EOF)) {
				j := &job{line: line, raw: raw, done: make(chan struct{})}
				select {
				case queue <- j:
				case <-stop:
					return
				}
				work <- j
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					readErr = err
				}
				return
			}
		}
	}()
	var err error
	for j := range queue {
		<-j.done
		if err == nil {
			if err = j.err; err == nil {
				err = give(j.res)
			}
			if err != nil {
				close(stop)
			}
		}
	}
	workers.Wait()
	if err == nil {
		err = readErr
	}
	return err
}
