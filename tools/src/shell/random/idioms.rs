//! What scripts do besides: lines with gaps that random words fill. A gap is `§` and a letter, as
//! [`gap`] has them. What an idiom changes for good are variables, parameters and files that all
//! scripts have; options, IFS, traps and the directory are changed in a subshell.

use super::words::Words;
use crate::shell::format::Dialect;

/// A random idiom of a dialect, filled. It may have several lines.
pub(super) fn idiom(words: &mut Words) -> String {
    let own: &[&str] = match words.dialect {
        Dialect::Posix => POSIX,
        Dialect::Bash => BASH,
        Dialect::Ksh => KSH,
    };
    let of_both = if words.dialect == Dialect::Posix { &[][..] } else { BOTH };
    let at = words.dice.below(COMMON.len() + of_both.len() + own.len());
    let template = match at.checked_sub(COMMON.len()) {
        None => COMMON[at],
        Some(at) => of_both.get(at).copied().unwrap_or_else(|| own[at - of_both.len()]),
    };
    fill(template, words)
}

fn fill(template: &str, words: &mut Words) -> String {
    let mut pieces = template.split('§');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let mut rest = piece.chars();
        text.push_str(&rest.next().map_or(String::new(), |letter| gap(letter, words)));
        text.push_str(rest.as_str());
    }
    text
}

fn gap(letter: char, words: &mut Words) -> String {
    match letter {
        'w' => words.word(),
        'W' => words.words(3),
        'n' => words.text_name().to_owned(),
        'N' => words.number_name().to_owned(),
        's' => words.sum(),
        'p' => words.pattern(),
        'i' => words.inside(),
        'x' => words.expansion_in_text(),
        'l' => words.literal().to_owned(),
        'c' => words.command(),
        'C' => words.command_line(),
        'f' => words.filter(),
        'd' => words.dice.below(5).to_string(),
        'I' => words.dice.pick(&[":", "' '", "': '", "''", "',:'", "'\t'", "o", "' o'"]).to_owned(),
        'L' => words.dice.pick(&LINES).to_owned(),
        'G' => words.dice.pick(&OPTIONS).to_owned(),
        'F' => words.dice.pick(&FORMATS).to_owned(),
        'A' => {
            words.dice.pick(&["0", "-3", "12", "0x1f", "017", "\"'A\"", "99999", "''"]).to_owned()
        }
        'S' => words.dice.pick(&["true", "false", "! true", "! false", "(exit 3)", ":"]).to_owned(),
        _ => unreachable!("no gap is called {letter}"),
    }
}

/// Lines to be read.
const LINES: [&str; 14] = [
    "a:b:c",
    "a::b",
    ":a:",
    " a : b ",
    "a\\:b:c",
    "a b c",
    "  lead  trail  ",
    "a:b:c:d:",
    "x\\ y z",
    "::",
    "a : : b",
    "foo,bar:baz",
    "two\\\\ words",
    "o:oo",
];

const OPTIONS: [&str; 12] =
    ["-a", "-b", "-bx", "-b x", "-ac", "-x", "--", "-", "-cab", "y", "-c -a", "-ax"];

/// Formats of `printf`, for numbers or texts.
const FORMATS: [&str; 18] = [
    "%5d", "%-5d|", "%05d", "%+d", "%x", "%#o", "%X", "%u", "% d", "%.3d", "%5s", "%-5s|", "%.2s",
    "%c", "%b", "%i", "%%%d", "%s%s",
];

