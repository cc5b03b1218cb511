# Words counted and cut in plain POSIX: splitting, case, removal of prefixes and suffixes.
i=0 vowels=0 length=0
while [ "$i" -lt "$1" ]; do
    for word in alpha.beta/gamma one-two.three eagle.tar.gz "a b" /usr/lib/x.so; do
        case $word in
            [aeiou]*) vowels=$((vowels + 1)) ;;
            */*) stem=${word##*/}; length=$((length + ${#stem})) ;;
            *) stem=${word%.*}; length=$((length + ${#stem})) ;;
        esac
        set -- "$1" $word
    done
    i=$((i + 1))
done
echo "$vowels $length $#"
