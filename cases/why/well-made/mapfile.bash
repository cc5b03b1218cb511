# Reads a table as a whole, and counts with builtins.
mapfile -t rows < rows.csv
declare -A counts
for row in "${rows[@]}"; do
    number=${row##*,}
    counts[$((number % 10))]=$((counts[$((number % 10))] + 1))
done
echo "${#rows[@]} ${#counts[@]}"
