# Keeps the lines of a log that are about errors.
grep --line-buffered error "$1" > "$2"
wc -l < "$2"
