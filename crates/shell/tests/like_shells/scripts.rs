//! Scripts and words with braces.

use super::{ALL, agree, each, ours, theirs};
use fewer_shell::Dialect;

/// What all three have.
const EVERYWHERE: &[&str] = &[
    "echo a 'b  c' \"d  e\" f\\ g ''",
    "a=1 b='x  y' c=\"$a$b\"; echo $b \"$b\" \"$c\" ${a}x \"${b}\" \\$a '$a' \
     \"\\$a\\`\\\"\\\\\\n\"",
    "echo \"$1\" ${2} \"$2\" $# \"$@\" \"$*\" $? \"x$@y\" ${#} ${#1} ${#2}",
    "echo ${u-a b} ${u:-\"c  d\"} \"${u-e  f}\" \"${u:-'g'}\" ${u+no} \"${u:+no}\" ${u-'h  i'} \
     ${u:-$1$2}",
    "echo ${v=w} $v ${v:=x} ${v:+y} ${v+\"p  q\"} ${v-} ${v:?msg} \"${u-}}\" ${u-{x}} \"${u-\\}}\"",
    "p=a/b/c.tar.gz; echo ${p#*/} ${p##*/} ${p%.*} ${p%%.*} \"${p#'a/'}\" \"${p%\"${p#*.}\"}\" \
     ${p#\"*\"} ${#p}",
    "set -- 1 2 3 4 5 6 7 8 9 ten; echo $10 ${10} $1x ${1}0 ${#} $##",
    "echo $((1+2)) $(( (3) * (4) )) \"$((5 -\n 4))\" $((${#1}+$#)) $(($(echo 2)*`echo 3`))",
    "echo $(echo a; echo b) \"$(echo \"c  d\")\" `echo e` \"`echo \\\"f  g\\\"`\" `echo \\`echo \
     h\\``",
    "echo $(case x in x) echo in;; esac) $(case y in (y) echo in2 ;; esac ) $(echo ')' # ) \
     comment\n)",
    "echo \"a$(echo \"b$(echo \"c\" | cat)\")d\" $( (echo sub) ) $(:)",
    "if true; then echo 1; fi; if false; then :; elif true; then echo 2; else echo 3; fi; if \
     false\nthen :\nelse echo 4\nfi",
    "for i in a 'b c' $1; do echo \"<$i>\"; done; for i; do echo \"$i\"; done; for i do echo $i; \
     done; for i\nin x; do echo $i; done; for j in; do echo no; done; echo end",
    "i=0; while [ $i -lt 3 ]; do i=$((i+1)); echo $i; done; until [ $i = 0 ]; do i=$((i-1)); \
     done; echo $i",
    "case abc in a*) echo 1;; *) echo 2;; esac; case '*' in \"*\") echo q;; esac; case x in y|z) \
     ;; (w | x ) echo or; esac; case a in esac; echo $?",
    "case 'a b' in a\\ b) echo 1;; esac; case 'a*' in a\\*) echo 2;; esac; case ] in []]) echo \
     3;; esac; case b in [!a]) echo 4;; esac; case if in if) echo 5;; esac",
    "f() { echo \"f $1\"; }; f x; g () ( echo \"g $1\" ); g y; h()\n{\n echo h; } >&2; h 2>&1; \
     k() if true; then echo k; fi; k",
    "{ echo a; echo b; } | cat; ( echo c; exit 3 ); echo $?; { echo d; } >&1; (echo \
     e)|(cat)|cat; { (echo f) }",
    "true && echo 1 || echo 2; false && echo 3 || echo 4; ! false && echo 5; ! true || echo 6; \
     true &&\n\n echo 7 |\n cat",
    "echo a >f; echo b >>f; cat <f; cat < f > g 2>&1; cat g; echo c >|g; cat g 3<&1 4>&-; echo d \
     1>&2 2>/dev/null; 2>h >i echo; ls; exec 3>&1; echo to3 >&3",
    "cat <<A; echo x\na $1 $((1+1)) `echo b` $(echo c) \\$1 \\\\ \\a \"q\" 'r'\nA\necho y",
    "cat <<'A'\n$1 `x` \\ \\\\\nA\ncat <<\"B\" <<\\C\nb\nB\nc $x\nC",
    "cat <<-A\n\t\ta\n\tb\n  c\n\tA\ncat <<A | tr a-z A-Z\nupper\nA\necho $(cat <<I\ninner \
     $1\nI\n) after",
    "cat <<A && echo and\nx\nA\nif cat <<B; then echo then; fi\ny\nB\nwhile read l; do echo \
     \"<$l>\"; done <<C\n1\n2\nC",
    "f() { cat <<A\nin $1\nA\n}; f one; f two; cat <<A\n${u-'y'} ${u-a b} \\\ncontinued\nA",
    "echo a; # comment\n# another 'quote\necho b # c\necho c#d '#e' \"#f\" $#\n",
    "echo a\\\nb; ec\\\nho c; echo \"d\\\ne\" 'f\\\ng'; a=x\\\ny; echo $a",
    "echo ~ ~/a \"~\" '~' \\~ a~ x=~; a=~ b=~/x:~/y c=x:~; echo $a $b $c; echo ${u-~} ${u:-~/z} \
     \"${u-~}\" ~nosuchuser",
    "touch a b 'c d' a*b; echo * ? [ab] \"*\" \\* 'a'* a\\** [!a] *d",
    "eval 'echo 1; echo 2'; export E=' a  b '; echo \"$E\"; readonly R=$E; echo \"$R\"; echo \
     \"`echo \"x  y\"`\"",
    "echo {a \"}\" }; echo '{' a{b; echo if then else fi do done; echo ! x !",
    "x='a b'; y=$x; echo \"$y\"; z=\"$x\"'c d'$x; echo \"$z\"; w=$(echo 1; echo 2); echo \"$w\"; \
     echo ${x%% *}${x#* }",
    "sh -c 'echo $0 $1' name arg & wait; echo done",
    "echo 'it'\\''s' \"it's\" \"say \\\"hi\\\"\" $'' 2>/dev/null | head -c 20",
    "set -- a; echo ${1+\"$@\"} \"${1+$@}\" ${2-$1} ${1:+${2-x}} ${u-${v-${w-deep}}}",
    "IFS=:; x=a:b; echo $x ${x} \"$x\" ${u-1:2} $(echo 3:4) a:b",
    "echo \"\" '' \"\"'' a\"\"b $u\"\" ; for i in \"\" $u \"$u\"; do echo \"<$i>\"; done",
    "trap 'echo bye' EXIT; echo hi; false || { echo group; }; : ${x:=1}; echo $x\n\n\n",
];

