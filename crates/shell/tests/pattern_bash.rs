//! Patterns as bash understands them: random texts and patterns, both asked, by the hundred.

use std::fmt::Write as _;
use std::process::Command;

use fewer_shell::pattern::cases::{Case, change};
use fewer_shell::pattern::replace::{Replacement, Style, Which, replace};
use fewer_shell::pattern::{Options, Pattern};
use proptest::prelude::*;

/// What one text and one pattern give: whether they match, and the text without what matches, in
/// all the ways there are.
type Answers = Vec<Vec<u8>>;

const ASKED: &str = r#"
t() {
  local s=$1 p=$2
  [[ $s == $p ]] && printf '1\0' || printf '0\0'
  printf '%s\0' "${s#$p}" "${s##$p}" "${s%$p}" "${s%%$p}" "${s/$p/<&>}" "${s//$p/<&>}"
  printf '%s\0' "${s/#$p/<&>}" "${s/%$p/<&>}" "${s^^$p}" "${s,$p}"
}
"#;
const ANSWERS: usize = 11;

fn bash(cases: &[(Vec<u8>, Vec<u8>)], fold: bool) -> Vec<Answers> {
    let mut script = String::from("shopt -s extglob\n");
    if fold {
        script.push_str("shopt -s nocasematch\n");
    }
    script.push_str(ASKED);
    for (text, pattern) in cases {
        let _ = writeln!(script, "t {} {}", quoted(text), quoted(pattern));
    }
    let output = Command::new("bash")
        .env("LC_ALL", "C.UTF-8")
        .args(["--norc", "-c", &script])
        .output()
        .expect("bash");
    let answers: Vec<Vec<u8>> = output.stdout.split(|&it| it == 0).map(<[u8]>::to_vec).collect();
    let answers: Vec<Answers> = answers.chunks_exact(ANSWERS).map(<[Vec<u8>]>::to_vec).collect();
    assert_eq!(answers.len(), cases.len(), "{}", String::from_utf8_lossy(&output.stderr));
    answers
}

fn quoted(bytes: &[u8]) -> String {
    let mut quoted = String::from("$'");
    for byte in bytes {
        let _ = write!(quoted, "\\{byte:03o}");
    }
    quoted + "'"
}

fn ours(text: &[u8], pattern: &[u8], fold_case: bool) -> Answers {
    let options = Options { extended: true, utf8: true, fold_case, ..Options::default() };
    let folded = Pattern::new(pattern, options);
    let exact = Pattern::new(pattern, Options { fold_case: false, ..options });
    let mut answers = vec![if folded.matches(text) { b"1".to_vec() } else { b"0".to_vec() }];
    for longest in [false, true] {
        answers.push(text[exact.prefix(text, longest).unwrap_or(0)..].to_vec());
    }
    for longest in [false, true] {
        answers.push(text[..exact.suffix(text, longest).unwrap_or(text.len())].to_vec());
    }
    let replacement = Replacement { text: b"<&>", style: Style::Ampersand };
    for which in [Which::First, Which::All, Which::Prefix, Which::Suffix] {
        let mut out = Vec::new();
        replace(text, &folded, which, &replacement, &mut out);
        answers.push(out);
    }
    let some = (!pattern.is_empty()).then_some(&exact);
    for (case, all) in [(Case::Upper, true), (Case::Lower, false)] {
        let mut out = Vec::new();
        change(text, case, all, some, true, &mut out);
        answers.push(out);
    }
    answers
}

fn compare(cases: &[(Vec<u8>, Vec<u8>)], fold: bool, answers: usize) -> Result<(), TestCaseError> {
    let named = ["==", "#", "##", "%", "%%", "/", "//", "/#", "/%", "^^", ","];
    for ((text, pattern), theirs) in cases.iter().zip(bash(cases, fold)) {
        for (name, (ours, theirs)) in
            named[..answers].iter().zip(ours(text, pattern, fold).iter().zip(&theirs))
        {
            // bash has several answers to what is empty at the end.
            if *name == "/%" && pattern.windows(2).any(|it| it == b"!(") {
                continue;
            }
            let shown = |bytes: &[u8]| bytes.escape_ascii().to_string();
            prop_assert_eq!(
                shown(ours),
                shown(theirs),
                "{:?} {} {:?}, bash on the right",
                String::from_utf8_lossy(text),
                name,
                String::from_utf8_lossy(pattern)
            );
        }
    }
    Ok(())
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        6 => "[abc]", 2 => "[AB1_.-]", 1 => "[éöÄ€]", 1 => "[]\\[^!|()@*+?\\\\:/]", 1 => "[ \n]"
    ];
    prop::collection::vec(piece, 0..7).prop_map(|pieces| pieces.concat().into_bytes())
}

