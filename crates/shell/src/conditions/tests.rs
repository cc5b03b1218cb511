//! `[`. What it says of its words: `tests/like_shells`.

use super::*;

#[test]
fn a_bracket_wants_its_other_half() {
    assert_eq!(bracket(&["a", "]"], Dialect::Bash), Ok(&["a"][..]));
    assert_eq!(bracket(&["a"], Dialect::Bash), Err(b"missing `]'".to_vec()));
    assert_eq!(bracket::<&str>(&[], Dialect::Posix), Err(b"missing ]".to_vec()));
}
