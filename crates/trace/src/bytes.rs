//! Bytes that are mostly text: names, paths, arguments. In JSON they are `{"text": …}`, or
//! `{"bytes": base64}` where they are not UTF-8, so that nothing is lost.

use std::fmt;

use fewer::present::lossless::{Base64Error, Lossless, from_base64};
use serde::{Deserialize, Serialize};

/// Bytes that are mostly text.
#[derive(Clone, Default, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(into = "Json", try_from = "Json")]
pub struct Text(pub Box<[u8]>);

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Json {
    Text(String),
    Bytes(String),
}

impl From<&[u8]> for Text {
    fn from(bytes: &[u8]) -> Text {
        Text(bytes.into())
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text(text.as_bytes().into())
    }
}

impl From<Text> for Json {
    fn from(text: Text) -> Json {
        match Lossless::from(&*text.0) {
            Lossless::Text(text) => Json::Text(text.to_owned()),
            Lossless::Base64(base64) => Json::Bytes(base64),
        }
    }
}

impl TryFrom<Json> for Text {
    type Error = Base64Error;

    fn try_from(json: Json) -> Result<Text, Base64Error> {
        Ok(match json {
            Json::Text(text) => Text(text.into_bytes().into()),
            Json::Bytes(bytes) => Text(from_base64(&bytes)?.into()),
        })
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Debug::fmt(&String::from_utf8_lossy(&self.0), f)
    }
}

/// A path without its last name.
pub(crate) fn parent(path: &[u8]) -> Option<&[u8]> {
    match memchr::memrchr(b'/', path)? {
        0 if path.len() == 1 => None,
        0 => Some(b"/"),
        slash => Some(&path[..slash]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_utf8_survives_json() {
        for bytes in [&b"plain"[..], b"\xff\xfe", b"", "\u{e9}\n\"".as_bytes()] {
            let json = serde_json::to_string(&Text::from(bytes)).unwrap();
            assert_eq!(&*serde_json::from_str::<Text>(&json).unwrap().0, bytes);
        }
        assert_eq!(serde_json::to_string(&Text::from("a")).unwrap(), r#"{"text":"a"}"#);
        assert_eq!(
            serde_json::to_string(&Text(b"\xff"[..].into())).unwrap(),
            r#"{"bytes":"/w=="}"#
        );
    }
}
