# bash ask.bash SCRIPT <LINES: for each line the words that bash completes at its end, and an empty
# line. Words are taken apart as readline does: at blanks, and around each =.
source "$1"
while IFS= read -r line; do
    read -ra COMP_WORDS <<<"${line//=/ = }"
    [[ $line != *' ' ]] || COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    word=${COMP_WORDS[COMP_CWORD]}
    _fewer fewer "${word#=}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\n' "${COMPREPLY[@]}" ''
done
