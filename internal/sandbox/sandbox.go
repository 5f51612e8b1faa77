package sandbox

import "runtime"

const isWindows = runtime.GOOS == "windows"
