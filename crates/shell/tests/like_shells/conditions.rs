//! `test`

use proptest::prelude::*;

use super::{agree, agree_but, config, each, quoted};
use fewer_shell::Dialect;

fn tests(all: &[Vec<String>]) -> Vec<Vec<u8>> {
    each(all, |words| {
        let quoted = words.iter().map(|word| String::from_utf8_lossy(&quoted(word)).into_owned());
        format!("test {}", quoted.collect::<Vec<_>>().join(" "))
    })
}

fn split(text: &str) -> Vec<Vec<String>> {
    let word = |word: &str| if word == "''" { String::new() } else { word.replace('_', " ") };
    text.split(" ;; ").map(|words| words.split_whitespace().map(word).collect()).collect()
}

const EVERYWHERE: &str = "\
    a ;; '' ;; ! ;; ! a ;; ! '' ;; -n ;; -f ;; -n a ;; -z '' ;; a = a ;; a != b ;; a < b ;; \
    a > b ;; 1 -eq 1 ;; 1 -eq _1_ ;; 1 -eq 01 ;; 08 -eq 8 ;; 9223372036854775807 -gt 0 ;; \
    1 -eq +1 ;; ( a ) ;; ( '' ) ;; ! a = b ;; ! '' -a a ;; a -a b ;; a -o '' ;; \
    '' -o a -a '' ;; a -a b -o c ;; ! = ! ;; ! ! a ;; -n = -n ;; -f = a ;; ( = ( ;; \
    ( a = a ) ;; ( a = a ) -a b ;; -e / -a -d / ;; -t 0 ;; / -ef / ;; / -ef /. ;; -S / ;; \
    -k /tmp ;; -e '' ;; '' = '' ;; = = = ;; ( ;; 1 -eq 1 -a 2 -eq 3 ;; -d / -a ! -f / ;; \
    - ;; -- ;; -z ;; ! -z '' -o a ;; -h /bin -o -L /bin ;; -x / -a -r / ;; \
    -w /etc/passwd ;; -p /dev/null ;; -c /dev/null ;; -b /dev/null ;; -s /etc/passwd ;; \
    -u / -o -g / ;; -f ! ;; ! -f ;; ! ! ;; ! ( ;; /nonexist -nt / ;; -r /nonexist ;; \
    -O / ;; -G / ;; -x /etc/passwd ;; -x /bin/sh ;; -d /bin ;; -L /dev/null ;; \
    -w /proc/version ;; -1 -lt 0 ;; 3 -ge 3 ;; ! 1 -eq 2 ;; ( ! a ) ;; ! ( a ) ;; \
    ( 1 -eq 1 ) -o ( a = b ) ;; a -a ( b -o c ) -a ! '' ;; -n -n";

#[test]
fn what_all_shells_agree_on() {
    let all = split(EVERYWHERE);
    agree(Dialect::Bash, "", &tests(&all));
    agree(Dialect::Posix, "", &tests(&all));
    // ksh stumbles over a `(` that is not the first word.
    let odd = |words: &Vec<String>| words.len() > 3 && words[1..].contains(&"(".to_string());
    let all: Vec<_> = all.into_iter().filter(|words| !odd(words)).collect();
    agree(Dialect::Ksh, "", &tests(&all));
}

#[test]
fn what_each_shell_has_of_its_own() {
    let own = "\
    -q a ;; a b ;; a == a ;; 1 -eq x ;; x -eq 1 ;; 1 -eq '' ;; 0x10 -eq 16 ;; a -foo b ;; \
    1 -eq 99999999999999999999 ;; a b c ;; a = a b ;; a b c d ;; a b c d e ;; -a / ;; \
    -t x ;; -v PATH ;; -N / ;; / -nt /nonexist ;; /nonexist -ot / ;; 3 -eq 3_4 ;; \
    1 -le 2 -o 1 -lt x ;; -X a ;; a -X b ;; ( a ;; a =~ a ;; 1 -eq 1+0";
    let all = split(own);
    agree(Dialect::Bash, "", &tests(&all));
    agree(Dialect::Posix, "", &tests(&all));
    agree(
        Dialect::Bash,
        "",
        &tests(&split("-a -a -a ;; -f a -a ;; -n a -n ;; ( a b ) ;; ! ! ! a")),
    );
    let is_of_ksh = |words: &Vec<String>| {
        words[0] != "(" && words.len() < 4 && words.get(1).is_none_or(|word| word != "=~")
    };
    let all: Vec<_> = all.into_iter().filter(is_of_ksh).collect();
    // Its messages are others.
    let status = |text: &str| text.trim_end().rsplit(' ').next().map(String::from);
    agree_but(Dialect::Ksh, "", &tests(&all), |_, ours, theirs| {
        status(ours) == status(theirs) || ours.contains("floating point is not")
    });
}

const PIECES: &str = ",a,b,1,/,!,(,),-a,-o,=,-eq,-n,-z,-f,-d,<,-ef,x y";

proptest! {
    #![proptest_config(config(10))]

    #[test]
    fn random_arguments_get_bashs_answer(
        all in prop::collection::vec(
            prop::collection::vec(
                prop::sample::select(PIECES.split(',').map(String::from).collect::<Vec<_>>()),
                0..7,
            ),
            100,
        ),
    ) {
        agree(Dialect::Bash, "", &tests(&all));
    }
}
