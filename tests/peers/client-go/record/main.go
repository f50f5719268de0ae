// Record lets client-go record the events of a script on a server, so that another recorder can be compared with it.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
)

//go:embed events.txt
var script string

// component is who the events say they come from.
const component = "masthead-test"

// patience is how long writing may take before the run has failed.
const patience = 2 * time.Minute

// kind is one line of the script.
type kind struct {
	object, eventType, reason, message string
	times                              int
}

func main() {
	url := flag.String("url", "", "the server, as kubectl proxy shows it")
	namespace := flag.String("namespace", "", "where to record")
	api := flag.String("api", "", "core or events")
	flag.Parse()
	if err := run(*url, *namespace, *api); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

func run(url, namespace, api string) error {
	client, err := kubernetes.NewForConfig(&rest.Config{Host: url, QPS: -1})
	if err != nil {
		return err
	}
	kinds, err := parse(script)
	if err != nil {
		return err
	}
	switch api {
	case "core":
		return recordCore(client, namespace, kinds)
	case "events":
		return recordEvents(client, namespace, kinds)
	}
	return fmt.Errorf("no API is called %q", api)
}

func parse(script string) ([]kind, error) {
	var kinds []kind
	for line := range strings.Lines(script) {
		fields := strings.SplitN(strings.TrimSpace(line), " ", 5)
		if strings.HasPrefix(line, "#") {
			continue
		}
		if len(fields) != 5 {
			return nil, fmt.Errorf("five words, not %q", line)
		}
		times, err := strconv.Atoi(fields[3])
		if err != nil {
			return nil, err
		}
		kinds = append(kinds, kind{fields[0], fields[1], fields[2], fields[4], times})
	}
	return kinds, nil
}

// round calls tell for every kind that has so many repetitions, and says whether there was one.
func round(kinds []kind, number int, tell func(kind, string)) bool {
	told := false
	for _, kind := range kinds {
		if number < kind.times {
			tell(kind, strings.ReplaceAll(kind.message, "N", strconv.Itoa(number)))
			told = true
		}
	}
	return told
}

func object(kind kind, namespace string) *corev1.ObjectReference {
	return &corev1.ObjectReference{
		Kind: "Pod", APIVersion: "v1", Namespace: namespace, Name: kind.object, UID: "0", FieldPath: "spec",
	}
}

// coreSink writes to a server until the last event, which may come more than once.
type coreSink struct {
	record.EventSink
	finish func()
}

// last is the reason of the event after all others, which is not written.
const last = "Over"

func (s *coreSink) Create(event *corev1.Event) (*corev1.Event, error) {
	if event.Reason == last {
		s.finish()
		return event, nil
	}
	return s.EventSink.Create(event)
}

func recordCore(client kubernetes.Interface, namespace string, kinds []kind) error {
	ctx, finish := context.WithCancel(context.Background())
	defer finish()
	sink := &coreSink{&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")}, finish}
	broadcaster := record.NewBroadcaster()
	broadcaster.StartRecordingToSink(sink)
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: component})
	tell := func(kind kind, message string) {
		recorder.Event(object(kind, namespace), kind.eventType, kind.reason, message)
	}
	for number := 0; round(kinds, number, tell); number++ {
	}
	// Its broadcaster has room for the script's thousand events and drops what comes on top of them, the last one too
	// if nothing was written yet: so the last one is told until it arrives.
	timeout := time.After(patience)
	for {
		recorder.Event(&corev1.ObjectReference{Namespace: namespace, Name: "over"}, corev1.EventTypeNormal, last, "")
		select {
		case <-ctx.Done():
			return nil
		case <-timeout:
			return fmt.Errorf("not everything was written after %v", patience)
		case <-time.After(time.Second):
		}
	}
}

// eventsSink counts what it wrote.
type eventsSink struct {
	events.EventSink
	created, patched atomic.Int32
}

func (s *eventsSink) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	defer s.created.Add(1)
	return s.EventSink.Create(ctx, event)
}

func (s *eventsSink) Patch(ctx context.Context, event *eventsv1.Event, data []byte) (*eventsv1.Event, error) {
	defer s.patched.Add(1)
	return s.EventSink.Patch(ctx, event, data)
}

func recordEvents(client kubernetes.Interface, namespace string, kinds []kind) error {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	sink := &eventsSink{EventSink: &events.EventSinkImpl{Interface: client.EventsV1()}}
	broadcaster := events.NewBroadcaster(sink)
	if err := broadcaster.StartRecordingToSinkWithContext(ctx); err != nil {
		return err
	}
	recorder := broadcaster.NewRecorder(scheme.Scheme, component)
	var told int32
	tell := func(kind kind, message string) {
		told++
		recorder.Eventf(object(kind, namespace), nil, kind.eventType, kind.reason, "Testing", "%s", kind.message)
	}
	// Its recorder keeps no order, so that the first of each kind, and then the second, must be written before the next.
	for number, done := range []*atomic.Int32{&sink.created, &sink.patched} {
		told = 0
		round(kinds, number, tell)
		for done.Load() < told {
			if ctx.Err() != nil {
				return fmt.Errorf("not everything was written after %v", patience)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	for number := 2; round(kinds, number, tell); number++ {
	}
	return nil
}
