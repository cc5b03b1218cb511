//! `$(( … ))`

use proptest::prelude::*;

use super::{agree_but, config, each, quoted};
use fewer_shell::Dialect;

const VARIABLES: &str = "x=4 y=7 e= z=010";

/// `wording`: whether messages are to be the same as well.
fn same(dialect: Dialect, texts: &[String], wording: bool) {
    let pieces = each(texts, |text| {
        let text = format!("r=$(( {text})); echo \"$r $x\"");
        format!("t={}; eval \"$t\"", String::from_utf8_lossy(&quoted(text)))
    });
    agree_but(dialect, VARIABLES, &pieces, |_, ours, theirs| match ours.split_once(": ") {
        // The places of `eval` differ.
        Some((_, said)) => {
            said.starts_with("floating point")
                || said.contains("floating point is not")
                || theirs.replace("eval: ", "").ends_with(said)
                || !wording && theirs.contains(": ")
        }
        None => ours == theirs,
    });
}

/// Between ` ;; ` and ends of lines.
const TEXTS: &str = r"
1 + ;; 1/0 ;; 1%0 ;; 5 / (3-3) ;; 08 ;; 0x ;; 2#2 ;; 1 2 ;; a b ;; ++ ;; 1 ? 2 ;; 1 = 2
x =  ;; 99999999999999999999 ;; 64#_@ ;; 37#a ;; 36#Z ;; 62#zZ ;; 1#0 ;; 65#1 ;; 0x1g
2**3**2 ;; 2**-1 ;; -2**2 ;; !1+1 ;; 1,2 ;; ,1 ;; 1<<64 ;; 1<<-1 ;; 1<<65 ;; -1>>1
9223372036854775807 ;; 9223372036854775807+1 ;; 0x7fffffffffffffff ;; 0xffffffffffffffff
3 ? 4 , 5 : 6 ;; 1?2:3?4:5 ;; +-+3 ;; --x ;; ---x ;; x++ + ++x ;; x++++x ;; 4--3 ;; 5++3
1.5 ;; 010#5 ;; 'a' ;; 16#ff ;; 1e3 ;; x=5, y=x*2 ;; 0 && 1/0 ;; 1 || 1/0 ;; 1?2:1/0 ;; a[1
7=2 ;; x+= ;; ~0 ;; 1 == 1 != 0 ;; 1<2<3 ;; 2#101 ;; @ ;; 1 ? x=2 : (x=3) ;; 1 ? 2 : x=3
0777 ;; 019 ;; 0x1_0 ;; !x ;; - 3 ;; !-!3 ;; x = y = 3 ;; 1 &&& 1 ;; 2*-3 ;; --3 ;; ++3
3-- ;; x--1 ;; - -3 ;; 10 % 3 * 2 ;; 1|2^3&4 ;; x==y ;; 1 < ;; 1 \ 2 ;; 0b11 ;; 09 ;; 3#3
1:2 ;; ? ;; 1;2 ;; { ;; 1+x=3 ;; x += (x=5) ;; x + (x=5) ;; 3 > 2 == 1 ;; 1 << 2 + 1
6 & 3 == 3 ;; 2# ;; 1 + 08 + 2 ;; z ;; z + 1 ;; e + 1 ;; a[1]=5, a[1]++ + a[1]
a[x++]=5, a[x++] += 3, x ;; x=1?2:3 ;; 1 ? 2 : 3 , 4 ;; a[x]=x++, a[4] ;; a[1/0] ;; a[1+]
a[a[a[0]]] ;; x *= y -= 2 ;; x <<= 2, x >>= 1 ;; x %= 3 ;; x ^= 1 ;; x |= 3 ;; x &= 6
x /= 0 ;; x **= 2 ;; (x) = 3 ;; (x)++ ;; x[0] = 9 ;; x =+ 3 ;; x-- ;; --x + x ;; x---1
((((x)))) ;; (1,2) ;; 1 ? : 2 ;; x ? y : 0 ;; x&&y||0 ;; !!x ;; ~-x ;; 1 == 2 ? 3 : 4 == 4
-9223372036854775807 - 1 ;; 5 % -3 ;; -5 / 2 ;; x y ;; x ++ ;; ++ x ;; 0 ? x++ : y
0 && x++ ;; x > y ? x : y ;; 1 , , 2 ;; () ;; 1 () ;; x () ;; 3 ! ;; !=3 ;; x !y ;; 1 <<< 2
1 >>> 2 ;; 1 === 1 ;; x => 2 ;; 1 ** 2 ;; 2 ** 62 ;; 2 ** 64 ;; 3 ** 40 * 3 ;; x[1] ;; $
x $ ;; 1 ] ;; [1] ;; x+++1 ;; x ? 1 : x ? 2 : 3 ;; x=0x ;; y=x=8,y ;; _a1 + 1 ;; 1_0 ;; 0_1
";

fn texts() -> Vec<String> {
    let all = TEXTS.lines().skip(1).flat_map(|line| line.split(" ;; "));
    all.map(String::from).collect()
}

#[test]
fn the_shells_say_the_same() {
    same(Dialect::Bash, &texts(), true);
    same(Dialect::Posix, &texts(), true);
    // The first two ksh does not read as arithmetic; the last two are its own: a base that is
    // none, and a subscript's subscript that is unset.
    let other = ["a[1", "1:2", "65#1", "a[a[a[0]]]"];
    let mut texts = texts();
    texts.retain(|text| !other.contains(&&**text));
    same(Dialect::Ksh, &texts, true);
}

const PIECES: &str = "x y z e 0 1 2 3 7 12 + - * / % ** << >> < <= > >= == != & ^ | && || ? : \
    ?1: = += -= (x) (y-1) ! ~ , ++ -- 0x1f a[x] _x_";

proptest! {
    #![proptest_config(config(12))]

    #[test]
    fn random_texts_get_the_same_answers(
        texts in prop::collection::vec(
            prop::collection::vec(
                prop::sample::select(PIECES.split_whitespace().collect::<Vec<_>>()),
                1..9,
            ),
            200,
        ),
    ) {
        let texts: Vec<String> =
            texts.iter().map(|parts| parts.concat().replace('_', " ")).collect();
        same(Dialect::Bash, &texts, false);
        same(Dialect::Posix, &texts, false);
    }
}
