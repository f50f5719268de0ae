//go:build tools

// Package kwok keeps the node simulator of the test control plane in go.mod and go.sum.
package kwok

import _ "sigs.k8s.io/kwok/cmd/kwok"
