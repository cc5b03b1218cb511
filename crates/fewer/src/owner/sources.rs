//! The sources of names of this machine: the lines `passwd` and `group` of /etc/nsswitch.conf.

use std::ffi::CStr;
use std::sync::OnceLock;

use sys::{CWD, Fields, NAME_SERVICES, OWNERS_ARE_IN_FILES};

use super::table::Table;

/// The sources of users and of groups.
#[derive(Debug)]
pub(super) struct Sources {
    pub(super) users: Others,
    pub(super) groups: Others,
}

/// The sources besides the file.
#[derive(Debug)]
pub(super) struct Others {
    which: Which,
    /// The file's source is `compat`, which also follows the entries for NIS in it.
    compat: bool,
    systemd: OnceLock<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    /// No other source.
    None,
    /// Only systemd.
    Systemd,
    /// Any others.
    Some,
    /// The file is not the first source.
    Before,
}

impl Sources {
    /// Price: open, two reads, close; nothing in a static build, which has no other sources.
    pub(super) fn read() -> Sources {
        if !NAME_SERVICES || !OWNERS_ARE_IN_FILES {
            return Sources::files_alone();
        }
        match sys::read_all(CWD, c"/etc/nsswitch.conf", 1 << 20) {
            Ok(text) => Sources::parse(&text),
            // The default of glibc.
            Err(sys::Errno::NOENT) => Sources::files_alone(),
            Err(_) => {
                Sources { users: Others::new(Which::Before), groups: Others::new(Which::Before) }
            }
        }
    }

    pub(super) fn files_alone() -> Sources {
        Sources { users: Others::new(Which::None), groups: Others::new(Which::None) }
    }

    fn parse(text: &[u8]) -> Sources {
        Sources { users: others(text, b"passwd"), groups: others(text, b"group") }
    }
}

impl Others {
    fn new(which: Which) -> Others {
        Others { which, compat: false, systemd: OnceLock::new() }
    }

    /// Whether they must be asked before the file.
    pub(super) fn come_first(&self) -> bool {
        self.which == Which::Before
    }

    /// Whether one of them may have an entry that is not in the table. `made_up`: systemd has it
    /// without a record.
    pub(super) fn may_know(&self, table: &Table, made_up: bool) -> bool {
        match self.which {
            Which::Some | Which::Before => true,
            _ if self.compat && table.asks_nis() => true,
            // The file is too large or not readable for this process; the C library may find a way,
            // if it has others than this file.
            _ if !table.is_read() => NAME_SERVICES,
            Which::None => false,
            Which::Systemd => made_up || *self.systemd.get_or_init(systemd_has_records),
        }
    }
}

/// Whether systemd may have records: nss-systemd(8) asks the services that listen in the first
/// folder and reads records from the next six; before version 245 it asked systemd itself, if that
/// is the init system (sd_booted(3)).
///
/// Price: a `statx` for each folder up to the first that exists, once in a process.
fn systemd_has_records() -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    *HAS.get_or_init(look_for_systemd_records)
}

fn look_for_systemd_records() -> bool {
    const PLACES: [&CStr; 8] = [
        c"/run/systemd/userdb", c"/run/systemd/system", c"/etc/userdb", c"/run/userdb",
        c"/run/host/userdb", c"/usr/local/lib/userdb", c"/usr/lib/userdb", c"/lib/userdb",
    ];
    let is_missing = |place: &CStr| {
        let answer = sys::stat(CWD, place, true, Fields::KIND);
        matches!(answer, Err(sys::Errno::NOENT | sys::Errno::NOTDIR))
    };
    !PLACES.into_iter().all(is_missing)
}

/// Parses nsswitch.conf(5) for one database. A line that is not fully understood is left to the C
/// library.
fn others(text: &[u8], database: &[u8]) -> Others {
    let mut lines = text.split(|&byte| byte == b'\n').filter_map(|line| {
        let line = line.split(|&byte| byte == b'#').next()?.trim_ascii();
        let colon = line.iter().position(|&byte| byte == b':')?;
        (line[..colon].trim_ascii() == database).then_some(&line[colon + 1..])
    });
    match (lines.next(), lines.next()) {
        (None, _) => Others::new(Which::None),
        // No source at all. glibc 2.36 crashes (SIGSEGV) if it is asked then.
        (Some(line), None) if matches!(line.trim_ascii_start().first(), None | Some(b'[')) => {
            Others::new(Which::None)
        }
        (Some(line), None) => chain(line).unwrap_or_else(|| Others::new(Which::Before)),
        (Some(_), Some(_)) => Others::new(Which::Before),
    }
}

