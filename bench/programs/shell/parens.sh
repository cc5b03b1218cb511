# The output of a function, $1 times over: a subshell each, if the shell makes one.
say() { echo "hello from say"; }

i=0
while [ "$i" -lt "$1" ]; do
    out=$(say)
    i=$((i + 1))
done
echo "$i $out"
