# Adds up numbers; each is looked at in a subshell, so that nothing leaks out.
total=0
for ((number = 1; number <= 5000; number++)); do
    ( : )
    ((total += number))
done
print $total
