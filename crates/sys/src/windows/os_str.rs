//! Names and paths of the standard library as bytes: WTF-8, which they are inside.

use std::ffi::{OsStr, OsString};

use crate::windows_formats::wide::is_wtf8;

/// What stands for bytes that are no name: with a NUL in it, which no file has in its name.
const NO_NAME: &str = "\0";

/// An [`OsStr`] as bytes, and bytes as one: the same trait on every system.
pub trait OsStrExt {
    /// The name that these bytes are; one that no file can have (`EINVAL`) if they are no WTF-8.
    /// Free.
    fn from_bytes(bytes: &[u8]) -> &Self;

    /// The bytes of the name. Free.
    fn as_bytes(&self) -> &[u8];
}

impl OsStrExt for OsStr {
    fn from_bytes(bytes: &[u8]) -> &OsStr {
        if !is_wtf8(bytes) {
            return OsStr::new(NO_NAME);
        }
        // SAFETY: the standard library keeps names in WTF-8 on this system (its module `wtf8`),
        // and the bytes are WTF-8, in which the two of a pair never stand apart.
        unsafe { OsStr::from_encoded_bytes_unchecked(bytes) }
    }

    fn as_bytes(&self) -> &[u8] {
        self.as_encoded_bytes()
    }
}

/// An [`OsString`] as bytes, and bytes as one: the same trait on every system.
pub trait OsStringExt {
    /// As [`OsStrExt::from_bytes`].
    fn from_vec(bytes: Vec<u8>) -> Self;

    /// The bytes of the name. Free.
    fn into_vec(self) -> Vec<u8>;
}

impl OsStringExt for OsString {
    fn from_vec(bytes: Vec<u8>) -> OsString {
        if !is_wtf8(&bytes) {
            return OsString::from(NO_NAME);
        }
        // SAFETY: as in `from_bytes`.
        unsafe { OsString::from_encoded_bytes_unchecked(bytes) }
    }

    fn into_vec(self) -> Vec<u8> {
        self.into_encoded_bytes()
    }
}
