# Adds up the sizes in a list: one SIZE NAME a line.
exec awk '{ total += $1 } END { print total }' "$1"
