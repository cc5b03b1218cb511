//! What kind of thing an entry is, and the names of the kinds.

use std::fmt;
use std::str::FromStr;

/// The kind of an entry: what it is.
///
/// Each kind has one name, which is what [`Display`](fmt::Display) writes and what JSON, C, Python
/// and Lisp call it: `unknown`, `file`, `directory`, `symlink`, `fifo`, `socket`, `block`, `char`.
/// [`FromStr`] takes these names, the letters of find's `-type` (`f d l p s b c`), and `dir`,
/// `link`, `pipe`, `block-device` and `char-device`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// The file system did not say, and asking failed or was not worth a call.
    Unknown,
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// A named pipe.
    Fifo,
    /// A socket.
    Socket,
    /// A block device.
    Block,
    /// A character device.
    Char,
}

/// Of each kind, at the place of its number, the name and what else it may be called.
const NAMES: [&[&str]; 8] = [
    &["unknown"],
    &["file", "f"],
    &["directory", "d", "dir"],
    &["symlink", "l", "link"],
    &["fifo", "p", "pipe"],
    &["socket", "s"],
    &["block", "b", "block-device"],
    &["char", "c", "char-device"],
];

impl Kind {
    /// All of them, each at the place of its number.
    pub const ALL: [Kind; 8] = [
        Kind::Unknown,
        Kind::File,
        Kind::Directory,
        Kind::Symlink,
        Kind::Fifo,
        Kind::Socket,
        Kind::Block,
        Kind::Char,
    ];

    /// The name of the kind: `directory`. Free.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES[self as usize][0]
    }

    /// From `d_type` of a directory entry: the type bits of the mode, shifted down by 12.
    #[inline]
    pub(crate) fn from_dirent(d_type: u8) -> Kind {
        match d_type {
            1 => Kind::Fifo,
            2 => Kind::Char,
            4 => Kind::Directory,
            6 => Kind::Block,
            8 => Kind::File,
            10 => Kind::Symlink,
            12 => Kind::Socket,
            _ => Kind::Unknown,
        }
    }

    /// The type bits of a mode; 0 if the kind is unknown.
    #[cfg(any(windows, target_os = "macos", test, feature = "fuzzing", feature = "stores"))]
    pub(crate) fn type_bits(self) -> u16 {
        const D_TYPES: [u16; 8] = [0, 8, 4, 10, 1, 12, 6, 2];
        D_TYPES[self as usize] << 12
    }

    /// Whether it is a directory. Free.
    #[inline]
    #[must_use]
    pub fn is_dir(self) -> bool {
        self == Kind::Directory
    }

    /// Whether it is a regular file. Free.
    #[inline]
    #[must_use]
    pub fn is_file(self) -> bool {
        self == Kind::File
    }

    /// Whether it is a symbolic link. Free.
    #[inline]
    #[must_use]
    pub fn is_symlink(self) -> bool {
        self == Kind::Symlink
    }
}

/// Methods that return a part of a value, as a table: a row for each, with its documentation.
#[macro_export]
macro_rules! getters {
    ($(
        $(#[$($attribute:tt)*])*
        $name:ident: $type:ty = |$it:ident| $value:expr;
    )*) => {$(
        $(#[$($attribute)*])*
        #[inline]
        #[must_use]
        pub fn $name(&self) -> $type {
            let $it = self;
            $value
        }
    )*};
}

/// Methods of a type that has a `kind()`: whether it is a directory, a file or a link. The literal
/// ends the first sentence of their documentation.
#[macro_export]
macro_rules! kind_questions {
    ($more:literal) => {
        #[doc = concat!("Whether it is a directory", $more)]
        #[inline]
        #[must_use]
        pub fn is_dir(&self) -> bool {
            self.kind().is_dir()
        }

        #[doc = concat!("Whether it is a regular file", $more)]
        #[inline]
        #[must_use]
        pub fn is_file(&self) -> bool {
            self.kind().is_file()
        }

        #[doc = concat!("Whether it is a symbolic link", $more)]
        #[inline]
        #[must_use]
        pub fn is_symlink(&self) -> bool {
            self.kind().is_symlink()
        }
    };
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that is not the name of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownKind;

impl fmt::Display for UnknownKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "kinds are f, d, l, p, s, b, c, or file, directory, symlink, fifo, socket, block, \
             char, unknown",
        )
    }
}

impl std::error::Error for UnknownKind {}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(word: &str) -> Result<Kind, UnknownKind> {
        let kind = Kind::ALL.into_iter().find(|kind| NAMES[*kind as usize].contains(&word));
        kind.ok_or(UnknownKind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_found_by_each_of_its_names_and_no_other() {
        for (number, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
            assert_eq!(Kind::from_dirent((kind.type_bits() >> 12) as u8), kind);
            for name in NAMES[number] {
                assert_eq!(name.parse(), Ok(kind));
            }
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        for word in ["", "F", "files", "Directory", " file"] {
            assert_eq!(word.parse::<Kind>(), Err(UnknownKind), "{word:?}");
        }
    }
}