const COMMON: &[&str] = &[
    // here-documents
    "cat <<E\n§x ${§n:-'§l'} ${§n#§p} \"§l\" $((§s)) `echo §l`\nE",
    "cat <<-E\n\t§x\n\t\t\\\\ \\` \\$§n \\x\n\tE",
    "§n=$(cat <<E\n§x §l\nE\n)",
    "while read -r x y; do echo \"$y|$x\"; done <<E\n§L §x\n§l\nE",
    "cat <<E1; cat <<'E2'\n§x\nE1\n§x\nE2",
    "cat <<\\E | §f\n§x\nE",
    "read §n x <<E\n§x §x\nE",
    "cat <<E && echo \"§i\"\n${§n:+§l}\\\n§l\nE",
    "fx() { cat <<E; }\n$1 §x\nE\nfx §w; fx §w",
    "if §S; then cat <<E\n§x\nE\nelse cat <<E\n§l\nE\nfi",
    // nested quotes
    "echo \"${§n:-\"§l\"}\" \"${§n+\"§i\" §l}\"",
    "printf '<%s>' ${§n:-'§l' \"§l\"} ${§n:+§l \"§i\"'§l'}; echo",
    "echo \"${§n:-$(§c)}\" \"${§n%\"§l\"}\" ${§n##\"$§n\"*}",
    "echo \"${§n#'§l'}\" \"${§n%%\\*}\" \"${§n%§p}\"",
    "echo \"$(echo \"$(echo \"§i\")\" '§l')\" \"`echo \"$§n\"`\"",
    "echo \"${§n-$((§s))}\" \"$((${#§n} + §s))\" \"${#§n}\"",
    // case
    "case \"$§n\" in §p|§p) echo 1 ;; \"§l\"*) echo 2 ;; [\"$§n\"]*) echo 3 ;; *) echo 4; esac",
    "case §w in [!a-f]*) echo no ;; *[[:digit:]]*) echo digit ;; \\?|'*') echo star ;; *) echo; esac",
    "case §w in\n(§p) echo A ;;\n(§p|'') echo B\nesac",
    "case §l in *[a\\]-]*|[]x]*) echo k ;; *[.]?*) echo dot ;; esac; echo $?",
    "case $§n in $§n) echo same ;; \"$§n\") echo quoted ;; *) echo none; esac",
    // arithmetic
    "echo $((§N = §s)) $((§N += §s)) $((§N -= 7)) $((§N |= 5)) $((§N &= 1023))",
    "echo $((§N && (§N = §d))) $((0 || (§N += 1))) $((§N ? §N : §s)) $§N",
    "echo $((0x1F + 010 + §s)) $(( - §N )) $(( ! §N )) $((~§N)) $((§N >= §d))",
    "i=0; while [ $((i += 1)) -le 3 ]; do echo $i; done",
    "§N=$((§s)); §N=$((§N % 1000)); echo $((§N << 2 >> 1 ^ §d))",
    // functions
    "fx() { echo $# \"$1\"; shift; [ $# -gt 0 ] && fx \"$@\"; }; fx §W; echo $?",
    "fx() { [ $1 -le 0 ] && return §d; printf '%s ' $1; fx $(($1 - 1)); }; fx §d; echo $?",
    "fx() { return; }; (exit §d); fx; echo $?",
    "fx() { echo main; }; ( fx() { echo sub; }; fx ); fx; unset -f fx; fx 2>/dev/null; echo $?",
    "fx() { §n=§w; set -- §W; echo $#; }; fx; echo $# \"$§n\"",
    "fx() ( §n=§w; cd d; exit §d ); fx; echo $? \"$§n\"",
    "fx() { echo \"$§n\"; } >f1.txt; fx; cat f1.txt",
    // traps
    "( trap 'echo bye $?' EXIT; §C; exit §d ); echo $?",
    "( trap 'echo bye; exit §d' EXIT; (exit 2) ); echo $?",
    "( trap 'echo t $?' EXIT; §S; set -e; §S; echo late ); echo $?",
    "( trap 'echo usr1' USR1; sh -c 'kill -USR1 $PPID'; echo after ); echo $?",
    "x=$(trap 'echo e' EXIT; echo §l); echo \"$x\"",
    "( trap 'echo x' EXIT; trap - EXIT; §S ); echo $?",
    "( fx() { trap 'echo out' EXIT; §S; }; fx; echo x )",
    "( trap 'echo a' EXIT; ( trap 'echo b' EXIT; §S ); echo c )",
    // set -e
    "( set -e; §S; echo a; §S && §S; echo b; { §S; §S; } || echo c; ! §S; echo d; (exit §d); echo e )",
    "( set -e; fx() { §S; echo in; }; fx || echo or; fx && echo and; fx; echo late ); echo $?",
    "( set -e; x=$(§S; echo §l); echo \"$x\"; x=$(exit §d); echo z ); echo $?",
    "( set -e; for i in 1 2 3; do [ $i -lt 2 ]; echo $i; done ); echo $?",
    "( set -e; while §S; do break; done; if §S; then echo y; fi; §S | §S; echo ok ); echo $?",
    "( set -e; eval '§S; echo ev'; . /dev/null; eval §S; echo late ); echo $?",
    "( set -e; ( §S; echo in ); echo out; case x in x) §S;; esac; echo end ); echo $?",
    "if ( set -e; §S; echo in; exit §d ); then echo y; else echo n $?; fi",
    // set -u
    "( set -u; echo \"${zz-§l}\" \"${zz:+x}\" \"$#\"; echo \"$zz\"; echo no ) 2>/dev/null; echo $?",
    "( set -u; set --; echo \"$@\" $*; echo \"$1\"; echo no ) 2>/dev/null; echo $?",
    "( set -u; echo ${zz=§l} ${#zz} ${zz%§p}; unset zz; echo ${zz#x}; echo no ) 2>/dev/null; echo $?",
    "( set -u; x=${zz?§l}; echo no ) 2>/dev/null; echo $?",
    // getopts
    "( OPTIND=1; while getopts ab:c o §G §G §G; do echo \"$o,${OPTARG-unset},$OPTIND\"; done; echo $?,$o,$OPTIND ) 2>/dev/null",
    "( set -- §G §G; while getopts :ab:c o; do echo \"$o,${OPTARG-unset}\"; done; shift $((OPTIND - 1)); echo \"$@\" )",
    "( fx() { OPTIND=1; while getopts b:a o; do printf '%s ' $o \"$OPTARG\"; done; echo $OPTIND; }; fx §G §G; fx §G ) 2>/dev/null",
    // read
    "( IFS=§I read x y z <<'E'\n§L\nE\necho \"[$x|$y|$z]\" )",
    "( echo '§L' | { IFS=§I read -r x y; echo \"[$x][$y]\"; } )",
    "printf '%s\\n%s' '§L' '§L' | while IFS=§I read -r x; do echo \"<$x>\"; done",
    "printf '%s\\n' '§L' '§L' | { read x; read y z; echo \"$x/$y/$z\"; read x; echo $? \"$x\"; }",
    "( printf '§L' | { IFS=§I; read x y; echo $? \"[$x][$y]\"; } )",
    // IFS
    "( IFS=§I; set -- $§n x'§L'; echo $# \"$*\"; printf '[%s]' \"$@\" $*; echo )",
    "( IFS=§I; §n='§L'; for x in $§n y$§n\"$§n\"; do echo \"[$x]\"; done )",
    "( IFS=§I; x=$*; y=\"$*\"; z=$@; echo \"$x|$y|$z\"; echo $x )",
    "( IFS=§I; x='§L'; echo ${x%:*} \"${x#*:}\" ${y-$x} ${y-§l:§l} $(echo \"$x\") )",
    "( set -- '' §W ''; IFS=§I; printf '<%s>' $* x$* \"$*\" $@; echo )",
    // printf
    "printf '§F\\n' §A; printf '[§F]' §A §A; echo",
    "printf '%s-%s\\n' §W; printf '%d %s|' 1 a 2; echo; printf '%b' 'a\\tb\\n\\0101\\' x; echo",
    "printf 'a\\tb\\101\\n%s\\\\' \"§i\"; echo; printf '%*d|%-*s|%.*s\\n' 4 §d 5 §l 2 §l",
    // the parameters
    "( set -- \"$@\" §W; shift §d 2>/dev/null; echo $# \"$*\" ); echo $?",
    "set -- \"$1\" §w; printf '<%s>' \"$@\"x x\"$@\" \"a$@b\" \"$@$@\"; echo",
    "printf '<%s>' ${1+\"$@\"} \"${1+$@}\" \"${@:-§l}\" ${*-§l} \"${*:+$*}\"; echo",
    "x=\"$*\" y=$* z=\"$@\"; printf '<%s>' \"$x\" \"$y\" \"$z\" ${#} ${#1} ${#*}; echo",
    "for x; do shift; set -- \"$@\" \"-$x\"; done; echo \"$@\"",
    "for x in \"$@\" §w; do echo \"$x\"; [ $# -gt 0 ] && shift; done; echo $#",
    "set -- §W; echo \"${1-none}\" \"${2:-none}\" \"${3+set}\" \"${10}\" $#",
    // redirections
    "{ echo out; echo err >&2; } 2>&1 >f1.txt | §f",
    "{ echo out; echo err >&2; } 3>&1 1>&2 2>&3 2>f1.txt | §f",
    "( exec 3>f2.txt; echo a >&3; exec 3>&-; echo b >&3 ) 2>/dev/null; echo $?",
    "exec 4<f2.txt; read x <&4; read y <&4; exec 4<&-; echo \"$x$y\"",
    "while read x <&5; do echo \"$x\"; read y <&5; echo \"-$y\"; done 5<f2.txt",
    "{ read x; cat; } <f2.txt; cat <f1.txt >f3.txt; cat <>f3.txt",
    "( cat < nofile && echo no; echo $?; echo x > d; echo $?; : > nodir/x; echo late ) 2>/dev/null; echo $?",
    "(exit §d) >f3.txt; echo $?; >f3.txt; echo $?; x=§w >f3.txt; echo $?",
    "( set -C; echo x > f1.txt; echo $?; echo y >| f1.txt ) 2>/dev/null; cat f1.txt",
    "{ §c; } >f1.txt 2>&1; §f <f1.txt",
    "for x in 1 2; do echo $x; echo e >&2; done >f1.txt 2>>f1.txt; cat f1.txt",
    "( exec >f3.txt; echo in; §c ); cat f3.txt",
    "( exec <f2.txt; read x; echo $x; cat )",
    "echo §l 1>&2 2>/dev/null; { §c; } 2>/dev/null >&1 | §f",
    // subshells
    "( §n=§w; set -f; cd d; umask 077; fx() { echo sub; }; trap 'echo T' EXIT; : ); echo \"$§n\" *.txt $?",
    "( §N=$((§s)); §n=$(§c); echo \"$§n$§N\"; exit §d ); echo $? \"$§n\" $§N",
    "( ( §n=§w; echo \"$§n\" ); echo \"$§n\"; §n=x; ( unset §n; echo ${§n-none} ) ); echo \"$§n\"",
    "x=$(cd d; §n=1; pwd | sed 's,.*/,,'; exit §d); echo $? \"$x\" ${PWD##*/}",
    // loops
    "for x in 1 2 3; do for y in a b; do [ $y = b ] && continue 2; echo $x$y; [ $x = §d ] && break 2; done; done; echo $?",
    "while :; do §S; break; done; echo $?; until §S; do break; done; echo $?",
    "fx() { while :; do return §d; done; echo no; }; fx; echo $?",
    "for x in 1 2; do eval '§S; continue'; echo no; done; echo $x; for x in 1 2; do eval 'break; echo no'; done; echo $x",
    "fx() { for x in 1 2 3; do case $x in §d) return 5;; esac; echo $x; done | cat; echo \"p $?\"; }; fx",
    "for x in §w §w; do (exit §d); done; echo $? \"$x\"; for x in; do :; done; echo $?",
    "i=0; while [ $i -lt 3 ] && §S; do i=$((i + 1)); echo $i; done; echo $?",
    "i=0; until [ $i -ge 3 ]; do i=$((i + 1)); if [ $i = §d ]; then continue; fi; echo $i; done | §f",
    "for x in a b; do for y in 1 2; do echo $x$y; break §d 2>/dev/null; done; done 2>/dev/null",
    // eval and .
    "eval \"§n=\\\"\\$§n\\\"y\"; eval echo '$'§n '\"$b\"'",
    "eval 'echo a; (exit §d)'; echo $?; eval; echo $?; eval ''; (exit §d); eval ' '; echo $?",
    "eval 'fx() { echo \"$1 §l\"; }'; fx §w; eval \"set -- §l §l\"; echo $1",
    "printf '%s\\n' 'echo sourced \"$1\"' '§n=§l' 'return §d' 'echo no' > d/s; . ./d/s; echo $? \"$§n\"; rm d/s",
    "x='echo \"$§n\" | cat'; eval \"$x\"; eval \"$x; $x\" | §f",
    // names of files
    "( cd d; : >a.c; : >b.c; : >.h; : >'x y'; : >'[z]'; : >a-b; echo * ; echo *.c [!a]* .h* ; echo 'x'* *' '* \\[* [[]z]; rm * .h )",
    "( : >d/q; : >d/ab; echo d/* */ d/[a-c]? d/?* */q \"d\"/*; rm d/* )",
    "x='*.txt'; echo $x \"$x\" ${x%t}* f[1-2].* f[!1]* f[\"1-2\"]* nomatch*; set -f; echo $x *; set +f",
    // tests
    "[ §l = §l -o -n \"$§n\" ]; echo $?; [ ! -e f9 -a -f f1.txt ]; echo $?; test \"$§n\"; echo $?",
    "[ $§N -gt §d ] && [ \"$§n\" != '§l' ] || [ -z \"$§n\" ]; echo $?",
    "[ -d d ] && [ -s f3.txt ]; echo $?; [ x\"$§n\" = x\"$§n\" ]; echo $?; [ \"$§n\" ]; echo $?; [ ]; echo $?",
    "[ 1 -eq x ] 2>/dev/null; echo $?; [ a b ] 2>/dev/null; echo $?; [ ! ! = ! ] 2>/dev/null; echo $?; [ ! x ]; echo $?",
    "[ \\( a = §l \\) -o \\( b = b \\) ]; echo $?; [ -n = -n ]; echo $?; test -t 0; echo $?; [ f1.txt -ef f1.txt ]; echo $?",
    // the status
    "x=$(exit §d) y=§w; echo $?; x=$(exit §d); echo $?; $(exit §d); echo $?; true $(exit §d); echo $?",
    "! §S; echo $?; if §S; then :; fi; echo $?; case x in esac; echo $?; while false; do :; done; echo $?",
    "unset nosuch; echo $?; cd nodir 2>/dev/null; echo $?; nosuchcmd 2>/dev/null; echo $?; ./d 2>/dev/null; echo $?",
    "(exit §d); x=$?; (exit §d) || echo $x$?; { (exit §d); }; echo $?; §S && §S || §S; echo $?",
    "§C | §f | §f; echo $?; §S | §S; echo $?; ! §S | §S; echo $?",
    "echo $(exit §d)$?; (exit §d); echo \"`echo $?`$?\"; (exit §d); x=$? y=$(§S)$?; echo $x$y$?",
    // variables
    "( readonly ro=§w; ro=x; echo no ) 2>/dev/null; echo $?; ( readonly a; unset a; echo $? ) 2>/dev/null; echo $?",
    "export ex=§l; sh -c 'echo $ex'; unset ex; sh -c 'echo ${ex-no}'; ex=§w sh -c 'echo \"$ex\"'; echo \"${ex-none}\"",
    "§n=§l b=$§n eval 'echo \"$b\"'; §n=§w true; echo \"$§n\"; fx() { echo \"$§n\"; }; §n=z fx; echo \"$§n\"",
    "( §n=§w :; echo \"$§n\"; §n=q command :; echo \"$§n\" )",
    "§n=§w§w; echo \"$§n\" ${#§n}; §n=$§n$§n; §n=\"${§n#??}\"; echo $§n",
    "unset §n; echo \"${§n-unset}\" \"${§n:-null}\" \"${§n+set}\"; : ${§n:=§w}; echo \"$§n\"",
    "( set -a; zz=§w; sh -c 'echo \"$zz\"' ); echo \"${zz-none}\"",
    "echo ~ ~/x a~ x=~ \"~\" '~'/y; x=~:~/z; echo $x; x=~root/y:'~'; echo $x",
    "echo one\\\ntwo \"a\\\nb\" 'c\\d' \\a\\\\ \"\\a\\\\\\$\" # §l",
    "x=1; echo 2 | read x; echo $x; echo a | { read x; echo $x; }; echo $x",
    "§C | while read x y; do m=$((m + 1)); echo $m; done; echo $m",
    "command -v echo cat >/dev/null; echo $?; command §S; echo $?; command echo §w; command . /dev/null; echo $?",
    "{ §S; echo $?; } && ( §S ) || { echo or; §S; }; echo $?",
    "§C & wait; echo $?; (exit §d) & wait $!; echo $?; wait; echo $?",
    "if §S; then echo a; elif §S; then echo b; else echo c; fi | §f; echo $?",
];

