# A list of $1 words shuffled in place, and back.
typeset -i x=99 i j n=$1
typeset -a list swaps
for ((i = 0; i < n; i++)); do
    list[i]=word$i
done
for ((i = n - 1; i > 0; i--)); do
    ((x = (x * 1103515245 + 12345) % 2147483648, j = x / 65536 % (i + 1), swaps[i] = j))
    t=${list[i]}
    list[i]=${list[j]}
    list[j]=$t
done
echo ${list[0]} ${list[1]} ${list[n - 1]}
for ((i = 1; i < n; i++)); do
    ((j = swaps[i]))
    t=${list[i]}
    list[i]=${list[j]}
    list[j]=$t
done
echo ${list[0]} ${list[n - 1]}
