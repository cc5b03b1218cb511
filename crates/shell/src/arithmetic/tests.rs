//! What an expression is, and how deep it may be. Its values: `tests/like_shells`.

use super::*;
use crate::Dialect;

#[test]
fn holes_are_numbers_or_the_text_is_read_again() {
    let mut slot = |_: &[u8]| Slot(0);
    let mut read = |text: &str| {
        let pieces: Vec<&str> = text.split('$').collect();
        let mut parts = Vec::new();
        for (at, piece) in pieces.iter().enumerate() {
            if at > 0 {
                parts.push(Part::Placeholder(at as u32));
            }
            parts.push(Part::Text(piece.as_bytes()));
        }
        parse(&parts, Dialect::Bash, &mut slot).map_err(|error| error.kind())
    };
    for text in
        ["1$", "$x", "$$", "16#$", "1 $ 2", "$ $", "$=1", "a$[1]", "$[1]", "a[1", "$.5", "$ ("]
    {
        let textual = if text == "a[1" { Kind::BadSubscript } else { Kind::Textual };
        assert_eq!(read(text), Err(textual), "{text}");
    }
    let placeholders = |text: &str, texts: &mut dyn FnMut(&str) -> Result<Expression, Kind>| {
        texts(text).map(|read| read.placeholders().to_vec()).unwrap_or_default()
    };
    let sum = placeholders("$ + x-$", &mut read);
    assert_eq!(sum[0].number(b"-5", Dialect::Bash), Some(-5));
    assert_eq!(sum[1].number(b"-5", Dialect::Bash), None, "x--5 is no difference");
    assert_eq!(sum[1].number(b"-5", Dialect::Posix), Some(-5), "but in dash");
    assert_eq!(sum[1].number(b"5", Dialect::Bash), Some(5));
    for text in ["", "x", "1+2", "1 2", "08", "-"] {
        assert_eq!(sum[0].number(text.as_bytes(), Dialect::Bash), None, "{text:?}");
    }
    let key = placeholders("a[$]++", &mut read);
    assert_eq!((key.len(), key[0].subscript_of), (1, Some(Slot(0))));
    assert_eq!(placeholders("a[x $ /]++", &mut read).len(), 1, "an associative array's key");
}

#[test]
fn what_is_too_deep_is_an_error_and_not_a_crash() {
    let run = |text: String| {
        let mut runner = crate::Runner::new(Dialect::Bash);
        runner.set("t", text).expect("a value");
        let outcome = runner.run("x=4; echo $((t))").expect("a script");
        String::from_utf8([outcome.stdout, outcome.stderr].concat()).expect("a text")
    };
    assert_eq!(run(format!("{}7{}", "(".repeat(5_000), ")".repeat(5_000))), "7\n");
    for text in ["(", "-x+", "!", "x?", "x=", "a[", "1?x:", "x**", "~(", "x+"] {
        assert!(run(text.repeat(50_000) + "x").starts_with("sh: "), "{text}");
        assert!(!run(text.repeat(3_000) + "x").contains("level exceeded"), "{text}");
    }
    let nested = |levels: usize| "a[".repeat(levels) + "0" + &"]".repeat(levels);
    assert_eq!(run(nested(200)), "0\n");
    assert!(run(nested(20_000)).contains("level exceeded"));
    assert_eq!(run("1+".repeat(200_000) + "1"), "200001\n");
}
