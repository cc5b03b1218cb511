//! What bash, dash and ksh93 make of it, asked at the time.

use std::process::Command;

use proptest::prelude::*;

use super::*;
use crate::run::fields::{Into as Expanded, Sink};

/// A word's fields, as the expansion puts them together.
struct Fields<'a> {
    sink: Sink,
    ifs: &'a Ifs,
    out: &'a mut Vec<Text>,
}

impl<'a> Fields<'a> {
    fn new(ifs: &'a Ifs, out: &'a mut Vec<Text>) -> Fields<'a> {
        Fields { sink: Sink::new(Expanded::Fields), ifs, out }
    }

    fn literal(&mut self, text: &[u8]) {
        self.sink.quoted(text);
    }

    fn split(&mut self, text: &[u8]) {
        self.sink.unquoted(text, self.ifs);
    }

    fn argument(&mut self, index: usize, text: &[u8]) {
        if index == 0 {
            return self.sink.first_of_list(text, self.ifs);
        }
        self.sink.next_argument(self.ifs);
        self.sink.split(text, self.ifs);
    }

    fn finish(mut self) {
        self.sink.end_field();
        self.out.extend(self.sink.fields.drain(..).map(|field| field.text));
    }
}

/// What a shell says when it runs this, the arguments of the script being these.
fn shell(name: &str, script: &str, arguments: &[&str]) -> Vec<u8> {
    let mut command = Command::new(name);
    command.arg("-c").arg(script).arg("sh").args(arguments).env("LC_ALL", "C.UTF-8");
    command.output().unwrap().stdout
}

/// Each field between `<` and `>`, a newline behind each word.
fn shown(words: &[Vec<Text>]) -> Vec<u8> {
    let mut out = Vec::new();
    for fields in words {
        for field in fields {
            out.extend_from_slice(&[b"<", &field[..], b">"].concat());
        }
        out.push(b'\n');
    }
    out
}

const SHELLS: [(&str, Dialect); 3] =
    [("bash", Dialect::Bash), ("dash", Dialect::Posix), ("ksh93", Dialect::Ksh)];

const SHOW: &str = r#"p() { [ $# = 0 ] || printf '<%s>' "$@"; echo; }; "#;

/// A word: `s` is `$x` split, `q` is `"$x"`, `e` is `""`, anything else stands for itself.
fn words_agree(ifs: &str, value: &str, words: &[String]) {
    for (name, dialect) in SHELLS {
        let mut script = format!("{SHOW}IFS=$1 x=$2\n");
        let mut ours = Vec::new();
        let ifs_read = Ifs::new(Some(ifs.as_bytes()), true, dialect);
        for word in words {
            let mut out = Vec::new();
            let mut fields = Fields::new(&ifs_read, &mut out);
            script.push_str("p ");
            for piece in word.chars() {
                match piece {
                    's' => fields.split(value.as_bytes()),
                    'q' => fields.literal(value.as_bytes()),
                    'e' => fields.literal(b""),
                    other => fields.literal(other.to_string().as_bytes()),
                }
                script.push_str(match piece {
                    's' => "${x}",
                    'q' => "\"$x\"",
                    'e' => "\"\"",
                    _ => "b",
                });
            }
            script.push('\n');
            fields.finish();
            ours.push(out);
        }
        let theirs = shell(name, &script, &[ifs, value]);
        let (ours, theirs) = (shown(&ours), String::from_utf8_lossy(&theirs).into_owned());
        assert_eq!(String::from_utf8_lossy(&ours), theirs, "{name} {ifs:?} {value:?} {words:?}");
    }
}

/// What `read` makes of a line.
fn reads_agree(name: &str, dialect: Dialect, ifs: &str, line: &str) {
    let ifs_read = Ifs::new(Some(ifs.as_bytes()), true, dialect);
    let script = format!(
        "{SHOW}IFS=$1
        while IFS= read -r l; do
        printf '%s\\n' \"$l\" | {{ read -r a; p \"$a\"; }}
        printf '%s\\n' \"$l\" | {{ read -r a b; p \"$a\" \"$b\"; }}
        printf '%s\\n' \"$l\" | {{ read -r a b c; p \"$a\" \"$b\" \"$c\"; }}
        printf '%s\\n' \"$l\" | {{ read a b; p \"$a\" \"$b\"; }}
        done <<X\n{}\nX\n",
        line.replace('\\', "\\\\")
    );
    let mut ours = Vec::new();
    for (raw, names) in [(true, 1), (true, 2), (true, 3), (false, 2)] {
        let mut out = Vec::new();
        read(line.as_bytes(), raw, &ifs_read, Into::Names(names), &mut out);
        assert_eq!(out.len(), names);
        ours.push(out);
    }
    let theirs = shell(name, &script, &[ifs]);
    let (ours, theirs) = (shown(&ours), String::from_utf8_lossy(&theirs).into_owned());
    assert_eq!(String::from_utf8_lossy(&ours), theirs, "{name} {ifs:?} {line:?}");
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..Default::default() }
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
        for (name, dialect) in SHELLS {
            reads_agree(name, dialect, ifs, &line);
        }
    }

    #[test]
    fn lines_with_backslashes_are_read_as_bash_does(
        ifs in prop::sample::select(vec![" \t\n", ":", ": ", ""]),
        line in "([ab :]|\\\\[ab :]){0,12}",
    ) {
        reads_agree("bash", Dialect::Bash, ifs, &line);
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
    let script = format!("{SHOW}IFS=$1; shift; p $*; p a$@b; p $@");
    for (name, dialect) in SHELLS {
        for ifs in [":", " ", "", ": ", " :"] {
            for arguments in [
                &["a b", "", "c"][..],
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
            ] {
                // ksh makes a field of an empty word at the end of `$@`, but not of `$*`.
                if name == "ksh93" && arguments.last() == Some(&"") {
                    continue;
                }
                let theirs = shell(name, &script, &[&[ifs], arguments].concat());
                let ifs_read = Ifs::new(Some(ifs.as_bytes()), true, dialect);
                let mut all = Vec::new();
                for around in [false, true, false] {
                    let mut out = Vec::new();
                    let mut fields = Fields::new(&ifs_read, &mut out);
                    if around {
                        fields.literal(b"a");
                    }
                    for (index, argument) in arguments.iter().enumerate() {
                        fields.argument(index, argument.as_bytes());
                    }
                    if around {
                        fields.literal(b"b");
                    }
                    fields.finish();
                    all.push(out);
                }
                let (ours, theirs) = (shown(&all), String::from_utf8_lossy(&theirs).into_owned());
                let ours = String::from_utf8_lossy(&ours);
                assert_eq!(ours, theirs, "{name} {ifs:?} {arguments:?}");
            }
        }
    }
}

#[test]
fn a_line_goes_on_behind_an_odd_number_of_backslashes() {
    assert!(reads_on(b"a\\") && !reads_on(b"a\\\\") && reads_on(b"\\\\\\") && !reads_on(b""));
    let ifs = Ifs::new(None, true, Dialect::Bash);
    let mut out = Vec::new();
    read(b"a b\\\nc d", false, &ifs, Into::Array, &mut out);
    assert_eq!(shown(&[out]), b"<a><bc><d>\n");
}
