module fewer.dev/bench

go 1.24

require (
	fewer.dev/go v0.0.0
	github.com/charlievieth/fastwalk v1.0.14
	github.com/karrick/godirwalk v1.17.0
)

require github.com/ebitengine/purego v0.9.1 // indirect

replace fewer.dev/go => ../../../bindings/go
