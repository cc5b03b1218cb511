# Takes the addresses out of a log.
sed 's/from [0-9.]*/from somewhere/' "$1" > "$2"
wc -l < "$2"
