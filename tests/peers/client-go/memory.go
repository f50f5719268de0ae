package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// memory tells the most this process ever had, and what of the heap is in use now.
func memory() (peak int64, live uint64, err error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(status)) {
		fields := strings.Fields(line)
		if len(fields) == 3 && fields[0] == "VmHWM:" {
			kilobytes, err := strconv.ParseInt(fields[1], 10, 64)
			if err != nil {
				return 0, 0, fmt.Errorf("/proc/self/status: %w", err)
			}
			peak = kilobytes << 10
		}
	}
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return peak, stats.HeapAlloc, nil
}
