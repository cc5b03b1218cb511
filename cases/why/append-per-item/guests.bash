# Writes down 2,000 guests.
log() {
    echo "$1" >> "$file"
}

file=$1
guest=0
while [ $guest -lt 2000 ]; do
    log "guest $guest"
    guest=$((guest + 1))
done
echo done
