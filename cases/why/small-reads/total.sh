# Adds up the sizes in a list: one SIZE NAME a line.
total=0
while read -r size name; do
    total=$((total + size))
done < "$1"
echo $total
