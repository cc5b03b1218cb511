# Sourced by tools/windows-check: names that Windows treats in its own way, files that others hold
# or remove, and the calls as Wine sees them.

odd_names() {
    local long deep
    mkdir -p 'odd/dir. ' && touch 'odd/dot.' 'odd/space ' odd/NUL odd/CON odd/aux.txt 'odd/dir. /x'
    is "names that Windows reserves or cuts are walked as they are" \
        "$(fewer walk odd | sort)" "$(find odd | sort)"
    is "and listed" "$(fewer ls odd)" "$(ls odd)"
    is "what is below such a name is opened" "$(fewer size -ab -d 9 odd | cut -f 2 | sort)" \
        "$(find odd | sort)"
    is "NUL is the device" "$(fewer lines NUL; echo $?)" 0
    long=$(printf 'm%.0s' {1..200})
    deep=deep/$long/$long/$long
    mkdir -p "$deep" && printf 'one\ntwo\n' >"$deep/text"
    is "a path of more than 260 units is read" "$(fewer lines "$deep/text" | tr '\n' ' ')" \
        'one two '
    is "and listed" "$(fewer ls "$deep")" text
    is "and walked" "$(fewer walk deep | wc -l)" 5
}

# 120 names of 250 bytes, one in the other: no call takes a path of nearly 32,767 units whole.
very_deep() {
    local name level
    name=$(printf 'n%.0s' {1..250})
    mkdir very && (cd very && for level in {1..120}; do mkdir "$name" && cd "$name" || exit; done
        touch end)
    is "a path of 30,000 units is walked" "$(fewer walk very | md5sum)" \
        "$(find very | md5sum)"
    is "without an error" "$(cat "$scratch/err")" ""
}

# Links of this machine, which Wine shows as reparse points without a target: to directories above,
# beside, and to one that leads back.
linked() {
    mkdir -p linked/a/b linked/other/x && touch linked/other/file
    ln -s .. linked/a/b/up
    ln -s . linked/self
    ln -s ../other linked/a/to
    ln -s ../a linked/other/back
    is "a walk enters no links" "$(fewer walk linked | sort)" "$(find linked | sort)"
    is "-L enters them, but none twice on one way" "$(fewer walk -L linked | sort)" \
        "$(find -L linked 2>/dev/null | sort)"
    is "and says where it does not" "$(sed 's/.*enter .\(.*\).: Too many levels.*/\1/' \
        "$scratch/err" | sort)" \
        "$(find -L linked 2>&1 >/dev/null | sed 's/^find: [^‘]*‘\([^’]*\)’.*/\1/' |
            LC_ALL=C sort -u)"
    if [ -f "${fewer%/*}/scope.exe" ]; then
        timeout 60 wine "${fewer%/*}/scope.exe" remove-tree linked/a 2>"$scratch/err"
        is "a tree is removed, but nothing behind its links" \
            "$(find linked ! -type l | sort)" \
            "$(printf 'linked%s\n' '' /a /a/b /other /other/file /other/x)"
    fi
}

# A file and a directory that another program has opened without sharing.
held() {
    local held
    mkdir -p shut/locked shut/open && touch shut/open/a shut/locked/b && printf 'x\n' >shut/file
    compile hold
    coproc HOLD { exec wine "$scratch/hold.exe" shut/file shut/locked 2>/dev/null; }
    local input=${HOLD[1]} process=$HOLD_PID
    read -r held <&"${HOLD[0]}"
    is "another program holds them" "${held%$'\r'}" held
    fewer lines shut/file >/dev/null
    is "a file that is not shared is an error" "$? $(cat "$scratch/err")" \
        "2 fewer: cannot open 'shut/file': Device or resource busy"
    is "its size is known all the same" "$(fewer ls -go shut/file | cut -d ' ' -f 3)" 2
    found=$(fewer walk shut | sort | tr '\n' ' ')
    is "a directory that is not shared is an error, and the walk goes on" \
        "$found$(cat "$scratch/err")" "shut shut/file shut/locked shut/open shut/open/a \
fewer: cannot open directory 'shut/locked': Device or resource busy"
    exec {input}>&-
    wait "$process"
}

# What is removed while it is walked is there or not; everything else is found.
removed() {
    local round number found status
    for round in 1 2 3; do
        rm -rf vanishing && mkdir vanishing
        for number in {1..60}; do
            printf 'vanishing/%s%d/a/b\n' gone "$number" kept "$number"
        done | xargs mkdir -p
        rm -rf vanishing/gone* &
        found=$(fewer walk -j "$round" vanishing)
        status=$?
        wait $!
        is "what stays is found while the rest is removed" \
            "$(grep -c kept <<<"$found") $((status <= 1))" '180 1'
        is "nothing but that it is gone is said" \
            "$(grep -vcE 'gone.*: (No such file or directory|Permission denied)' "$scratch/err")" 0
    done
}

# The calls of the program itself, by their return addresses: it is loaded at 0x140000000.
relayed() {
    local name count
    for count in {1..30}; do
        mkdir -p "relay/$count" && touch "relay/$count/a" "relay/$count/b"
    done
    WINEDEBUG=+relay timeout 120 wine "$fewer" walk --calls --size -9 relay \
        >/dev/null 2>"$scratch/relay.log"
    grep -a '^ *[0-9]* [A-Za-z]*\r*$' "$scratch/relay.log" >"$scratch/err"
    for name in NtCreateFile NtQueryDirectoryFile NtClose; do
        # The standard library closes by another name, which is the same call.
        local call="Call [A-Za-z0-9]+\.(${name/NtClose/NtClose|CloseHandle})\("
        count=$(grep -acE "$call.*ret=14[0-9a-f]{7}\$" "$scratch/relay.log")
        is "Wine sees as many $name as --calls says" "$count" "$(calls "$name")"
    done
    is "31 directories, and the root twice more since its size is asked for" \
        "$(calls NtCreateFile) $(calls NtClose)" '33 33'
}
