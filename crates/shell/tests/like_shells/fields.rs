//! How IFS splits words and what `read` reads.

use proptest::prelude::*;

use super::{ALL, agree, config, each, quoted};
use fewer_shell::Dialect;

const SHOW: &str = r#"p() { [ $# = 0 ] || printf '<%s>' "$@"; echo; }; "#;

fn assigned(name: &str, value: &str) -> String {
    format!("{name}={}; ", String::from_utf8_lossy(&quoted(value)))
}

/// A word: `s` is `$x` split, `q` is `"$x"`, `e` is `""`, anything else stands for itself.
fn words_agree(ifs: &str, value: &str, words: &[String]) {
    let before = SHOW.to_string() + &assigned("IFS", ifs) + &assigned("x", value);
    let pieces = each(words, |word| {
        let pieces = word.chars().map(|piece| match piece {
            's' => "${x}",
            'q' => "\"$x\"",
            'e' => "\"\"",
            _ => "b",
        });
        format!("p {}", pieces.collect::<String>())
    });
    for dialect in ALL {
        agree(dialect, &before, &pieces);
    }
}

/// What `read` makes of a line.
fn reads_agree(dialect: Dialect, ifs: &str, line: &str) {
    let before = SHOW.to_string() + &assigned("IFS", ifs) + &assigned("l", line);
    let reads = ["-r a", "-r a b", "-r a b c", "a b"];
    let pieces = each(reads, |read| {
        format!("a= b= c=; printf '%s\\n' \"$l\" | {{ read {read}; p \"$a\" \"$b\" \"$c\"; }}")
    });
    agree(dialect, &before, &pieces);
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn words_are_split_as_the_shells_do(
        ifs in prop::sample::select(vec![" \t\n", ":", ": ", " :", "", "a:", "x y"]),
        value in prop::sample::select(vec!["a", " ", ":", "a ", " a", ":b", "a:b", "x:y z"]),
        more in "[ab :x]{0,8}",
        words in prop::collection::vec("[sssqeb]{1,5}", 12),
    ) {
        words_agree(ifs, &(value.to_string() + &more), &words);
    }

    #[test]
    fn lines_are_read_as_the_shells_do(
        ifs in prop::sample::select(vec![" \t\n", ":", ": ", " :", "", "a:", "x y"]),
        line in "[abx :]{0,12}",
    ) {
        for dialect in ALL {
            reads_agree(dialect, ifs, &line);
        }
    }

    #[test]
    fn lines_with_backslashes_are_read_as_bash_does(
        ifs in prop::sample::select(vec![" \t\n", ":", ": ", ""]),
        line in "([ab :]|\\\\[ab :]){0,12}",
    ) {
        reads_agree(Dialect::Bash, ifs, &line);
    }
}

#[test]
fn a_character_of_several_bytes_is_one_delimiter_but_in_dash() {
    for word in ["aébéc", "é", "aéé", "a\u{e8}b"] {
        words_agree("é", word, &["s".into(), "sbs".into()]);
    }
}

#[test]
fn arguments_are_apart() {
    const ARGUMENTS: &[&[&str]] = &[
        &["a b", "", "c"],
        &["", ""],
        &["a:", "b"],
        &["a", ""],
        &["x ", "y"],
        &["a", ":b"],
        &["a ", ":b"],
        &["", ":", "b"],
        &["a:", " :b"],
        &["", " :", ":b"],
        &[":", ":b"],
        &[" :", "a"],
        &[" :a"],
    ];
    for dialect in ALL {
        for ifs in [":", " ", "", ": ", " :"] {
            // ksh makes a field of an empty word at the end of `$@`, but not of `$*`.
            let pieces = each(ARGUMENTS, |words| {
                let words = words.iter().map(|word| format!(" '{word}'")).collect::<String>();
                format!("set --{words}; p $*; p a$@b; p $@")
            });
            agree(dialect, &(SHOW.to_string() + &assigned("IFS", ifs)), &pieces);
        }
    }
}
