# Runs a program with the libraries of the system.
exec bash -c 'echo hello'
