package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// patience is how long an informer may take before the run has failed.
const patience = 2 * time.Minute

// syncPods runs an informer of all pods until it has synced.
func syncPods(url, encoding, initial string) (measurement, error) {
	config, err := connection(url, encoding)
	if err != nil {
		return measurement{}, err
	}
	if err := choose(initial); err != nil {
		return measurement{}, err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return measurement{}, err
	}
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithTransform(bare))
	pods := factory.Core().V1().Pods().Informer()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()

	began := time.Now()
	factory.Start(ctx.Done())
	// WaitForCacheSync looks ten times a second, which is too coarse here.
	for !pods.HasSynced() {
		if ctx.Err() != nil {
			return measurement{}, errors.New("the informer did not sync")
		}
		time.Sleep(time.Millisecond)
	}
	seconds := time.Since(began).Seconds()

	peak, live, err := memory()
	objects := len(pods.GetStore().ListKeys())
	return measurement{Seconds: seconds, Objects: objects, Peak: peak, Live: live}, err
}

// bare leaves out who owns which field, as every cache of any size does.
func bare(object any) (any, error) {
	if accessor, err := meta.Accessor(object); err == nil {
		accessor.SetManagedFields(nil)
	}
	return object, nil
}

func connection(url, encoding string) (*rest.Config, error) {
	types := map[string]string{"json": runtime.ContentTypeJSON, "protobuf": runtime.ContentTypeProtobuf}
	contentType, known := types[encoding]
	if url == "" || !known {
		return nil, errors.New(usage)
	}
	content := rest.ContentConfig{ContentType: contentType, AcceptContentTypes: contentType}
	return &rest.Config{Host: url, ContentConfig: content, QPS: -1}, nil
}

// choose must come before the first use of the library, which reads this once.
func choose(initial string) error {
	streams := map[string]string{"stream": "true", "list": "false"}
	value, known := streams[initial]
	if !known {
		return fmt.Errorf("no way to begin is called %q; %s", initial, usage)
	}
	return os.Setenv("KUBE_FEATURE_WatchListClient", value)
}
