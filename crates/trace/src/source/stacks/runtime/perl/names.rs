//! What perl's functions, packages and files are called.

use crate::Location;
use crate::source::memory;

/// No name is longer.
const LONGEST: usize = 1 << 12;

/// In a value (`SV`): its body, and what a body has no room for: a package's table.
const BODY: u64 = 0;
const TABLE: u64 = 16;

/// In the body of a function (`XPVCV`): its package; its variable or name; its flags.
const FUNCTION_PACKAGE: u64 = 32;
pub(super) const FUNCTION_NAMED_BY: u64 = 56;
const FUNCTION_FLAGS: u64 = 92;
/// A flag: it has a name instead of a variable.
const HAS_NAME: u32 = 0x8000;
/// A flag: its name is known in a block alone.
const IS_LEXICAL: u32 = 0x1_0000;

/// In the body of a variable (`XPVGV`): its name, its package.
const VARIABLE_NAME: u64 = 32;
const VARIABLE_PACKAGE: u64 = 40;

/// In the body of a package (`XPVHV`): the greatest index of its table; what only packages have.
const PACKAGE_LAST: u64 = 24;
const PACKAGE_MORE: u64 = 32;
/// In what only packages have: how many names there are, or 0 for one that stands here.
const NAMES: u64 = 28;

/// In a name (`HEK`): its length, its characters. A byte behind them and a NUL has flags.
const LENGTH: u64 = 4;
const CHARACTERS: u64 = 8;

/// In a statement (`COP`): where what is needed begins and how long it is; in that the line and
/// the file, as a text (with threads) or a variable named after it.
pub(super) mod statement {
    pub(in super::super) const BEGIN: u64 = 32;
    pub(in super::super) const SIZE: usize = 32;
    pub(in super::super) const LINE: usize = 4;
    pub(in super::super) const FILE: usize = 16;
}

/// What is called a function though it is none.
pub(super) const FILE_LEVEL: &str = "main";
pub(super) const TEXT: &str = "(eval)";
pub(super) const FILE: &str = "require";

/// What the file of a text that is evaluated is called begins so.
pub(super) const TEXT_FILE: &str = "(eval ";

fn word(process: libc::pid_t, at: u64) -> Option<u64> {
    memory::array(process, at).map(u64::from_ne_bytes)
}

fn number(process: libc::pid_t, at: u64) -> Option<u32> {
    memory::array(process, at).map(u32::from_ne_bytes)
}

/// The characters of a name. Without a flag each byte is one.
fn name(process: libc::pid_t, at: u64) -> Option<String> {
    let length = usize::try_from(number(process, at.checked_add(LENGTH)?)?).ok()?;
    if at == 0 || length > LONGEST {
        return None;
    }
    let mut bytes = Vec::new();
    memory::ranges(process, &[(at.checked_add(CHARACTERS)?, length + 2)], &mut bytes);
    let (text, flags) = bytes.split_at_checked(length)?;
    match flags {
        [0, flags] if flags & 1 == 0 => Some(text.iter().copied().map(char::from).collect()),
        [0, _] => Some(String::from_utf8_lossy(text).into_owned()),
        _ => None,
    }
}

/// The name of a package.
pub(super) fn package(process: libc::pid_t, package: u64, is_inside: bool) -> Option<String> {
    let body = word(process, package.checked_add(BODY)?)?;
    let more = if is_inside {
        body.checked_add(PACKAGE_MORE)?
    } else {
        let last = word(process, body.checked_add(PACKAGE_LAST)?)?;
        let table = word(process, package.checked_add(TABLE)?)?;
        table.checked_add(last.checked_add(1)?.checked_mul(8)?)?
    };
    let first = word(process, more)?;
    match number(process, more.checked_add(NAMES)?)? {
        0 => name(process, first),
        _ => name(process, word(process, first)?),
    }
}

/// The name of a function, by its body: `Package::name`.
pub(super) fn function(process: libc::pid_t, body: u64, is_inside: bool) -> Option<String> {
    let flags = number(process, body.checked_add(FUNCTION_FLAGS)?)?;
    let by = word(process, body.checked_add(FUNCTION_NAMED_BY)?)?;
    let (of, own) = match (by, flags & HAS_NAME) {
        (0, _) => return Some("(unknown)".to_owned()),
        (by, 0) => {
            let variable = word(process, by.checked_add(BODY)?)?;
            let of = word(process, variable.checked_add(VARIABLE_PACKAGE)?)?;
            (of, name(process, word(process, variable.checked_add(VARIABLE_NAME)?)?)?)
        }
        _ => (word(process, body.checked_add(FUNCTION_PACKAGE)?)?, name(process, by)?),
    };
    if flags & IS_LEXICAL != 0 {
        return Some(own);
    }
    // A package that was removed has no name.
    let of = package(process, of, is_inside).unwrap_or_else(|| "__ANON__".to_owned());
    Some(format!("{of}::{own}"))
}

/// File and line of a statement, by a copy of what it needs. Its file is a text, or a variable.
pub(super) fn position(process: libc::pid_t, is_text: bool, copy: &[u8]) -> Option<Location> {
    let field = |at: usize| Some(u64::from_ne_bytes(copy.get(at..at + 8)?.try_into().ok()?));
    let line = copy.get(statement::LINE..statement::LINE + 4)?;
    let line = u32::from_ne_bytes(line.try_into().ok()?);
    let at = field(statement::FILE)?;
    let file = if is_text {
        let mut block = Vec::new();
        String::from_utf8_lossy(memory::text(process, at, &mut block)?).into_owned()
    } else {
        let variable = word(process, at.checked_add(BODY)?)?;
        let name = name(process, word(process, variable.checked_add(VARIABLE_NAME)?)?)?;
        name.strip_prefix("_<")?.to_owned()
    };
    Some(Location { function: String::new(), file, line })
}
