//! Columns in Arrow's layout.

use std::ffi::{CStr, c_void};

/// The memory of a column.
pub(crate) enum Buffer {
    /// None: no value is null.
    Absent,
    Bytes(Vec<u8>),
    Words32(Vec<u32>),
    Offsets32(Vec<i32>),
    Words64(Vec<u64>),
    Signed64(Vec<i64>),
}

impl Buffer {
    pub(super) fn pointer(&self) -> *const c_void {
        match self {
            Buffer::Absent => std::ptr::null(),
            Buffer::Bytes(values) => values.as_ptr().cast(),
            Buffer::Words32(values) => values.as_ptr().cast(),
            Buffer::Offsets32(values) => values.as_ptr().cast(),
            Buffer::Words64(values) => values.as_ptr().cast(),
            Buffer::Signed64(values) => values.as_ptr().cast(),
        }
    }
}

/// The type of a column.
#[derive(Clone)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    /// In Arrow's letters.
    pub(crate) format: &'static CStr,
    pub(crate) nullable: bool,
    /// Whether its values are numbers of words in a dictionary.
    pub(crate) has_words: bool,
}

impl Field {
    pub(crate) fn new(name: &'static str, format: &'static CStr) -> Field {
        Field { name, format, nullable: false, has_words: false }
    }

    pub(crate) fn nullable(self) -> Field {
        Field { nullable: true, ..self }
    }

    /// A column of few different words.
    pub(crate) fn word(name: &'static str) -> Field {
        Field { has_words: true, ..Field::new(name, c"C") }
    }
}

/// The values of a column.
pub(crate) struct Column {
    pub(super) length: usize,
    pub(super) nulls: usize,
    pub(super) buffers: Vec<Buffer>,
    pub(super) words: Option<Box<Column>>,
}

/// Rows.
pub(crate) struct Table {
    pub(crate) length: usize,
    pub(crate) columns: Vec<Column>,
}

impl Column {
    /// Numbers, none of them null.
    pub(crate) fn numbers(length: usize, buffer: Buffer) -> Column {
        Column { length, nulls: 0, buffers: vec![Buffer::Absent, buffer], words: None }
    }

    /// Indices of words.
    pub(crate) fn words(indices: Vec<u8>, words: &[&str]) -> Column {
        let mut dictionary = Strings::default();
        words.iter().for_each(|word| dictionary.push(Some(word.as_bytes())));
        let words = Some(Box::new(dictionary.small()));
        Column { words, ..Column::numbers(indices.len(), Buffer::Bytes(indices)) }
    }

    /// Strings or bytes one behind the other, with offsets of 64 bits.
    pub(crate) fn large(offsets: Vec<i64>, bytes: Vec<u8>) -> Column {
        let length = offsets.len() - 1;
        let buffers = vec![Buffer::Absent, Buffer::Signed64(offsets), Buffer::Bytes(bytes)];
        Column { length, nulls: 0, buffers, words: None }
    }

    /// Numbers; `None` is null.
    pub(crate) fn optional(values: impl ExactSizeIterator<Item = Option<i64>>) -> Column {
        let mut nulls = Nulls::default();
        let values: Vec<i64> = values
            .map(|value| {
                nulls.push(value.is_some());
                value.unwrap_or_default()
            })
            .collect();
        let length = values.len();
        let (validity, count) = nulls.finish();
        let buffers = vec![validity, Buffer::Signed64(values)];
        Column { length, nulls: count, buffers, words: None }
    }
}

/// Which values are not null, a bit each.
#[derive(Default)]
struct Nulls {
    bits: Vec<u8>,
    length: usize,
    nulls: usize,
}

impl Nulls {
    fn push(&mut self, there: bool) {
        if self.length.is_multiple_of(8) {
            self.bits.push(0);
        }
        self.bits[self.length / 8] |= u8::from(there) << (self.length % 8);
        self.length += 1;
        self.nulls += usize::from(!there);
    }

    fn finish(self) -> (Buffer, usize) {
        match self.nulls {
            0 => (Buffer::Absent, 0),
            nulls => (Buffer::Bytes(self.bits), nulls),
        }
    }
}

/// A column of strings or bytes that is being filled.
pub(crate) struct Strings {
    offsets: Vec<i64>,
    bytes: Vec<u8>,
    nulls: Nulls,
}

impl Default for Strings {
    fn default() -> Strings {
        Strings { offsets: vec![0], bytes: Vec::new(), nulls: Nulls::default() }
    }
}

impl Strings {
    pub(crate) fn push(&mut self, value: Option<&[u8]>) {
        self.bytes.extend_from_slice(value.unwrap_or_default());
        self.offsets.push(self.bytes.len() as i64);
        self.nulls.push(value.is_some());
    }

    /// With offsets of 64 bits.
    pub(crate) fn finish(self) -> Column {
        let column = Column::large(self.offsets, self.bytes);
        self.nulls.into_column(column)
    }

    /// With offsets of 32 bits, for a few words.
    fn small(self) -> Column {
        let length = self.offsets.len() - 1;
        let offsets = self.offsets.iter().map(|offset| *offset as i32).collect();
        let buffers = vec![Buffer::Absent, Buffer::Offsets32(offsets), Buffer::Bytes(self.bytes)];
        Column { length, nulls: 0, buffers, words: None }
    }
}

impl Nulls {
    fn into_column(self, mut column: Column) -> Column {
        let (validity, nulls) = self.finish();
        column.buffers[0] = validity;
        Column { nulls, ..column }
    }
}

/// Names or paths: a column of strings, with nulls where one is not UTF-8, and a column of bytes
/// that has only those. So nothing is lost, and nothing is there twice.
#[derive(Default)]
pub(crate) struct Names {
    strings: Strings,
    bytes: Strings,
}

impl Names {
    pub(crate) fn push(&mut self, name: &[u8]) {
        let text = simdutf8::basic::from_utf8(name).is_ok();
        self.strings.push(text.then_some(name));
        self.bytes.push((!text).then_some(name));
    }

    pub(crate) fn finish(self) -> [Column; 2] {
        [self.strings.finish(), self.bytes.finish()]
    }
}
