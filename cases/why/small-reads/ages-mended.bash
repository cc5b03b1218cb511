# Adds up the second column of a list.
total=0
mapfile -t rows < "$1"
for row in "${rows[@]}"; do
    ((total += ${row#* }))
done
echo "$total"
