//! Addresses without the passwords that somebody wrote into them.

use std::borrow::Cow;
use std::ops::Range;

use crate::scheme::scheme;
use crate::store::Store;

/// What stands in the place of a user and a password.
const HIDDEN: &[u8] = b"***";

/// An address as it may be printed: `s3://user:password@bucket` is `s3://***@bucket`. No address has
/// a user; one that was written all the same is not shown, nor is a name alone, which may be a
/// token. What stands before the `@` of `abfss://container@account` is shown.
#[must_use]
pub fn without_secret(address: &[u8]) -> Cow<'_, [u8]> {
    match secret(address) {
        Some(Range { start, end }) => [&address[..start], HIDDEN, &address[end..]].concat().into(),
        None => address.into(),
    }
}

/// The same of a text.
pub(crate) fn text_without_secret(address: &str) -> String {
    String::from_utf8_lossy(&without_secret(address.as_bytes())).into_owned()
}

/// Where the user and the password are.
pub(crate) fn secret(address: &[u8]) -> Option<Range<usize>> {
    let scheme = scheme(address)?;
    let start = scheme.len() + b"://".len();
    let rest = &address[start..];
    let first = rest.split(|&byte| byte == b'/').next()?;
    let at = |text: &[u8]| text.iter().rposition(|&byte| byte == b'@');
    let user = &first[..at(first).unwrap_or(first.len())];
    let colon = user.iter().position(|&byte| byte == b':').filter(|_| user[0] != b'[');
    let is_port = |colon: usize| user[colon + 1..].iter().all(u8::is_ascii_digit);
    let end = match colon.filter(|&colon| at(first).is_some() || !is_port(colon)) {
        // A password may have any character: nothing before the last @ is shown.
        Some(_) => at(rest)?,
        None => at(first).filter(|_| Store::of_scheme(scheme) != Some(Store::Azure))?,
    };
    Some(start..start + end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_a_password_is_hidden_and_nothing_else() {
        for (address, printed) in [
            ("s3://user:secret@b/k", "s3://***@b/k"),
            ("s3://user:sec/ret@b/k", "s3://***@b/k"),
            ("s3://user:1@2/3@b", "s3://***@b"),
            ("https://user:1234@a:80/k", "https://***@a:80/k"),
            ("https://token@a/k", "https://***@a/k"),
            ("az://user:secret@c", "az://***@c"),
            ("ftp://user:secret@a", "ftp://***@a"),
            ("hdfs://user@nn/", "hdfs://***@nn/"),
        ] {
            assert_eq!(text_without_secret(address), printed);
        }
        for shown in [
            "s3://b/a@b", "https://a:80/x@y", "https://[::1]:80/x@y", "abfss://c@a.example/x@y",
            "hdfs:///x:y@z", "s3://b:x/y", "a/b:c@d", "s3://",
        ] {
            assert_eq!(text_without_secret(shown), shown);
        }
    }
}
