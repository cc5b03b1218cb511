# Numbers and words formatted, $1 times over.
typeset -i i=0
while ((i++ < $1)); do
    printf '%5d|%-8s|%x|%03d|%c\n' $i word $i $i z
done | { read -r first; echo "$first"; while read -r line; do last=$line; done; echo "$last"; }
