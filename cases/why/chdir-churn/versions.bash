# Counts the packages that have a version.
versions=0
top=$PWD
for package in "$1"/*/; do
    cd "$package"
    [[ -e version ]] && ((versions++))
    cd "$top"
done
echo "$versions packages have a version"
