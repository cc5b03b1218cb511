# Takes the addresses out of a log.
sed -u 's/from [0-9.]*/from somewhere/' "$1" > "$2"
wc -l < "$2"
