//! What the three shells say, asked at the time.

use std::process::Command;

use super::*;
use fewer::Scope;
use proptest::prelude::*;

/// A shell without variables and options.
struct Bare(Dialect);

impl World for Bare {
    fn dialect(&self) -> Dialect {
        self.0
    }
    fn file(&mut self, letter: u8, path: &[u8]) -> bool {
        file_test(&Scope::start(), letter, path)
    }
    fn files(&mut self, left: &[u8], how: Difference, right: &[u8]) -> bool {
        compare(&Scope::start(), left, how, right, self.0 == Dialect::Posix)
    }
    fn terminal(&mut self, _: u32) -> bool {
        false
    }
    fn set(&mut self, name: &[u8]) -> bool {
        name == b"PATH"
    }
    fn reference(&mut self, _: &[u8]) -> bool {
        false
    }
    fn option(&mut self, _: &[u8]) -> bool {
        false
    }
    fn arithmetic(&mut self, _: &[u8]) -> Result<i64, Vec<u8>> {
        Err(b"arithmetic".to_vec())
    }
}

fn ours(dialect: Dialect, words: &[String]) -> String {
    match evaluate(words, &mut Bare(dialect)) {
        Ok(value) => u8::from(!value).to_string(),
        Err(message) => format!("2 {}", String::from_utf8_lossy(&message)),
    }
}

/// The status, and the message behind `test: `.
fn theirs(shell: &str, all: &[Vec<String>]) -> Vec<String> {
    let mut script = String::new();
    for words in all {
        let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
        script.push_str(&format!(
            "m=$(test {} 2>&1); echo \"$? ${{m#*test: }}\"\n",
            quoted.join(" ")
        ));
    }
    let mut command = Command::new(shell);
    command.args(["-c", &script]).stdin(std::process::Stdio::null());
    let out = command.env("LC_ALL", "C.UTF-8").output().unwrap();
    let out = String::from_utf8_lossy(&out.stdout).into_owned();
    out.lines().map(|line| line.trim_end().to_string()).collect()
}

