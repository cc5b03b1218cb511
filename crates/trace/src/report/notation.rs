//! A call as strace writes it, as far as it is known: `openat(AT_FDCWD, "/etc/passwd", O_RDONLY) =
//! 3`. What is not known is `...`.

use crate::{Call, Machine, Name, Registry, Shape};
use fewer::Errno;
use fewer::present::escaped;

/// Flags of open that have the same number on all machines (asm-generic/fcntl.h).
const OPEN_FLAGS: [(i32, &str); 8] = [
    (0o100, "O_CREAT"),
    (0o200, "O_EXCL"),
    (0o1000, "O_TRUNC"),
    (0o2000, "O_APPEND"),
    (0o4000, "O_NONBLOCK"),
    (0o1000000, "O_NOATIME"),
    (0o2000000, "O_CLOEXEC"),
    (0o10000000, "O_PATH"),
];

const AT_FDCWD: i32 = -100;

/// A call as strace writes it. Names in it are escaped.
#[must_use]
pub(crate) fn notation(call: &Call, registry: &Registry) -> String {
    let mut arguments = Arguments { texts: Default::default(), goes_on: true };
    arguments.files(call, registry);
    arguments.others(call, registry);
    format!("{}({}) = {}", call.name, arguments.join(), result(call))
}

fn result(call: &Call) -> String {
    let Some(errno) = call.errno() else {
        return match call.name {
            Name::Mmap => format!("{:#x}", call.result),
            _ => call.result.to_string(),
        };
    };
    let name = sys::errno_name(errno).map_or_else(|| format!("errno {errno}"), str::to_owned);
    format!("-1 {name} ({})", Errno::from_raw_os_error(errno))
}

/// A name in double quotes, with a backslash before what would be taken for something else.
fn quoted(name: &[u8]) -> String {
    let mut out = String::from("\"");
    for piece in name.split_inclusive(|byte| b"\"\\".contains(byte)) {
        match piece.split_last() {
            Some((last @ (b'"' | b'\\'), front)) => {
                out += &escaped(front);
                out.extend(['\\', char::from(*last)]);
            }
            _ => out += &escaped(piece),
        }
    }
    out + "\""
}

/// Arguments by position, and whether there are more behind the last one that is known.
struct Arguments {
    texts: [Option<String>; 6],
    goes_on: bool,
}

impl Arguments {
    /// Paths and descriptors, where the call's shape says.
    fn files(&mut self, call: &Call, registry: &Registry) {
        let file = registry.path(call.file);
        // A path that could not be read is left open.
        let path = |id| match registry.path(id) {
            b"" => None,
            path => Some(quoted(path)),
        };
        let descriptor = |at: usize, file: &[u8]| match (call.int(at), file) {
            (AT_FDCWD, _) => Some("AT_FDCWD".to_owned()),
            (number, b"") => Some(number.to_string()),
            (number, file) => Some(format!("{number}<{}>", escaped(file))),
        };
        match call.name.shape() {
            Shape::Path(at) => self.texts[at] = path(call.path),
            Shape::Paths(one, two) => {
                self.texts[one] = path(call.path);
                self.texts[two] = path(call.second);
            }
            // The file that the descriptor itself stands for.
            Shape::At(directory, at)
                if registry.path(call.path).is_empty()
                    && !file.is_empty()
                    && call.int(directory) >= 0 =>
            {
                self.texts[directory] = descriptor(directory, file);
                self.texts[at] = Some("\"\"".to_owned());
            }
            Shape::At(directory, at) => {
                self.texts[directory] = descriptor(directory, b"");
                self.texts[at] = path(call.path);
            }
            Shape::Ats(one, first, two, second) => {
                self.texts[one] = descriptor(one, b"");
                self.texts[first] = path(call.path);
                self.texts[two] = descriptor(two, b"");
                self.texts[second] = path(call.second);
            }
            Shape::Descriptor(at) => self.texts[at] = descriptor(at, file),
            Shape::Descriptors(one, two) => {
                self.texts[one] = descriptor(one, file);
                self.texts[two] = descriptor(two, registry.path(call.second));
            }
            Shape::Nothing | Shape::Unwatched => {}
        }
    }

