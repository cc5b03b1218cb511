//! Every line was written by the shell named.

use std::process::Command;

use super::*;

fn shell(name: &str, words: &[&str]) -> Vec<u8> {
    let mut command = Command::new(name);
    command.args(["-c", "\"$@\"", "sh"]).args(words).env("LC_ALL", "C.UTF-8");
    command.output().unwrap().stdout
}

#[test]
fn echo_writes_what_the_shells_write() {
    let words: &[&[&str]] = &[
        &[],
        &[""],
        &["-n"],
        &["-n", "a"],
        &["-nn", "b"],
        &["-n", "-n", "c"],
        &["-ne", "d\\n"],
        &["-e", "e\\tE", "f\\c", "g"],
        &["-E", "a\\tb", "-n"],
        &["-", "x"],
        &["--", "y"],
        &["-nx"],
        &["-neE", "a\\tb"],
        &["-Ee", "a\\tb"],
        &["a\\tb", "-n"],
        &["-e", "-n", "a\\0101"],
        &["a", "", "b"],
        &["-e", "\\x41\\u00e9\\101\\0101\\e\\E\\q\\"],
        &["-n", "-e", "a\\"],
        &["-e", "-E", "a\\t"],
    ];
    for (name, dialect) in
        [("bash", Dialect::Bash), ("dash", Dialect::Posix), ("ksh93", Dialect::Ksh)]
    {
        for words in words {
            let mut out = Vec::new();
            echo(words, dialect, false, true, &mut out);
            let theirs = shell(name, &[&["echo"], *words].concat());
            assert_eq!(
                out.escape_ascii().to_string(),
                theirs.escape_ascii().to_string(),
                "{name} {words:?}"
            );
        }
    }
}

#[test]
fn print_writes_what_ksh_writes() {
    let words: &[&[&str]] = &[
        &[],
        &["-n", "a"],
        &["-r", "a\\tb", "c"],
        &["-R", "-n", "a\\tb"],
        &["-", "-n"],
        &["--", "-n"],
        &["-e", "a\\tb"],
        &["-rn", "x"],
        &["-nr", "y"],
        &["-u1", "z"],
        &["-u", "1", "w"],
        &["-R", "-e"],
        &["a\\cb", "c"],
        &["-en", "q\\n"],
        &["-er", "a\\tb"],
        &["-re", "a\\tb"],
        &["a\\0101\\101\\x41"],
        &["-s", "x"],
        &["-nu1", "z"],
        &["-R", "-n", "-n", "x"],
        &["-n", "-r", "--", "-x\\"],
    ];
    for words in words {
        let print = print_options(words).unwrap();
        let mut out = Vec::new();
        if !print.history {
            print.write(&words[print.words..], Dialect::Ksh, true, &mut out);
        }
        let theirs = shell("ksh93", &[&["print"], *words].concat());
        assert_eq!(out.escape_ascii().to_string(), theirs.escape_ascii().to_string(), "{words:?}");
    }
    assert_eq!(print_options(&["-z"]), Err(b"-z: unknown option".to_vec()));
    assert_eq!(print_options(&["-f", "%s", "a"]).unwrap().format, Some(b"%s".to_vec()));
}
