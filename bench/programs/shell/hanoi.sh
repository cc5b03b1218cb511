# The towers of Hanoi with $1 discs: recursion with variables of its own.
function move {
    typeset -i n=$1
    typeset from=$2 to=$3 over=$4
    ((n == 0)) && return
    move $((n - 1)) $from $over $to
    ((moves += 1))
    move $((n - 1)) $over $to $from
}

typeset -i moves=0
move $1 left right middle
echo $moves
