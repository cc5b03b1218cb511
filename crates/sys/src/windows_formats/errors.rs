//! The library's numbers of errors on Windows, for what the system says: the numbers of the C
//! library there (<errno.h>), with the words of Linux.

/// The numbers that have a name in the library.
#[allow(missing_docs, reason = "their names are those of POSIX")]
pub(crate) mod numbers {
    macro_rules! numbers {
        ($($name:ident $number:literal $words:literal)*) => {
            $(pub(crate) const $name: i32 = $number;)*

            /// Each with the number on Linux.
            #[cfg(all(test, target_os = "linux"))]
            pub(crate) const ON_LINUX: &[(i32, i32)] = &[$(($name, libc::$name)),*];

            /// What the C library of Linux says of it.
            pub(crate) fn words(number: i32) -> Option<&'static str> {
                match number {
                    $($number => Some($words),)*
                    _ => None,
                }
            }
        };
    }

    numbers! {
        EPERM 1 "Operation not permitted"
        ENOENT 2 "No such file or directory"
        ESRCH 3 "No such process"
        EINTR 4 "Interrupted system call"
        EIO 5 "Input/output error"
        E2BIG 7 "Argument list too long"
        ENXIO 6 "No such device or address"
        ENOEXEC 8 "Exec format error"
        EBADF 9 "Bad file descriptor"
        ECHILD 10 "No child processes"
        EAGAIN 11 "Resource temporarily unavailable"
        ENOMEM 12 "Cannot allocate memory"
        EACCES 13 "Permission denied"
        EBUSY 16 "Device or resource busy"
        EEXIST 17 "File exists"
        EXDEV 18 "Invalid cross-device link"
        ENOTDIR 20 "Not a directory"
        EISDIR 21 "Is a directory"
        EINVAL 22 "Invalid argument"
        ENFILE 23 "Too many open files in system"
        EMFILE 24 "Too many open files"
        EFBIG 27 "File too large"
        ENOSPC 28 "No space left on device"
        EROFS 30 "Read-only file system"
        EMLINK 31 "Too many links"
        EPIPE 32 "Broken pipe"
        ERANGE 34 "Numerical result out of range"
        ENAMETOOLONG 38 "File name too long"
        ENOSYS 40 "Function not implemented"
        ENOTEMPTY 41 "Directory not empty"
        EILSEQ 42 "Invalid or incomplete multibyte or wide character"
        EBADMSG 104 "Bad message"
        ECANCELED 105 "Operation canceled"
        ELOOP 114 "Too many levels of symbolic links"
        ENODATA 120 "No data available"
        ENOTRECOVERABLE 127 "State not recoverable"
        ENOTSOCK 128 "Socket operation on non-socket"
        EOPNOTSUPP 130 "Operation not supported"
        EOVERFLOW 132 "Value too large for defined data type"
        // What <errno.h> lacks: the first has the number of sockets (WSAESTALE), the second
        // one that is free.
        ESTALE 10070 "Stale file handle"
        EXFULL 10999 "Exchange full"
    }
}

use numbers::*;

