# A string of $1 letters, cut into an array letter by letter and joined again.
typeset -i i=-1 length=$1
typeset -a letters
text=
while ((${#text} < length)); do
    text+=the_quick_brown_fox_jumps_over_the_lazy_dog
done
text=${text:0:length}
while ((++i < length)); do
    letters[i]=${text:i:1}
done
IFS=
[[ "${letters[*]}" == "$text" ]] && echo "${#letters[@]}"
