# Keeps the lines of a log that are about errors.
grep error "$1" > "$2"
wc -l < "$2"
