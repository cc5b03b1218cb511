# Counts the letters in the names of pictures.
letters=0
for picture in "$1"/*.png; do
    name=${picture##*/} name=${name%.png}
    letters=$((letters + ${#name}))
done
echo "$letters letters"
