# $1 numbers sorted by recursion.
typeset -i x=42 i
typeset -a a
for ((i = 0; i < $1; i++)); do
    ((x = (x * 1103515245 + 12345) % 2147483648))
    ((a[i] = x / 65536 % 10000))
done

function sort {
    typeset -i lo=$1 hi=$2 i=$1 j=$2 pivot=${a[($1 + $2) / 2]} t
    while ((i <= j)); do
        while ((a[i] < pivot)); do ((i++)); done
        while ((a[j] > pivot)); do ((j--)); done
        if ((i <= j)); then
            ((t = a[i], a[i] = a[j], a[j] = t, i++, j--))
        fi
    done
    ((lo < j)) && sort $lo $j
    ((i < hi)) && sort $i $hi
    return 0
}

sort 0 $(($1 - 1))
for ((i = 1; i < $1; i++)); do
    ((a[i - 1] > a[i])) && echo "not sorted at $i"
done
echo ${a[0]} ${a[$1 / 2]} ${a[$1 - 1]}
