# Adds up the second column of a table.
total=0
mapfile -t rows < "$1"
for row in "${rows[@]}"; do
    size=$(echo "$row" | cut -d' ' -f2)
    total=$(expr "$total" + "$size")
done
echo "$total"
