//! `echo`, `print`, `printf`, `getopts`, escapes, and quotes in listings.

use proptest::prelude::*;

use super::{ALL, agree, agree_but, config, ours, quoted, theirs};
use fewer_shell::Dialect;

/// A command and its words in quotes.
fn call<W: AsRef<[u8]>>(command: &str, words: &[W]) -> Vec<u8> {
    let mut call = command.as_bytes().to_vec();
    for word in words {
        call.push(b' ');
        call.extend(quoted(word));
    }
    call
}

fn calls<W: AsRef<[u8]>>(command: &str, all: &[impl AsRef<[W]>]) -> Vec<Vec<u8>> {
    all.iter().map(|words| call(command, words.as_ref())).collect()
}

const ECHO: &[&[&str]] = &[
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

const PRINT: &[&[&str]] = &[
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
    &["-nu1", "z"],
    &["-R", "-n", "-n", "x"],
    &["-n", "-r", "--", "-x\\"],
    &["-z"],
    &["-f", "%s", "a"],
];

#[test]
fn echo_and_print_write_what_the_shells_write() {
    for dialect in ALL {
        agree(dialect, "", &calls("echo", ECHO));
    }
    agree(Dialect::Ksh, "", &calls("print", PRINT));
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

/// What is written comes before what is said, or behind it.
fn in_any_order(_: &str, ours: &str, theirs: &str) -> bool {
    let sorted = |text: &str| {
        let mut lines: Vec<_> = text.lines().map(String::from).collect();
        lines.sort();
        lines
    };
    sorted(ours) == sorted(theirs)
}

#[test]
fn printf_does_what_the_shells_do() {
    let same =
        |dialect, all| agree_but(dialect, "", &calls("printf --", &lines(all)), in_any_order);
    ALL.into_iter().for_each(|dialect| same(dialect, EVERYWHERE));
    same(Dialect::Bash, BASH);
    same(Dialect::Posix, DASH);
}

#[test]
fn what_is_too_wide_is_not_written() {
    for format in ["%99999999999s", "%.999999999d", "%2147483647d", "%*d", "%.*f"] {
        let script = call("printf", &[format, "2000000000", "1"]);
        let ours = ours(Dialect::Bash, &script).unwrap();
        assert_eq!((ours.out.as_str(), ours.status), ("", Some(1)), "{format}");
    }
}

const ESCAPES: &[&str] = &[
    "\\a|\\b|\\e|\\E|\\f|\\n|\\r|\\t|\\v|\\\\|\\\"|\\?|\\z|\\-|x",
    "\\1|\\18|\\0777|\\777|\\0101|\\101|",
    "\\x4|\\x41|\\u41|\\u00e9|\\u20ac1|\\U1f600|\\U0001f600|", "a\\c", "a\\cAb", "\\c\\", "\\",
    "\\0|", "\\000|", "\\x00|", "\\u0000|", "\\400|", "\\x{41}|", "\\x{414}|", "\\x414|", "\\xg",
    "\\u", "\\uD800|", "\\U110000|", "\\UFFFFFFFF|", "\\c?|", "\\ca|", "\\c[|", "\\C[", "\\'",
];

/// How a text with escapes is written where they count.
fn contexts(dialect: Dialect, text: &str) -> Vec<Vec<u8>> {
    let echo = if dialect == Dialect::Posix { "echo -n" } else { "echo -ne" };
    let mut all = vec![call("printf", &[text]), call("printf %b", &[text]), call(echo, &[text])];
    // A backslash at the end would quote the quote.
    let ends = text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 0;
    if dialect == Dialect::Bash && ends {
        all.push(format!("printf %s $'{text}'").into_bytes());
    }
    all
}

#[test]
fn escapes_are_what_they_are_in_the_shells() {
    for dialect in ALL {
        let all = ESCAPES.iter().flat_map(|text| contexts(dialect, text)).collect::<Vec<_>>();
        // A NUL in ksh's format ends it, and what is no escape is something else again.
        let odd = ["\\0", "\\x", "\\u", "\\U", "\\4", "\\c\\", "a\\c"];
        agree_but(dialect, "", &all, |piece, ours, theirs| {
            let format = piece.strip_prefix("printf '");
            let is_odd = format.is_some_and(|text| odd.iter().any(|odd| text.starts_with(odd)));
            ours == theirs || dialect == Dialect::Ksh && is_odd
        });
    }
}

const TEXTS: &[&[u8]] = &[
    b"a", b"", b"a b", b"it's", b"'", b"''", b"a\"b", b"$x", b"`", b"a\\b", b"~", b"~a", b"a~b",
    b"a:~b", b"#a", b"a#b", b"a #b", b"{a,b}", b"{", b"a=b", b"a*b", b"?", b"[a]", b"a[", b"!",
    b"a!b", b"^", b"%", b"@", b"a,b", b",", b"+", b"a/b:c.d_e-f", b"\xc3\xa9", b"\xff", b"a\nb",
    b"\t", b"\x1b", b"a\tb", b"\x01", b"\x7f", b"(", b"<", b"|", b";", b"&", b"}", b"]", b"if",
    b"1>2", b" ", b"a ", b"\xc3\xa9\n", b"\xc2\xa0", b"\xe2\x80\x8b", b"\xc2\x80", b"'\n", b"\\\n",
    b"a'\x01\\\"$", b"=b", b"x=~", b"a b=~c", b"\x1b4", b"\x014", b"\xe9a", b"\xe9\n", b"a:b c",
    b"a:*", b"~:~", b"a:b~", b"a:#", b"a:]", b"x:y=z", b"b=c d", b"1=2", b"a=b=c", b"a=", b"a=#",
    b"a=a#b", b"a='", b"a.b=c d", b"a=\n", b"x=]", b"\xc3\xa9=\xc3\xa9", b"\xe2\x80\xa8",
    b"\xef\xbb\xbf", b"\xf0\x9f\x98\x80", b"\xcc\x81", b"\x07\x08\x0c\n\r\t\x0b\x1b", b"\xc2\x80f",
];

/// Each text in `x`, behind which these commands show it.
fn shown(dialect: Dialect, commands: &[&str]) {
    for command in commands {
        let all =
            TEXTS.iter().map(|text| [b"x=", &quoted(text)[..], b"; ", command.as_bytes()].concat());
        agree(dialect, "PS4=+", &all.collect::<Vec<_>>());
    }
}

#[test]
fn listings_quote_as_the_shells_do() {
    shown(
        Dialect::Bash,
        &[
            "printf %q \"$x\"", "echo \"${x@Q}\"", "declare -p x", "set -x; : \"$x\"",
            "set | sed -n '/^x=/,$p' | grep -av ^_=", "trap -- \"$x\" USR1; trap",
        ],
    );
    shown(Dialect::Posix, &["export x; export -p | sed -n '/ x=/,$p'", "set -x; : \"$x\""]);
    shown(Dialect::Ksh, &["printf %q \"$x\"", "typeset -p x"]);
    // With redirections beside it ksh does `set -x` itself.
    for text in TEXTS {
        let script = [b"PS4=+; x=", &quoted(text)[..], b"; set -x; : \"$x\""].concat();
        let Some(theirs) = theirs(Dialect::Ksh, &script) else { return };
        assert_eq!(ours(Dialect::Ksh, &script), Some(theirs));
    }
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
        for dialect in [Dialect::Bash, Dialect::Posix] {
            agree(dialect, "", &[call("printf --", &[&format, &value, &whole])]);
        }
    }

    #[test]
    fn random_times_come_out_the_same(
        seconds in -4_000_000_000i64..8_000_000_000,
        format in "(%[-_0^#]{0,2}[0-9]?[EO]?[aAbBCdDeFgGHIjklmMnpPqrRsSTuUVwWxXyYzZ%: ]){1,5}",
    ) {
        let words = [format!("%({format})T"), seconds.to_string()];
        agree(Dialect::Bash, "", &[call("printf --", &words)]);
    }

    #[test]
    fn random_escapes_come_out_the_same(
        text in "(\\\\[abeEnrtvfcxuU01234567z]|[0-9a-f|]){1,9}",
    ) {
        for dialect in [Dialect::Bash, Dialect::Posix] {
            agree_but(dialect, "", &contexts(dialect, &text), in_any_order);
        }
    }

    #[test]
    fn random_options_are_found_as_the_shells_do(
        known in prop::sample::select(vec!["ab:c", ":ab:c", "a", "b:", ":b:", "a-b", ""]),
        words in prop::collection::vec("-?-?[abcz]{0,3}", 0..5),
    ) {
        const LOOP: &str = "while getopts \"$o\" x; do echo \"$x [${OPTARG-unset}] $OPTIND\"; done
            echo \"$x [${OPTARG-unset}] $OPTIND\"";
        let set = String::from_utf8(call("set --", &words)).unwrap();
        for dialect in ALL {
            // To ksh an empty text means something else, and `--a` is a long option.
            let long = words.iter().any(|word| word.len() > 2 && word.starts_with("--"));
            if dialect != Dialect::Ksh || !known.is_empty() && !long {
                agree(dialect, "", &[format!("o={known}; {set}; {LOOP}").into_bytes()]);
            }
        }
    }
}
