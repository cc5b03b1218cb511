//! The kernel's number for what went wrong.

use std::fmt;
use std::io;

#[cfg(unix)]
use libc as numbers;

#[cfg(windows)]
use crate::windows_formats::errors::{from_win32, numbers, to_win32};

/// The kernel's number for what went wrong (errno), as it is: `Errno::NOENT` is `ENOENT`.
///
/// The numbers that have a constant here are those that this library looks at. Any other is kept
/// and handed on as well. [`Display`](fmt::Display) writes the C library's words for it: "No such
/// file or directory".
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Errno(i32);

macro_rules! errnos {
    ($($name:ident $code:ident)*) => {
        impl Errno {
            $(
                #[doc = concat!("`", stringify!($code), "`")]
                pub const $name: Errno = Errno(numbers::$code);
            )*
        }

        impl fmt::Debug for Errno {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match *self {
                    $(Errno::$name => f.write_str(stringify!($code)),)*
                    Errno(number) => write!(f, "Errno({number})"),
                }
            }
        }
    };
}

errnos! {
    ACCESS EACCES
    AGAIN EAGAIN
    BADF EBADF
    BADMSG EBADMSG
    BUSY EBUSY
    CANCELED ECANCELED
    CHILD ECHILD
    EXIST EEXIST
    FBIG EFBIG
    ILSEQ EILSEQ
    INTR EINTR
    INVAL EINVAL
    IO EIO
    ISDIR EISDIR
    LOOP ELOOP
    MFILE EMFILE
    NAMETOOLONG ENAMETOOLONG
    NFILE ENFILE
    NOENT ENOENT
    NOEXEC ENOEXEC
    NOMEM ENOMEM
    NOSPC ENOSPC
    NOSYS ENOSYS
    NOTDIR ENOTDIR
    NOTEMPTY ENOTEMPTY
    NOTRECOVERABLE ENOTRECOVERABLE
    NOTSOCK ENOTSOCK
    NXIO ENXIO
    OPNOTSUPP EOPNOTSUPP
    OVERFLOW EOVERFLOW
    PERM EPERM
    PIPE EPIPE
    RANGE ERANGE
    ROFS EROFS
    SRCH ESRCH
    STALE ESTALE
    TOOBIG E2BIG
    XDEV EXDEV
}

/// Numbers that not every system has.
#[cfg(any(target_os = "linux", windows))]
impl Errno {
    /// `ENODATA`
    pub const NODATA: Errno = Errno(numbers::ENODATA);
    /// `EXFULL`
    pub const XFULL: Errno = Errno(numbers::EXFULL);
}

impl Errno {
    /// The error of that number.
    #[inline]
    #[must_use]
    pub const fn from_raw_os_error(number: i32) -> Errno {
        Errno(number)
    }

    /// The number.
    #[inline]
    #[must_use]
    pub const fn raw_os_error(self) -> i32 {
        self.0
    }

    /// The number in an error of the standard library, if there is one.
    #[must_use]
    pub fn from_io_error(error: &io::Error) -> Option<Errno> {
        #[cfg(windows)]
        return match error.raw_os_error() {
            Some(code) => Some(Errno(from_win32(code.cast_unsigned()))),
            None => error.get_ref()?.downcast_ref().copied(),
        };
        #[cfg(not(windows))]
        error.raw_os_error().map(Errno)
    }
}

#[cfg(windows)]
impl fmt::Display for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match numbers::words(self.0) {
            Some(words) => f.write_str(words),
            None => write!(f, "Unknown error {}", self.0),
        }
    }
}

#[cfg(not(windows))]
impl fmt::Display for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[cfg(target_env = "musl")]
        if let Some(words) = words_of_glibc(*self) {
            return f.write_str(words);
        }
        let text = io::Error::from(*self).to_string();
        f.write_str(text.rsplit_once(" (os error").map_or(&*text, |(words, _)| words))
    }
}

/// What glibc says where musl says something else: messages are the same in static programs.
#[cfg(any(target_env = "musl", all(test, target_os = "linux")))]
fn words_of_glibc(errno: Errno) -> Option<&'static str> {
    Some(match errno.0 {
        libc::EIO => "Input/output error",
        libc::ECHILD => "No child processes",
        libc::ENOMEM => "Cannot allocate memory",
        libc::EBUSY => "Device or resource busy",
        libc::EXDEV => "Invalid cross-device link",
        libc::EMFILE => "Too many open files",
        libc::ENOTTY => "Inappropriate ioctl for device",
        libc::ESPIPE => "Illegal seek",
        libc::EDOM => "Numerical argument out of domain",
        libc::ERANGE => "Numerical result out of range",
        libc::EDEADLK => "Resource deadlock avoided",
        libc::ENAMETOOLONG => "File name too long",
        libc::ELOOP => "Too many levels of symbolic links",
        libc::EXFULL => "Exchange full",
        libc::ETIME => "Timer expired",
        libc::EREMOTE => "Object is remote",
        libc::EOVERFLOW => "Value too large for defined data type",
        libc::ELIBBAD => "Accessing a corrupted shared library",
        libc::EILSEQ => "Invalid or incomplete multibyte or wide character",
        libc::EUSERS => "Too many users",
        libc::ENOTSOCK => "Socket operation on non-socket",
        libc::EOPNOTSUPP => "Operation not supported",
        libc::ENOTCONN => "Transport endpoint is not connected",
        libc::ETIMEDOUT => "Connection timed out",
        libc::EHOSTUNREACH => "No route to host",
        libc::EUCLEAN => "Structure needs cleaning",
        libc::EREMOTEIO => "Remote I/O error",
        libc::EDQUOT => "Disk quota exceeded",
        _ => return None,
    })
}

impl std::error::Error for Errno {}

impl From<Errno> for io::Error {
    /// On Windows it has the system's own number, where that has one for it.
    fn from(errno: Errno) -> io::Error {
        #[cfg(windows)]
        return match to_win32(errno.0) {
            Some(code) => io::Error::from_raw_os_error(code.cast_signed()),
            None => io::Error::other(errno),
        };
        #[cfg(not(windows))]
        io::Error::from_raw_os_error(errno.0)
    }
}

#[cfg(not(windows))]
impl From<rustix::io::Errno> for Errno {
    #[inline]
    fn from(errno: rustix::io::Errno) -> Errno {
        Errno(errno.raw_os_error())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_its_name_and_its_words() {
        assert_eq!(
            format!("{:?} {}", Errno::NOENT, Errno::NOENT),
            "ENOENT No such file or directory"
        );
        assert_eq!(format!("{:?}", Errno::from_raw_os_error(9999)), "Errno(9999)");
        let words = (1..134).map(Errno::from_raw_os_error).filter_map(words_of_glibc);
        let shown =
            (1..134).map(Errno::from_raw_os_error).filter(|it| words_of_glibc(*it).is_some());
        assert!(words.eq(shown.map(|errno| errno.to_string())), "the words of glibc, or of musl");
        assert_eq!(Errno::from_io_error(&Errno::ACCESS.into()), Some(Errno::ACCESS));
    }
}
