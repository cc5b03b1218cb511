//! `file:///path` as a path argument: the path that it names.
//!
//! Source: RFC 8089.

use std::ffi::OsString;
use std::path::Path;

use sys::{OsStrExt, OsStringExt};

const SCHEME: &[u8] = b"file://";

/// The path that an argument names: that of a URL, or the argument itself.
///
/// # Errors
/// Why the URL names no path of this machine.
pub(super) fn to_path(argument: OsString) -> Result<OsString, String> {
    let bytes = argument.as_bytes();
    let is_url = bytes.get(..SCHEME.len()).is_some_and(|it| it.eq_ignore_ascii_case(SCHEME));
    if !is_url {
        return Ok(argument);
    }
    let rest = &bytes[SCHEME.len()..];
    let slash = rest.iter().position(|&byte| byte == b'/').unwrap_or(rest.len());
    let (host, path) = rest.split_at(slash);
    if !host.is_empty() && !host.eq_ignore_ascii_case(b"localhost") {
        let host = String::from_utf8_lossy(host);
        return Err(format!("'{host}' is another machine; a file is at file:///PATH"));
    }
    if path.is_empty() {
        return Err("no path follows; a file is at file:///PATH".to_owned());
    }
    let path = decoded(path)?;
    Ok(OsString::from_vec(without_slash_before_drive(path)))
}

/// `%XX` is a byte, and all else is as it is.
fn decoded(text: &[u8]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&first, behind)) = rest.split_first() {
        rest = behind;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let shown = || String::from_utf8_lossy(&behind[..behind.len().min(2)]).into_owned();
        match behind.get(..2).and_then(byte) {
            Some(0 | b'/') => return Err(format!("no name has a %{}", shown())),
            Some(byte) => bytes.push(byte),
            None => return Err(format!("no two digits follow the % in '%{}'", shown())),
        }
        rest = &behind[2..];
    }
    Ok(bytes)
}

/// The byte that two hexadecimal digits are.
fn byte(digits: &[u8]) -> Option<u8> {
    let value = |digit: u8| char::from(digit).to_digit(16);
    u8::try_from(value(digits[0])? * 16 + value(digits[1])?).ok()
}

/// `/C:/x` is `C:/x`, where there are drives.
fn without_slash_before_drive(mut path: Vec<u8>) -> Vec<u8> {
    let has_drive = matches!(&*path, [b'/', letter, b':', ..] if letter.is_ascii_alphabetic());
    if has_drive && Path::new("C:/").is_absolute() {
        path.remove(0);
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(argument: &str) -> Result<Vec<u8>, String> {
        to_path(argument.into()).map(OsString::into_vec)
    }

    #[test]
    fn a_url_names_a_path_of_this_machine() {
        for (url, expected) in [
            ("file:///", &b"/"[..]),
            ("file:///tmp/a", b"/tmp/a"),
            ("FILE://LocalHost/tmp/a/", b"/tmp/a/"),
            ("file:////a", b"//a"),
            ("file:///a%20b+c%2520%0a", b"/a b+c%20\n"),
            ("file:///%C3%A9/\u{e9}?q#f", "/\u{e9}/\u{e9}?q#f".as_bytes()),
        ] {
            assert_eq!(path(url).as_deref(), Ok(expected), "{url}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_name_may_have_any_byte() {
        assert_eq!(path("file:///%ff%FE"), Ok(b"/\xff\xfe".to_vec()));
        assert_eq!(path("file:///C:/x"), Ok(b"/C:/x".to_vec()));
    }

    #[test]
    fn a_path_is_itself() {
        for argument in ["", "a", "file:", "file:/a", "./file:///a", "files:///a", "a%20b"] {
            assert_eq!(path(argument).as_deref(), Ok(argument.as_bytes()));
        }
    }

    #[test]
    fn what_names_no_path_is_refused_with_the_reason() {
        for (url, part) in [
            ("file://host/a", "'host' is another machine"),
            ("file://127.0.0.1/a", "'127.0.0.1' is another machine"),
            ("file://user@localhost/a", "another machine"),
            ("file://", "no path"),
            ("file://localhost", "no path"),
            ("file:///a%", "'%'"),
            ("file:///a%4", "'%4'"),
            ("file:///a%+4", "'%+4'"),
            ("file:///a%00", "%00"),
            ("file:///a%2fb", "%2f"),
        ] {
            let error = path(url).unwrap_err();
            assert!(error.contains(part), "{url}: {error}");
        }
    }
}
