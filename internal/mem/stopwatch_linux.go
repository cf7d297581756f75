package mem

import (
	"runtime"
	"syscall"
	"time"
)

// Stopwatch measures the processor time of the calling goroutine's thread, which benchmarks on a busy machine need
// beside the time on the wall. Stop ends what NewStopwatch began.
type Stopwatch struct{ start time.Duration }

// NewStopwatch binds the goroutine to its thread and starts.
func NewStopwatch() Stopwatch {
	runtime.LockOSThread()
	return Stopwatch{threadTime()}
}

// Stop is the processor time since the start.
func (s Stopwatch) Stop() time.Duration {
	defer runtime.UnlockOSThread()
	return threadTime() - s.start
}

func threadTime() time.Duration {
	const thread = 1 // RUSAGE_THREAD
	var u syscall.Rusage
	if syscall.Getrusage(thread, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
