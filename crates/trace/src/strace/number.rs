//! What stood in a register, from what strace writes for it: numbers, and the flags that rules look
//! at, by name. Flags that are not listed count as 0. The numbers are those of x86-64.

use super::line::digits;
use super::text::{Word, bare};

/// The value of an argument, as far as it can be known: pointers to text and structs are 0.
pub(super) fn register(word: Word<'_>) -> u64 {
    let word = bare(word);
    match word.first() {
        Some(b'-') => match digits(&word[1..]).0 {
            // An int fills half a register; a longer number says so itself.
            Some(number) if number <= 1 << 31 => u64::from((number as u32).wrapping_neg()),
            Some(number) => number.wrapping_neg(),
            None => 0,
        },
        Some(b'0'..=b'9') => plain(word),
        Some(b'A'..=b'Z' | b'_' | b'~') => named(word),
        _ => 0,
    }
}

/// `12`, `0x1f`, `0644`, `1<<3`, `8192*1024`.
fn plain(word: &[u8]) -> u64 {
    let in_radix = |text: &[u8], radix| {
        let length = text.iter().take_while(|&&byte| char::from(byte).is_digit(radix)).count();
        let text = std::str::from_utf8(&text[..length]).unwrap_or_default();
        u64::from_str_radix(text, radix).unwrap_or(0)
    };
    if let Some(hexadecimal) = word.strip_prefix(b"0x") {
        return in_radix(hexadecimal, 16);
    }
    let (number, rest) = digits(word);
    let number = number.unwrap_or(0);
    match rest {
        [b'<', b'<', shift @ ..] => {
            let shift = u32::try_from(in_radix(shift, 10)).unwrap_or(64);
            number.checked_shl(shift).unwrap_or(0)
        }
        [b'*', factor @ ..] => number.saturating_mul(in_radix(factor, 10)),
        _ if word.starts_with(b"0") => in_radix(word, 8),
        _ => number,
    }
}

/// `O_RDONLY|O_CLOEXEC`, `S_IFREG|0644`.
fn named(word: &[u8]) -> u64 {
    let one = |part: &[u8]| match part.first() {
        Some(b'0'..=b'9') => plain(part),
        _ => constant(part).unwrap_or(0),
    };
    let part_of = |part: &[u8]| {
        let end = part.iter().position(|&byte| byte == b' ').unwrap_or(part.len());
        one(&part[..end])
    };
    word.split(|&byte| byte == b'|').map(|part| part_of(part.trim_ascii())).fold(0, |a, b| a | b)
}

/// A constant by its name.
fn constant(name: &[u8]) -> Option<u64> {
    let place = CONSTANTS.binary_search_by_key(&name, |(name, _)| name.as_bytes()).ok()?;
    Some(CONSTANTS[place].1)
}

/// The number of an errno by its name. A call that a signal interrupts, and that the kernel makes
/// anew, is `EINTR` whatever the kernel calls it.
pub(super) fn errno(name: &[u8]) -> Option<i64> {
    if name.starts_with(b"ERESTART") {
        return Some(4);
    }
    sys::errno_number(name).map(i64::from)
}

/// The number of a signal by its name.
pub(super) fn signal(name: &str) -> i32 {
    let Some(name) = name.strip_prefix("SIG") else { return 0 };
    let real_time = || Some(32 + name.strip_prefix("RT_")?.parse::<i32>().ok()?.clamp(0, 32));
    sys::signal_number(name.as_bytes()).or_else(real_time).unwrap_or(0)
}

macro_rules! constants {
    ($($name:ident $value:literal,)+) => {
        /// By name, for the search.
        const CONSTANTS: &[(&str, u64)] = &[$((stringify!($name), $value),)+];
    };
}

