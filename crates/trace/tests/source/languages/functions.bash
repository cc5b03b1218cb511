# Wherever it looks at a marked path, that says by its own account in which functions and lines it
# is, innermost first.
here() {
    local at
    mark=
    for ((at = 1; at < ${#FUNCNAME[@]}; at++)); do
        mark+=${mark:+,}"${FUNCNAME[at]} ${BASH_LINENO[at - 1]}"
    done
    mark=/marked/$mark
}
look() { local x=(1 2 "$1"); here; [ -e "$mark" ]; }
two() {
    look "$1"
    here; [ -e "$mark" ]
    for n in 1 2; do look $n; done
}
deep() {
    (($1)) && deep $(($1 - 1))
    here; [ -e "$mark" ]
}
twice() {
    local n=$1
    if ((n == 0)); then look 0; return; fi
    twice $((n - 1))
    twice $((n - 1))
}
for ((i = 0; i < 150; i++)); do
    look $i; two $i; deep $((i % 9)); twice $((i % 4))
    deep 5
    deep 5
    # A function that is made anew each time.
    eval "fresh$((i % 3))() { look; }"; fresh$((i % 3))
    while read -r line; do look $line; done <<< $'1\n2'
done
