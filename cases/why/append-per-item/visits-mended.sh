# Writes down 2,000 visits.
log() {
    echo "$1"
}

file=$1
visit=0
while [ $visit -lt 2000 ]; do
    log "visit $visit"
    visit=$((visit + 1))
done >> "$file"
echo done
