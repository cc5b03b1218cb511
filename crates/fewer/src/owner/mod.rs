//! Names and numbers of owners, for one read of each file.
//!
//! | module | what is in it |
//! |---|---|
//! | here | both databases, and which source is asked when |
//! | `table` | /etc/passwd and /etc/group: one parser, one table |
//! | `sources` | /etc/nsswitch.conf: the other sources of names |
//! | `misses` | a cache for ids that are not in the files |
//!
//! The C library opens, reads and closes its files for every further id, and asks every other
//! source again: 8 calls for an id that is in /etc/passwd, some 70 for an id without a name where
//! systemd is one of the sources.

mod misses;
mod sources;
mod table;

use std::ffi::{CStr, CString};
use std::fmt;
use std::sync::OnceLock;

use sys::CWD;

use misses::Misses;
use sources::{Others, Sources};
use table::Table;

/// Files beyond this size are not read; the name services answer instead.
const LIMIT: usize = 256 << 20;

/// Names of users and groups by number, and numbers by name. Names are bytes.
///
/// A name that is in the files costs no call and no lock, on any number of threads; any other is
/// looked up once, whatever the answer.
///
/// Price: nothing until the first question. Then /etc/nsswitch.conf and the one file that the
/// question is about, once each: open, two reads, close. An id that is not in the file costs
/// nothing more if the machine has no other source of names, or only systemd and systemd has no
/// records (eight `statx` find out, once for users and once for groups); otherwise the calls of the
/// name services, once for each id. A static build has only the files.
#[derive(Debug)]
pub struct Owners {
    sources: OnceLock<Sources>,
    users: Database,
    groups: Database,
}

/// What differs between users and groups.
struct DatabaseKind {
    file: &'static CStr,
    parse: fn(Vec<u8>) -> Table,
    /// The line of /etc/nsswitch.conf.
    sources: fn(&Sources) -> &Others,
    /// The numbers and names that systemd answers for without a record.
    made_up: &'static [(u32, &'static [u8])],
    name: fn(u32) -> Option<Box<[u8]>>,
    id: fn(&CStr) -> Option<u32>,
}

const USERS: DatabaseKind = DatabaseKind {
    file: c"/etc/passwd",
    parse: Table::users,
    sources: |sources| &sources.users,
    made_up: &[(0, b"root"), (65534, b"nobody")],
    name: sys::user_name,
    id: sys::user_id,
};

const GROUPS: DatabaseKind = DatabaseKind {
    file: c"/etc/group",
    parse: Table::groups,
    sources: |sources| &sources.groups,
    made_up: &[(0, b"root"), (65534, b"nogroup"), (65534, b"nobody")],
    name: sys::group_name,
    id: sys::group_id,
};

impl Default for Owners {
    fn default() -> Owners {
        Owners::new()
    }
}

impl Owners {
    /// The users and groups of this machine.
    ///
    /// Price: none.
    #[must_use]
    pub fn new() -> Owners {
        Owners {
            sources: OnceLock::new(),
            users: Database::new(USERS),
            groups: Database::new(GROUPS),
        }
    }

    /// The users and groups that these two files have, in the formats of passwd(5) and group(5),
    /// and no others: those of an image, say.
    ///
    /// Price: none, now and later.
    #[must_use]
    pub fn from_files(passwd: Vec<u8>, group: Vec<u8>) -> Owners {
        let owners = Owners::new();
        let _ = owners.sources.set(Sources::files_alone());
        let _ = owners.users.table.set(Table::users(passwd));
        let _ = owners.groups.table.set(Table::groups(group));
        owners
    }

    /// The name of the user with this number.
    ///
    /// Price: see [`Owners`].
    #[must_use]
    pub fn user(&self, id: u32) -> Option<&[u8]> {
        self.users.name(id, &self.sources)
    }

    /// The name of the group with this number.
    ///
    /// Price: see [`Owners`].
    #[must_use]
    pub fn group(&self, id: u32) -> Option<&[u8]> {
        self.groups.name(id, &self.sources)
    }

    /// The number of the user with this name.
    ///
    /// Price: see [`Owners`]; the answer for a name that the files do not have is not kept.
    #[must_use]
    pub fn user_id(&self, name: &[u8]) -> Option<u32> {
        self.users.id(name, &self.sources)
    }

    /// The number of the group with this name.
    ///
    /// Price: as [`user_id`](Owners::user_id).
    #[must_use]
    pub fn group_id(&self, name: &[u8]) -> Option<u32> {
        self.groups.id(name, &self.sources)
    }
}

/// Users or groups.
struct Database {
    kind: DatabaseKind,
    /// Empty if the file cannot be read or another source comes first.
    table: OnceLock<Table>,
    misses: Misses,
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database").field("file", &self.kind.file).finish_non_exhaustive()
    }
}

impl Database {
    fn new(kind: DatabaseKind) -> Database {
        Database { kind, table: OnceLock::new(), misses: Misses::default() }
    }

    fn name(&self, id: u32, sources: &OnceLock<Sources>) -> Option<&[u8]> {
        let table = self.table(sources);
        table.name(id).or_else(|| {
            self.misses.name(id, || {
                let made_up = self.kind.made_up.iter().any(|known| known.0 == id);
                let may_know = self.others(sources).may_know(table, made_up);
                may_know.then(|| (self.kind.name)(id)).flatten()
            })
        })
    }

    fn id(&self, name: &[u8], sources: &OnceLock<Sources>) -> Option<u32> {
        let table = self.table(sources);
        table.id(name).or_else(|| {
            let made_up = self.kind.made_up.iter().any(|known| known.1 == name);
            let may_know = self.others(sources).may_know(table, made_up);
            may_know.then(|| (self.kind.id)(&CString::new(name).ok()?)).flatten()
        })
    }

    fn others<'s>(&self, sources: &'s OnceLock<Sources>) -> &'s Others {
        (self.kind.sources)(sources.get_or_init(Sources::read))
    }

    fn table(&self, sources: &OnceLock<Sources>) -> &Table {
        self.table.get_or_init(|| {
            match !sys::OWNERS_ARE_IN_FILES || self.others(sources).come_first() {
                true => Table::unread(),
                // A missing file is the same as an unread one: there is nothing in it.
                false => sys::read_all(CWD, self.kind.file, LIMIT)
                    .map_or_else(|_| Table::unread(), self.kind.parse),
            }
        })
    }
}
