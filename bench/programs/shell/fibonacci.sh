# Fibonacci numbers up to $1, the slow way: each call is a subshell within its caller's.
fib() {
    if [ "$1" -lt 2 ]; then
        echo "$1"
    else
        a=$(fib $(($1 - 1)))
        b=$(fib $(($1 - 2)))
        echo $((a + b))
    fi
}

n=0
while [ "$n" -le "$1" ]; do
    result=$(fib "$n")
    n=$((n + 1))
done
echo "$result"
