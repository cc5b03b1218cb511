//! Names and lines: many of them as one string or one piece of bytes.

use encoding_rs::mem;
use napi::{Env, Result};

use crate::js::{self, ToJs, Value};

/// What strings are made of bytes that are not UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// None: the bytes are handed over, and JavaScript tells the strings among them apart.
    Lossless,
    /// As Node does it: U+FFFD takes the place of what is not UTF-8.
    Utf8,
    /// Each byte is a character.
    Latin1,
    /// None, and no string of bytes that are UTF-8 either.
    Bytes,
}

impl Encoding {
    /// The encoding of that name. Without a name, names come through without loss.
    pub(crate) fn named(name: Option<&str>) -> Encoding {
        match name {
            Some("utf8") => Encoding::Utf8,
            Some("latin1") => Encoding::Latin1,
            Some("buffer") => Encoding::Bytes,
            _ => Encoding::Lossless,
        }
    }
}

/// Bytes, prepared for the thread of JavaScript, which only copies them.
pub(crate) enum Text {
    /// Each byte is a character: ASCII among others.
    Latin1 {
        bytes: Vec<u8>,
        is_ascii: bool,
    },
    Utf16(Vec<u16>),
    Bytes(Vec<u8>),
}

impl Text {
    pub(crate) fn new(bytes: Vec<u8>, encoding: Encoding) -> Text {
        if encoding == Encoding::Bytes {
            return Text::Bytes(bytes);
        }
        let is_ascii = bytes.is_ascii();
        if is_ascii || encoding == Encoding::Latin1 {
            return Text::Latin1 { bytes, is_ascii };
        }
        match simdutf8::basic::from_utf8(&bytes) {
            Ok(text) => Text::of_str(text),
            Err(_) if encoding == Encoding::Utf8 => Text::of_str(&String::from_utf8_lossy(&bytes)),
            Err(_) => Text::Bytes(bytes),
        }
    }

    /// A string takes a byte or two for each character, as JavaScript keeps it.
    fn of_str(text: &str) -> Text {
        if mem::is_str_latin1(text) {
            let bytes = mem::encode_latin1_lossy(text).into_owned();
            return Text::Latin1 { bytes, is_ascii: false };
        }
        // One unit more than bytes, as the converter wants it; never more units than bytes.
        let mut units = vec![0; text.len() + 1];
        let length = mem::convert_str_to_utf16(text, &mut units);
        units.truncate(length);
        Text::Utf16(units)
    }

    /// Whether offsets into the bytes are those into the string.
    pub(crate) fn is_ascii(&self) -> bool {
        matches!(self, Text::Latin1 { is_ascii: true, .. })
    }

    pub(crate) fn value(&self, env: &Env) -> Result<Value> {
        match self {
            Text::Latin1 { bytes, .. } => js::latin1(env, bytes),
            Text::Utf16(units) => js::utf16(env, units),
            Text::Bytes(bytes) => js::buffer(env, bytes),
        }
    }
}

impl ToJs for Text {
    fn to_js(self: Box<Self>, env: &Env) -> Result<Value> {
        self.value(env)
    }
}

/// Texts one behind the other, with a NUL between them: none of them has one.
#[derive(Default)]
pub(crate) struct Joined {
    bytes: Vec<u8>,
    count: usize,
}

impl Joined {
    pub(crate) fn push(&mut self, text: &[u8]) {
        if self.count > 0 {
            self.bytes.push(0);
        }
        self.bytes.extend_from_slice(text);
        self.count += 1;
    }

    /// Makes room for so many bytes more.
    pub(crate) fn reserve(&mut self, bytes: usize) {
        self.bytes.reserve(bytes);
    }

    /// Where the next text begins.
    pub(crate) fn next_start(&self) -> usize {
        self.bytes.len() + usize::from(self.count > 0)
    }

    pub(crate) fn into_text(self, encoding: Encoding) -> Text {
        Text::new(self.bytes, encoding)
    }
}
