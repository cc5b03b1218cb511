# fish ask.fish SCRIPT <LINES: for each line the words that fish completes at its end, and an empty
# line.
source $argv[1]
while read -l line
    complete -C $line | string replace -r '\t.*' ''
    echo
end
