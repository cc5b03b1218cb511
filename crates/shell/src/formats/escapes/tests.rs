//! Every line was written by the shell named.

use std::process::Command;

use proptest::prelude::*;

use super::*;

const ALL: &[&str] = &[
    "\\a|\\b|\\e|\\E|\\f|\\n|\\r|\\t|\\v|\\\\|\\\"|\\?|\\z|\\-|x",
    "\\1|\\18|\\0777|\\777|\\0101|\\101|",
    "\\x4|\\x41|\\u41|\\u00e9|\\u20ac1|\\U1f600|\\U0001f600|", "a\\c", "a\\cAb", "\\c\\", "\\",
    "\\0|", "\\000|", "\\x00|", "\\u0000|", "\\400|", "\\x{41}|", "\\x{414}|", "\\x414|", "\\xg",
    "\\u", "\\uD800|", "\\U110000|", "\\UFFFFFFFF|", "\\c?|", "\\ca|", "\\c[|", "\\C[", "\\'",
];

const CONTEXTS: [EscapeContext; 4] =
    [EscapeContext::Dollar, EscapeContext::Format, EscapeContext::Argument, EscapeContext::Echo];

/// The output of a shell for a text with escapes in this context.
fn theirs(name: &str, context: EscapeContext, text: &str) -> Vec<u8> {
    let script = match context {
        EscapeContext::Dollar => format!("printf %s $'{text}'"),
        EscapeContext::Format => "printf \"$1\"".into(),
        EscapeContext::Argument => "printf %b \"$1\"".into(),
        EscapeContext::Echo if name == "dash" => "echo -n \"$1\"".into(),
        EscapeContext::Echo => "echo -ne \"$1\"".into(),
    };
    let mut command = Command::new(name);
    command.args(["-c", &script, "sh", text]).env("LC_ALL", "C.UTF-8");
    command.output().unwrap().stdout
}

fn agrees(name: &str, dialect: Dialect, context: EscapeContext, text: &str) {
    let mut out = Vec::new();
    Escapes { context, dialect, utf8: true }.text(text.as_bytes(), &mut out, &mut Vec::new());
    let theirs = theirs(name, context, text);
    assert_eq!(
        out.escape_ascii().to_string(),
        theirs.escape_ascii().to_string(),
        "{name} {context:?} {text:?}"
    );
}

#[test]
fn the_shells_write_the_same() {
    for text in ALL {
        for context in CONTEXTS {
            let quoted = context == EscapeContext::Dollar;
            if quoted && (text.ends_with('\\') && !text.ends_with("\\\\")) {
                continue;
            }
            agrees("bash", Dialect::Bash, context, text);
            if quoted {
                continue;
            }
            agrees("dash", Dialect::Posix, context, text);
            // A NUL in ksh's format ends it, and what is no escape is something else again.
            let odd = ["\\0", "\\x", "\\u", "\\U", "\\4", "\\c\\", "a\\c"];
            let ended =
                context == EscapeContext::Format && odd.iter().any(|odd| text.starts_with(odd));
            if !ended {
                agrees("ksh93", Dialect::Ksh, context, text);
            }
        }
    }
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..Default::default() }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn random_ones_come_out_the_same(text in "(\\\\[abeEnrtvfcxuU01234567z]|[0-9a-f|]){1,9}") {
        for context in CONTEXTS {
            agrees("bash", Dialect::Bash, context, &text);
            if context != EscapeContext::Dollar {
                agrees("dash", Dialect::Posix, context, &text);
            }
        }
    }
}
