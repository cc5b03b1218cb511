# The lines of the standard input, counted.
n=0
while IFS= read -r l; do n=$((n + 1)); done
echo "$n"
