# Counts the numbers that are not divisible by seven; complaints go where the answer goes.
number=1 found=0
while [ $number -le 3000 ]; do
    { [ $((number % 7)) -eq 0 ] || found=$((found + 1)); } 2>&1
    number=$((number + 1))
done
echo $found
