# Adds up numbers.
total=0
for ((number = 1; number <= 5000; number++)); do
    :
    ((total += number))
done
print $total
