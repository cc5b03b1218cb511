# Nothing: what a shell needs to start.
