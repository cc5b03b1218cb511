# A sum in an arithmetic for.
typeset -i i sum=0
for ((i = 0; i < $1; ++i)); do
    ((sum += i % 7 * 3))
done
echo $sum
