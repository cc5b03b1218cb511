# Counts the hosts that answer; a bar shows how far it is, if there is a terminal.
[[ -t 1 ]] && bar=1
answers=0
for ((host = 1; host <= 5000; host++)); do
    if [[ $bar ]]; then
        printf '\r%d hosts' "$host"
    fi
    ((host % 3)) && ((answers++))
done
echo "$answers answers"
