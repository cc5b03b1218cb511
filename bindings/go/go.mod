module fewer.dev/go

go 1.24

require github.com/ebitengine/purego v0.9.1
