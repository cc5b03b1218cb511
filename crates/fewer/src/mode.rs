//! Kind and permissions as ls(1) and find(1) write them.

use sys::Kind;

/// The letter of a kind in the first column of `ls -l`: `-`, `d`, `l`, …; `?` if it is unknown.
/// Free.
#[must_use]
pub fn kind_letter(kind: Kind) -> u8 {
    match kind {
        Kind::File => b'-',
        Kind::Directory => b'd',
        Kind::Symlink => b'l',
        Kind::Fifo => b'p',
        Kind::Socket => b's',
        Kind::Block => b'b',
        Kind::Char => b'c',
        Kind::Unknown => b'?',
    }
}

/// The first ten columns of `ls -l`: `drwxr-xr-x`. Free.
#[must_use]
pub fn mode_text(kind: Kind, mode: u16) -> [u8; 10] {
    let mut text = *b"----------";
    text[0] = kind_letter(kind);
    for (place, sign) in b"rwxrwxrwx".iter().enumerate() {
        if mode & 0o400 >> place != 0 {
            text[place + 1] = *sign;
        }
    }
    for (bit, place, sign) in [(0o4000, 3, b's'), (0o2000, 6, b's'), (0o1000, 9, b't')] {
        if mode & bit != 0 {
            text[place] = if text[place] == b'x' { sign } else { sign.to_ascii_uppercase() };
        }
    }
    text
}