/// What bash and ksh have.
const BOTH: &[&str] = &[
    "[[ -n a && ( b == b || c != c ) && ! -e /none ]] && echo 1; [[ abc == a* ]] && echo 2; [[ \
     abc == 'a*' ]] || echo 3; [[ a < b ]] && echo 4; [[ 3 -gt 2 && -d / ]] && echo 5; [[ x ]] \
     && echo 6; [[ '' ]] || echo 7",
    "[[ abc =~ ^a(b|x)c$ ]] && echo 1; [[ 'a b' =~ a[[:space:]]b ]] && echo 2; r='^x'; [[ xy =~ \
     $r ]] && echo 3; [[ a.c =~ a\\.c ]] && echo 4; [[ abc =~ 'a.c' ]] || echo 5; [[ ab =~ \
     (a)(b) ]] && echo 6",
    "[[ a == b ||\n c == c ]] && echo 1\n[[\n a == a\n]] && echo 2; [[ $u == '' && $1 == one ]] \
     && echo 3; [[ ! ! a ]]; [[ ! ( a == a && ! b == b ) ]] || echo 4",
    "((x = 3 * (2 + 1))); echo $x; (( x > 3 )) && echo big; for ((i=0; i<3; i++)); do echo $i; \
     done; for ((;;)); do break; done; echo $(( x % 4 )) $((x**2)) $(( 16#ff ))",
    "((echo a); echo b); echo $( (echo c); echo d ); ( (echo e) ); (( 1 )) && echo f; echo \
     $((echo g) | cat)",
    "a=(x 'y z' $1); echo ${a[0]} \"${a[1]}\" \"${a[@]}\" \"${a[*]}\" ${#a[@]} ${#a[1]} \
     ${!a[@]}; a[5]=q; a+=(r); echo \"${a[@]: 1:2}\" ${a[1+4]}; i=1; echo \"${a[i]}\" \"${a[$i]}\"",
    "a=([2]=x\n # comment\n [5]='y z'); echo ${!a[@]} \"${a[@]}\"; typeset -A m; m=([k]=v ['x \
     y']=z); m[a.b]=c; echo ${m[k]} \"${m[x y]}\" ${m['x y']} ${m[a.b]}; k=k; echo ${m[$k]} \
     ${m[\"$k\"]}",
    "s=hello; echo ${s:1} ${s:1:3} ${s: -3} ${s/l/L} ${s//l/L} ${s/#h/H} ${s/%o/O} \
     ${s//l} ${s//[el]/\"*\"} \"${s/l/'q'}\"",
    "cat <<< 'here  string'; x='a b'; cat <<<$x; cat <<< \"$x$x\"; cat < <(echo process); cat \
     <(echo a) <(echo b)",
    "echo $'a\\tb\\n\\'c\\x41\\101' $'\\e[0m' | od -c | head -5; echo $\"plain $1\"",
    "function f { echo \"f $1\"; }; f x; function g\n{\n echo g; }; g; typeset x=$2; echo \
     \"$x\"; typeset -i n=3+4; echo $n; export y=$2; echo \"$y\"",
    "for i in 1 2; { echo $i; }; echo a &> f; cat f; x+=y; x+=z; echo $x",
    "case a in a) echo 1;& b) echo 2;; c) echo 3;; esac; time true 2>/dev/null; echo $?",
    "exec {fd}>f; echo x >&$fd; exec {fd}>&-; cat f; echo a b 10>&1; if [[ -n $1 ]]; then echo \
     y; fi",
    "echo {a,b} x{1..3}y {a,\"b c\"} ${u-{x,y}} '{a,b}'; echo a{,b}",
];

