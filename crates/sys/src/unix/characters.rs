//! Character classes and upper and lower case, as the C library has them for UTF-8.

use std::ffi::{CStr, c_char, c_int, c_uint};
use std::sync::OnceLock;

use super::pattern::utf8_rules;

/// A class of characters (POSIX, LC_CTYPE), as `[:alpha:]` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CharacterClass(u8);

/// In the order of the numbers; those before `ascii` and `word` are the C library's own.
const NAMES: [&CStr; 14] = [
    c"alnum", c"alpha", c"blank", c"cntrl", c"digit", c"graph", c"lower", c"print", c"punct",
    c"space", c"upper", c"xdigit", c"ascii", c"word",
];
const ALNUM: u8 = 0;
const ASCII: u8 = 12;
const WORD: u8 = 13;

impl CharacterClass {
    /// The class of this name: those of POSIX, and bash's `ascii` and `word`.
    #[must_use]
    pub fn named(name: &[u8]) -> Option<CharacterClass> {
        let number = NAMES.iter().position(|it| it.to_bytes() == name)?;
        Some(CharacterClass(number as u8))
    }
}

/// What the C library has for a class: `wctype_t`.
#[cfg(target_vendor = "apple")]
type ClassHandle = u32;
#[cfg(not(target_vendor = "apple"))]
type ClassHandle = std::ffi::c_ulong;

// The libc crate has no names for these (wctype.h, POSIX).
unsafe extern "C" {
    fn wctype_l(name: *const c_char, rules: libc::locale_t) -> ClassHandle;
    fn iswctype_l(code: c_uint, class: ClassHandle, rules: libc::locale_t) -> c_int;
    fn towlower_l(code: c_uint, rules: libc::locale_t) -> c_uint;
    fn towupper_l(code: c_uint, rules: libc::locale_t) -> c_uint;
}

/// Whether the character is of the class, as in a UTF-8 locale.
///
/// Price: none; the first time the C library loads its rules, by a handful of uncounted calls.
#[must_use]
pub fn character_is(class: CharacterClass, code: u32) -> bool {
    match class.0 {
        ASCII => code < 128,
        WORD => code == u32::from(b'_') || character_is(CharacterClass(ALNUM), code),
        _ if code < 128 => ascii_is(class.0, code as u8),
        number => c_library_is(number, code),
    }
}

fn c_library_is(number: u8, code: u32) -> bool {
    static HANDLES: OnceLock<[ClassHandle; 12]> = OnceLock::new();
    let Some(rules) = utf8_rules() else { return false };
    let handles = HANDLES.get_or_init(|| {
        // SAFETY: the names end with a NUL; the rules are never freed.
        std::array::from_fn(|it| unsafe { wctype_l(NAMES[it].as_ptr(), rules.0) })
    });
    // SAFETY: the handle is one that the C library gave for these rules, which are never freed; it
    // answers for any number.
    unsafe { iswctype_l(code, handles[usize::from(number)], rules.0) != 0 }
}

fn ascii_is(number: u8, byte: u8) -> bool {
    match number {
        0 => byte.is_ascii_alphanumeric(),
        1 => byte.is_ascii_alphabetic(),
        2 => byte == b' ' || byte == b'\t',
        3 => byte.is_ascii_control(),
        4 => byte.is_ascii_digit(),
        5 => byte.is_ascii_graphic(),
        6 => byte.is_ascii_lowercase(),
        7 => byte.is_ascii_graphic() || byte == b' ',
        8 => byte.is_ascii_punctuation(),
        9 => matches!(byte, b' ' | 9..=13),
        10 => byte.is_ascii_uppercase(),
        _ => byte.is_ascii_hexdigit(),
    }
}

/// The character in lower case, itself if it has none.
///
/// Price: as [`character_is`].
#[must_use]
pub fn to_lower(code: u32) -> u32 {
    if code < 128 {
        return u32::from((code as u8).to_ascii_lowercase());
    }
    // SAFETY: the rules are never freed; any number is answered.
    utf8_rules().map_or(code, |rules| unsafe { towlower_l(code, rules.0) })
}

/// The character in upper case, itself if it has none.
///
/// Price: as [`character_is`].
#[must_use]
pub fn to_upper(code: u32) -> u32 {
    if code < 128 {
        return u32::from((code as u8).to_ascii_uppercase());
    }
    // Unicode has no single capital for it; musl takes U+1E9E.
    if code == u32::from('ß') {
        return code;
    }
    // SAFETY: the rules are never freed; any number is answered.
    utf8_rules().map_or(code, |rules| unsafe { towupper_l(code, rules.0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(name: &str, character: char) -> bool {
        CharacterClass::named(name.as_bytes()).is_some_and(|it| character_is(it, character as u32))
    }

    #[test]
    fn characters_are_of_the_classes_that_the_c_library_says() {
        assert!(is("alpha", 'a') && is("alpha", 'ä') && !is("alpha", '1'));
        assert!(is("upper", 'Ä') && !is("upper", 'ä') && is("word", '_') && !is("word", '-'));
        assert!(is("ascii", 'a') && !is("ascii", 'ä') && is("space", '\u{2003}'));
        assert_eq!(CharacterClass::named(b"letter"), None);
    }

    /// The table for ASCII is only there to be fast.
    #[test]
    fn ascii_is_answered_as_by_the_c_library() {
        for (number, name) in NAMES[..12].iter().enumerate() {
            for code in 0..128 {
                let expected = c_library_is(number as u8, u32::from(code));
                assert_eq!(ascii_is(number as u8, code), expected, "{name:?} {code}");
            }
        }
    }

    #[test]
    fn cases_are_one_character_for_one() {
        assert_eq!(to_upper('ä' as u32), 'Ä' as u32);
        assert_eq!(to_lower('Ä' as u32), 'ä' as u32);
        assert_eq!(to_upper('ß' as u32), 'ß' as u32);
        assert_eq!(to_upper(u32::from(b'a')), u32::from(b'A'));
    }
}
