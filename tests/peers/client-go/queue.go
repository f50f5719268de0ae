package main

import (
	"fmt"
	"runtime"
	"syscall"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"
)

const (
	items = 100_000
	// runs: the machine does other things too, so of this many the best one counts.
	runs = 5
)

// figure is how long something takes an item.
type figure struct {
	Name  string  `json:"name"`
	Nanos float64 `json:"nanos"`
}

// measureQueues does what tests/peers/masthead/benches/queue does.
func measureQueues() []figure {
	keys := make([]string, items)
	for number := range keys {
		keys[number] = fmt.Sprintf("namespace-%d/pod-%06d", number%100, number)
	}
	once, often := make([]*v1.Event, 10_000), make([]*v1.Event, 10_000)
	for number := range once {
		once[number], often[number] = event(number), event(number%1000)
	}
	queue := func() workqueue.TypedInterface[string] { return workqueue.NewTyped[string]() }
	return []figure{
		measure("add all, then get and done", items, queue, func(queue workqueue.TypedInterface[string]) {
			addAll(queue, keys)
			for queue.Len() > 0 {
				item, _ := queue.Get()
				queue.Done(item)
			}
		}),
		measure("add, get and done, one by one", items, queue, func(queue workqueue.TypedInterface[string]) {
			for _, key := range keys {
				queue.Add(key)
				item, _ := queue.Get()
				queue.Done(item)
			}
		}),
		measure("add what is queued already", items, func() workqueue.TypedInterface[string] {
			full := queue()
			addAll(full, keys)
			return full
		}, func(queue workqueue.TypedInterface[string]) { addAll(queue, keys) }),
		measure("add rate limited", items, func() workqueue.TypedRateLimitingInterface[string] {
			// So long that none of them comes while it is measured.
			limiter := workqueue.NewTypedItemExponentialFailureRateLimiter[string](time.Hour, 2*time.Hour)
			return workqueue.NewTypedRateLimitingQueue(limiter)
		}, func(queue workqueue.TypedRateLimitingInterface[string]) {
			for _, key := range keys {
				queue.AddRateLimited(key)
			}
		}),
		measure("limiter: when and forget", items, func() workqueue.TypedRateLimiter[string] {
			return workqueue.NewTypedItemExponentialFailureRateLimiter[string](5*time.Millisecond, 1000*time.Second)
		}, func(limiter workqueue.TypedRateLimiter[string]) {
			for _, key := range keys {
				limiter.When(key)
				limiter.Forget(key)
			}
		}),
		measure("events of 10,000 objects", len(once), correlator, func(correlator *record.EventCorrelator) {
			correlate(correlator, once)
		}),
		measure("events of 1,000 objects, ten each", len(often), correlator, func(correlator *record.EventCorrelator) {
			correlate(correlator, often)
		}),
	}
}

func measure[S any](name string, count int, start func() S, run func(S)) figure {
	best := time.Duration(1<<63 - 1)
	for range runs {
		state := start()
		// What was there before is not this run's to clean up.
		runtime.GC()
		began := processorTime()
		run(state)
		best = min(best, processorTime()-began)
		if queue, is := any(state).(interface{ ShutDown() }); is {
			queue.ShutDown()
		}
	}
	return figure{Name: name, Nanos: float64(best.Nanoseconds()) / float64(count)}
}

// processorTime is for how long this program was on a processor: what else the machine does is not counted.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func addAll(queue workqueue.TypedInterface[string], keys []string) {
	for _, key := range keys {
		queue.Add(key)
	}
}

func correlator() *record.EventCorrelator {
	return record.NewEventCorrelator(clock.RealClock{})
}

func correlate(correlator *record.EventCorrelator, events []*v1.Event) {
	for _, event := range events {
		if _, err := correlator.EventCorrelate(event); err != nil {
			panic(err)
		}
	}
}

func event(number int) *v1.Event {
	namespace, name := fmt.Sprintf("namespace-%d", number%100), fmt.Sprintf("pod-%06d", number)
	return &v1.Event{
		ObjectMeta: metav1.ObjectMeta{Name: name + ".17a2b3c4d5e6f708", Namespace: namespace},
		InvolvedObject: v1.ObjectReference{
			APIVersion: "v1", Kind: "Pod", Name: name, Namespace: namespace,
			UID: types.UID(fmt.Sprintf("0a1b2c3d-0000-4000-8000-%012d", number)),
		},
		Reason:  "Pulled",
		Message: `Container image "registry.example/app:1.2.3" already present on machine`,
		Source:  v1.EventSource{Component: "kubelet", Host: "node-1"},
		Type:    v1.EventTypeNormal,
		Count:   1,
	}
}
