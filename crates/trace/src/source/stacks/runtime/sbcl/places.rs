//! Which form the instructions of a function come from: the table of places that SBCL's debugger
//! looks at (`dump-1-location` in `src/compiler/debug-dump.lisp`).

use super::layout::Heap;
use super::objects::{self, integer, skip_text};

/// The places in a function.
#[derive(Debug)]
pub(super) struct Places {
    /// The table, as an object; if it is none, its bytes.
    pub(super) table: u64,
    pub(super) bytes: Vec<u8>,
    pub(super) alive: Alive,
    /// Whether they are in blocks that say how many places are in them.
    pub(super) has_blocks: bool,
    /// Whether each says the number of its outermost form: the function is of several.
    pub(super) has_top: bool,
}

/// In how many bytes a place says which variables are alive.
#[derive(Clone, Copy, Debug)]
pub(super) enum Alive {
    Bytes(usize),
    /// In so many that the table ends where it should.
    Unknown,
}

/// A place in code: where it begins, and the numbers of the outermost form and of its form.
type Located = (u64, Option<u64>, u64);

impl Places {
    /// The place that an instruction belongs to; the number of the outermost form only if it is
    /// said there. All places lie in so many bytes of code.
    pub(super) fn find(&self, heap: &mut Heap, at: u64, size: u64) -> Option<Located> {
        let unpacked = if self.bytes.is_empty() { objects::table(heap, self.table) } else { None };
        let table = unpacked.as_deref().unwrap_or(&self.bytes);
        let places = match self.alive {
            Alive::Bytes(alive) => self.all(table, alive, size)?,
            Alive::Unknown => (1..32).find_map(|alive| self.all(table, alive, size))?,
        };
        places.into_iter().rfind(|place| place.0 <= at)
    }

    /// All places; `None` if the table does not end with one.
    fn all(&self, table: &[u8], alive: usize, size: u64) -> Option<Vec<Located>> {
        let (mut bytes, mut places) = (table.iter().copied().peekable(), Vec::new());
        let mut place = Reader { bytes: &mut bytes, alive, size, at: 0, form: 0 };
        while place.bytes.peek().is_some() {
            let mut count = 1;
            if self.has_blocks {
                // Which blocks follow; whether it is out of the way is the lowest bit.
                for _ in 0..integer(place.bytes)? >> 1 {
                    integer(place.bytes)?;
                }
                count = integer(place.bytes)?;
            }
            for _ in 0..count {
                places.push(place.next(self.has_top)?);
            }
        }
        Some(places)
    }
}

/// Reads one place behind the other.
struct Reader<'b, B: Iterator<Item = u8>> {
    bytes: &'b mut B,
    alive: usize,
    size: u64,
    at: u64,
    form: u64,
}

/// What is said of a place: the lowest three bits of a byte are its kind.
const STEPPING: u8 = 8;
const CONTEXT: u8 = 16;
const LIVE: u8 = 32;
const ZERO_FORM: u8 = 64;
const EQUAL_LIVE: u8 = 128;

impl<B: Iterator<Item = u8>> Reader<'_, B> {
    fn next(&mut self, has_top: bool) -> Option<Located> {
        let flags = self.bytes.next()?;
        let is = |flag: u8| flags & flag != 0;
        self.at = self.at.checked_add(integer(self.bytes)?).filter(|at| *at < self.size)?;
        let top = if has_top { Some(integer(self.bytes)?) } else { None };
        let form = match (is(ZERO_FORM), is(EQUAL_LIVE) && is(LIVE)) {
            (true, _) => 0,
            (false, true) => self.form,
            (false, false) => {
                self.form = integer(self.bytes)?;
                self.form
            }
        };
        if is(LIVE) && !is(EQUAL_LIVE) && self.alive > 0 {
            self.bytes.nth(self.alive - 1)?;
        }
        if is(STEPPING) {
            skip_text(self.bytes)?;
        }
        if is(CONTEXT) {
            integer(self.bytes)?;
        }
        Some((self.at, top, form))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where an instruction is, by a table: the numbers of the outermost form and of its form.
    fn find(table: &[u8], at: u64, places: Places) -> Option<(Option<u64>, u64)> {
        let alive = match places.alive {
            Alive::Bytes(alive) => alive..alive + 1,
            Alive::Unknown => 1..32,
        };
        let found = alive.into_iter().find_map(|alive| places.all(table, alive, 300))?;
        found.into_iter().rfind(|place| place.0 <= at).map(|place| (place.1, place.2))
    }

    const UNKNOWN: Places = Places {
        table: 0,
        bytes: Vec::new(),
        alive: Alive::Unknown,
        has_blocks: false,
        has_top: false,
    };

    /// A table that SBCL 2.2.9 made, and what its own debugger says of it.
    #[test]
    fn places_as_sbcl_itself_has_them() {
        let table =
            [103, 61, 1, 133, 22, 9, 166, 5, 133, 26, 10, 166, 5, 133, 30, 11, 166, 7, 196, 83];
        let expected = [(60, None), (61, Some(0)), (83, Some(9)), (113, Some(9)), (114, Some(10))];
        for (at, found) in expected.into_iter().chain([(155, Some(11)), (239, Some(0))]) {
            let found = found.map(|form| (None, form));
            assert_eq!(find(&table, at, UNKNOWN), found, "{at}");
        }
        assert_eq!(find(&[7, 0x80, 2, 4, 5, 11, 5], 266, UNKNOWN), Some((None, 4)));
        let several = Places { has_top: true, ..UNKNOWN };
        let table = [7, 0x80, 2, 6, 4, 5, 11, 7, 5];
        assert_eq!(find(&table, 267, several), Some((Some(7), 5)));
    }

    /// The same of SBCL 2.6.4, whose blocks say what follows them.
    #[test]
    fn places_in_blocks() {
        let table = [2, 1, 3, 103, 51, 1, 133, 27, 2, 166, 11, 0, 1, 196, 4];
        let places = || Places { has_blocks: true, alive: Alive::Bytes(1), ..UNKNOWN };
        for (at, form) in [(50, None), (51, Some(0)), (78, Some(2)), (92, Some(2)), (93, Some(0))] {
            assert_eq!(find(&table, at, places()), form.map(|form| (None, form)), "{at}");
        }
        assert_eq!(find(&table[..table.len() - 1], 60, places()), None);
    }
}
