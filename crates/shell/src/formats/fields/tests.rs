//! What `read` does at the end of a line. Fields: `tests/like_shells`.

use super::*;

#[test]
fn a_line_goes_on_behind_an_odd_number_of_backslashes() {
    assert!(reads_on(b"a\\") && !reads_on(b"a\\\\") && reads_on(b"\\\\\\") && !reads_on(b""));
    let ifs = Ifs::new(None, true, Dialect::Bash);
    let mut out = Vec::new();
    read(b"a b\\\nc d", false, &ifs, Into::Array, &mut out);
    assert_eq!(out.iter().map(|text| &text[..]).collect::<Vec<_>>(), [&b"a"[..], b"bc", b"d"]);
}