    /// What else says something about the commonest calls.
    fn others(&mut self, call: &Call, registry: &Registry) {
        let size = |at: usize| Some(call.arguments[at].to_string());
        match call.name {
            Name::Close | Name::Chdir | Name::Fchdir | Name::Rmdir | Name::Unlink => {}
            Name::Dup | Name::Fsync | Name::Fdatasync => {}
            Name::Open => self.texts[1] = Some(open_flags(call.int(1))),
            Name::Openat => self.texts[2] = Some(open_flags(call.int(2))),
            Name::Access => self.texts[1] = Some(access_mode(call.int(1))),
            Name::Faccessat | Name::Faccessat2 => self.texts[2] = Some(access_mode(call.int(2))),
            Name::Read | Name::Write | Name::Getdents64 => self.texts[2] = size(2),
            Name::Pread64 | Name::Pwrite64 => {
                self.texts[2] = size(2);
                self.texts[3] = size(3);
            }
            Name::Readlink | Name::Readlinkat => {
                let at = if call.name == Name::Readlink { 1 } else { 2 };
                self.texts[at] = call.second.is_some().then(|| quoted(registry.path(call.second)));
                self.texts[at + 1] = size(at + 1);
            }
            Name::Getcwd => {
                self.texts[0] = call.second.is_some().then(|| quoted(registry.path(call.second)));
                self.texts[1] = size(1);
            }
            Name::Dup2 | Name::Dup3 => self.texts[1] = Some(call.int(1).to_string()),
            Name::Fcntl => return self.texts[1] = Some(fcntl_command(call.int(1))),
            Name::Ioctl => return self.texts[1] = Some(ioctl_request(call.arguments[1])),
            Name::Stat | Name::Lstat | Name::Fstat => return,
            _ => return,
        }
        self.goes_on = false;
    }

    fn join(self) -> String {
        let known = self.texts.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let mut words = Vec::new();
        for text in self.texts.into_iter().take(known) {
            match text {
                Some(text) => words.push(text),
                None if words.last().is_some_and(|word| word == "...") => {}
                None => words.push("...".to_owned()),
            }
        }
        if self.goes_on {
            words.push("...".to_owned());
        }
        words.join(", ")
    }
}

fn open_flags(flags: i32) -> String {
    // Two flags have other numbers on Arm (asm/fcntl.h).
    let machine = match Machine::HERE {
        Machine::X86_64 => [(0o200_000, "O_DIRECTORY"), (0o400_000, "O_NOFOLLOW")],
        Machine::Aarch64 => [(0o40_000, "O_DIRECTORY"), (0o100_000, "O_NOFOLLOW")],
    };
    let mut words = vec![["O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE"][(flags & 3) as usize]];
    let set = |(bit, _): &&(i32, &str)| flags & bit != 0;
    words.extend(OPEN_FLAGS.iter().chain(&machine).filter(set).map(|(_, word)| *word));
    words.join("|")
}

fn access_mode(mode: i32) -> String {
    let words: Vec<&str> = [(4, "R_OK"), (2, "W_OK"), (1, "X_OK")]
        .iter()
        .filter(|(bit, _)| mode & bit != 0)
        .map(|(_, word)| *word)
        .collect();
    if words.is_empty() { "F_OK".to_owned() } else { words.join("|") }
}

fn fcntl_command(command: i32) -> String {
    match command {
        0 => "F_DUPFD".to_owned(),
        1 => "F_GETFD".to_owned(),
        2 => "F_SETFD".to_owned(),
        3 => "F_GETFL".to_owned(),
        4 => "F_SETFL".to_owned(),
        5 => "F_GETLK".to_owned(),
        6 => "F_SETLK".to_owned(),
        7 => "F_SETLKW".to_owned(),
        1030 => "F_DUPFD_CLOEXEC".to_owned(),
        other => other.to_string(),
    }
}

