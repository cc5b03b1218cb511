//! Brace expansion, judged by bash and ksh.

use std::process::Command;

use super::{judge, present, print};
use crate::Dialect;
use crate::syntax::tree::{Argument, Kind};
use crate::syntax::{braces, parse};

const WORDS: &[&str] = &[
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

fn judged(dialect: Dialect) {
    if !present(dialect) {
        return;
    }
    let mut different = String::new();
    for word in WORDS {
        let script = format!("echo {word}");
        let Ok(list) = parse(script.as_bytes(), dialect) else { panic!("{script}") };
        let Kind::Simple(simple) = &list.items[0].first.commands[0].kind else {
            panic!("{script}")
        };
        let Argument::Word(word) = &simple.words[1] else { panic!("{script}") };
        let Ok(words) = braces::expand(word, dialect) else { continue };
        let words = words.unwrap_or_else(|| vec![word.clone()]);
        let ours: Vec<_> = words.iter().map(print::one_word).collect();
        // Our words are given to a shell that expands no braces.
        let told = shell(dialect, &format!("set +B; printf '<%s>' {}", ours.join(" ")));
        let expected = shell(dialect, &format!("printf '<%s>' {}", &script[5..]));
        if told != expected {
            different += &format!("{script}: {ours:?} {told} instead of {expected}\n");
        }
    }
    assert!(different.is_empty(), "{different}");
}

fn shell(dialect: Dialect, script: &str) -> String {
    let script = format!("set -f; x=1; y=3; {script}");
    let output = Command::new(judge(dialect)).args(["-c", &script]).env("HOME", "/home/x").output();
    String::from_utf8_lossy(&output.expect("a judge").stdout).into_owned()
}

#[test]
fn braces_are_expanded_as_bash_does_it() {
    judged(Dialect::Bash);
}

#[test]
fn braces_are_expanded_as_ksh_does_it() {
    judged(Dialect::Ksh);
}

#[test]
fn too_many_words_are_not_made() {
    for text in ["{1..100000000}", "{1..2000}{1..2000}", "{0..9223372036854775807}"] {
        let script = format!("echo {text}");
        let list = parse(script.as_bytes(), Dialect::Bash).expect("a script");
        let Kind::Simple(simple) = &list.items[0].first.commands[0].kind else {
            panic!("{script}")
        };
        let Argument::Word(word) = &simple.words[1] else { panic!("{script}") };
        assert_eq!(braces::expand(word, Dialect::Bash), Err(braces::Unclear::TooMany));
    }
}

#[test]
fn in_plain_sh_braces_are_text() {
    let list = parse(b"echo {a,b}", Dialect::Posix).expect("a script");
    let Kind::Simple(simple) = &list.items[0].first.commands[0].kind else { panic!() };
    let Argument::Word(word) = &simple.words[1] else { panic!() };
    assert_eq!(braces::expand(word, Dialect::Posix), Ok(None));
}
