# Counts the tools that are installed.
number=0 installed=0
while [ $number -lt 300 ]; do
    if command -v "tool$number"; then
        installed=$((installed + 1))
    fi
    number=$((number + 1))
done > /dev/null
echo "$installed tools"
