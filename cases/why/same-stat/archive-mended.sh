# Says how many days of a journal would be archived.
count_days() {
    [ -d "$1/archive" ] || set -- ""
    day=1 days=0
    while [ $day -le 10000 ]; do
        if [ -n "$1" ]; then
            days=$((days + 1))
        fi
        day=$((day + 1))
    done
    echo "$days days"
}
count_days "$1"
