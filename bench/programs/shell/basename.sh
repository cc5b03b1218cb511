# The name of each file in a directory without its ending.
cd "$1" || exit
n=0
for f in *; do
    b=$(basename "$f" .txt)
    n=$((n + 1))
done
echo "$n"