const ONLY_BASH: &[&str] = &[
    "s=hello; echo ${s/l/\\/} ${s:(-3):2} ${s:$((1+1)):${#u}+1} ${s/e/\\\\}",
    "a=([2]=x [5]='y z'\n # comment\n w); echo ${!a[@]} \"${a[@]}\"",
    "shopt -s extglob\ncase abc in @(abc|d)) echo 1;; esac; case xx in +(x)) echo 2;; esac; \
     x=aab; echo ${x##+(a)} ${x%@(b|c)}; [[ foo.c == *.@(c|h) ]] && echo 3; [[ ab == !(a) ]] && \
     echo 4",
    "cat <<A\n${u-\"x\"} \"$u\" ${u-\\\"x}\nA",
    "echo \"${v-\"p  q\"}\" \"${u-\"${v-\"deep\"}\"}\"; [[ -n == ]] && echo unary",
    "shopt -s extglob\ntouch a.c b.h c.o; echo *.@(c|h) !(*.o) ?(x)a.c; x=abc; echo \
     ${x//@(a|c)/<&>} ${x/+([a-b])/Z}",
    "s=hello; echo ${s^} ${s^^} ${s,} ${s^^[el]} ${s@Q} ${s@U}; r=s; echo ${!r} ${!r:1:2} ${!s*} \
     \"${!s@}\"; a=(1 2); echo \"${!a[@]}\" ${a[@]/1/x} \"${a[@]#1}\" ${a[-1]}; n='a[1]'; echo \
     ${!n}",
    "echo a |& cat; { echo err >&2; } |& cat; echo b &>> f; cat f; cat <<A |& tr a b\naaa\nA",
    "case a in a) echo 1;;& *) echo 2;; esac; ! ! true; echo $?; !(false); echo $?; ! ; echo $?",
    "f-g() { echo $FUNCNAME; }; f-g; function h() { echo h; }; h; function k ( echo k ); k; \
     function @x { echo at; }; @x",
    "echo $[1+2] $[ ${#1} * 2 ] $(( \"1\" + 2 )); declare -A m=([a b]=1 [\"c d\"]=2); echo ${m[a \
     b]} ${m['c d']}; declare -a a=(1 2); echo ${a[@]}; local x=1 2>/dev/null; a[0]+=5; echo \
     ${a[0]}",
    "echo a=~ b=x:~ ~+ | head -c 5; select i in a b; do echo $i; done <<< 1; x=(a{1,2} $2 \
     \"$2\"); echo ${#x[@]}",
    "declare -p BASH_VERSINFO >/dev/null; [[ -v PWD && ! -o posix || -z '' ]] && echo ok; [[ a = \
     a ]] && echo eq; [[ ( -n x ) ]] && echo paren",
    "x=5; (( x++, y = x ? 2 : 3 )); echo $x $y; echo $(( x << 2 | 1 )) ${x:+$((x+1))}; a=(1 2 \
     3); echo $(( a[1] + ${a[2]} )); unset 'a[1]'; echo ${a[@]}",
    "echo $(cat <<E)\nhello\nE\necho x",
    "cat <(cat <(echo nested)) --x=<(echo) | head -1; echo ${!#} \
     ${!1-none} ${#@} ${@:1:1} ${*: -1}",
];

