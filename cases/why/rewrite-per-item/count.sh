# Counts to 2,000, and notes how far it is.
number=0
while [ $number -lt 2000 ]; do
    number=$((number + 1))
    echo $number > "$1"
done
echo $number
