//! Finds out which lines are ASCII and UTF-8, a block at a time while it is in cache.
//!
//! A block is checked as a whole first, which is enough for most texts. Its lines are checked one
//! by one only if the block fails.

use simdutf8::compat::from_utf8;

use super::batch::{Batch, Table};
use super::options::Check;

/// What is known about the beginning of a line that continues in the next block.
#[derive(Debug)]
pub(super) struct Checker {
    ascii: bool,
    /// UTF-8 up to the beginning of a character that may be cut off.
    utf8: bool,
    /// How many bytes of that character are there: 0 to 3.
    cut_off: usize,
}

impl Default for Checker {
    fn default() -> Checker {
        Checker { ascii: true, utf8: true, cut_off: 0 }
    }
}

impl Checker {
    /// Checks the bytes from `new` on, and sets the flags of the lines of the table, the first of
    /// which begins where `bytes` do. Returns the index of the first line that is known not to be
    /// UTF-8.
    pub(super) fn block(
        &mut self,
        bytes: &[u8],
        new: usize,
        check: Check,
        table: &mut Table,
    ) -> Option<usize> {
        if check == Check::Nothing {
            return None;
        }
        if self.ascii && bytes[new..].is_ascii() {
            table.flags.iter_mut().for_each(|flags| *flags |= Batch::ASCII | Batch::UTF8);
            return None;
        }
        if check == Check::Ascii {
            each(bytes, table, |line| if line.is_ascii() { BOTH } else { 0 });
            self.ascii = table.len() > 0 && bytes[table.bytes()..].is_ascii();
            return None;
        }
        if self.utf8 && self.goes_on(&bytes[new - self.cut_off..]) {
            each(bytes, table, |line| if line.is_ascii() { BOTH } else { Batch::UTF8 });
            let rest = &bytes[table.bytes()..];
            self.ascii = rest.is_empty() || (table.len() > 0 && rest.is_ascii());
            return None;
        }
        self.line_by_line(bytes, table)
    }

    /// Whether the bytes are UTF-8 except for a character that is cut off at the end, which is
    /// noted.
    fn goes_on(&mut self, bytes: &[u8]) -> bool {
        self.cut_off = match from_utf8(bytes) {
            Ok(_) => 0,
            Err(error) if error.error_len().is_none() => bytes.len() - error.valid_up_to(),
            Err(_) => return false,
        };
        true
    }

    fn line_by_line(&mut self, bytes: &[u8], table: &mut Table) -> Option<usize> {
        each(bytes, table, |line| match line {
            _ if line.is_ascii() => BOTH,
            _ if from_utf8(line).is_ok() => Batch::UTF8,
            _ => 0,
        });
        let rest = &bytes[table.bytes()..];
        (self.cut_off, self.utf8, self.ascii) = (0, false, false);
        // A line that is known to be invalid is not searched again before it ends.
        if table.len() > 0 {
            self.utf8 = self.goes_on(rest);
            self.ascii = rest.is_ascii();
        }
        table.flags.iter().position(|flags| flags & Batch::UTF8 == 0)
    }

    /// Whether the last line, without a line end, passes the check.
    pub(super) fn rest(&self, check: Check) -> bool {
        matches!(check, Check::Nothing | Check::Ascii) || (self.utf8 && self.cut_off == 0)
    }

    /// The flags of that line.
    pub(super) fn rest_flags(&self, check: Check) -> u8 {
        match check {
            Check::Nothing => 0,
            _ if self.ascii => BOTH,
            Check::Ascii => 0,
            Check::Utf8 | Check::Strict if self.rest(check) => Batch::UTF8,
            Check::Utf8 | Check::Strict => 0,
        }
    }
}

const BOTH: u8 = Batch::ASCII | Batch::UTF8;

/// Adds to the flags of each line those that `find` returns for it, its end included.
fn each(bytes: &[u8], table: &mut Table, find: impl Fn(&[u8]) -> u8) {
    let mut start = 0;
    for (end, flags) in table.ends.iter().zip(&mut table.flags) {
        *flags |= find(&bytes[start..*end as usize]);
        start = *end as usize;
    }
}
