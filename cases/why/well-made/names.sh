# Counts names by their last digit, with builtins only.
cd flat || exit 1
sum=0
for name in *; do
    case "${name##*f}" in
    *[02468]) sum=$((sum + 1)) ;;
    esac
done
echo "$sum"
