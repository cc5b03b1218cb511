# A string and an array that grow by one at a time.
typeset -i i=0
text=
typeset -a list
while ((i++ < $1)); do
    text+=xy
    list+=("$i")
done
echo ${#text} ${#list[@]} ${list[3]}
