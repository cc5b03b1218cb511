//! The kernel's number for what went wrong.

use std::fmt;
use std::io;

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
                pub const $name: Errno = Errno(libc::$code);
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
    NODATA ENODATA
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
    TOOBIG E2BIG
    XDEV EXDEV
    XFULL EXFULL
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
        error.raw_os_error().map(Errno)
    }
}

impl fmt::Display for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = io::Error::from(*self).to_string();
        f.write_str(text.rsplit_once(" (os error").map_or(&*text, |(words, _)| words))
    }
}

impl std::error::Error for Errno {}

impl From<Errno> for io::Error {
    fn from(errno: Errno) -> io::Error {
        io::Error::from_raw_os_error(errno.0)
    }
}

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
        assert_eq!(Errno::from_io_error(&Errno::ACCESS.into()), Some(Errno::ACCESS));
    }
}