const BOTH: &[&str] = &[
    "[[ \"$§n\" == \"§l\"* && ! -f f9 || $§N -gt 3 ]]; echo $?; [[ $§n == *§l* ]]; echo $?",
    "[[ §w =~ ^[a-z]+$ ]]; echo $?; [[ $§n =~ (o+)|x ]]; echo $?; [[ $§n < foo ]]; echo $?",
    "[[ -z $§n || ( §l == §p && -n §l ) ]]; echo $?; [[ ! $§n ]]; echo $?; [[ $§n != *\\ * ]]; echo $?",
    "[[ $§n == @(foo|two*|§l) ]]; echo $?; [[ $§n == \"$§n\" && $§N -le §d ]]; echo $?",
    "unset x; x=([3]=x §w [1]=y z); echo \"${!x[@]}\" \"${x[@]}\" ${#x[@]}; unset x",
    "list=(§w \"$§n\" §w); echo ${#list[@]} \"${list[1]}\" \"${list[@]:1:1}\" \"${#list[0]}\"",
    "list+=(\"§i\" '§l'); for i in \"${!list[@]}\"; do echo \"$i:${list[$i]}\"; done",
    "unset 'list[§d]'; echo ${#list[@]} \"${list[*]}\"; list[n % 5]=§w; echo \"${list[n%5]}\"",
    "echo \"${list[@]#§p}\" \"${list[@]%§p}\" \"${list[*]/o/§l}\" \"${list[@]:0:2}\"",
    "( IFS=,; echo \"${list[*]}\"; x=${list[*]}; echo \"$x\"; printf '<%s>' ${list[@]}; echo )",
    "set -- \"${list[@]}\"; echo $# \"$1\"; x=(\"$@\" \"${list[@]}\"); echo ${#x[@]}; unset x",
    "typeset -i num=§s; num+=2; echo $num; num=num*2; echo $num; unset num",
    "echo ${§n:§d} \"${§n:§d:§d}\" \"${§n:n%4}\" ${@:1:§d} \"${@:2}\"",
    "echo \"${§n//[aeiou]/_}\" \"${§n/#f/X}\" \"${§n/%s/Y}\" \"${§n//\"§l\"/§l}\" \"${§n/o}\"",
    "echo \"${§n/$§n/x}\" \"${§n//o/\"$b\"}\" ${§n/ /§l} \"${§n//\\*/s}\"",
    "echo {a,b}{1,2} x{,y}z {1..5..2} {c..a} {01..03} pre{§l,§l}post \"{a,b}\" {a} {}",
    "((§N++)); echo $?; let '§N=§s' '§N+=1'; echo $? $§N; ((§s)) && echo y || echo n",
    "for ((i=0, j=3; i<j; i++, j--)); do echo $i$j; ((i == §d)) && continue; echo -; done",
    "echo $((§N++ + ++§N)) $((§N--, §N * 2)) $((16#ff + 2#101)) $((§N > 2 ? §N : (m = 1)))",
    "case §l in f*) echo 1 ;& b*) echo 2 ;; *) echo 3 ;; esac",
    "cat <<< \"§i\" | §f; read x y <<< §w; echo \"$x|$y\"; echo \"$(< f1.txt)\"",
    "cat < <(§c); while read -r x; do echo \"$x\"; done < <(printf '%s\\n' §W)",
    "( set -o pipefail; §S | §S; echo $?; (exit §d) | cat; echo $? )",
    "echo $'a\\tb\\x41\\n\\'§l' \"$'x'\" $'§l'x",
    "function fx { typeset a=§w b; b=§w; echo \"$a/$b/$#\"; }; fx §W; echo \"$a/$b\"",
    "function fx { echo \"$1\"; (( $# > 1 )) && { shift; fx \"$@\"; }; return §d; }; fx §W; echo $?",
    "table[§l]=§w; echo \"${table[§l]}\" ${#table[@]}; unset 'table[§l]'; echo \"${table[§l]-none}\"",
    "printf '%q ' §w \"§i\"; echo; printf '%s,' \"${list[@]}\"; echo",
    "x=§w; x+=§w; x+=$§n; echo \"$x\"; typeset -i y=3; y+=§d; echo $y; unset y",
    "( typeset -r ro=§w; ro=x; echo no ) 2>/dev/null; echo $?; ( typeset -x ex=§l; sh -c 'echo $ex' )",
    "if [[ -n ${list[0]} ]] && ((${#list[@]} > 1)); then echo \"${list[@]: -1}\"; fi",
];

