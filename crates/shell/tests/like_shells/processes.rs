//! `trap`, `kill -l` and `umask`: which words they know, and how they show them.

use super::{ALL, agree, each};
use fewer_shell::Dialect;

const WORDS: [&str; 58] = [
    "term", "SigTerm", "SIGTERM", "TERM", "ABRT", "IOT", "IO", "POLL", "CLD", "CHLD", "RTMIN",
    "RTMIN+0", "RTMIN+1", "rtmin+3", "RTMIN+15", "RTMIN+16", "RTMIN+30", "RTMIN+31", "RTMAX-15",
    "RTMAX-14", "RTMAX-0", "RTMAX", "STKFLT", "UNUSED", "PWR", "INFO", "LOST", "SYS", "0", "EXIT",
    "exit", "SIGEXIT", "ERR", "err", "DEBUG", "debug", "RETURN", "KEYBD", "1", "015", " 15", "+15",
    "64", "65", "66", "STOP", "32", "33", "SIG32", "SIG15", "SIG0", "x15", "SIG", "SIGSIGTERM",
    "RT", "RTMIN-1", "RTMAX+1", "6",
];

const MASKS: &[&str] = &[
    "22", "022", "777", "1777", "7777", "10000", "012345", "8", "09", "0x1", "u=rwx,g=rx,o=",
    "u-w", "g+w", "a=r", "=r", "+x", "u=g", "g=u,o=g", "ug=rw,o=x", "u+rwx-w", "u=rwxs", "X=r",
    "rw", ",", "u=r,", "u+X", "u=rt", "u=q", "u!", "+w", "a=", "u", "go-rwx,u+x", "u=rwx,,g=r",
    "uuu=r", "", "=", "u=u",
];

#[test]
fn traps_know_and_show_what_each_shell_does() {
    for dialect in ALL {
        // Steps are left to the shells themselves.
        let is_step = |word: &&str| ["DEBUG", "debug", "KEYBD"].contains(word);
        let words = WORDS.into_iter().filter(|word| !is_step(word));
        let mut pieces = each(words, |word| format!("trap : '{word}' 2>&- && trap"));
        let words = match dialect {
            Dialect::Posix => "TERM EXIT 64 HUP 35",
            Dialect::Bash => "TERM ERR RETURN EXIT 64 HUP 35",
            Dialect::Ksh => "TERM ERR EXIT 64 HUP 35",
        };
        pieces.extend(each([words], |words| format!("trap : {words}; trap")));
        agree(dialect, "", &pieces);
    }
}

#[test]
fn kill_explains_what_each_shell_explains() {
    let numbers = ["128", "129", "143", "192", "193", "256", "271", "400"];
    for dialect in ALL {
        let all = WORDS.into_iter().chain(numbers);
        let mut pieces = each(all, |word| format!("kill -l '{word}' 2>&-"));
        pieces.push(b"kill -l".to_vec());
        agree(dialect, "", &pieces);
    }
}

#[test]
fn masks_are_read_as_each_shell_reads_them() {
    for dialect in ALL {
        let pieces = each(MASKS, |mask| {
            format!("umask 027; umask '{mask}' 2>&- || exit 9; umask; umask -S")
        });
        agree(dialect, "", &pieces);
    }
}
