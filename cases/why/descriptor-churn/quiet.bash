# Counts the settings that are numbers; complaints about the others are not wanted.
numbers=0
for ((line = 1; line <= 3000; line++)); do
    setting=$((line % 5 == 0))
    { ((setting)) || ((numbers++)); } 2>/dev/null
done
echo "$numbers numbers"