fn ioctl_request(request: u64) -> String {
    match request {
        0x5401 => "TCGETS".to_owned(),
        0x5413 => "TIOCGWINSZ".to_owned(),
        other => format!("{other:#x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Event, PathId, Text};

    fn written(name: Name, arguments: [u64; 6], result: i64) -> String {
        let mut registry = Registry::default();
        for (id, path) in [(1, &b"/etc/localtime"[..]), (2, b"a\"\n\xff\xc3\xa9"), (3, b"pipe:[7]")]
        {
            registry.take(&Event::Path { id: PathId(id), path: Text::from(path) });
        }
        let (path, file, second) = match name.shape() {
            Shape::Descriptor(_) => (PathId(0), PathId(3), PathId(0)),
            _ => (PathId(1), PathId(1), PathId(2)),
        };
        let call = Call { name, arguments, result, path, file, second, ..Call::default() };
        notation(&call, &registry)
    }

    /// As strace 6.1 writes them, where it knows no more than we do.
    #[test]
    fn calls_are_written_as_strace_writes_them() {
        let here = -100_i64 as u64;
        for (name, arguments, result, expected) in [
            (Name::Stat, [0; 6], 0, r#"stat("/etc/localtime", ...) = 0"#),
            (
                Name::Openat,
                [here, 0, 0o2000000, 0, 0, 0],
                3,
                r#"openat(AT_FDCWD, "/etc/localtime", O_RDONLY|O_CLOEXEC) = 3"#,
            ),
            (
                Name::Newfstatat,
                [5, 0, 0, 0, 0, 0],
                -2,
                r#"newfstatat(5, "/etc/localtime", ...) = -1 ENOENT (No such file or directory)"#,
            ),
            (Name::Read, [0, 0, 1, 0, 0, 0], 1, "read(0<pipe:[7]>, ..., 1) = 1"),
            (Name::Pread64, [9, 0, 8, 64, 0, 0], 8, "pread64(9<pipe:[7]>, ..., 8, 64) = 8"),
            (Name::Close, [7, 0, 0, 0, 0, 0], 0, "close(7<pipe:[7]>) = 0"),
            (
                Name::Fcntl,
                [7, 1030, 10, 0, 0, 0],
                10,
                "fcntl(7<pipe:[7]>, F_DUPFD_CLOEXEC, ...) = 10",
            ),
            (
                Name::Ioctl,
                [7, 0x5401, 0, 0, 0, 0],
                -25,
                "ioctl(7<pipe:[7]>, TCGETS, ...) = -1 ENOTTY (Inappropriate ioctl for device)",
            ),
            (Name::Access, [0, 4, 0, 0, 0, 0], 0, r#"access("/etc/localtime", R_OK) = 0"#),
            (
                Name::Readlink,
                [0, 0, 99, 0, 0, 0],
                4,
                r#"readlink("/etc/localtime", "a\"\n\xffé", 99) = 4"#,
            ),
            (Name::Clone3, [0; 6], 12, "clone3(...) = 12"),
            (
                Name::Statx,
                [here, 0, 0, 0, 0, 0],
                -4000,
                r#"statx(AT_FDCWD, "/etc/localtime", ...) = -1 errno 4000 (Unknown error 4000)"#,
            ),
        ] {
            assert_eq!(written(name, arguments, result), expected);
        }
    }

    /// As strace -y writes it.
    #[test]
    fn what_a_descriptor_stands_for_is_named() {
        let mut registry = Registry::default();
        registry.take(&Event::Path { id: PathId(1), path: Text::from(&b"/usr/include"[..]) });
        let call = Call { name: Name::Newfstatat, file: PathId(1), ..Call::default() };
        let call = Call { arguments: [3, 0, 0, 0, 0, 0], ..call };
        assert_eq!(notation(&call, &registry), r#"newfstatat(3</usr/include>, "", ...) = 0"#);
    }
}
