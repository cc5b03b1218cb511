# Counts how many of two thousand hosts a service may run on.
may_run() {
    . "$1"
    [ $(($2 % every)) -eq 0 ]
}
host=1 found=0
while [ $host -le 2000 ]; do
    may_run "$1" $host && found=$((found + 1))
    host=$((host + 1))
done
echo "$service: $found hosts"
