# Words matched by patterns of alternatives and repetitions, $1 times over.
[[ -n $BASH_VERSION ]] && shopt -s extglob
typeset -i i=0 hits=0
words=(foobar foofoobar abcabc x12345 readme.md archive.tar.gz 2026-11-21 "" -42)
while ((i++ < $1)); do
    for word in "${words[@]}"; do
        case $word in
            +(foo)bar) ((hits += 1)) ;;
            *(abc)) ((hits += 2)) ;;
            ?(-)+([0-9])) ((hits += 4)) ;;
            !(*.*|*-*)) ((hits += 8)) ;;
            @(*.tar.@(gz|xz)|*.md)) ((hits += 16)) ;;
        esac
    done
done
echo $hits
