//! Where a git pattern and a glob of the `ignore` crate differ.

/// The line of an ignore file as the glob that means the same: braces are plain letters to git, a
/// class may name a set of characters (`[[:alpha:]]`, glob(7)), and of what is blank at the end
/// only spaces do not count. (A backslash within a class is still taken as a member of it.)
pub(super) fn as_glob(line: &str) -> String {
    let mut glob = String::with_capacity(line.len());
    let mut rest = line;
    let plain = line.trim_end_matches(' ');
    let tab = plain.strip_suffix('\t').filter(|before| !before.ends_with('\\'));
    if let Some(before) = tab {
        return as_glob(before) + "[\t]";
    }
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            '[' => class_length(rest).unwrap_or(1),
            _ => first.len_utf8(),
        };
        let (piece, behind) = rest.split_at(length);
        match first {
            '{' | '}' => glob.extend(['\\', first]),
            '[' => push_class(piece, &mut glob),
            _ => glob.push_str(piece),
        }
        rest = behind;
    }
    glob
}

/// How long the class is that the text starts with; `None` if it is never closed.
fn class_length(text: &str) -> Option<usize> {
    let mut at = 1 + usize::from(text[1..].starts_with(['!', '^']));
    at += usize::from(text[at..].starts_with(']')); // the first one is a member
    loop {
        let rest = &text[at..];
        at += match rest.chars().next()? {
            ']' => return Some(at + 1),
            '[' if rest.starts_with("[:") => rest[2..].find(":]").map_or(1, |end| end + 4),
            '\\' => 1 + rest[1..].chars().next()?.len_utf8(),
            other => other.len_utf8(),
        };
    }
}

fn push_class(class: &str, glob: &mut String) {
    let (open, mut rest) = class.split_at(1);
    glob.push_str(open);
    while let Some((before, named)) = rest.split_once("[:") {
        let Some((name, behind)) = named.split_once(":]") else { break };
        glob.push_str(before);
        match SETS.iter().find(|(set, _)| *set == name) {
            Some((_, members)) => glob.push_str(members),
            None => glob.extend(["[:", name, ":]"]),
        }
        rest = behind;
    }
    glob.push_str(rest);
}

/// The named sets in the C locale.
const SETS: [(&str, &str); 11] = [
    ("alnum", "a-zA-Z0-9"),
    ("alpha", "a-zA-Z"),
    ("blank", " \t"),
    ("cntrl", "\u{1}-\u{1f}\u{7f}"),
    ("digit", "0-9"),
    ("graph", "!-~"),
    ("lower", "a-z"),
    ("print", " -~"),
    ("punct", "!-/:-@[-`{-~"),
    ("space", " \t-\r"),
    ("upper", "A-Z"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_and_named_sets_are_translated_and_all_else_stays() {
        for (line, glob) in [
            ("*.txt", "*.txt"),
            ("a\t ", "a[\t]"),
            ("{a,b}", "\\{a,b\\}"),
            ("\\{a", "\\{a"),
            ("[{]x", "[{]x"),
            ("[[:digit:]_]", "[0-9_]"),
            ("[![:alpha:]]", "[!a-zA-Z]"),
            ("[:]", "[:]"),
            ("[:alpha:]", "[:alpha:]"),
            ("[[:]", "[[:]"),
            ("[[:no:]x]", "[[:no:]x]"),
            ("[]x]{", "[]x]\\{"),
            ("[x{", "[x\\{"),
            ("a\\", "a\\"),
            ("[\\]é]{", "[\\]é]\\{"),
            ("é{", "é\\{"),
        ] {
            assert_eq!(as_glob(line), glob, "{line}");
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config {
            failure_persistence: None,
            ..Default::default()
        })]
        #[test]
        fn any_line_has_a_glob(odd in "[]\\[\\\\!^:{}ad\\-igt\t é*?/#]{0,24}", other in ".*") {
            for line in [odd, other] {
                let letters = |text: &str| text.matches(char::is_uppercase).count();
                // Nothing is lost: upper-case letters only come in with named sets.
                proptest::prop_assert!(letters(&as_glob(&line)) >= letters(&line));
            }
        }
    }
}
