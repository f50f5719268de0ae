// Gotypes prints how Go writes the fields of every API type: what OpenAPI does not say.
//
// A line for each field, in the order in which Go writes them: its type's package and name, its JSON name, "pointer" or
// "value", "written" or "omitted" for what becomes of an empty one, its number in protobuf (`2.1` for field 1 of the
// embedded field 2, `-` for none), the embedded struct that it comes from (`-` for none), and its Go type.
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
	var structs []reflect.Type
	for known := range types {
		structs = append(structs, known)
	}
	sort.Slice(structs, func(i, j int) bool {
		a, b := structs[i], structs[j]
		return a.PkgPath()+" "+a.Name() < b.PkgPath()+" "+b.Name()
	})
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, known := range structs {
		fields(known, embedded{known, "", "-"}, out)
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

// embedded is a struct inside another or that one itself, with its number there, with a dot, and its name there.
type embedded struct {
	of           reflect.Type
	number, name string
}

// fields prints a line for each field of inner, as a field of outer.
func fields(outer reflect.Type, inner embedded, out *bufio.Writer) {
	for i := range inner.of.NumField() {
		field := inner.of.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || !field.IsExported() {
			continue
		}
		number := "-"
		if words := strings.Split(field.Tag.Get("protobuf"), ","); len(words) > 1 {
			number = inner.number + words[1]
		}
		if name == "" {
			if field.Anonymous && field.Type.Kind() == reflect.Struct {
				fields(outer, embedded{field.Type, number + ".", field.Name}, out)
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
		fmt.Fprintln(out, outer.PkgPath(), outer.Name(), name, holds, empty, number, inner.name, field.Type)
	}
}