fn agree(shell: &str, dialect: Dialect, all: &[Vec<String>], wording: bool) {
    let theirs = theirs(shell, all);
    assert_eq!(theirs.len(), all.len());
    let mut wrong = Vec::new();
    for (words, answer) in all.iter().zip(theirs) {
        let ours = ours(dialect, words);
        let same = if wording { ours.trim_end() == answer } else { ours[..1] == answer[..1] };
        if !same && ours != "2 arithmetic" {
            wrong.push(format!("{words:?}: {shell} {answer:?}, ours {ours:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        all.len(),
        wrong[..wrong.len().min(9)].join("\n")
    );
}

fn split(text: &str) -> Vec<Vec<String>> {
    let word = |word: &str| if word == "''" { String::new() } else { word.replace('_', " ") };
    text.split(" ;; ").map(|words| words.split_whitespace().map(word).collect()).collect()
}

const EVERYWHERE: &str = "\
    a ;; '' ;; ! ;; ! a ;; ! '' ;; -n ;; -f ;; -n a ;; -z '' ;; a = a ;; a != b ;; a < b ;; \
    a > b ;; 1 -eq 1 ;; 1 -eq _1_ ;; 1 -eq 01 ;; 08 -eq 8 ;; 9223372036854775807 -gt 0 ;; \
    1 -eq +1 ;; ( a ) ;; ( '' ) ;; ! a = b ;; ! '' -a a ;; a -a b ;; a -o '' ;; \
    '' -o a -a '' ;; a -a b -o c ;; ! = ! ;; ! ! a ;; -n = -n ;; -f = a ;; ( = ( ;; \
    ( a = a ) ;; ( a = a ) -a b ;; -e / -a -d / ;; -t 0 ;; / -ef / ;; / -ef /. ;; -S / ;; \
    -k /tmp ;; -e '' ;; '' = '' ;; = = = ;; ( ;; 1 -eq 1 -a 2 -eq 3 ;; -d / -a ! -f / ;; \
    - ;; -- ;; -z ;; ! -z '' -o a ;; -h /bin -o -L /bin ;; -x / -a -r / ;; \
    -w /etc/passwd ;; -p /dev/null ;; -c /dev/null ;; -b /dev/null ;; -s /etc/passwd ;; \
    -u / -o -g / ;; -f ! ;; ! -f ;; ! ! ;; ! ( ;; /nonexist -nt / ;; -r /nonexist ;; \
    -O / ;; -G / ;; -x /etc/passwd ;; -x /bin/sh ;; -d /bin ;; -L /dev/null ;; \
    -w /proc/version ;; -1 -lt 0 ;; 3 -ge 3 ;; ! 1 -eq 2 ;; ( ! a ) ;; ! ( a ) ;; \
    ( 1 -eq 1 ) -o ( a = b ) ;; a -a ( b -o c ) -a ! '' ;; -n -n";

#[test]
fn what_all_shells_agree_on() {
    agree("bash", Dialect::Bash, &split(EVERYWHERE), true);
    agree("dash", Dialect::Posix, &split(EVERYWHERE), true);
    // ksh stumbles over a `(` that is not the first word.
    let mut ksh = split(EVERYWHERE);
    ksh.retain(|words| words.len() < 4 || !words[1..].contains(&"(".to_string()));
    agree("ksh93", Dialect::Ksh, &ksh, true);
}

#[test]
fn what_each_shell_has_of_its_own() {
    let own = "\
    -q a ;; a b ;; a == a ;; 1 -eq x ;; x -eq 1 ;; 1 -eq '' ;; 0x10 -eq 16 ;; a -foo b ;; \
    1 -eq 99999999999999999999 ;; a b c ;; a = a b ;; a b c d ;; a b c d e ;; -a / ;; \
    -t x ;; -v PATH ;; -N / ;; / -nt /nonexist ;; /nonexist -ot / ;; 3 -eq 3_4 ;; \
    1 -le 2 -o 1 -lt x ;; -X a ;; a -X b ;; ( a ;; a =~ a ;; 1 -eq 1+0";
    agree("bash", Dialect::Bash, &split(own), true);
    agree("dash", Dialect::Posix, &split(own), true);
    agree(
        "bash",
        Dialect::Bash,
        &split("-a -a -a ;; -f a -a ;; -n a -n ;; ( a b ) ;; ! ! ! a"),
        true,
    );
    let ksh: Vec<_> =
        split(own).into_iter().filter(|words| words[0] != "(" && words.len() < 4).collect();
    let ksh: Vec<_> =
        ksh.into_iter().filter(|words| words.get(1).is_none_or(|w| w != "=~")).collect();
    agree("ksh93", Dialect::Ksh, &ksh, false);
}

const PIECES: &str = ",a,b,1,/,!,(,),-a,-o,=,-eq,-n,-z,-f,-d,<,-ef,x y";

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 0, ..Default::default() }
}

proptest! {
    #![proptest_config(config(10))]

    #[test]
    fn random_arguments_get_bashs_answer(
        all in prop::collection::vec(
            prop::collection::vec(
                prop::sample::select(PIECES.split(',').collect::<Vec<_>>()),
                0..7,
            ),
            100,
        ),
    ) {
        let all: Vec<Vec<String>> =
            all.iter().map(|words| words.iter().map(|word| word.to_string()).collect()).collect();
        agree("bash", Dialect::Bash, &all, true);
    }
}

#[test]
fn a_bracket_wants_its_other_half() {
    assert_eq!(bracket(&["a", "]"], Dialect::Bash), Ok(&["a"][..]));
    assert_eq!(bracket(&["a"], Dialect::Bash), Err(b"missing `]'".to_vec()));
    assert_eq!(bracket::<&str>(&[], Dialect::Posix), Err(b"missing ]".to_vec()));
}
