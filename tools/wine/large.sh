# Sourced by tools/windows-check: large trees, and what other programs for Windows find in them.

# `large FILES`: one directory of so many files, and a fifth as many directories below each other.
large() {
    local files=$1 found
    mkdir many tree-of-many
    (cd many && seq -f 'name of file %06g' 1 "$files" | tr '\n' '\0' | xargs -0 touch)
    printf 'contents' >'many/name of file 000001'
    touch -d '2001-02-03 04:05:06.789' 'many/name of file 000002'
    (
        cd tree-of-many || exit
        seq 1 $((files / 5)) | awk '{ print int($1 / 100) "/" $1 % 10 "/" $1 }' |
            xargs mkdir -p
        touch -d '1999-12-31 23:59:59' 0/1/1
    )
    compile find-first && for found in many tree-of-many; do
        same_as_find_first "$found"
        same_as_dir "$found"
    done
    is "a large directory has all files" "$(fewer walk -t f many | wc -l)" "$files"
    is "0 calls an entry of $files" "$(fewer walk --calls --size +4 many | tr '/' ' ')" \
        "many name of file 000001"
    # A root is opened three times if its size matters; 64 KiB are more than 400 records
    # of these names.
    is "a large directory is read in blocks of 64 KiB" "$(calls NtCreateFile) $(calls NtClose) \
$(($(calls NtQueryDirectoryFile) <= files / 400 + 3))" "3 3 1"
    rm -rf many tree-of-many
}

# Kinds, sizes, times and paths. What is searched in is not found.
same_as_find_first() {
    wine "$scratch/find-first.exe" "$1" >"$scratch/expected"
    fewer walk --printf '%y %s %T@ %p\n' "$1" >"$scratch/found"
    is "walk finds in $1 what FindFirstFileExW finds" \
        "$(grep -v " $1\$" "$scratch/found" | sort | md5sum)" "$(sort "$scratch/expected" | md5sum)"
}

same_as_dir() {
    wine cmd /c dir /s /b "$1" 2>/dev/null | tr -d '\r' | tr '\\' '/' |
        sed "s|^[A-Za-z]:$scratch/||" >"$scratch/expected"
    is "walk finds in $1 what dir finds" \
        "$(fewer walk "$1" | grep -vx "$1" | sort | md5sum)" "$(sort "$scratch/expected" | md5sum)"
}
