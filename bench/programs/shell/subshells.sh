# $1 subshells, a third of them elsewhere, none of which may leave anything behind.
i=0 x=outside
while [ "$i" -lt "$1" ]; do
    ( : )
    ( x=inside )
    ( cd /; x=$PWD )
    i=$((i + 3))
done
echo "$i $x"