/// `SOURCE [ACTION...] SOURCE …`; `None` if the file is not the first source or the syntax differs.
fn chain(line: &[u8]) -> Option<Others> {
    let text = std::str::from_utf8(line).ok()?.to_ascii_lowercase();
    let text = text.trim_ascii_start();
    let end = text.find([' ', '\t', '[']).unwrap_or(text.len());
    let (first, mut rest) = (&text[..end], text[end..].trim_ascii_start());
    let compat = match first {
        "files" => false,
        "compat" => true,
        _ => return None,
    };
    let mut ends_here = false;
    if let Some(actions) = rest.strip_prefix('[') {
        let (actions, behind) = actions.split_once(']')?;
        ends_here = ends_a_miss(actions)?;
        rest = behind;
    }
    let mut which = Which::None;
    for word in rest.replace('[', " [").replace(']', "] ").split_ascii_whitespace() {
        which = match (which, word) {
            // Actions behind a later source can only end the search earlier.
            _ if word.contains(['[', ']', '=']) => which,
            (Which::None, "systemd") => Which::Systemd,
            (_, "files") => which,
            _ => Which::Some,
        };
    }
    let which = if ends_here { Which::None } else { which };
    Some(Others { compat, ..Others::new(which) })
}

/// Whether these actions end the search when the file does not have the entry; `None` if they apply
/// to a success, or cannot be parsed.
fn ends_a_miss(actions: &str) -> Option<bool> {
    let mut ends = false;
    for action in actions.split_ascii_whitespace() {
        let (status, action) = action.split_once('=')?;
        let (not, status) = match status.strip_prefix('!') {
            Some(status) => (true, status),
            None => (false, status),
        };
        let known = matches!(status, "success" | "notfound" | "unavail" | "tryagain");
        let of_success = (status == "success") != not;
        // To merge is to add members to a group that has been found; it keeps its name.
        let ends_it = match action {
            "return" => true,
            "merge" => false,
            "continue" if !of_success => false,
            _ => return None,
        };
        if !known {
            return None;
        }
        if (status == "notfound") != not {
            ends = ends_it;
        }
    }
    Some(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_asked_where_nobody_else_can_answer() {
        for (text, users, groups) in [
            ("", Which::None, Which::None),
            ("passwd:\ngroup: [[", Which::None, Which::None),
            ("passwd: [NOTFOUND\ngroup: ", Which::None, Which::None),
            ("passwd: files\ngroup:files", Which::None, Which::None),
            ("passwd: files systemd\ngroup: files", Which::Systemd, Which::None),
            ("passwd: files sss systemd\n", Which::Some, Which::None),
            ("passwd: systemd files\n", Which::Before, Which::None),
            ("  passwd :\tfiles # sss\n#group: sss\n", Which::None, Which::None),
            ("passwd: files [NOTFOUND=return] sss\n", Which::None, Which::None),
            ("passwd: files[!SUCCESS=return]sss\n", Which::None, Which::None),
            ("passwd: files [UNAVAIL=return] sss\n", Which::Some, Which::None),
            ("passwd: files [notfound=return notfound=continue] sss\n", Which::Some, Which::None),
            ("group: files [SUCCESS=merge] systemd\n", Which::None, Which::Systemd),
            ("group: files [SUCCESS=continue] systemd\n", Which::None, Which::Before),
            ("group: files [NOTFOUND=\n", Which::None, Which::Before),
            ("passwd: files\npasswd: sss\n", Which::Before, Which::None),
            ("passwd:\ngroup: \u{ff}", Which::None, Which::Before),
            ("passwd: compat systemd\n", Which::Systemd, Which::None),
            ("passwd: sss files\n", Which::Before, Which::None),
            ("passwd: files systemd [NOTFOUND=return] sss\n", Which::Some, Which::None),
            ("Passwd: sss\n", Which::None, Which::None),
        ] {
            let sources = Sources::parse(text.as_bytes());
            assert_eq!((sources.users.which, sources.groups.which), (users, groups), "{text}");
        }
    }

    #[test]
    fn compat_goes_elsewhere_only_where_the_file_says_so() {
        let sources = Sources::parse(b"passwd: compat\n");
        let (plain, nis) = (Table::users(b"a:x:1:1:\n".into()), Table::users(b"+::::::\n".into()));
        assert!(!sources.users.may_know(&plain, false));
        assert!(sources.users.may_know(&nis, false));
    }
}
