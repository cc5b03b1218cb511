# Counts the packages that have a version.
versions=0
for package in "$1"/*/; do
    [[ -e ${package}version ]] && ((versions++))
done
echo "$versions packages have a version"
