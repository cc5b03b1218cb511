//! /etc/passwd and /etc/group, as glibc's `files` source reads them.
//!
//! What is a record was found out by asking glibc: blanks in front of a line and lines that start
//! with `#` do not count; a name goes up to the first colon and may be empty; numbers are those of
//! strtoul(3), with blanks and a sign in front; one that is none, that has no room in 32 bits, or
//! that something other than a colon follows makes the line void; what comes after the numbers does
//! not matter. A NUL ends a line. Of several records for an id or a name the first counts. Names
//! that start with `+` or `-` are entries for NIS, which `files` passes over.

use std::ops::Range;

use crate::compact;

/// One file with an index by id.
pub(super) struct Table {
    text: Box<[u8]>,
    fields: Fields,
    /// By id, each id once.
    ids: Box<[(u32, Range<usize>)]>,
    read: bool,
    asks_nis: bool,
}

/// The numbers that a record must have: user and group, or only the group.
type Fields = usize;

impl Table {
    pub(super) fn users(text: Vec<u8>) -> Table {
        Table::new(text, 2)
    }

    pub(super) fn groups(text: Vec<u8>) -> Table {
        Table::new(text, 1)
    }

    /// The table of a file that was not, or could not be, read.
    pub(super) fn unread() -> Table {
        Table { read: false, ..Table::new(Vec::new(), 1) }
    }

    fn new(text: Vec<u8>, fields: Fields) -> Table {
        let text = text.into_boxed_slice();
        let mut ids: Vec<_> =
            records(&text, fields).map(|record| (record.id, record.name)).collect();
        // The sort is stable, so the first of several stays the first.
        compact::sort_by_key(&mut ids, |&(id, _)| id);
        ids.dedup_by_key(|&mut (id, _)| id);
        let asks_nis = lines(&text).any(|line| matches!(text[line.start], b'+' | b'-'));
        Table { ids: ids.into(), fields, read: true, asks_nis, text }
    }

    pub(super) fn name(&self, id: u32) -> Option<&[u8]> {
        let at = self.ids.binary_search_by_key(&id, |&(id, _)| id).ok()?;
        Some(&self.text[self.ids[at].1.clone()])
    }

    pub(super) fn id(&self, name: &[u8]) -> Option<u32> {
        let mut records = records(&self.text, self.fields);
        records.find(|record| &self.text[record.name.clone()] == name).map(|record| record.id)
    }

    /// Whether the file was read.
    pub(super) fn is_read(&self) -> bool {
        self.read
    }

    /// Whether the file has entries for NIS, which the `compat` source follows.
    pub(super) fn asks_nis(&self) -> bool {
        self.asks_nis
    }
}

struct Record {
    id: u32,
    name: Range<usize>,
}

/// The lines that may be records, without blanks in front of them; never empty.
fn lines(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let start = next;
        if start >= text.len() {
            return None;
        }
        let end = text[start..].iter().position(|&byte| byte == b'\n');
        let end = end.map_or(text.len(), |length| start + length);
        next = end + 1;
        let end = text[start..end].iter().position(|&byte| byte == 0).map_or(end, |n| start + n);
        let blanks = text[start..end].iter().take_while(|byte| is_blank(byte)).count();
        Some(start + blanks..end)
    })
    .filter(|line| !line.is_empty() && text[line.start] != b'#')
}

fn records(text: &[u8], fields: Fields) -> impl Iterator<Item = Record> {
    lines(text).filter_map(move |line| {
        let name = line.start..line.start + text[line.clone()].iter().position(|&b| b == b':')?;
        if matches!(text[line.start], b'+' | b'-') {
            return None;
        }
        let mut rest = text[name.end + 1..line.end].splitn(fields + 2, |&byte| byte == b':');
        rest.next(); // the password
        let id = number(rest.next()?)?;
        let all = (1..fields).all(|_| rest.next().and_then(number).is_some());
        all.then_some(Record { id, name })
    })
}

/// isspace(3) in the C locale.
fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\x0b' | b'\x0c' | b'\r')
}

/// A field that is a number by the rules of strtoul(3). A negative one becomes a huge one.
fn number(field: &[u8]) -> Option<u32> {
    let blanks = field.iter().take_while(|byte| is_blank(byte)).count();
    let field = &field[blanks..];
    let (minus, digits) = match field.first()? {
        b'-' => (true, &field[1..]),
        b'+' => (false, &field[1..]),
        _ => (false, field),
    };
    if digits.is_empty() {
        return None;
    }
    let mut number: u64 = 0;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        number = number.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
    }
    if minus {
        number = number.wrapping_neg();
    }
    u32::try_from(number).ok()
}