const POSIX: &[&str] = &[
    "fx() { local a=§l b; b=§w; echo \"$a/$b/${c-u}\"; }; fx §W; echo \"$a/$b\"",
    "fx() { local a=§l; local a; fy() { a=in; }; fy; echo $a; }; fx; echo \"$a\"",
    "fx() { local IFS; IFS=§I; echo $b $d \"$*\"; }; fx §W; echo $b",
    "echo '§l\\t§l\\n\\061\\c' §l; echo -n §l; echo -e x; echo '\\\\x' \"\\\\x\"",
];

const BASH: &[&str] = &[
    "fx() { local a=§w b; b=§w; echo \"$a/$b/${c-u}\"; }; fx §W; echo \"$a/$b\"",
    "fx() { local a=§l; fy() { a=in; }; fy; echo $a; local -a q=(§W); echo ${#q[@]}; }; fx; echo \"$a\"",
    "fx() { local IFS=§I; echo $b $d \"$*\"; }; fx §W; echo $b",
    "false | true | (exit §d); echo \"${PIPESTATUS[@]}\"; §S; echo ${PIPESTATUS[0]}",
    "declare -A t2=([a]=§w ['b c']=§l); echo \"${t2[b c]}\" ${#t2[@]} \"${t2[a]}\"; unset t2",
    "mapfile -t list <<E\n§x\n§l\nE\necho ${#list[@]}",
    "echo \"${§n^^}\" \"${§n^}\" \"${§n,,[A-F]}\" \"${§n@Q}\" \"${list[@]^}\" \"${§n@U}\"",
    "declare -n ref=§n; echo \"$ref\"; ref=§w; unset -n ref; echo \"$§n\"",
    "( shopt -s nullglob; echo zz* f1*; shopt -u nullglob; shopt -s dotglob; echo d/*; echo zz* )",
    "( trap 'echo ERR $?' ERR; §S; §S; (exit §d); §S || §S )",
    "( set -E; fx() { §S; echo in; }; trap 'echo E$?' ERR; fx; §S )",
    "( trap 'echo R' RETURN; fx() { §S; }; fx; echo o )",
    "fx() { echo ${FUNCNAME[0]} ${#FUNCNAME[@]}; [ $# -gt 0 ] && fx; }; fx §w",
    "declare -p §n list n; declare -i k; declare -p k; declare +i k",
    "echo \"${§n:0:-1}\" \"${§n: -3:2}\" \"${@: -1}\" \"${*:1:2}\" \"${list[@]: -2:1}\" 2>/dev/null",
    "IFS=: read -ra list <<< '§L'; echo \"${#list[@]}\" \"${list[0]}\"",
    "read -n 2 x <<< §l; read -d o y <<< foobar; read -N 3 z <<< abcdef; echo \"$x|$y|$z\"",
    "printf -v x '§F' §A; echo \"[$x]\"; printf -v 'list[1]' %s §w; echo \"${list[1]}\"",
    "echo \"${!name}\" \"${!name:-§l}\" ${!list[*]} \"${#list[*]}\" \"${!i*}\"",
    "case §l in f*) echo 1 ;;& *o*) echo 2 ;;& *) echo 3 ;; esac",
    "( set -e; ((0)); echo a ); echo $?; ( set -e; ((n = 0)) || true; [[ a == b ]]; echo c ); echo $?",
    "[[ -v §n && -v list[1] ]]; echo $?; [[ $§n =~ ([a-z]+)\\ ?(.*) ]] && echo \"${BASH_REMATCH[@]}\"",
    "{ echo out; echo err >&2; } &> f1.txt; cat f1.txt; { §c; } |& §f; echo x &>> f1.txt",
    "exec {fd}<f2.txt; read x <&$fd; exec {fd}<&-; echo $x",
];

