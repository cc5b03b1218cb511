# The prime numbers below $1.
typeset -i i j n=$1 count=0
typeset -a composite
for ((i = 2; i < n; i++)); do
    if [[ -z ${composite[i]} ]]; then
        ((count++))
        ((i > n / i)) && continue
        for ((j = i * i; j < n; j += i)); do
            composite[j]=1
        done
    fi
done
echo $count