/// Pairs of a number of Win32 (winerror.h) and the library's. Of several that mean the same the
/// first is what the standard library is told.
const WIN32: &[(u32, i32)] = &[
    (2, ENOENT), // FILE_NOT_FOUND
    (3, ENOENT), // PATH_NOT_FOUND
    (4, EMFILE), // TOO_MANY_OPEN_FILES
    (5, EACCES), // ACCESS_DENIED
    (6, EBADF),  // INVALID_HANDLE
    (8, ENOMEM), // NOT_ENOUGH_MEMORY
    (14, ENOMEM),
    (15, ENOENT),   // INVALID_DRIVE
    (16, EACCES),   // CURRENT_DIRECTORY
    (17, EXDEV),    // NOT_SAME_DEVICE
    (19, EROFS),    // WRITE_PROTECT
    (21, ENXIO),    // NOT_READY
    (23, EIO),      // CRC
    (193, ENOEXEC), // BAD_EXE_FORMAT
    (170, EBUSY),   // BUSY
    (32, EBUSY),    // SHARING_VIOLATION
    (33, EBUSY),    // LOCK_VIOLATION
    (112, ENOSPC),
    (39, ENOSPC),     // HANDLE_DISK_FULL
    (50, EOPNOTSUPP), // NOT_SUPPORTED
    (53, ENOENT),     // BAD_NETPATH
    (65, EACCES),     // NETWORK_ACCESS_DENIED
    (67, ENOENT),     // BAD_NET_NAME
    (183, EEXIST),    // ALREADY_EXISTS
    (80, EEXIST),     // FILE_EXISTS
    (82, EACCES),     // CANNOT_MAKE
    (87, EINVAL),     // INVALID_PARAMETER
    (1, EINVAL),      // INVALID_FUNCTION
    (131, EINVAL),    // NEGATIVE_SEEK
    (232, EPIPE),     // NO_DATA
    (109, EPIPE),     // BROKEN_PIPE
    (233, EPIPE),     // PIPE_NOT_CONNECTED
    (206, ENAMETOOLONG),
    (111, ENAMETOOLONG),
    (123, ENOENT),    // INVALID_NAME
    (145, ENOTEMPTY), // DIR_NOT_EMPTY
    (161, ENOENT),    // BAD_PATHNAME
    (223, EFBIG),     // FILE_TOO_LARGE
    (267, ENOTDIR),   // DIRECTORY
    (303, ENOENT),    // DELETE_PENDING
    (681, ELOOP),     // STOPPED_ON_SYMLINK
    (995, ECANCELED), // OPERATION_ABORTED
    (1113, EILSEQ),   // NO_UNICODE_TRANSLATION
    (1117, EIO),      // IO_DEVICE
    (1142, EMLINK),   // TOO_MANY_LINKS
    (1314, EPERM),    // PRIVILEGE_NOT_HELD
    (1450, ENOMEM),   // NO_SYSTEM_RESOURCES
    (1455, ENOMEM),   // COMMITMENT_LIMIT
    (1920, EACCES),   // CANT_ACCESS_FILE
    (1921, ELOOP),    // CANT_RESOLVE_FILENAME
    (4390, EINVAL),   // NOT_A_REPARSE_POINT
    (4392, EINVAL),   // INVALID_REPARSE_DATA
];

/// The library's number for one of Win32; what has none is an error of input and output.
pub(crate) fn from_win32(code: u32) -> i32 {
    WIN32.iter().find(|pair| pair.0 == code).map_or(EIO, |pair| pair.1)
}

/// A number of Win32 for one of the library.
pub(crate) fn to_win32(number: i32) -> Option<u32> {
    WIN32.iter().find(|pair| pair.1 == number).map(|pair| pair.0)
}

/// The library's number for a status of the kernel (ntstatus.h), for which Win32 says too little;
/// `None` for one that Win32 has a number for.
pub(crate) fn from_status(status: i32) -> Option<i32> {
    Some(match status.cast_unsigned() {
        0xc000_00ba => EISDIR,       // FILE_IS_A_DIRECTORY
        0xc000_0056 => ENOENT,       // DELETE_PENDING
        0xc000_0123 => ENOENT,       // FILE_DELETED
        0xc000_0033 => ENOENT,       // OBJECT_NAME_INVALID
        0xc000_0106 => ENAMETOOLONG, // NAME_TOO_LONG
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_goes_to_win32_and_back() {
        for (code, number) in WIN32 {
            assert_eq!(from_win32(*code), *number);
            assert_eq!(to_win32(*number).map(from_win32), Some(*number));
            assert!(numbers::words(*number).is_some());
        }
        assert_eq!(from_win32(99_999), EIO);
        assert_eq!(to_win32(ENOENT), Some(2));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_words_are_those_of_linux() {
        assert!(numbers::ON_LINUX.contains(&(114, libc::ELOOP)));
        for (number, linux) in numbers::ON_LINUX {
            let words = crate::Errno::from_raw_os_error(*linux).to_string();
            assert_eq!(numbers::words(*number), Some(words.as_str()));
        }
    }
}
