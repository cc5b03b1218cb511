# Adds up the second column of a list.
total=0
while read -r name age; do
    ((total += age))
done < "$1"
echo "$total"