constants! {
    AT_EACCESS 0x200, AT_EMPTY_PATH 0x1000, AT_FDCWD 0xffffff9c, AT_NO_AUTOMOUNT 0x800,
    AT_REMOVEDIR 0x200, AT_STATX_DONT_SYNC 0x4000, AT_STATX_FORCE_SYNC 0x2000,
    AT_STATX_SYNC_AS_STAT 0, AT_SYMLINK_FOLLOW 0x400, AT_SYMLINK_NOFOLLOW 0x100,
    CLONE_CHILD_CLEARTID 0x200000, CLONE_CHILD_SETTID 0x1000000, CLONE_FILES 0x400, CLONE_FS 0x200,
    CLONE_PARENT 0x8000, CLONE_PARENT_SETTID 0x100000, CLONE_PIDFD 0x1000, CLONE_SETTLS 0x80000,
    CLONE_SIGHAND 0x800, CLONE_SYSVSEM 0x40000, CLONE_THREAD 0x10000, CLONE_VFORK 0x4000,
    CLONE_VM 0x100, EFD_CLOEXEC 0x80000, EFD_NONBLOCK 0x800, EPOLL_CLOEXEC 0x80000, FD_CLOEXEC 1,
    FICLONE 0x40049409, FIOCLEX 0x5451, FIONBIO 0x5421, FIONCLEX 0x5450, FIONREAD 0x541b,
    F_ADD_SEALS 0x409, F_DUPFD 0, F_DUPFD_CLOEXEC 0x406, F_GETFD 1, F_GETFL 3, F_GETLK 5,
    F_GETOWN 9, F_GETPIPE_SZ 0x408, F_GET_SEALS 0x40a, F_OFD_GETLK 0x24, F_OFD_SETLK 0x25,
    F_OFD_SETLKW 0x26, F_OK 0, F_SETFD 2, F_SETFL 4, F_SETLK 6, F_SETLKW 7, F_SETOWN 8,
    F_SETPIPE_SZ 0x407, GRND_NONBLOCK 1, IN_CLOEXEC 0x80000, MAP_ANONYMOUS 0x20,
    MAP_DENYWRITE 0x800, MAP_FIXED 0x10, MAP_NORESERVE 0x4000, MAP_POPULATE 0x8000, MAP_PRIVATE 2,
    MAP_SHARED 1, MAP_STACK 0x20000, MFD_CLOEXEC 1, NULL 0, O_ACCMODE 3, O_APPEND 0x400,
    O_CLOEXEC 0x80000, O_CREAT 0x40, O_DIRECT 0x4000, O_DIRECTORY 0x10000, O_DSYNC 0x1000,
    O_EXCL 0x80, O_LARGEFILE 0x8000, O_NOATIME 0x40000, O_NOCTTY 0x100, O_NOFOLLOW 0x20000,
    O_NONBLOCK 0x800, O_PATH 0x200000, O_RDONLY 0, O_RDWR 2, O_SYNC 0x101000, O_TMPFILE 0x410000,
    O_TRUNC 0x200, O_WRONLY 1, POSIX_FADV_DONTNEED 4, POSIX_FADV_NOREUSE 5, POSIX_FADV_NORMAL 0,
    POSIX_FADV_RANDOM 1, POSIX_FADV_SEQUENTIAL 2, POSIX_FADV_WILLNEED 3, PROT_EXEC 4, PROT_NONE 0,
    PROT_READ 1, PROT_WRITE 2, R_OK 4, SEEK_CUR 1, SEEK_DATA 3, SEEK_END 2, SEEK_HOLE 4, SEEK_SET 0,
    SIGCHLD 0x11, SOCK_CLOEXEC 0x80000, SOCK_DGRAM 2, SOCK_NONBLOCK 0x800, SOCK_STREAM 1,
    STATX_ALL 0xfff, STATX_ATIME 0x20, STATX_BASIC_STATS 0x7ff, STATX_BLOCKS 0x400,
    STATX_BTIME 0x800, STATX_CTIME 0x80, STATX_GID 0x10, STATX_INO 0x100, STATX_MNT_ID 0x1000,
    STATX_MODE 2, STATX_MTIME 0x40, STATX_NLINK 4, STATX_SIZE 0x200, STATX_TYPE 1, STATX_UID 8,
    S_IFBLK 0x6000, S_IFCHR 0x2000, S_IFDIR 0x4000, S_IFIFO 0x1000, S_IFLNK 0xa000, S_IFREG 0x8000,
    S_IFSOCK 0xc000, S_ISGID 0x400, S_ISUID 0x800, S_ISVTX 0x200, TCGETS 0x5401, TCSETS 0x5402,
    TCSETSW 0x5403, TIOCGPGRP 0x540f, TIOCGWINSZ 0x5413, TIOCSPGRP 0x5410, W_OK 2, X_OK 1,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_in_order_and_looked_up() {
        assert!(CONSTANTS.is_sorted_by_key(|(name, _)| name));
        let is = |word: &str, value| assert_eq!(register(word.as_bytes()), value, "{word}");
        is("O_RDONLY|O_CLOEXEC|O_DIRECTORY", 0o2_200_000);
        is("AT_FDCWD</cwd>", 0xffff_ff9c);
        is("S_IFREG|0644", 0o100_644);
        is("S_IFREG|O_WHATEVER|1", 0o100_001);
        is("F_DUPFD_CLOEXEC", 1030);
        is("STATX_ALL", 0xfff);
        is("TCGETS", 0x5401);
    }

    #[test]
    fn numbers_are_as_c_has_them() {
        let is = |word: &str, value| assert_eq!(register(word.as_bytes()), value, "{word}");
        is("12", 12);
        is("3</etc/passwd>", 3);
        is("0644", 0o644);
        is("0", 0);
        is("0x7ffd18c2a930", 0x7ffd_18c2_a930);
        is("0x1 /* 5 entries */", 1);
        is("-1", 0xffff_ffff);
        is("-3000000000", (-3_000_000_000_i64).cast_unsigned());
        is("1<<3", 8);
        is("1<<300", 0);
        is("8192*1024", 8 << 20);
        is("99999999999999999999999", 0);
        for nothing in ["NULL", "\"3\"", "{st_mode=0}", "[3]", "", "-", "~[RTMIN]", "?"] {
            is(nothing, 0);
        }
    }

    #[test]
    fn signals_and_errnos_have_their_numbers() {
        let signals = ["SIGHUP", "SIGKILL", "SIGSYS", "SIGRT_2", "SIG"].map(signal);
        assert_eq!(signals, [1, 9, 31, 34, 0]);
        assert_eq!(errno(b"ENOENT"), Some(2));
        assert_eq!(errno(b"ERESTARTSYS"), Some(4));
        assert_eq!(errno(b"EOPNOTSUPP"), Some(95));
        assert_eq!(errno(b"ENOSUCH"), None);
    }
}
