package main

import "os/exec"

// ownGroup leaves the command as it is: only the process itself is ended.
func ownGroup(*exec.Cmd) {}