const KSH: &[&str] = &[
    "function fx { typeset a=§l b; b=§w; echo \"$a/$b\"; function fy { a=in; }; fy; echo \"$a\"; }; fx §W; echo \"$a\"",
    "function fx { typeset IFS=:; x='a:b'; echo $x; }; fx; echo $x",
    "function fx { typeset -n ref=$1; ref=§l; }; fx §n; echo \"$§n\"",
    "print -r -- §w; print -n §l; print -- '-§l' \"a\\\\tb\"; print -u1 §l",
    "set -A list §w b §w; echo ${#list[@]} \"${list[0]}\"; set -A list -- -x y; echo \"${list[*]}\"",
    "typeset -u up=§l; echo $up; typeset -l lo=FOO; echo $lo; unset up lo",
    "( function fx { trap 'echo fx' EXIT; §S; }; fx; echo x )",
    "read -A list <<< '§L'; echo ${#list[@]}; IFS=: read -r x y <<< '§L'; echo \"$x/$y\"",
    "( set -e; ((0)); echo a ); echo $?; ( trap 'echo E $?' ERR; §S; §S || §S; (exit §d) )",
    "[[ $§n == ~(i:FOO)* ]]; echo $?; [[ $§n == {1,3}([a-z])* ]]; echo $?",
    "for i in \"${!table[@]}\"; do echo $i; done | sort; echo \"${table[bar]}\"",
    "whence -v nosuch 2>/dev/null; echo $?; whence echo; whence if; command -v echo",
    "echo $(( 7 / 2 )) $(( 7 % 4 )) $((§s)) $(( n == 1 && m > 2 )); let x=n+1; echo $x",
    "§S && ! §S; echo $?; x=$(print §l; exit §d); echo \"$x\" $?",
];
