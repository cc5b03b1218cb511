//! Limits of brace expansion.

use crate::Dialect;
use crate::syntax::tree::{Argument, Kind, Word};
use crate::syntax::{braces, parse};

/// The only argument.
fn word(script: &str, dialect: Dialect) -> Word {
    let mut list = parse(script.as_bytes(), dialect).expect("a script");
    let Kind::Simple(simple) = &mut list.items[0].first.commands[0].kind else { panic!() };
    let Argument::Word(word) = simple.words.remove(1) else { panic!() };
    word
}

#[test]
fn too_many_words_are_not_made() {
    for text in ["{1..100000000}", "{1..2000}{1..2000}", "{0..9223372036854775807}"] {
        let word = word(&format!("echo {text}"), Dialect::Bash);
        assert_eq!(braces::expand(&word, Dialect::Bash), Err(braces::Unclear::TooMany));
    }
}

#[test]
fn in_plain_sh_braces_are_text() {
    let word = word("echo {a,b}", Dialect::Posix);
    assert_eq!(braces::expand(&word, Dialect::Posix), Ok(None));
}
