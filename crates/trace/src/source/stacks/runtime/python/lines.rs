//! From an instruction to its line, by a code object's table.

/// How such a table is written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum LineTable {
    /// Up to 3.9, `co_lnotab`: increments of the place and of the line.
    Increments,
    /// 3.10: the length of a range, and the increment of the line.
    Ranges,
    /// Since 3.11.
    Entries,
}

impl LineTable {
    /// The line of an instruction: 0 if it has none, `None` if the table does not know it. `first`
    /// is the function's first line. Also how many bytes of the table say so.
    pub(super) fn line(self, table: &[u8], first: i64, unit: u64) -> Option<(i64, usize)> {
        match self {
            LineTable::Increments => Some(by_increments(table, first, unit)),
            LineTable::Ranges => in_ranges(table, first, unit),
            LineTable::Entries => in_entries(table, first, unit),
        }
    }
}

/// `Objects/lnotab_notes.txt` of 3.9. Each pair: bytes of code, and the increment of the line
/// behind them, with a sign. An instruction has two bytes.
fn by_increments(table: &[u8], first: i64, unit: u64) -> (i64, usize) {
    let (mut line, mut place, mut needed) = (first, 0, 0);
    for pair in table.chunks_exact(2) {
        place += u64::from(pair[0]);
        needed += 2;
        if place > 2 * unit {
            break;
        }
        line += i64::from(pair[1].cast_signed());
    }
    (line, needed)
}

/// `Objects/lnotab_notes.txt` of 3.10. Each pair: the bytes of code of a range, and the increment
/// of the line before it; -128 says that the range has no line.
fn in_ranges(table: &[u8], first: i64, unit: u64) -> Option<(i64, usize)> {
    const NONE: i8 = -128;
    let (mut line, mut end, mut needed) = (first, 0, 0);
    for pair in table.chunks_exact(2) {
        needed += 2;
        let increment = pair[1].cast_signed();
        end += u64::from(pair[0]);
        line += if increment == NONE { 0 } else { i64::from(increment) };
        if end > 2 * unit {
            return Some((if increment == NONE { 0 } else { line }, needed));
        }
    }
    None
}

/// The line of an instruction, by a code object's table of places (`Objects/locations.md`): each
/// entry begins with a byte that has its highest bit set, a kind in four bits, and the number of
/// instructions less one in three.
fn in_entries(table: &[u8], first: i64, unit: u64) -> Option<(i64, usize)> {
    let (mut line, mut covered, mut rest) = (first, 0, table);
    while let Some((&head, after)) = rest.split_first() {
        if head & 0x80 == 0 {
            return None;
        }
        let end = after.iter().position(|byte| byte & 0x80 != 0).unwrap_or(after.len());
        let (entry, next) = after.split_at(end);
        let kind = head >> 3 & 15;
        line += match kind {
            0..=9 | 15 => 0,
            10..=12 => i64::from(kind - 10),
            _ => signed(entry)?,
        };
        covered += u64::from(head & 7) + 1;
        if unit < covered {
            let needed = table.len() - next.len();
            return Some((if kind == 15 { 0 } else { line }, needed));
        }
        rest = next;
    }
    None
}

/// Six bits at a time, the lowest first; the lowest bit of all is the sign.
fn signed(entry: &[u8]) -> Option<i64> {
    let mut number = 0u64;
    for (place, byte) in entry.iter().enumerate().take(6) {
        number |= u64::from(byte & 0x3f) << (6 * place);
        if byte & 0x40 == 0 {
            let size = i64::try_from(number >> 1).ok()?;
            return Some(if number & 1 == 0 { size } else { -size });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn lines_as_python_itself_has_them() {
        let script = r#"
import sys
text = "def f(a,\n      b=(1,\n  2)):\n" + "\n" * 300 + "  for x in a:\n    g(x,\n      b)\n" + \
    "\n" * 70 + "  try:\n    return [y for y in\n  a]\n  finally:\n    with a as b: del b\n"
space = {}
exec(compile(text, "t", "exec"), space)
code = space["f"].__code__
lines = hasattr(code, "co_lines")
print((code.co_linetable if lines else code.co_lnotab).hex(), code.co_firstlineno,
      sys.version_info[1])
if lines:
    for start, end, line in code.co_lines():
        for unit in range(start // 2, end // 2):
            print(unit, line or 0)
else:
    import dis
    starts = dict(dis.findlinestarts(code))
    line = 0
    for unit in range(len(code.co_code) // 2):
        line = starts.get(2 * unit, line)
        print(unit, line)
"#;
        let mut asked = 0;
        let minors = ["", ".8", ".9", ".10", ".11", ".12", ".13", ".14"];
        for python in minors.map(|minor| format!("python3{minor}")) {
            let output = Command::new(&python).args(["-c", script]).output();
            let Some(output) = output.ok().filter(|output| output.status.success()) else {
                continue;
            };
            let output = String::from_utf8(output.stdout).unwrap();
            let mut lines = output.lines();
            let words: Vec<&str> = lines.next().unwrap().split(' ').collect();
            let [table, first, minor] = words[..] else { panic!("{words:?}") };
            let format = match minor.parse().unwrap() {
                ..10 => LineTable::Increments,
                10 => LineTable::Ranges,
                11u32.. => LineTable::Entries,
            };
            let pair = |at: usize| u8::from_str_radix(&table[at..at + 2], 16).unwrap();
            let first = first.parse().unwrap();
            let table: Vec<u8> = (0..table.len()).step_by(2).map(pair).collect();
            for expected in lines {
                let (unit, expected) = expected.split_once(' ').unwrap();
                let (unit, expected): (u64, i64) =
                    (unit.parse().unwrap(), expected.parse().unwrap());
                let (found, needed) = format.line(&table, first, unit).unwrap();
                assert_eq!(found, expected, "{python}, unit {unit}");
                // What lies behind does not matter, unless there was nothing.
                if needed < table.len() {
                    let changed = [&table[..needed], &[0xaa; 300]].concat();
                    assert_eq!(format.line(&changed, first, unit), Some((found, needed)));
                }
                asked += 1;
            }
            assert_eq!(format.line(&table, 1, 100_000).is_some(), format == LineTable::Increments);
        }
        assert!(asked > 100);
    }

    #[test]
    fn a_damaged_table_has_no_lines() {
        for table in [&b""[..], b"\x00", b"\x7f\x80", b"\xf0", b"\xf0\x7f\x7f\x7f\x7f\x7f\x7f\x7f"]
        {
            assert_eq!(in_entries(table, 1, 3), None);
        }
    }
}
