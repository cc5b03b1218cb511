//! ListObjectsV2, which S3 and Google Cloud Storage speak: the URL of a page, and its XML.
//!
//! Source: the S3 API reference, ListObjectsV2.

use fewer::Time;

use crate::page::{Object, Page};
use crate::plan::From;
use crate::query::{Query, push_parameter};
use crate::xml::{self, Document};

/// The URL of a page.
pub(crate) fn url(bucket: &str, query: &Query<'_>) -> String {
    let mut url = format!("{bucket}?list-type=2&encoding-type=url");
    match query.from {
        From::Beginning => {}
        From::After(key) => push_parameter(&mut url, "start-after", key),
        From::Token(token) => push_parameter(&mut url, "continuation-token", token.as_bytes()),
    }
    query.push_prefix(&mut url);
    url
}

/// Parses an answer.
///
/// # Errors
/// What is wrong with it, in words.
pub(crate) fn parse(xml: &[u8]) -> Result<Page, String> {
    let mut parser = Parser::default();
    xml::read(xml, &mut parser)?;
    let Parser { mut page, is_url_encoded, is_truncated, token, .. } = parser;
    if is_truncated && token.is_none() {
        return Err("there is more, but no token to continue with".to_owned());
    }
    page.goes_on(is_truncated, token);
    let page = if is_url_encoded { page.with_keys(push_decoded) } else { page };
    Ok(page.merge())
}

/// What was read of a page, and of an object.
#[derive(Default)]
struct Parser {
    page: Page,
    is_url_encoded: bool,
    is_truncated: bool,
    token: Option<String>,
    key: Vec<u8>,
    size: u64,
    modified: Option<Time>,
    etag: String,
}

/// The elements that matter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tag {
    Result,
    Contents,
    CommonPrefixes,
    Key,
    Prefix,
    Size,
    LastModified,
    Etag,
    IsTruncated,
    NextContinuationToken,
    EncodingType,
    Other,
}

impl Document for Parser {
    type Tag = Tag;

    const ROOT: &'static str = "ListBucketResult";

    fn tag(name: &[u8]) -> Tag {
        match name {
            b"ListBucketResult" => Tag::Result,
            b"Contents" => Tag::Contents,
            b"CommonPrefixes" => Tag::CommonPrefixes,
            b"Key" => Tag::Key,
            b"Prefix" => Tag::Prefix,
            b"Size" => Tag::Size,
            b"LastModified" => Tag::LastModified,
            b"ETag" => Tag::Etag,
            b"IsTruncated" => Tag::IsTruncated,
            b"NextContinuationToken" => Tag::NextContinuationToken,
            // Google spells it with a hyphen, too.
            b"EncodingType" | b"Encoding-Type" => Tag::EncodingType,
            _ => Tag::Other,
        }
    }

    fn end(&mut self, inside: Option<Tag>, tag: Tag, text: &mut Vec<u8>) -> Result<(), String> {
        match (inside, tag) {
            (Some(Tag::Result), Tag::IsTruncated) => {
                self.is_truncated = match text.trim_ascii() {
                    b"true" => true,
                    b"false" => false,
                    other => {
                        return Err(format!("IsTruncated '{}'", String::from_utf8_lossy(other)));
                    }
                };
            }
            (Some(Tag::Result), Tag::NextContinuationToken) => self.token = xml::token(text)?,
            (Some(Tag::Result), Tag::EncodingType) => {
                self.is_url_encoded = text.trim_ascii() == b"url";
            }
            (Some(Tag::Contents), Tag::Key) | (Some(Tag::CommonPrefixes), Tag::Prefix) => {
                std::mem::swap(&mut self.key, text);
            }
            (Some(Tag::Contents), Tag::Size) => self.size = xml::size(text)?,
            (Some(Tag::Contents), Tag::LastModified) => {
                self.modified = Some(xml::time(text, str::parse)?);
            }
            (Some(Tag::Contents), Tag::Etag) => self.etag = xml::etag(text)?,
            (Some(Tag::Result), Tag::Contents) => self.object(false)?,
            (Some(Tag::Result), Tag::CommonPrefixes) => self.object(true)?,
            _ => {}
        }
        Ok(())
    }
}

impl Parser {
    /// The end of an object. Its key is decoded when the whole page was read: how it is encoded may
    /// be said behind it.
    fn object(&mut self, is_common_prefix: bool) -> Result<(), String> {
        if self.key.is_empty() {
            return Err("an object without a key".to_owned());
        }
        let modified = self.modified.take().unwrap_or(Time { seconds: 0, nanoseconds: 0 });
        let size = std::mem::take(&mut self.size);
        let (key, etag) = (&self.key, &self.etag);
        self.page.push(Object { key, size, modified, is_common_prefix, etag });
        self.key.clear();
        self.etag.clear();
        Ok(())
    }
}

/// Appends a key as it is in the bucket: `%XX` is a byte, and `+` a space.
fn push_decoded(key: &[u8], keys: &mut Vec<u8>) {
    if key.iter().any(|byte| b"%+".contains(byte)) {
        let spaced: Vec<u8> =
            key.iter().map(|&byte| if byte == b'+' { b' ' } else { byte }).collect();
        keys.extend(percent_encoding::percent_decode(&spaced));
    } else {
        keys.extend_from_slice(key);
    }
}

#[cfg(test)]
#[path = "list_objects_tests.rs"]
mod tests;
