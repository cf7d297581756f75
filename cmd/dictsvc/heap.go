package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Dictionaries lie outside Go's heap, which is so small without them that it would be collected hundreds of times a second: half the time of a query over
// numbers. A ballast, never touched and so not resident, counts as live, and the next collection comes when as much garbage has been made. Half a
// megabyte is one column of a block: some thirty of them gather.
const ballastBytes = 16 << 20

// What has gathered is given back when the process rests, so that resident memory is the dictionaries' then: once less than idleBytes are allocated from
// one look to the next, after at least busyBytes.
const (
	idleLook  = 250 * time.Millisecond
	idleBytes = 1 << 20
	busyBytes = 4 << 20
)

// tendHeap sets the collector up for a process that runs queries, until stop is called.
func tendHeap() (stop func()) {
	ballast := make([]byte, ballastBytes)
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(idleLook)
		defer tick.Stop()
		last := allocated()
		kept := last // when memory was given back last
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
			}
			now := allocated()
			if now-last < idleBytes && now-kept >= busyBytes {
				debug.FreeOSMemory()
				now = allocated()
				kept = now
			}
			last = now
		}
	}()
	return func() {
		close(quit)
		<-done
		runtime.KeepAlive(ballast)
	}
}

// allocated is the number of bytes that have ever been allocated on the heap.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
