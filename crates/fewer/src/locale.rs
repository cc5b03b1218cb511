//! The locale that the environment names.

use sys::OsStringExt;

/// The name of the locale for a category (`LC_CTYPE`, `LC_TIME`, …), as the C library looks for it:
/// the first of `LC_ALL`, the category and `LANG` that `variable` has a value for which is not
/// empty. `None` is the POSIX locale.
///
/// Price: none.
pub fn locale<'n, V: AsRef<[u8]>>(
    category: &'n [u8],
    mut variable: impl FnMut(&'n [u8]) -> Option<V>,
) -> Option<V> {
    let mut set = |name| variable(name).filter(|value| !value.as_ref().is_empty());
    set(b"LC_ALL").or_else(|| set(category)).or_else(|| set(b"LANG"))
}

/// [`locale`] by this process's environment.
///
/// Price: none.
#[must_use]
pub fn own_locale(category: &str) -> Option<Vec<u8>> {
    let variable = |name: &[u8]| {
        let name = std::str::from_utf8(name).ok()?;
        std::env::var_os(name).map(OsStringExt::into_vec)
    };
    locale(category.as_bytes(), variable)
}

/// Whether the characters of a locale are UTF-8: `C.UTF-8`, `de_DE.utf8@euro`. Free.
#[must_use]
pub fn is_utf8(locale: &[u8]) -> bool {
    let charset = locale.split(|byte| *byte == b'.').nth(1).unwrap_or_default();
    let charset = charset.split(|byte| *byte == b'@').next().unwrap_or_default();
    charset.eq_ignore_ascii_case(b"UTF-8") || charset.eq_ignore_ascii_case(b"utf8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_with_a_value_counts() {
        let set = |values: [&'static str; 3]| {
            let names: [&[u8]; 3] = [b"LC_ALL", b"LC_TIME", b"LANG"];
            locale(b"LC_TIME", move |name| {
                names.iter().position(|known| *known == name).map(|place| values[place])
            })
        };
        assert_eq!(set(["", "", ""]), None);
        assert_eq!(set(["", "", "de"]), Some("de"));
        assert_eq!(set(["", "C", "de"]), Some("C"));
        assert_eq!(set(["fr", "C", "de"]), Some("fr"));
    }

    #[test]
    fn the_character_set_stands_behind_a_dot() {
        for name in ["C.UTF-8", "de_DE.utf8", "en_US.Utf-8@euro"] {
            assert!(is_utf8(name.as_bytes()), "{name}");
        }
        for name in ["", "C", "utf8", "de_DE@utf8", "de_DE.ISO-8859-1"] {
            assert!(!is_utf8(name.as_bytes()), "{name}");
        }
    }
}
