//! What kind of thing a path names, as far as its text tells, and which directory it lies in.

use crate::quick::{self, Map};
use crate::{PathId, World};

/// What a path names.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) enum Kind {
    /// Nothing is known.
    #[default]
    Nothing,
    /// A file or a directory.
    File,
    /// What users, groups and where to look them up are read from.
    Owners,
    /// A terminal.
    Terminal,
    /// `/dev/null` and its like.
    Null,
    /// Another device.
    Device,
    /// What the kernel makes up when it is read: /proc, /sys.
    Kernel,
    /// A pipe.
    Pipe,
    /// A socket.
    Socket,
    /// A descriptor without a path: an event counter, a timer.
    Anonymous,
}

/// Files that a look-up of a user or a group goes through.
const OWNERS: &[&str] = &[
    "/etc/passwd",
    "/etc/group",
    "/etc/nsswitch.conf",
    "/etc/shadow",
    "/etc/gshadow",
    "/etc/userdb",
    "/run/userdb",
    "/run/host/userdb",
    "/run/systemd/userdb",
    "/usr/lib/userdb",
    "/var/lib/extrausers",
    "/var/lib/sss",
    "/var/run/nscd",
    "/run/nscd",
];

impl Kind {
    fn of(path: &[u8]) -> Kind {
        let below = |roots: &[&str]| {
            roots.iter().any(|root| {
                path.strip_prefix(root.as_bytes())
                    .is_some_and(|rest| rest.first().is_none_or(|byte| *byte == b'/'))
            })
        };
        let begins = |texts: &[&str]| texts.iter().any(|text| path.starts_with(text.as_bytes()));
        match path.first() {
            None => Kind::Nothing,
            Some(b'/') if below(&["/dev/pts", "/dev/console"]) || begins(&["/dev/tty"]) => {
                Kind::Terminal
            }
            Some(b'/') if below(&["/dev/null", "/dev/full", "/dev/zero"]) => Kind::Null,
            Some(b'/') if below(&["/dev/shm"]) => Kind::File,
            Some(b'/') if below(&["/dev"]) => Kind::Device,
            Some(b'/') if below(&["/proc", "/sys"]) => Kind::Kernel,
            Some(b'/') if begins(&["/etc", "/run", "/usr/lib", "/var"]) && below(OWNERS) => {
                Kind::Owners
            }
            Some(b'/') => Kind::File,
            Some(_) if begins(&["pipe:"]) => Kind::Pipe,
            Some(_) if begins(&["anon_inode:"]) => Kind::Anonymous,
            // A log of strace has sockets by their family: `TCP:[…]`, `UNIX-STREAM:[…]`.
            Some(_) if path.windows(2).any(|two| two == b":[") => Kind::Socket,
            Some(_) => Kind::File,
        }
    }
}

/// The paths of a stream.
#[derive(Debug, Default)]
pub(crate) struct Paths {
    kinds: Vec<Kind>,
    parents: Vec<PathId>,
    by_hash: Map<u64, PathId>,
}

impl Paths {
    /// Takes in a path that `world` has taken in already.
    pub(crate) fn take(&mut self, id: PathId, world: &World) {
        let path = world.path(id);
        let place = id.0 as usize;
        if place > self.kinds.len() + (1 << 16) {
            return;
        }
        if self.kinds.len() <= place {
            self.kinds.resize(place + 1, Kind::Nothing);
            self.parents.resize(place + 1, PathId::NONE);
        }
        self.kinds[place] = Kind::of(path);
        self.by_hash.insert(quick::of(path), id);
        self.parents[place] = self.look_up(path, world);
    }

    /// What a path names.
    pub(crate) fn kind(&self, id: PathId) -> Kind {
        self.kinds.get(id.0 as usize).copied().unwrap_or_default()
    }

    /// The directory that a path lies in; `NONE` if the stream has not named it.
    pub(crate) fn parent(&self, id: PathId, world: &World) -> PathId {
        match self.parents.get(id.0 as usize) {
            Some(parent) if parent.is_some() => *parent,
            Some(_) => self.look_up(world.path(id), world),
            None => PathId::NONE,
        }
    }

    fn look_up(&self, path: &[u8], world: &World) -> PathId {
        let Some(parent) = parent(path) else { return PathId::NONE };
        let id = self.by_hash.get(&quick::of(parent)).copied().unwrap_or_default();
        if world.path(id) == parent { id } else { PathId::NONE }
    }
}

/// A path without its last name.
pub(crate) fn parent(path: &[u8]) -> Option<&[u8]> {
    match memchr::memrchr(b'/', path)? {
        0 if path.len() == 1 => None,
        0 => Some(b"/"),
        slash => Some(&path[..slash]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_says_what_it_names() {
        for (path, kind) in [
            ("", Kind::Nothing),
            ("/etc/passwd", Kind::Owners),
            ("/etc/passwd.old", Kind::File),
            ("/var/lib/sss/mc/passwd", Kind::Owners),
            ("/dev/null", Kind::Null),
            ("/dev/pts/3", Kind::Terminal),
            ("/dev/tty", Kind::Terminal),
            ("/dev/i2c-1", Kind::Device),
            ("/device", Kind::File),
            ("/proc/self/maps", Kind::Kernel),
            ("/home/x", Kind::File),
            ("pipe:[7]", Kind::Pipe),
            ("socket:[8]", Kind::Socket),
            ("UNIX-STREAM:[8]", Kind::Socket),
            ("anon_inode:[eventfd]", Kind::Anonymous),
        ] {
            assert_eq!(Kind::of(path.as_bytes()), kind, "{path}");
        }
    }

    #[test]
    fn a_path_has_a_parent() {
        assert_eq!(parent(b"/a/b"), Some(&b"/a"[..]));
        assert_eq!(parent(b"/a"), Some(&b"/"[..]));
        assert_eq!(parent(b"/"), None);
        assert_eq!(parent(b""), None);
    }
}
