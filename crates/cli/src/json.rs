//! Words of JSON.

use fewer::Kind;

/// The word for a kind.
pub(crate) fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::File => "file",
        Kind::Directory => "directory",
        Kind::Symlink => "symlink",
        Kind::Fifo => "fifo",
        Kind::Socket => "socket",
        Kind::Block => "block",
        Kind::Char => "char",
        Kind::Unknown => "unknown",
    }
}
