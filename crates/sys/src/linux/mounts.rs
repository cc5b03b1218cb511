//! The mount table in one read.

use crate::Errno;
use crate::unix::{CWD, read_all};

/// One mount, as this process sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount {
    /// Absolute path of the mount point, from the root directory of this process.
    pub point: Vec<u8>,
    /// The file system that is mounted there, by its device number as text.
    pub device: Vec<u8>,
    /// The directory of that file system that is mounted, from its top.
    pub root: Vec<u8>,
}

/// A table of more than this is refused (about 300,000 mounts).
const LIMIT_BYTES: usize = 64 << 20;

/// All mounts that this process can see, in the order of the kernel's table; later ones cover
/// earlier ones at the same point.
///
/// Price: one `openat`, one `close`, and a `read` per 4 KiB and one for the end.
///
/// # Errors
/// The kernel's number: `ENOENT` where /proc is not mounted.
#[doc(alias = "openat")]
pub fn mount_table() -> Result<Vec<Mount>, Errno> {
    Ok(parse(&read_all(CWD, c"/proc/self/mountinfo", LIMIT_BYTES)?))
}

/// The third, fourth and fifth field of each line are device, root and mount point
/// (proc_pid_mountinfo(5)). Lines that do not have them are skipped.
fn parse(table: &[u8]) -> Vec<Mount> {
    let mount = |line: &[u8]| {
        let mut fields = line.split(|&byte| byte == b' ').skip(2);
        let (device, root, point) = (fields.next()?, fields.next()?, fields.next()?);
        Some(Mount { point: unescape(point), device: device.to_vec(), root: unescape(root) })
    };
    table.split(|&byte| byte == b'\n').filter_map(mount).collect()
}

/// Space, tab, newline and backslash stand as a backslash and three octal digits.
fn unescape(mut field: &[u8]) -> Vec<u8> {
    let mut path = Vec::with_capacity(field.len());
    while let [first, rest @ ..] = field {
        let escaped = match field {
            [b'\\', a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', ..] => {
                Some((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'))
            }
            _ => None,
        };
        path.push(escaped.unwrap_or(*first));
        field = if escaped.is_some() { &field[4..] } else { rest };
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fifth_field_is_the_point_with_its_escapes_undone() {
        let table = b"22 27 0:21 / /proc rw,relatime - proc proc rw\n\
            36 35 98:0 /a\\040b /m\\040n\\134t\\012 rw,noatime master:1 - ext3 /dev/root rw\n\
            a short line\n";
        let mount = |device: &[u8], root: &[u8], point: &[u8]| {
            let [device, root, point] = [device, root, point].map(<[u8]>::to_vec);
            Mount { point, device, root }
        };
        let second = mount(b"98:0", b"/a b", b"/m n\\t\n");
        assert_eq!(parse(table), [mount(b"0:21", b"/", b"/proc"), second]);
    }

    #[test]
    fn a_backslash_without_three_octal_digits_stays() {
        assert_eq!(unescape(b"/a\\04"), b"/a\\04");
        assert_eq!(unescape(b"\\999\\"), b"\\999\\");
    }

    #[test]
    fn the_table_of_this_machine_holds_proc() {
        assert!(mount_table().unwrap().iter().any(|mount| mount.point == b"/proc"));
    }
}
