//go:build unix && !linux

package sandbox

import "syscall"

// endWithUs has no means here.
func endWithUs(*syscall.SysProcAttr) {}

// limit has no mark to give here.
func (p *process) limit() {}

// await learns of the command's end by reaping it.
func (p *process) await() {
	defer close(p.ended)
	_ = p.cmd.Wait() // an error only repeats what the state says
}

// sweep ends the group. Processes that left it cannot be found.
func (p *process) sweep() (left []int) {
	p.kill()
	return nil
}
