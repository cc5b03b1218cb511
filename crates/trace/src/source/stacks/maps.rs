//! What is mapped where: the lines of /proc/PID/maps.

use std::ops::Range;

use memchr::memchr_iter;

/// A mapping of an address space.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Mapping {
    pub(super) start: u64,
    pub(super) end: u64,
    /// Whether code may run there.
    pub(super) executable: bool,
    /// Where in the file it begins.
    pub(super) offset: u64,
    /// The file's device, as the kernel has it in this table; 0 for no file.
    pub(super) device: u64,
    /// The file's inode; 0 for no file.
    pub(super) inode: u64,
    /// The file, or the kernel's name for it: `[vdso]`. Empty for anonymous memory.
    pub(super) name: Vec<u8>,
}

/// A range of so many bytes at which a process has nothing, within another range: below code, and
/// far enough from it that what grows there still can.
pub(crate) fn free_range(process: libc::pid_t, within: &Range<u64>, length: u64) -> Option<u64> {
    /// Nothing may be mapped below this.
    const LOWEST: u64 = 64 << 10;
    let table = std::fs::read(format!("/proc/{process}/maps")).ok()?;
    let mut gaps = Vec::new();
    let mut before = LOWEST;
    for mapping in parse(&table) {
        gaps.push(before..mapping.start);
        before = before.max(mapping.end);
    }
    place_in(&gaps, within, length)
}

fn place_in(gaps: &[Range<u64>], within: &Range<u64>, length: u64) -> Option<u64> {
    /// How far below the end of a gap, if that is large.
    const BELOW: u64 = 32 << 20;
    let middle = within.start + (within.end - within.start) / 2;
    let places = gaps.iter().filter_map(|gap| {
        let size = gap.end.checked_sub(gap.start).filter(|size| *size >= 4 * length)?;
        let at = (gap.end - BELOW.min(size / 2)) / length * length;
        let fits = at >= gap.start && at + length <= gap.end;
        (fits && within.contains(&at) && within.contains(&(at + length))).then_some(at)
    });
    places.min_by_key(|at| at.abs_diff(middle))
}

/// The mappings of a table, in order. A line that cannot be understood is left out.
pub(super) fn parse(table: &[u8]) -> impl Iterator<Item = Mapping> + '_ {
    table.split(|&byte| byte == b'\n').filter_map(mapping)
}

/// `55d0-55e0 r-xp 00001000 08:01 1234     /usr/bin/x`
fn mapping(line: &[u8]) -> Option<Mapping> {
    let mut rest = line;
    let mut word = || {
        let end = memchr::memchr(b' ', rest).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after.get(1..).unwrap_or_default();
        word
    };
    let (range, rights, offset, device, inode) = (word(), word(), word(), word(), word());
    let (start, end) = pair(range, b'-')?;
    let (major, minor) = pair(device, b':')?;
    let begin = rest.iter().position(|&byte| byte != b' ').unwrap_or(rest.len());
    Some(Mapping {
        start,
        end,
        executable: rights.get(2) == Some(&b'x'),
        offset: number(offset, 16)?,
        device: major << 32 | minor,
        inode: number(inode, 10)?,
        name: unescaped(&rest[begin..]),
    })
}

fn pair(word: &[u8], between: u8) -> Option<(u64, u64)> {
    let middle = memchr::memchr(between, word)?;
    Some((number(&word[..middle], 16)?, number(&word[middle + 1..], 16)?))
}

fn number(digits: &[u8], base: u32) -> Option<u64> {
    u64::from_str_radix(std::str::from_utf8(digits).ok()?, base).ok()
}

/// The kernel writes a newline in a name as `\012`, and nothing else differently.
fn unescaped(name: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(name.len());
    let mut from = 0;
    for at in memchr_iter(b'\\', name) {
        if name[at..].starts_with(b"\\012") {
            bytes.extend_from_slice(&name[from..at]);
            bytes.push(b'\n');
            from = at + 4;
        }
    }
    bytes.extend_from_slice(&name[from..]);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_as_the_kernel_writes_them() {
        let table = b"\
559a7c5c4000-559a7c5c9000 r-xp 00002000 fe:00 1835120                    /usr/bin/cat\n\
7ffd3a1f9000-7ffd3a21a000 rw-p 00000000 00:00 0                          [stack]\n\
7f0000000000-7f0000001000 rwxp 00000000 00:00 0 \n\
7f0000002000-7f0000003000 r-xp 00000000 00:1f 77                         /tmp/a b\\012c (deleted)\n\
nonsense\n";
        let found: Vec<_> = parse(table).collect();
        assert_eq!(found.len(), 4);
        assert_eq!(
            found[0],
            Mapping {
                start: 0x559a_7c5c_4000,
                end: 0x559a_7c5c_9000,
                executable: true,
                offset: 0x2000,
                device: 0xfe_0000_0000,
                inode: 1_835_120,
                name: b"/usr/bin/cat".to_vec(),
            }
        );
        assert!(!found[1].executable);
        assert_eq!(found[1].name, b"[stack]");
        assert!(found[2].executable && found[2].name.is_empty());
        assert_eq!(found[3].name, b"/tmp/a b\nc (deleted)");
        assert_eq!(found[3].device, 0x1f);
    }

    #[test]
    fn this_process_has_its_own_code_mapped() {
        let table = std::fs::read("/proc/self/maps").unwrap();
        let here = this_process_has_its_own_code_mapped as *const () as u64;
        let code = parse(&table).find(|map| (map.start..map.end).contains(&here)).unwrap();
        assert!(code.executable && code.inode != 0);
        assert_eq!(parse(&table).filter(|map| map.name == b"[vdso]").count(), 1);
    }
}