/// Well-formed, groups in groups.
fn pattern() -> impl Strategy<Value = Vec<u8>> {
    let class = (
        "[!^]?",
        prop::collection::vec(
            prop_oneof![
                4 => "[abcA1._éö]", 2 => "[a-b]-[c-z]", 1 => "[é]-[ö]",
                1 => "\\[:(alpha|digit|upper|lower|space|punct|alnum|word|xdigit):\\]",
                1 => "\\\\[]!^\\[-]",
            ],
            1..4,
        ),
    )
        .prop_map(|(not, members)| format!("[{not}{}]", members.concat()));
    let one = prop_oneof![
        6 => "[abc]", 1 => "[AB1_.-]", 1 => "[éö€]", 1 => "\\\\[]*?\\[()|!@+a\\\\]",
        2 => Just("?".to_owned()), 2 => class,
    ]
    .boxed();
    let leaf = prop_oneof![8 => one.clone(), 2 => Just("*".to_owned())];
    let tree = leaf.prop_recursive(3, 12, 3, move |inner| {
        let any = prop::collection::vec(inner.clone(), 0..3).prop_map(|pieces| pieces.concat());
        let filled = (one.clone(), inner).prop_map(|(one, rest)| one + &rest);
        prop_oneof![
            3 => ("[@+?*]", prop::collection::vec(filled, 1..4))
                .prop_map(|(kind, alternatives)| format!("{kind}({})", alternatives.join("|"))),
            1 => ("[?*]", prop::collection::vec(any, 1..4))
                .prop_map(|(kind, alternatives)| format!("{kind}({})", alternatives.join("|"))),
        ]
    });
    let usual = prop::collection::vec(tree.clone(), 0..4).prop_map(|pieces| pieces.concat());
    let not = ("[abc?]{0,2}", prop::collection::vec(tree, 1..4), "[abc?]{0,2}")
        .prop_map(|(before, not, after)| format!("{before}!({}){after}", not.join("|")));
    prop_oneof![4 => usual, 1 => not].prop_map(String::into_bytes)
}

/// Any characters that mean something somewhere.
fn soup() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        6 => "[abc]", 4 => "[]\\[]", 3 => "[*?!^-]", 1 => "\\\\[]*?\\[!a\\\\]",
        1 => Just("[[:alpha:]".to_owned()), 1 => "[é1_:=.]", 1 => "[()|]", 1 => "[*?+@]\\(",
    ];
    let pieces = prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat());
    // bash takes these two for something that cannot match before it has seen that they do.
    pieces
        .prop_filter("half a name", |it| !it.contains("[.") && !it.contains("[="))
        // Behind a `*` bash does not ask at the end of a text what such a group and the rest say.
        .prop_filter("a group at the end", |it| {
            !["*!(", "?!(", "*+(", "?+(", "*@(", "?@("].iter().any(|group| it.contains(group))
        })
        .prop_map(String::into_bytes)
}

fn config() -> ProptestConfig {
    let cases = std::env::var("CASES").ok().and_then(|it| it.parse().ok()).unwrap_or(6);
    ProptestConfig { cases, max_shrink_iters: 400, failure_persistence: None, ..Default::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn patterns_do_what_bash_does(cases in prop::collection::vec((text(), pattern()), 400)) {
        compare(&cases, false, ANSWERS)?;
    }

    #[test]
    fn whatever_makes_no_sense_is_what_bash_makes_of_it(
        cases in prop::collection::vec((text(), soup()), 400)
    ) {
        // bash replaces less than it matches: `x=_b; echo ${x/[!]]/-}` changes nothing.
        compare(&cases, false, 5)?;
    }

    #[test]
    fn patterns_without_regard_to_case_do_what_bash_does(
        cases in prop::collection::vec((text(), pattern()), 400)
    ) {
        compare(&cases, true, ANSWERS)?;
    }
}
