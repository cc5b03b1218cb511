module fewer.dev/go

go 1.24
