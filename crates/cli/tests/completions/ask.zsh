# zsh -f ask.zsh SCRIPT <LINES: for each line the words that zsh completes at its end, and an empty
# line. zsh completes in its line editor only: an inner zsh has a terminal of its own, fills in each
# line there, and completes. Its compadd, which is called with the matches, writes them to a file.
zmodload zsh/zpty || exit 3
folder=$(mktemp -d) || exit 3
cat >$folder/lines
cat >$folder/inner <<'INNER'
PS1= PS2=
autoload -Uz compinit && compinit -u -D
source $script
compadd() {
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
        builtin compadd "$@"
        return
    fi
    local -a matches
    builtin compadd -A matches "$@"
    (( $#matches )) && print -rl -- ${(Q)matches} >>$folder/matches
}
zle -C complete-here complete-word _main_complete
zle-line-init() {
    while IFS= read -r BUFFER; do
        CURSOR=$#BUFFER
        zle complete-here
        print >>$folder/matches
    done <$folder/lines
    BUFFER=exit
    zle accept-line
}
zle -N zle-line-init
INNER
zpty editor "script=${(q)1:A} folder=${(q)folder} TERM=dumb zsh -f -i"
zpty -w editor "source ${(q)folder}/inner"
while zpty -r editor >/dev/null; do :; done
cat $folder/matches
rm -rf $folder
