// Client-go measures client-go, for `cargo xtask bench peers` and `bench queue`: each run prints one JSON line.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
)

// measurement is what one run prints.
type measurement struct {
	Seconds float64 `json:"seconds"`
	Objects int     `json:"objects"`
	// Peak is the most memory the process ever had, in bytes.
	Peak int64 `json:"peak"`
	// Live is what is in use on the heap after a collection, in bytes.
	Live uint64 `json:"live"`
}

const usage = "usage: client-go pods --url URL [--encoding json|protobuf] [--initial stream|list] | client-go queue"

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(2)
	}
	run, known := suites[os.Args[1]]
	if !known {
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(2)
	}
	measured, err := run(os.Args[2:])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(measured)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "client-go:", err)
		os.Exit(1)
	}
}

// suites are what can be measured, by name.
var suites = map[string]func(args []string) (any, error){
	"pods": func(args []string) (any, error) {
		flags := flag.NewFlagSet("pods", flag.ExitOnError)
		url := flags.String("url", "", "the server, as kubectl proxy shows it")
		encoding := flags.String("encoding", "json", "json or protobuf")
		initial := flags.String("initial", "stream", "how the first state is read: stream (WatchList) or list")
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		return syncPods(*url, *encoding, *initial)
	},
	"queue": func([]string) (any, error) { return measureQueues(), nil },
}
