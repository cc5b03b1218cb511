//! Every line was written by the shell named.

use std::os::unix::ffi::OsStrExt;
use std::process::Command;

use super::*;

fn shell(name: &str, script: &str, text: &[u8]) -> Vec<u8> {
    let mut command = Command::new(name);
    command.args(["-c", script, "sh"]).arg(std::ffi::OsStr::from_bytes(text));
    let out = command.env("LC_ALL", "C.UTF-8").output().unwrap();
    let mut all = out.stdout;
    all.extend(out.stderr);
    all.truncate(all.len() - usize::from(all.ends_with(b"\n")));
    all
}

fn agrees(name: &str, dialect: Dialect, purpose: For, script: &str, prefix: &str, text: &[u8]) {
    let mut out = prefix.as_bytes().to_vec();
    quote(text, purpose, dialect, true, &mut out);
    let theirs = shell(name, script, text);
    assert_eq!(
        out.escape_ascii().to_string(),
        theirs.escape_ascii().to_string(),
        "{name} {purpose:?} {:?}",
        text.escape_ascii().to_string()
    );
}

const TEXTS: &[&[u8]] = &[
    b"a",
    b"",
    b"a b",
    b"it's",
    b"'",
    b"''",
    b"a\"b",
    b"$x",
    b"`",
    b"a\\b",
    b"~",
    b"~a",
    b"a~b",
    b"a:~b",
    b"#a",
    b"a#b",
    b"a #b",
    b"{a,b}",
    b"{",
    b"a=b",
    b"a*b",
    b"?",
    b"[a]",
    b"a[",
    b"!",
    b"a!b",
    b"^",
    b"%",
    b"@",
    b"a,b",
    b",",
    b"+",
    b"a/b:c.d_e-f",
    "é".as_bytes(),
    b"\xff",
    b"a\nb",
    b"\t",
    b"\x1b",
    b"a\tb",
    b"\x01",
    b"\x7f",
    b"(",
    b"<",
    b"|",
    b";",
    b"&",
    b"}",
    b"]",
    b"if",
    b"1>2",
    b" ",
    b"a ",
    "é\n".as_bytes(),
    "\u{a0}".as_bytes(),
    "\u{200b}".as_bytes(),
    "\u{80}".as_bytes(),
    b"'\n",
    b"\\\n",
    b"a'\x01\\\"$",
    b"=b",
    b"x=~",
    b"a b=~c",
    b"\x1b4",
    b"\x014",
    b"\xe9a",
    b"\xe9\n",
    b"a:b c",
    b"a:*",
    b"~:~",
    b"a:b~",
    b"a:#",
    b"a:]",
    b"x:y=z",
    b"b=c d",
    b"1=2",
    b"a=b=c",
    b"a=",
    b"a=#",
    b"a=a#b",
    b"a='",
    b"a.b=c d",
    b"a=\n",
    b"x=]",
    "é=é".as_bytes(),
    "\u{2028}".as_bytes(),
    "\u{feff}".as_bytes(),
    "\u{1f600}".as_bytes(),
    "\u{301}".as_bytes(),
    b"\x07\x08\x0c\n\r\t\x0b\x1b",
    "\u{80}f".as_bytes(),
];

#[test]
fn bash_writes_the_same() {
    for text in TEXTS {
        let check =
            |purpose, script, prefix| agrees("bash", Dialect::Bash, purpose, script, prefix, text);
        check(For::Printf, "printf %q \"$1\"", "");
        check(For::Transform, "echo \"${1@Q}\"", "");
        check(For::Declare, "v=$1; declare -p v", "declare -- v=");
        check(For::Trace, "PS4=+; set -x; : \"$1\"", "+: ");
        check(For::Set, "zzz=$1; set | sed -n '/^zzz=/,$p' | grep -av ^_=", "zzz=");
    }
    for text in TEXTS.iter().filter(|text| !text.is_empty()) {
        let mut out = b"trap -- ".to_vec();
        quote(text, For::Trap, Dialect::Bash, true, &mut out);
        out.extend_from_slice(b" SIGUSR1");
        let theirs = shell("bash", "trap -- \"$1\" USR1; trap", text);
        assert_eq!(out.escape_ascii().to_string(), theirs.escape_ascii().to_string());
    }
}

#[test]
fn dash_writes_the_same() {
    for text in TEXTS {
        let check =
            |purpose, script, prefix| agrees("dash", Dialect::Posix, purpose, script, prefix, text);
        check(For::Declare, "v=$1; export v; export -p | sed -n '/ v=/,$p'", "export v=");
        check(For::Trace, "PS4=+; set -x; : \"$1\"", "+: ");
    }
}

#[test]
fn ksh_writes_the_same() {
    for text in TEXTS {
        let check =
            |purpose, script, prefix| agrees("ksh93", Dialect::Ksh, purpose, script, prefix, text);
        check(For::Printf, "printf %q \"$1\"", "");
        check(For::Declare, "v=$1; typeset -p v", "v=");
        check(For::Trace, "PS4=+; set -x; : \"$1\"", "+: ");
    }
}
