//! What the kernel's headers call the numbers of errors and of signals: the same on all machines
//! that Linux's generic headers are for, x86-64 and aarch64 among them.

/// Errors from 1 on (asm-generic/errno-base.h, errno.h); an empty name where there is none.
const ERRNOS: [&str; 133] = [
    "EPERM", "ENOENT", "ESRCH", "EINTR", "EIO", "ENXIO", "E2BIG", "ENOEXEC", "EBADF", "ECHILD",
    "EAGAIN", "ENOMEM", "EACCES", "EFAULT", "ENOTBLK", "EBUSY", "EEXIST", "EXDEV", "ENODEV",
    "ENOTDIR", "EISDIR", "EINVAL", "ENFILE", "EMFILE", "ENOTTY", "ETXTBSY", "EFBIG", "ENOSPC",
    "ESPIPE", "EROFS", "EMLINK", "EPIPE", "EDOM", "ERANGE", "EDEADLK", "ENAMETOOLONG", "ENOLCK",
    "ENOSYS", "ENOTEMPTY", "ELOOP", "", "ENOMSG", "EIDRM", "ECHRNG", "EL2NSYNC", "EL3HLT",
    "EL3RST", "ELNRNG", "EUNATCH", "ENOCSI", "EL2HLT", "EBADE", "EBADR", "EXFULL", "ENOANO",
    "EBADRQC", "EBADSLT", "", "EBFONT", "ENOSTR", "ENODATA", "ETIME", "ENOSR", "ENONET", "ENOPKG",
    "EREMOTE", "ENOLINK", "EADV", "ESRMNT", "ECOMM", "EPROTO", "EMULTIHOP", "EDOTDOT", "EBADMSG",
    "EOVERFLOW", "ENOTUNIQ", "EBADFD", "EREMCHG", "ELIBACC", "ELIBBAD", "ELIBSCN", "ELIBMAX",
    "ELIBEXEC", "EILSEQ", "ERESTART", "ESTRPIPE", "EUSERS", "ENOTSOCK", "EDESTADDRREQ", "EMSGSIZE",
    "EPROTOTYPE", "ENOPROTOOPT", "EPROTONOSUPPORT", "ESOCKTNOSUPPORT", "EOPNOTSUPP",
    "EPFNOSUPPORT", "EAFNOSUPPORT", "EADDRINUSE", "EADDRNOTAVAIL", "ENETDOWN", "ENETUNREACH",
    "ENETRESET", "ECONNABORTED", "ECONNRESET", "ENOBUFS", "EISCONN", "ENOTCONN", "ESHUTDOWN",
    "ETOOMANYREFS", "ETIMEDOUT", "ECONNREFUSED", "EHOSTDOWN", "EHOSTUNREACH", "EALREADY",
    "EINPROGRESS", "ESTALE", "EUCLEAN", "ENOTNAM", "ENAVAIL", "EISNAM", "EREMOTEIO", "EDQUOT",
    "ENOMEDIUM", "EMEDIUMTYPE", "ECANCELED", "ENOKEY", "EKEYEXPIRED", "EKEYREVOKED",
    "EKEYREJECTED", "EOWNERDEAD", "ENOTRECOVERABLE", "ERFKILL", "EHWPOISON",
];

/// Signals from 1 on that have names of their own (asm-generic/signal.h), without SIG.
const SIGNALS: [&str; 31] = [
    "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
    "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
    "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
];

/// The name of an error: `ENOENT` for 2. Free.
#[must_use]
pub fn errno_name(number: i32) -> Option<&'static str> {
    name(&ERRNOS, number)
}

/// The number of an error by its name: 2 for `ENOENT`. Free.
#[must_use]
pub fn errno_number(name: &[u8]) -> Option<i32> {
    number(&ERRNOS, name)
}

/// The name of a signal without SIG: `TERM` for 15. The real-time signals, from 32 on, have none.
/// Free.
#[must_use]
pub fn signal_name(number: i32) -> Option<&'static str> {
    name(&SIGNALS, number)
}

/// The number of a signal by its name without SIG: 15 for `TERM`. Free.
#[must_use]
pub fn signal_number(name: &[u8]) -> Option<i32> {
    number(&SIGNALS, name)
}

fn name(names: &'static [&'static str], number: i32) -> Option<&'static str> {
    let place = usize::try_from(number).ok()?.checked_sub(1)?;
    names.get(place).copied().filter(|name| !name.is_empty())
}

fn number(names: &[&str], name: &[u8]) -> Option<i32> {
    let place = names.iter().position(|known| known.as_bytes() == name && !name.is_empty())?;
    i32::try_from(place + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_are_those_of_the_c_library() {
        for (number, name) in [
            (libc::EPERM, "EPERM"),
            (libc::ELOOP, "ELOOP"),
            (libc::ENOMSG, "ENOMSG"),
            (libc::EBFONT, "EBFONT"),
            (libc::EOPNOTSUPP, "EOPNOTSUPP"),
            (libc::ETIMEDOUT, "ETIMEDOUT"),
            (libc::EHWPOISON, "EHWPOISON"),
        ] {
            assert_eq!(errno_name(number), Some(name));
            assert_eq!(errno_number(name.as_bytes()), Some(number));
        }
        for (number, name) in
            [(libc::SIGHUP, "HUP"), (libc::SIGKILL, "KILL"), (libc::SIGSYS, "SYS")]
        {
            assert_eq!(signal_name(number), Some(name));
            assert_eq!(signal_number(name.as_bytes()), Some(number));
        }
    }

    #[test]
    fn what_has_no_name_has_none() {
        for number in [-1, 0, 41, 58, 134, i32::MAX] {
            assert_eq!(errno_name(number), None, "{number}");
        }
        assert_eq!((errno_number(b"ENOSUCH"), errno_number(b"")), (None, None));
        assert_eq!((signal_name(32), signal_number(b"SIGHUP")), (None, None));
    }
}
