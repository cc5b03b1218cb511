# Writes down 2,000 visits.
log() {
    echo "$1" >> "$file"
}

file=$1
visit=0
while [ $visit -lt 2000 ]; do
    log "visit $visit"
    visit=$((visit + 1))
done
echo done
