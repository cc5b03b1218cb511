# Says how many days of a journal would be archived.
count_days() {
    day=1 days=0
    while [ $day -le 10000 ]; do
        if [ -d "$1/archive" ]; then
            days=$((days + 1))
        fi
        day=$((day + 1))
    done
    echo "$days days"
}
count_days "$1"
