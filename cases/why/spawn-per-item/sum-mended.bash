# Adds up the second column of a table.
total=0
mapfile -t rows < "$1"
for row in "${rows[@]}"; do
    columns=($row)
    total=$((total + columns[1]))
done
echo "$total"
