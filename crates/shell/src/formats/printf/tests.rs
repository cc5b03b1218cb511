//! What the three shells write and say, asked at the time.

use std::os::unix::ffi::OsStrExt;
use std::process::Command;

use proptest::prelude::*;

use super::*;

struct Plain(Dialect, &'static str);

impl World for Plain {
    fn dialect(&self) -> Dialect {
        self.0
    }
    fn utf8(&self) -> bool {
        true
    }
    fn now(&mut self) -> i64 {
        0
    }
    fn started(&mut self) -> i64 {
        0
    }
    fn zone(&mut self) -> Zone {
        Zone::from_tz(Some(self.1.as_bytes()))
    }
    fn arithmetic(&mut self, text: &[u8]) -> Result<i64, Vec<u8>> {
        Err([text, b": arithmetic syntax error"].concat())
    }
    fn set_count(&mut self, _: &[u8], _: usize) {}
}

/// What is written, the status, and what is said.
fn ours(dialect: Dialect, zone: &'static str, words: &[&str]) -> String {
    let mut out = Vec::new();
    let outcome = printf(words[0].as_bytes(), &words[1..], &mut Plain(dialect, zone), &mut out);
    let errors: Vec<_> = outcome.errors.iter().map(|e| String::from_utf8_lossy(e)).collect();
    format!("{} | {} | {}", out.escape_ascii(), outcome.status, errors.join(" & "))
}

fn theirs(shell: &str, zone: &str, words: &[&str]) -> String {
    let mut command = Command::new(shell);
    command.args(["-c", "printf \"$@\"", "sh", "--"]).env("LC_ALL", "C.UTF-8").env("TZ", zone);
    for word in words {
        command.arg(std::ffi::OsStr::from_bytes(word.as_bytes()));
    }
    let out = command.output().unwrap();
    let errors = String::from_utf8_lossy(&out.stderr).into_owned();
    let errors: Vec<_> =
        errors.lines().map(|line| line.split_once("printf: ").map_or(line, |it| it.1)).collect();
    let status = out.status.code().unwrap_or(-1);
    format!("{} | {status} | {}", out.stdout.escape_ascii(), errors.join(" & "))
}

fn agree(shell: &str, dialect: Dialect, all: &[Vec<&str>]) {
    let mut wrong = Vec::new();
    for words in all {
        let (ours, theirs) =
            (ours(dialect, "Europe/Berlin", words), theirs(shell, "Europe/Berlin", words));
        if ours != theirs {
            wrong.push(format!("{words:?}\n  {shell}: {theirs}\n  ours: {ours}"));
        }
    }
    let count = wrong.len();
    wrong.truncate(12);
    assert!(wrong.is_empty(), "{count} of {}:\n{}", all.len(), wrong.join("\n"));
}

fn lines(text: &'static str) -> Vec<Vec<&'static str>> {
    text.lines()
        .skip(1)
        .map(|line| line.split(" ;; ").map(|w| if w == "''" { "" } else { w }).collect())
        .collect()
}

const EVERYWHERE: &str = r#"
%s %s| ;; a ;; b ;; c
%d|%i|%o|%x|%X|%u\n ;; 12 ;; -12 ;; 12 ;; 255 ;; 255 ;; -1
%d| ;; '' ;;  5 ;; +3 ;; 0x1F ;; -7
%x| ;; -5
%f|%.2f|%e|%g|%G|%E ;; 0.1 ;; 2.345 ;; 12345.678 ;; 0.0001 ;; 1e10 ;; 1
%.3d|%5d|%-5d|%05d|%+d|% d| ;; 7 ;; 7 ;; 7 ;; 7 ;; 7 ;; 7
%#o|%#x|%5.3d|%-05d|%.0d|%s ;; 7 ;; 255 ;; 7 ;; 7 ;; 0
%*d|%-*d|%.*f|%*.*f|%*s ;; 5 ;; 1 ;; 5 ;; 2 ;; 2 ;; 3.14159 ;; 8 ;; 3 ;; 2.71828 ;; -6 ;; ab
%5s|%-5s|%.2s|%5.1s|%c|%5c|%-3c|%05s|%s ;; abc ;; abc ;; abc ;; abc ;; xyz ;; x ;; y ;; z
%b|%5b|%.1b| ;; a\tb ;; a ;; xyz ;; \0101
%b%s ;; a\cb ;; z
%s\n
%d
%c|
%f
no args ;; a ;; b
%% %s %d ;; a
%d %d ;; 1 ;; 2 ;; 3
%#s|%+s|% s|%#5s ;; a ;; b ;; c ;; d
%5c|%-5c|%c| ;; '' ;; '' ;; ''
%.10d|%+.3d|%x|%#X ;; -5 ;; 5 ;; 0 ;; 255
%-10s|%10s| ;; é ;; é
%05d|%+5d|%-5d|%+.1e|%#.0f|%#g|%g|%g|%G ;; -3 ;; 3 ;; -3 ;; 12345 ;; 3 ;; 1 ;; 1e5 ;; 1e6 ;; 1e-5
%g %g %g %g ;; 100000 ;; 1000000 ;; 0.0001 ;; 0.00001
%f %e %g ;; 1e-10 ;; 1e-10 ;; 1e-10
%10.3f|%-10.2e|%010.2f|% f ;; 3.14159 ;; 31415.9 ;; -2.5 ;; 1
%5s|%5d|%-5x| ;; inf ;; 3 ;; 255
%f %5.1f|%-8f|%08f ;; inf ;; -inf ;; nan ;; inf
%.*d|%*d| ;; -1 ;; 5 ;; 5 ;; 4
%e ;; 0 ;; 123456789 ;; 1e100
%f| ;; 0x10 ;; 010 ;; .5 ;; 5. ;; 1e-3
a\tb\n%s\\ ;; x
%d ;; 'a
%g|%g ;; 0.1 ;; 123456.7
"#;

const BASH: &str = r#"
%d| ;; 1x ;; x ;; 5  ;; 08 ;; 0xg ;; 0x ;; - 5 ;; --5
%d| ;; 99999999999999999999 ;; -99999999999999999999
%u| ;; 99999999999999999999 ;; -99999999999999999999 ;; 18446744073709551616
%d| ;; 1.5 ;; 1e3 ;; 1+2
%a|%A|%.3a|%a|%a ;; 1.5 ;; 255 ;; 3.14159 ;; 0.1 ;; 0
%.20f|%g|%f ;; 0.1 ;; 1x ;; 1e400
%f|%F ;; inf ;; -nan
%f %d ;; abc
%z|
%
%5%|
abc%
%l
%ld %lld %hd %hhd %jd %zd %td %Lf| ;; 1 ;; 70000 ;; 70000 ;; 300 ;; 5 ;; 6 ;; 7 ;; 8
%q| ;; '' ;; a ;; a b
%10q|%.2q|%5.3q|%-6q| ;; a b ;; a b ;; a b ;; a
%Q|%.2Q| ;; a b ;; a b
%b|%q
%'d ;; 1234567
%1$s ;; a
%I5d| ;; 5
%5 ;; a
%(%Y)T| ;; 0
%(%F %T)T| ;; 86400
%()T| ;; 0
%10(%Y)T|%-10(%Y)T|%.2(%Y)T ;; 0 ;; 0 ;; 0
%S| ;; ab
%d|%s ;; 1x ;; a
%a|%.2a|%A|%a ;; 1e-4940 ;; 3.6e-4951 ;; 1e-4935 ;; 0
%p ;; 1
\x
%b ;; \x
%.s|%-s|%.d ;; abc ;; abc ;; 0
%(%Y)T ;; x
%d ;; 'é ;; ' ;; "ab
%(%a %A %b %B %c %C %d %D %e %F %g %G %h %H %I %j %k %l %m %M)T ;; 1700000000
%(%n %p %P %r %R %s %S %t %T %u %U %V %w %W %x %X %y %Y %Z %z %%)T ;; 1700000000
%(%^P|%^#Z|%5Q|%5%|%EB|%Ed|%^Eq|%OF|%10z|%_10z|%-10z|%010z)T ;; 1700000000
%(%-3d|%_-5d|%20s|%-20s|%-9a|%5Ez|%C|%G|%5Y|%-9F)T ;; -60000000000 ;; -63000000000
%(%Q %E %_d %-d %^a %5Y %#Z %#p %_H %010d %10A %-j %+)T ;; 0
%(%G-%V %U %W %j %g)T ;; 1230768000 ;; 1609459200 ;; 1104537600
%(%G-%V %U %W %j %g)T ;; 31536000 ;; 1293840000 ;; 1325376000
%.0f %.0f %.0f %.0f ;; 0.5 ;; 1.5 ;; 2.5 ;; -0.5
%.15g %.17g %.20g %.30f ;; 0.1 ;; 0.1 ;; 0.1 ;; 0.1
%f\n ;; 1e4000 ;; 1e5000 ;; 1e-4000 ;; 1e-5000
%**d ;; 1 ;; 2
%.5.5d ;; 1
%-+ #0d|%0-5d| ;; 5 ;; 5
%*d|%-*d ;; x ;; 5 ;; 5 ;; 4
\061\x31\q%c%% ;; ab
%b ;; a\ ;; \
%05.1f ;; -1.25
%.100f ;; 0.1
%.3e %.0e %.10g ;; 9.9996 ;; 9.5 ;; 1e-5
%5.2a|%-20a|%020a|%+a ;; 3 ;; 3 ;; 3 ;; 3
%g ;; 18446744073709551615 ;; 18446744073709551617 ;; 0x1p-3 ;; 0x.8
%g ;; 0x ;; 1e ;; infinity ;; nan(1)
"#;

const DASH: &str = r#"
%d| ;; 1x ;; x ;; 5  ;; 08 ;; 0xg ;; 0x ;; - 5 ;; --5
%d| ;; 99999999999999999999 ;; -99999999999999999999
%u| ;; 99999999999999999999 ;; -99999999999999999999 ;; 18446744073709551616
%d| ;; 1.5 ;; 1e3 ;; 1+2
%a|%A|%.3a|%a|%a ;; 1.5 ;; 255 ;; 3.14159 ;; 0.1 ;; 0
%.20f|%g|%f ;; 0.1 ;; 1x ;; 1e400
%z|
%
%5%|
abc%
%ld ;; 1
%q ;; a
%'d ;; 1
%1$s ;; a
%5 ;; a
%(%Y)T ;; 0
%.0f %.0f %.0f %.0f ;; 0.5 ;; 1.5 ;; 2.5 ;; -0.5
%.15g %.17g %.20g %.30f ;; 0.1 ;; 0.1 ;; 0.1 ;; 0.1
%**d ;; 1 ;; 2
%.5.5d ;; 1
%a|%.2a|%.0a|%.20a|%A|%a ;; 1e-310 ;; 1e-310 ;; 4.9e-324 ;; 1e-320 ;; 1e-320 ;; 0
%f ;; 1e-310 ;; 5e-324 ;; 1e308 ;; 0.3 ;; 123456789012345678
\x31
%d ;; 'é
"#;

#[test]
fn what_all_shells_agree_on() {
    agree("bash", Dialect::Bash, &lines(EVERYWHERE));
    agree("dash", Dialect::Posix, &lines(EVERYWHERE));
    agree("ksh93", Dialect::Ksh, &lines(EVERYWHERE));
}

#[test]
fn what_bash_has_of_its_own() {
    agree("bash", Dialect::Bash, &lines(BASH));
}

#[test]
fn what_is_too_wide_is_not_written() {
    for format in ["%99999999999s", "%.999999999d", "%2147483647d", "%*d", "%.*f"] {
        let words = [format, "2000000000", "1"];
        let mut out = Vec::new();
        let mut world = Plain(Dialect::Bash, "");
        let outcome = printf(format.as_bytes(), &words[1..], &mut world, &mut out);
        assert_eq!((out.len(), outcome.status), (0, 1), "{format}");
    }
}

#[test]
fn what_dash_has_of_its_own() {
    agree("dash", Dialect::Posix, &lines(DASH));
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..Default::default() }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn random_numbers_come_out_the_same(
        flags in "[-+ #0]{0,2}",
        width in "[0-9]{0,2}",
        precision in "(\\.[0-9]{0,2})?",
        letter in "[eEfFgGa]",
        value in "-?([0-9]{1,20}|[0-9]{0,10}\\.[0-9]{1,12})(e-?[0-9]{1,3})?",
        whole in "-?[0-9]{1,20}",
        kind in "[dixXou]",
    ) {
        let format = format!("%{flags}{width}{precision}{letter}|%{flags}{width}{precision}{kind}");
        let words = vec![format.as_str(), value.as_str(), whole.as_str()];
        agree("bash", Dialect::Bash, std::slice::from_ref(&words));
        agree("dash", Dialect::Posix, &[words]);
    }

    #[test]
    fn random_times_come_out_the_same(
        seconds in -4_000_000_000i64..8_000_000_000,
        format in "(%[-_0^#]{0,2}[0-9]?[EO]?[aAbBCdDeFgGHIjklmMnpPqrRsSTuUVwWxXyYzZ%: ]){1,5}",
    ) {
        let format = format!("%({format})T");
        let seconds = seconds.to_string();
        agree("bash", Dialect::Bash, &[vec![&format, &seconds]]);
    }
}
