# Random numbers by a generator of our own, put into bins.
function draw {
    ((x = (x * 1103515245 + 12345) % 2147483648, ++bins[x / 65536 % 10]))
}

typeset -i x=7 i
typeset -a bins
for ((i = 0; i < $1; i++)); do
    draw
done
echo ${bins[*]}