const ONLY_KSH: &[&str] = &[
    "case abc in @(abc|d)) echo 1;; esac; case xx in +(x)) echo 2;; esac; x=aab; echo ${x##+(a)} \
     ${x%@(b|c)}; [[ foo.c == *.@(c|h) ]] && echo 3; [[ ab == !(a) ]] && echo 4",
    "echo ${ echo in; } \"${ echo a; echo b\n}\" ${\techo tab;}x; x=${ cat <<A\nhere\nA\n}; echo \
     $x",
    "f() echo simple; f; true | cat; echo $?",
    "integer n=2+3; echo $n; float x=1.5; echo $x; nameref r=n; echo $r; print -r -- a; for i in \
     1 2; do print $i; done",
    "! ! true; echo $?; echo $[1+2]; x=abc; echo ${x/b/X} ${x:1:1} @(a|b)",
];

fn same(dialect: Dialect, scripts: &[&str]) {
    for script in scripts {
        let Some(theirs) = theirs(dialect, script.as_bytes()) else { return };
        let Some(ours) = ours(dialect, script.as_bytes()) else {
            assert_eq!(dialect, Dialect::Ksh, "only ksh has what is not done here: {script}");
            continue;
        };
        assert_eq!((ours.out, ours.status), (theirs.out, theirs.status), "{dialect:?}: {script}");
    }
}

#[test]
fn what_all_have_comes_out_as_in_each_of_them() {
    for dialect in ALL {
        same(dialect, EVERYWHERE);
    }
}

#[test]
fn what_bash_and_ksh_have_comes_out_as_in_them() {
    same(Dialect::Bash, BOTH);
    same(Dialect::Bash, ONLY_BASH);
    same(Dialect::Ksh, BOTH);
    same(Dialect::Ksh, ONLY_KSH);
}

/// Words with braces.
const BRACES: &[&str] = &[
    "{a,b}", "{a}b,c}", "{a..e..2}", "{e..a}", "{1..9..3}", "{9..1..3}", "{1..3..0}", "{1..3..-1}",
    "{01..10}", "{-01..3}", "{1..010}", "{-5..05}", "{Z..a}", "{a,b", "{,}", "x{,}y", "{{a,b}..c}",
    "{a{1,2},b}", "{{a,b}}", "{a{b,c}", "{}", "{}a", "{a,b}{}", "{a,{}}", "{a\\,b,c}",
    "{\"a,b\",c}", "{\"a,b\"}", "\"{a,b}\"", "\\{a,b}", "{a,b\\}", "{a..z..}", "{a..}", "{..b}",
    "{1..a}", "{a..1}", "{1..2..3..4}", "{+1..3}", "{1..+3}", "{aa..cc}", "{a,b}{1,2}{x,y}",
    "a{b,c,}d", "{,a}{b,}", "{1..3}{", "{x}}", "}{a,b}{", "{a,b}}", "{$x,$y}", "{$x..$y}",
    "${x}{a,b}", "{1..3..1000}", "{10..1..-3}", "{1..-3}", "{a..A..9}",
    "{99999999999999999999..1}", "{1..99999999999999999999}{a,b}", "~{a,b}", "{~,x}", "{a,~/b}:~",
    "{1..2}..", "..{1..2}", "{1...3}", "{1..3.}", "{1,..,3}", "{a...c}", "{1%2..3}", "{a,b}%c",
    "{a,b}\\ {c,d}", "'{'{a,b}", "{a,b}'}'", "{'a',\"b\"}", "{''..''}", "{\"1\"..3}",
    "a{b{c,d}e{f,g}h,i}j", "{{1..3},{a..c}}", "{1..3}{1..3}", "{a,b}$(echo c)", "{a,$(echo b)}",
    "~/{a,b}", "x={a,~}", "{a,b}={1,2}", "{a,\"$x y\"}", "{a.b,c..d}", "{a,b}{c", "}{", "{,,}",
    "{{,},}x", "{-1..-03}", "{0..0}", "{1..1}", "{a..a}", "{00..0}", "{a,b}{,}",
    "pre{a,b}post{1..2}", "{a,b,{c,d{e,f}}}",
];

#[test]
fn braces_are_expanded_as_the_shells_do_it() {
    let scripts = BRACES.iter().map(|word| format!("set -f; x=1; y=3; printf '<%s>' {word}"));
    let scripts: Vec<_> = scripts.collect();
    for dialect in [Dialect::Bash, Dialect::Ksh] {
        // What ksh alone knows is left to it.
        let done = scripts.iter().filter(|script| ours(dialect, script.as_bytes()).is_some());
        agree(dialect, "", &each(done, |script| script.clone()));
    }
}
