package bench

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"dictsvc/internal/mem"
)

// Machine is where a benchmark ran.
type Machine struct {
	Processor string `json:"processor"`
	Cores     int    `json:"cores"`
	Memory    int64  `json:"memory_bytes"`
	Kernel    string `json:"kernel"`
	HugePages string `json:"transparent_hugepage"`
	Go        string `json:"go"`
}

func thisMachine() Machine {
	return Machine{
		Processor: field("/proc/cpuinfo", "model name"),
		Cores:     runtime.NumCPU(),
		Memory:    kilobytes("/proc/meminfo", "MemTotal"),
		Kernel:    firstLine("/proc/sys/kernel/osrelease"),
		HugePages: firstLine("/sys/kernel/mm/transparent_hugepage/enabled"),
		Go:        runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH,
	}
}

func (m Machine) text() string {
	return fmt.Sprintf("%s, %d cores, %.1f GiB, Linux %s, huge pages %s, %s", m.Processor, m.Cores, float64(m.Memory)/(1<<30), m.Kernel, m.HugePages, m.Go)
}

// available is the memory that can be taken without swapping, in bytes; 0 where the system does not tell.
func available() int64 { return kilobytes("/proc/meminfo", "MemAvailable") }

// warm takes some memory from the system and gives it back. The host of a virtual machine may have taken idle memory away, and touching it again
// costs seconds a gigabyte, far more than any load: without this, who loads first pays for all.
func warm(bytes int64) {
	if bytes < 64<<20 {
		return
	}
	region, err := mem.Alloc(nil, int(min(bytes, available()*3/4)))
	if err != nil {
		return // then the load says what is missing
	}
	b := region.Bytes()
	for at := 0; at < len(b); at += mem.PageSize {
		b[at] = 1
	}
	region.Free()
}

// resident is the resident memory of a process, in bytes.
func resident(pid int) int64 { return kilobytes(procFile(pid, "status"), "VmRSS") }

// residentPeak is the largest resident memory since the start or the last resetPeak.
func residentPeak(pid int) int64 { return kilobytes(procFile(pid, "status"), "VmHWM") }

// resetPeak makes residentPeak begin anew; false where the system forbids it.
func resetPeak(pid int) bool {
	return os.WriteFile(procFile(pid, "clear_refs"), []byte("5"), 0) == nil
}

func procFile(pid int, name string) string { return fmt.Sprintf("/proc/%d/%s", pid, name) }

// field is the value of a "name : value" line of a file of the kernel.
func field(path, name string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(b)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func kilobytes(path, name string) int64 {
	n, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(field(path, name), "kB")), 10, 64)
	return n << 10
}

func firstLine(path string) string {
	b, _ := os.ReadFile(path)
	line, _, _ := strings.Cut(string(b), "\n")
	return line
}
