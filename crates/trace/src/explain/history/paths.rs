//! What kind of thing a path names, as far as its text shows, and which directory it lies in.

use crate::bytes::parent;
use crate::content_hash;
use crate::{PathId, Registry};
use rustc_hash::FxHashMap;

/// What a path names.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) enum FileKind {
    /// Nothing is known.
    #[default]
    Nothing,
    /// A file or a directory.
    File,
    /// What users, groups and where to look them up are read from.
    Owners,
    /// What names of hosts, services and protocols are read from.
    Hosts,
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
    "/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/shadow", "/etc/gshadow",
    "/etc/userdb", "/run/userdb", "/run/host/userdb", "/run/systemd/userdb", "/usr/lib/userdb",
    "/var/lib/extrausers", "/var/lib/sss", "/var/run/nscd", "/run/nscd",
];

/// Files that a look-up of a host, a service or a protocol goes through.
const HOSTS: &[&str] = &[
    "/etc/gai.conf", "/etc/host.conf", "/etc/hosts", "/etc/networks", "/etc/protocols",
    "/etc/resolv.conf", "/etc/services", "/run/avahi-daemon", "/run/systemd/resolve",
    "/var/run/avahi-daemon",
];

impl FileKind {
    /// Whether it is read by look-ups of the C library, which rules of their own count.
    pub(crate) fn is_database(self) -> bool {
        matches!(self, FileKind::Owners | FileKind::Hosts)
    }

    fn of(path: &[u8]) -> FileKind {
        let below = |roots: &[&str]| {
            roots.iter().any(|root| {
                path.strip_prefix(root.as_bytes())
                    .is_some_and(|rest| rest.first().is_none_or(|byte| *byte == b'/'))
            })
        };
        let begins = |texts: &[&str]| texts.iter().any(|text| path.starts_with(text.as_bytes()));
        match path.first() {
            None => FileKind::Nothing,
            Some(b'/') if below(&["/dev/pts", "/dev/console"]) || begins(&["/dev/tty"]) => {
                FileKind::Terminal
            }
            Some(b'/') if below(&["/dev/null", "/dev/full", "/dev/zero"]) => FileKind::Null,
            Some(b'/') if below(&["/dev/shm"]) => FileKind::File,
            Some(b'/') if below(&["/dev"]) => FileKind::Device,
            Some(b'/') if below(&["/proc", "/sys"]) => FileKind::Kernel,
            Some(b'/') if begins(&["/etc", "/run", "/usr/lib", "/var"]) && below(OWNERS) => {
                FileKind::Owners
            }
            Some(b'/') if begins(&["/etc", "/run", "/var/run"]) && below(HOSTS) => FileKind::Hosts,
            Some(b'/') => FileKind::File,
            // The address of a server of the DNS.
            Some(_) if path.ends_with(b":53") => FileKind::Hosts,
            Some(_) if begins(&["pipe:"]) => FileKind::Pipe,
            Some(_) if begins(&["anon_inode:"]) => FileKind::Anonymous,
            // A log of strace has sockets by their family: `TCP:[…]`, `UNIX-STREAM:[…]`.
            Some(_) if path.windows(2).any(|two| two == b":[") => FileKind::Socket,
            Some(_) => FileKind::File,
        }
    }
}

/// The paths of a stream.
#[derive(Debug, Default)]
pub(crate) struct Paths {
    kinds: Vec<FileKind>,
    parents: Vec<PathId>,
    by_hash: FxHashMap<u64, PathId>,
}

impl Paths {
    /// Takes in a path that `registry` has taken in already.
    pub(crate) fn take(&mut self, id: PathId, registry: &Registry) {
        let path = registry.path(id);
        let place = id.0 as usize;
        if place > self.kinds.len() + (1 << 16) {
            return;
        }
        if self.kinds.len() <= place {
            self.kinds.resize(place + 1, FileKind::Nothing);
            self.parents.resize(place + 1, PathId::NONE);
        }
        self.kinds[place] = FileKind::of(path);
        self.by_hash.insert(content_hash::of(path), id);
        self.parents[place] = self.directory_of(path, registry);
    }

    /// What a path names.
    pub(crate) fn kind(&self, id: PathId) -> FileKind {
        self.kinds.get(id.0 as usize).copied().unwrap_or_default()
    }

    /// The directory that a path lies in; `NONE` if the stream has not named it.
    pub(crate) fn parent(&self, id: PathId, registry: &Registry) -> PathId {
        match self.parents.get(id.0 as usize) {
            Some(parent) if parent.is_some() => *parent,
            Some(_) => self.directory_of(registry.path(id), registry),
            None => PathId::NONE,
        }
    }

    fn directory_of(&self, path: &[u8], registry: &Registry) -> PathId {
        parent(path).map_or(PathId::NONE, |directory| self.look_up(directory, registry))
    }

    /// The number of a path; `NONE` if the stream has not named it.
    pub(super) fn look_up(&self, path: &[u8], registry: &Registry) -> PathId {
        let id = self.by_hash.get(&content_hash::of(path)).copied().unwrap_or_default();
        if registry.path(id) == path { id } else { PathId::NONE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_says_what_it_names() {
        for (path, kind) in [
            ("", FileKind::Nothing),
            ("/etc/passwd", FileKind::Owners),
            ("/etc/passwd.old", FileKind::File),
            ("/var/lib/sss/mc/passwd", FileKind::Owners),
            ("10.0.0.1:53", FileKind::Hosts),
            ("10.0.0.1:5300", FileKind::File),
            ("/run/systemd/resolve/io.systemd.Resolve", FileKind::Hosts),
            ("/dev/null", FileKind::Null),
            ("/dev/pts/3", FileKind::Terminal),
            ("/dev/tty", FileKind::Terminal),
            ("/dev/i2c-1", FileKind::Device),
            ("/device", FileKind::File),
            ("/proc/self/maps", FileKind::Kernel),
            ("/home/x", FileKind::File),
            ("pipe:[7]", FileKind::Pipe),
            ("socket:[8]", FileKind::Socket),
            ("UNIX-STREAM:[8]", FileKind::Socket),
            ("anon_inode:[eventfd]", FileKind::Anonymous),
        ] {
            assert_eq!(FileKind::of(path.as_bytes()), kind, "{path}");
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
