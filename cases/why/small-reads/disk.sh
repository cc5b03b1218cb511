# Prints the entries of a log that are about the disk 77, without what is for programmers.
grep -v DEBUG "$1" | while IFS= read -r line; do
    case $line in
        *"disk 77"*) echo "$line" ;;
    esac
done
