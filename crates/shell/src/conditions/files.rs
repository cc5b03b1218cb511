//! Questions about files, one call each.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use fewer::Access;
use fewer::{Fields, Kind, Scope, Stat};

/// Two files, compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// `-nt`
    Newer,
    /// `-ot`
    Older,
    /// `-ef`: the same file.
    Same,
}

/// Answers `test -f path` and its like, by the letter. Links are followed but by `h` and `L`;
/// what is not there, or cannot be stat, is false.
///
/// Price: one `statx`, or one `faccessat2` for `r`, `w` and `x`; `O` and `G` also need the user and
/// the group of this process.
pub fn file_test(scope: &Scope, letter: u8, path: &[u8]) -> bool {
    if path.is_empty() || path.contains(&0) {
        return false;
    }
    let path = Path::new(OsStr::from_bytes(path));
    let stat = |fields| scope.stat_target(path, fields).ok();
    let kind = |wanted: Kind| stat(Fields::KIND).is_some_and(|stat| stat.kind() == wanted);
    let bit =
        |bit: u16| stat(Fields::PERMISSIONS).is_some_and(|stat| stat.permissions() & bit != 0);
    match letter {
        b'a' | b'e' => stat(Fields::KIND).is_some(),
        b'f' => kind(Kind::File),
        b'd' => kind(Kind::Directory),
        b'b' => kind(Kind::Block),
        b'c' => kind(Kind::Char),
        b'p' => kind(Kind::Fifo),
        b'S' => kind(Kind::Socket),
        b'h' | b'L' => {
            scope.stat(path, Fields::KIND).is_ok_and(|stat| stat.kind() == Kind::Symlink)
        }
        b's' => stat(Fields::SIZE).is_some_and(|stat| stat.size() > 0),
        b'u' => bit(0o4000),
        b'g' => bit(0o2000),
        b'k' => bit(0o1000),
        b'r' => scope.may_use(path, Access::Read).is_ok(),
        b'w' => scope.may_use(path, Access::Write).is_ok(),
        b'x' => scope.may_use(path, Access::Execute).is_ok(),
        b'O' => stat(Fields::OWNER).is_some_and(|it| it.user() == sys::effective_owner().0),
        b'G' => stat(Fields::OWNER).is_some_and(|it| it.group() == sys::effective_owner().1),
        b'N' => stat(Fields::MODIFIED | Fields::ACCESSED)
            .is_some_and(|stat| stat.modified() > stat.accessed()),
        _ => false,
    }
}

/// Answers `-nt`, `-ot` and `-ef`. A file that is not there is older than any that is, but for
/// dash, where `both` have to be there.
///
/// Price: one or two `statx`.
pub fn compare(scope: &Scope, left: &[u8], how: Difference, right: &[u8], both: bool) -> bool {
    let fields = match how {
        Difference::Same => Fields::INODE,
        Difference::Newer | Difference::Older => Fields::MODIFIED,
    };
    let ask = |path: &[u8]| -> Option<Stat> {
        if path.is_empty() || path.contains(&0) {
            return None;
        }
        scope.stat_target(Path::new(OsStr::from_bytes(path)), fields).ok()
    };
    match (how, ask(left), ask(right)) {
        (Difference::Same, Some(a), Some(b)) => a.inode() == b.inode() && a.device() == b.device(),
        (Difference::Newer, Some(a), Some(b)) => a.modified() > b.modified(),
        (Difference::Older, Some(a), Some(b)) => a.modified() < b.modified(),
        (Difference::Newer, Some(_), None) | (Difference::Older, None, Some(_)) => !both,
        _ => false,
    }
}
