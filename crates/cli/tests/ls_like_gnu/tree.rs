//! A tree as a list of items to make, made on a disk or written as a script.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, lchown, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use filetime::FileTime;

/// The longest path that a socket can have.
const SOCKET_PATH_BYTES: usize = 100;

/// Seconds and nanoseconds since 1970.
pub(crate) type Moment = (i64, u32);

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    Directory,
    /// A file that is a hole of that many bytes.
    Hole(u64),
    /// A file with so many bytes in it.
    Bytes(usize),
    Link(Vec<u8>),
    HardLink(Vec<u8>),
    Fifo,
    Socket,
    Device {
        letter: char,
        major: u32,
        minor: u32,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) path: Vec<u8>,
    pub(crate) what: What,
    pub(crate) mode: Option<u32>,
    pub(crate) owner: Option<(u32, u32)>,
    pub(crate) mtime: Option<Moment>,
    pub(crate) atime: Option<Moment>,
}

impl Node {
    pub(crate) fn new(path: impl Into<Vec<u8>>, what: What) -> Node {
        Node { path: path.into(), what, mode: None, owner: None, mtime: None, atime: None }
    }
}

/// Made from first to last; times, owners and modes are set from last to first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree(pub(crate) Vec<Node>);

impl Tree {
    /// Makes it in an empty folder. Items that cannot be made here (no root, no such size) are left
    /// out.
    pub(crate) fn make(&self, here: &Path) {
        let made = |node: &&Node| one(node, &place(here, &node.path)).is_ok();
        let made: Vec<&Node> = self.0.iter().filter(made).collect();
        for node in made.iter().rev() {
            finish(node, &place(here, &node.path));
        }
        stay_read(here, None, None);
    }

    /// Whether something in it is older than the count of seconds.
    pub(crate) fn is_before_1970(&self) -> bool {
        let times = self.0.iter().flat_map(|node| [node.mtime, node.atime]).flatten();
        times.into_iter().any(|(seconds, _)| seconds < 0)
    }

    /// The same as commands for bash.
    pub(crate) fn script(&self) -> String {
        let mut script = String::new();
        let mut say = |words: String| script.push_str(&(words + "\n"));
        for node in &self.0 {
            let path = quoted(&node.path);
            say(match &node.what {
                What::Directory => format!("mkdir -p {path}"),
                What::Hole(bytes) => format!("truncate -s {bytes} {path}"),
                What::Bytes(bytes) => format!("head -c {bytes} /dev/zero >{path}"),
                What::Link(to) => format!("ln -s {} {path}", quoted(to)),
                What::HardLink(to) => format!("ln {} {path}", quoted(to)),
                What::Fifo => format!("mkfifo {path}"),
                What::Socket => format!(
                    "python3 -c 'import socket as s,sys; \
                     s.socket(s.AF_UNIX).bind(sys.argv[1])' {path}"
                ),
                What::Device { letter, major, minor } => {
                    format!("mknod {path} {letter} {major} {minor}")
                }
            });
        }
        for node in self.0.iter().rev() {
            let path = quoted(&node.path);
            for (letter, moment) in [('m', node.mtime), ('a', node.atime)] {
                if let Some((seconds, nanoseconds)) = moment {
                    say(format!("touch -h{letter}d @{seconds}.{nanoseconds:09} {path}"));
                }
            }
            if let Some((user, group)) = node.owner {
                say(format!("chown -h {user}:{group} {path}"));
            }
            if let Some(mode) = node.mode {
                say(format!("chmod {mode:o} {path}"));
            }
        }
        script
    }
}

fn place(here: &Path, path: &[u8]) -> PathBuf {
    here.join(OsStr::from_bytes(path))
}

fn one(node: &Node, path: &Path) -> io::Result<()> {
    match &node.what {
        What::Directory => fs::create_dir_all(path),
        What::Hole(bytes) => File::create_new(path)?.set_len(*bytes),
        What::Bytes(bytes) => fs::write(path, vec![b'x'; *bytes]),
        What::Link(to) => symlink(OsStr::from_bytes(to), path),
        What::HardLink(to) => {
            // The target is written as the tree writes it: relative to the same folder.
            let depth = node.path.iter().filter(|&&byte| byte == b'/').count();
            let here = path.ancestors().nth(depth + 1).unwrap_or(path);
            fs::hard_link(place(here, to), path)
        }
        What::Fifo => run(Command::new("mkfifo").arg("--").arg(path)),
        What::Socket if path.as_os_str().len() > SOCKET_PATH_BYTES => {
            Err(io::ErrorKind::InvalidFilename.into())
        }
        What::Socket => UnixListener::bind(path).map(drop),
        What::Device { letter, major, minor } => {
            let numbers = [letter.to_string(), major.to_string(), minor.to_string()];
            run(Command::new("mknod").arg("--").arg(path).args(numbers))
        }
    }
}

fn run(command: &mut Command) -> io::Result<()> {
    match command.output()?.status.success() {
        true => Ok(()),
        false => Err(io::ErrorKind::Other.into()),
    }
}

/// Metadata that this user may not set stay as they are.
fn finish(node: &Node, path: &Path) {
    if let Some((user, group)) = node.owner {
        let _ = lchown(path, Some(user), Some(group));
    }
    match node.what {
        What::Link(_) | What::Directory => stay_read(path, node.mtime, node.atime),
        _ => set_times(path, node.mtime, node.atime),
    }
    if let Some(mode) = node.mode.filter(|_| !matches!(node.what, What::Link(_))) {
        let _ = fs::set_permissions(path, fs::Permissions::from_mode(mode));
    }
}

fn set_times(path: &Path, mtime: Option<Moment>, atime: Option<Moment>) {
    let Ok(now) = fs::symlink_metadata(path) else { return };
    let time = |(seconds, nanoseconds)| FileTime::from_unix_time(seconds, nanoseconds);
    let mtime = mtime.map_or(FileTime::from_last_modification_time(&now), time);
    let atime = atime.map_or(FileTime::from_last_access_time(&now), time);
    let _ = filetime::set_symlink_file_times(path, atime, mtime);
}

/// Reading a directory or a link would change its access time (`relatime`) between the two listings
/// that are compared, unless that time is later than all the others. The latest time of ext4 is
/// later than none.
fn stay_read(path: &Path, mtime: Option<Moment>, atime: Option<Moment>) {
    const HOUR: i64 = 3600;
    const LATEST: i64 = (1 << 34) - (1 << 31) - 1;
    let mtime = mtime.map(|(seconds, fraction)| (seconds.min(LATEST - HOUR), fraction));
    let soon = FileTime::now().unix_seconds() + HOUR;
    let latest = soon.max(mtime.map_or(soon, |(seconds, _)| seconds + HOUR));
    let (seconds, nanoseconds) = atime.unwrap_or((latest, 0));
    set_times(path, mtime, Some((seconds.max(latest), nanoseconds)));
}

/// Quoted for bash.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_./+-=:,@%".contains(byte);
    if !bytes.is_empty() && bytes.iter().all(is_plain) && bytes[0] != b'-' {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let mut quoted = String::from("$'");
    for &byte in bytes {
        match byte {
            b'\\' | b'\'' => quoted.extend(['\\', char::from(byte)]),
            b' '..=b'~' => quoted.push(char::from(byte)),
            _ => quoted.push_str(&format!("\\x{byte:02x}")),
        }
    }
    quoted + "'"
}
