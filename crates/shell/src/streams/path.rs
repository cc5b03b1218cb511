//! A file opened by its path: what `<`, `>`, `>>`, `<>` and `>|` do.

use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::ffi::OsStrExt;
use std::rc::Rc;

use fewer::{Descriptor, Fields, Kind, Scope};
use sys::{At, Errno};

use super::open::Files;
use super::open::{Backing, Open};
use super::real::Real;
use super::table::Table;

/// How a script opens a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// `<`
    Read,
    /// `>`, and `>|`
    Write,
    /// `>` under `set -C`: a regular file must not be there.
    NoClobber,
    /// `>>`
    Append,
    /// `<>`
    ReadWrite,
}

impl How {
    fn directions(self) -> [bool; 2] {
        match self {
            How::Read => [true, false],
            How::Write | How::NoClobber | How::Append => [false, true],
            How::ReadWrite => [true, true],
        }
    }

    fn plain(self) -> sys::How {
        match self {
            How::Read => sys::How::Read,
            How::Write => sys::How::Write,
            How::NoClobber => sys::How::New,
            How::Append => sys::How::Append,
            How::ReadWrite => sys::How::ReadWrite,
        }
    }
}

impl Table {
    /// Opens the file at `path`, relative to `scope`. /dev/stdin, /dev/stdout, /dev/stderr,
    /// /dev/fd/N and /proc/self/fd/N are what this table has under those numbers, whatever the
    /// process has: opened anew as the kernel does it, or shared where nothing else is possible.
    ///
    /// Price: one `openat`; one `close` later. The path /dev/null: none. A refused `set -C` costs
    /// one `statx` more, and another `openat` if it is no regular file. What earlier writes to
    /// files left in memory is written before a file is emptied; one `statx` more where others have
    /// read ahead in a file, which may be this one.
    ///
    /// # Errors
    /// The kernel's number: `EEXIST` for a refused `set -C`, `EBADF` for a number that is not open;
    /// `EINTR` if a caught signal is pending while a FIFO is waited for.
    pub fn open(&self, scope: &Scope, path: &[u8], how: How) -> Result<Rc<Open>, Errno> {
        if path == b"/dev/null" && how != How::ReadWrite {
            return Ok(Open::new(&self.shared, Backing::Null, how.directions(), false));
        }
        if (path.starts_with(b"/dev/") || path.starts_with(b"/proc/"))
            && let Some(number) = named_number(path)
        {
            return self.open_named(number, how);
        }
        match self.shared.files.get() {
            Files::All => {}
            Files::ReadOnly if how == How::Read => {}
            Files::ReadOnly | Files::None => return Err(Errno::ACCESS),
        }
        if how == How::Write {
            self.shared.flush_files();
        }
        let file = self.shared.unless_caught(|| open_within(scope, path, how))?;
        let shows = path.starts_with(b"/dev/") || path.starts_with(b"/proc/");
        let open = self.opened(file, how, shows);
        if how == How::Write {
            self.shared.file_was_emptied(&open)?;
        }
        Ok(open)
    }

    fn opened(&self, file: Descriptor, how: How, shows: bool) -> Rc<Open> {
        let backing = Backing::Real(Real::Own(Rc::new(file)));
        Open::new(&self.shared, backing, how.directions(), shows)
    }

    fn open_named(&self, number: u32, how: How) -> Result<Rc<Open>, Errno> {
        let open = self.get(number).ok_or(Errno::BADF)?;
        let Some(real) = open.real_already() else {
            return Ok(open);
        };
        self.shared.flush_all();
        open.put_back()?;
        let path = format!("/proc/self/fd/{}", real.as_fd().as_raw_fd());
        match open_within(&Scope::start(), path.as_bytes(), how) {
            Ok(file) => Ok(self.opened(file, how, true)),
            // A socket cannot be opened anew, and without /proc nothing can.
            Err(Errno::NXIO | Errno::NOENT) => Ok(open),
            Err(errno) => Err(errno),
        }
    }
}

/// The number that a path in /dev, or in this process's own part of /proc, stands for.
pub(crate) fn named_number(path: &[u8]) -> Option<u32> {
    match path {
        b"/dev/stdin" => Some(0),
        b"/dev/stdout" => Some(1),
        b"/dev/stderr" => Some(2),
        _ => {
            let digits = path.strip_prefix(b"/dev/fd/").or_else(|| own_descriptors(path))?;
            let plain = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
            std::str::from_utf8(digits).ok().filter(|_| plain)?.parse().ok()
        }
    }
}

/// What follows /proc/self/fd/, or the same with the process's number.
fn own_descriptors(path: &[u8]) -> Option<&[u8]> {
    let path = path.strip_prefix(b"/proc/")?;
    let slash = memchr::memchr(b'/', path)?;
    let (who, rest) = path.split_at(slash);
    let number = || std::str::from_utf8(who).ok()?.parse().ok();
    let own = matches!(who, b"self" | b"thread-self")
        || number().is_some_and(|number: i32| number == sys::own_number());
    rest.strip_prefix(b"/fd/").filter(|_| own)
}

fn open_within(scope: &Scope, path: &[u8], how: How) -> Result<Descriptor, Errno> {
    let open = |how| fewer_open(scope, path, how);
    match open(how.plain()) {
        // A device, a FIFO: not what the option is there to protect.
        Err(Errno::EXIST) if how == How::NoClobber => {
            let name = std::ffi::OsStr::from_bytes(path);
            let found = scope.stat_target(name, Fields::KIND).map_err(|error| error.errno());
            match found.map(|stat| stat.kind()) {
                Ok(Kind::File) | Err(_) => Err(Errno::EXIST),
                Ok(_) => open(sys::How::Existing),
            }
        }
        done => done,
    }
}

fn fewer_open(scope: &Scope, path: &[u8], how: sys::How) -> Result<Descriptor, Errno> {
    let at: At<'_> = scope.as_fd();
    let name = std::ffi::CString::new(path).map_err(|_| Errno::NOENT)?;
    sys::open_how(at, &name, how)
}
