package main

import (
	"runtime"
	"testing"
	"time"
)

// TestTendHeap: what a busy time left behind is given back to the system when nothing is allocated any more.
func TestTendHeap(t *testing.T) {
	stop := tendHeap()
	defer stop()
	for range 40 {
		b := make([]byte, 1<<20)
		for i := range b {
			b[i] = 1
		}
	}
	var m runtime.MemStats
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(idleLook) {
		runtime.ReadMemStats(&m)
		if m.HeapIdle-m.HeapReleased < 8<<20 && m.HeapAlloc < ballastBytes+16<<20 {
			return
		}
	}
	t.Errorf("%d MiB live, %d MiB idle and not given back", m.HeapAlloc>>20, (m.HeapIdle-m.HeapReleased)>>20)
}
