# Long sequences of words made by braces, $1 times over.
typeset -i i=0 n=0
while ((i++ < $1)); do
    for word in {a,b,c}{x,y}{1..20}; do
        ((n++))
    done
    for number in {1..500}; do
        ((n += number))
    done
done
echo $n
