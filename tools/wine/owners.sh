# Sourced by tools/windows-check: owners of files, and the time zone.

# Where the machine has another zone, as far as programs that this starts see it.
in_zone() {
    local zone=$1
    shift
    unshare --mount sh -c 'mount --bind "/usr/share/zoneinfo/$0" /etc/localtime && exec "$@"' \
        "$zone" "$@"
}

owned() {
    local owner
    mkdir owned
    touch owned/own owned/strange
    chown 12345 owned/strange 2>/dev/null
    # `dir /q` has the owner behind the size, and no more of it than 22 characters.
    owner() {
        timeout 60 wine cmd /c "dir /q owned" 2>/dev/null | tr -d '\r' | grep " $1\$" |
            sed 's/.* 0  //; s/  *[a-z]*$//'
    }
    shown() { fewer walk --format '{user}' "owned/$1" | cut -c 1-22; }
    owner=$(owner own)
    is "a file has the owner that dir shows" "$(shown own)" "$owner"
    is "so has a file of somebody else" "$(shown strange)" "$(owner strange)"
    is "an owner is found by name" "$(fewer walk --owner "$owner" owned/own)" owned/own
    is "an owner is found without the domain" \
        "$(fewer walk --owner "${owner#*\\}" owned/own)" owned/own
    is "another owner is another" "$(fewer walk --owner S-1-5-18 owned)" ''
    fewer ls -l --author --calls owned >/dev/null
    # One for the listing of the directory and one for each entry.
    is "an owner costs a call, and to open the file" "$(calls NtQuerySecurityObject)" 3
    fewer ls -l --calls owned >/dev/null
    is "without it there is none" "$(calls NtQuerySecurityObject)" 0
}

timed() {
    local zone
    mkdir timed
    touch -d '2006-03-20T12:00Z' timed/spring
    touch -d '2026-07-01T00:00Z' timed/summer
    touch -d '1995-12-31T23:59:59Z' timed/old
    zoned() { sed -E 's/.* 0 ([0-9]{4}-)/\1/; s/\r//'; }
    for zone in America/New_York Asia/Kolkata Australia/Adelaide; do
        is "TZ=$zone is as ls has it" \
            "$(TZ=$zone fewer ls -l --time-style=full-iso timed | zoned)" \
            "$(TZ=$zone ls -l --time-style=full-iso timed | zoned)"
        in_zone $zone true 2>/dev/null || continue
        is "the machine's zone $zone is as ls has it" \
            "$(in_zone $zone timeout 60 wine "$fewer" ls -l --time-style=full-iso timed | zoned)" \
            "$(in_zone $zone ls -l --time-style=full-iso timed | zoned)"
    done
    fewer ls -l --calls timed >/dev/null
    is "the machine's zone costs a call" "$(calls NtQuerySystemInformation)" 1
}
