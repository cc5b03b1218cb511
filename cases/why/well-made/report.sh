# A report written through one open file.
{
    n=0
    while [ "$n" -lt 300 ]; do
        n=$((n + 1))
        lines="$lines$n: done
"
    done
    printf '%s' "$lines"
} > "$1"
