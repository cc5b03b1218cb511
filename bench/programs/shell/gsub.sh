# Replacements in a text of 300 bytes, $1 times over: a letter, a class, a run, a word.
# (bash needs the square of the length for the run.)
[[ -n $BASH_VERSION ]] && shopt -s extglob
typeset -i i=0
text=
while ((${#text} < 300)); do
    text+="the aardvark saw aa baaad llama; "
done
while ((i++ < $1)); do
    a=${text//a/o}
    b=${text//[aeiou]/}
    c=${text//+(a)/A}
    d=${text//llama/alpaca}
done
echo ${#text} ${#a} ${#b} ${#c} ${#d} "${c:0:30}"
