# Runs the snippets in the folder of the first argument, each in a folder of its own. One that does
# not say "bash" is run by dash.
snippets=$1 scratch=$2 failed=0
for snippet in "$snippets"/*; do
    place=${snippet##*/}
    mkdir -p "$scratch/$place/folder" && cd "$scratch/$place" || exit 2
    printf 'line 1\nline 2\n' | tee file folder/name other.txt >/dev/null
    mkfifo fifo
    shell=dash
    grep -q bash "$snippet" && shell=bash
    cat >program <<'END'
set -eu
enter() { :; }
missing() { exit 3; }
work() { :; }
file=file dir=folder folder=folder/new/sub name=name from=file to=copy out=out log=log lock=lock
path=folder/name.txt n=1 item=one items="one two" fifo=fifo right=folder other=.
set -- one two
(exec 2>/dev/null; echo line >fifo) &
END
    cat "$snippet" >>program
    if ! output=$(timeout 5 $shell program 2>&1 >/dev/null </dev/null) || [ -n "$output" ]; then
        failed=1
        echo "$place: $shell: ${output:-failed}"
    fi
    # The writer of the FIFO waits for a reader.
    timeout 1 cat fifo >/dev/null 2>&1 &
done
exit "$failed"
