// Gotypes prints how Go writes the fields of every API type: what OpenAPI does not say.
//
// A line for each field: its type's package and name, its JSON name, "pointer" or "value", "written" or "omitted" for
// what becomes of an empty one, its number in protobuf (`2.1` for field 1 of the embedded field 2, `-` for none), and its Go
// type.
package main

import (
	"bufio"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

func main() {
	all := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		scheme.AddToScheme, apiextensions.AddToScheme, apiregistration.AddToScheme,
	} {
		if err := add(all); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	types := map[reflect.Type]bool{}
	for _, known := range all.AllKnownTypes() {
		collect(known, types)
	}
	var lines []string
	for known := range types {
		fields(known, known, "", &lines)
	}
	sort.Strings(lines)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, line := range lines {
		fmt.Fprintln(out, line)
	}
}

// collect adds every struct that a type is made of.
func collect(t reflect.Type, types map[reflect.Type]bool) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		collect(t.Elem(), types)
	case reflect.Map:
		collect(t.Elem(), types)
	case reflect.Struct:
		if types[t] {
			return
		}
		types[t] = true
		for i := range t.NumField() {
			collect(t.Field(i).Type, types)
		}
	}
}

// fields appends a line for each field of t, as a field of outer; inside is the number of t there, with a dot.
func fields(outer, t reflect.Type, inside string, lines *[]string) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || !field.IsExported() {
			continue
		}
		number := "-"
		if words := strings.Split(field.Tag.Get("protobuf"), ","); len(words) > 1 {
			number = inside + words[1]
		}
		if name == "" {
			if field.Anonymous && field.Type.Kind() == reflect.Struct {
				fields(outer, field.Type, number+".", lines)
			}
			continue
		}
		has := func(option string) bool {
			return strings.Contains(","+options+",", ","+option+",")
		}
		holds, empty := "value", "omitted"
		if field.Type.Kind() == reflect.Pointer {
			holds = "pointer"
		}
		// An empty struct is never empty for omitempty.
		isStruct := field.Type.Kind() == reflect.Struct
		if !has("omitzero") && (!has("omitempty") || isStruct) {
			empty = "written"
		}
		line := fmt.Sprintf("%s %s %s %s %s %s %s", outer.PkgPath(), outer.Name(), name, holds, empty, number, field.Type)
		*lines = append(*lines, line)
	}
}
