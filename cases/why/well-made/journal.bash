# Keeps its journal open; each line goes there through a duplicate of the descriptor.
exec 3>> journal.log 4> seen.txt
note() {
    echo "[$1] ${*:2}" >&3
}
for path in flat/f1[0-9]*; do
    IFS= read -r line < "$path"
    note INFO "${path##*/}: ${line:0:20}"
    echo "$path" >&4
done
exec 3>&- 4>&-
