//! The members of a collection, from a `multistatus`.
//!
//! Source: RFC 4918, sections 9.1, 13 and 14.

use fewer::Time;
use jiff::fmt::rfc2822::DateTimeParser;
use percent_encoding::percent_decode;

use crate::page::{Object, Page};
use crate::xml::{self, Document};

/// Parses an answer about the collection that a prefix names.
///
/// # Errors
/// What is wrong with it, in words.
pub(super) fn parse(xml: &[u8], prefix: &str) -> Result<Page, String> {
    let mut parser = Parser { collection: prefix.as_bytes().to_vec(), ..Parser::default() };
    xml::read(xml, &mut parser)?;
    let mut members = parser.members;
    members.sort_by(|a, b| a.key.cmp(&b.key));
    members.dedup_by(|a, b| a.key == b.key);
    let mut page = Page::default();
    for Member { key, properties } in &members {
        let Properties { size, modified, etag, .. } = properties;
        let modified = modified.unwrap_or(Time { seconds: 0, nanoseconds: 0 });
        page.push(Object { key, size: *size, modified, is_common_prefix: false, etag });
    }
    Ok(page)
}

/// A member of the collection: a collection's key ends in a slash.
struct Member {
    key: Vec<u8>,
    properties: Properties,
}

/// What is known of a member.
#[derive(Default)]
struct Properties {
    /// `None` if the server did not say.
    is_collection: Option<bool>,
    size: u64,
    modified: Option<Time>,
    etag: String,
}

/// What was read of a member.
#[derive(Default)]
struct Parser {
    collection: Vec<u8>,
    members: Vec<Member>,
    /// The address, as it was written.
    href: Vec<u8>,
    known: Properties,
    /// Properties of which it is not known yet whether they are there.
    found: Properties,
    is_there: bool,
}

/// The elements that matter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tag {
    Response,
    Href,
    PropStat,
    Status,
    Prop,
    ResourceType,
    Collection,
    ContentLength,
    LastModified,
    Etag,
    Other,
}

impl Document for Parser {
    type Tag = Tag;

    const ROOT: &'static str = "multistatus";

    const HAS_EMPTY_ELEMENTS: bool = true;

    fn tag(name: &[u8]) -> Tag {
        match name {
            b"response" => Tag::Response,
            b"href" => Tag::Href,
            b"propstat" => Tag::PropStat,
            b"status" => Tag::Status,
            b"prop" => Tag::Prop,
            b"resourcetype" => Tag::ResourceType,
            b"collection" => Tag::Collection,
            b"getcontentlength" => Tag::ContentLength,
            b"getlastmodified" => Tag::LastModified,
            b"getetag" => Tag::Etag,
            _ => Tag::Other,
        }
    }

    fn end(&mut self, inside: Option<Tag>, tag: Tag, text: &mut Vec<u8>) -> Result<(), String> {
        match (inside, tag) {
            (Some(Tag::Response), Tag::Href) => self.href = text.trim_ascii().to_vec(),
            (Some(Tag::ResourceType), Tag::Collection) => self.found.is_collection = Some(true),
            (_, Tag::ResourceType) => {
                self.found.is_collection.get_or_insert(false);
            }
            (Some(Tag::Prop), Tag::ContentLength) if !text.is_empty() => {
                self.found.size = xml::size(text)?;
            }
            // Some have a time of another form, which is none.
            (Some(Tag::Prop), Tag::LastModified) => {
                let parse = |text: &str| DateTimeParser::new().parse_timestamp(text);
                self.found.modified = xml::time(text, parse).ok();
            }
            (Some(Tag::Prop), Tag::Etag) => self.found.etag = xml::etag(text)?,
            (Some(Tag::PropStat), Tag::Status) => self.is_there = is_success(text),
            (_, Tag::PropStat) => {
                let found = std::mem::take(&mut self.found);
                if std::mem::take(&mut self.is_there) {
                    self.known.add(found);
                }
            }
            (_, Tag::Response) => self.member()?,
            _ => {}
        }
        // What is around an element has no text of its own.
        text.clear();
        Ok(())
    }
}

impl Properties {
    fn add(&mut self, found: Properties) {
        self.is_collection = found.is_collection.or(self.is_collection);
        self.size = self.size.max(found.size);
        self.modified = found.modified.or(self.modified);
        if !found.etag.is_empty() {
            self.etag = found.etag;
        }
    }
}

impl Parser {
    /// Adds what was read, unless it is the collection itself.
    fn member(&mut self) -> Result<(), String> {
        let (href, properties) = (std::mem::take(&mut self.href), std::mem::take(&mut self.known));
        let path: Vec<u8> = percent_decode(path(&href)).collect();
        let key = path.strip_prefix(b"/").unwrap_or(&path);
        let own = self.collection.strip_suffix(b"/").unwrap_or(&self.collection);
        if key.strip_suffix(b"/").unwrap_or(key) == own {
            return match properties.is_collection {
                Some(false) => Err("it is no collection".to_owned()),
                _ => Ok(()),
            };
        }
        let name = key.strip_prefix(&*self.collection);
        let name = name.map(|name| name.strip_suffix(b"/").unwrap_or(name));
        let is_name = |name: &&[u8]| {
            !name.is_empty() && !name.contains(&b'/') && !matches!(*name, b"." | b"..")
        };
        let Some(name) = name.filter(is_name) else {
            let (named, own) = (String::from_utf8_lossy(key), String::from_utf8_lossy(own));
            return Err(format!("'/{named}' is not in the collection '/{own}' that was asked for"));
        };
        let mut key = [&self.collection, name].concat();
        // Of what is closed nothing is known but this.
        if properties.is_collection.unwrap_or(path.ends_with(b"/")) {
            key.push(b'/');
        }
        self.members.push(Member { key, properties });
        Ok(())
    }
}

/// The path of an address with or without a server.
fn path(href: &[u8]) -> &[u8] {
    let Some(scheme) = href.windows(3).position(|part| part == b"://") else { return href };
    let is_scheme = href[..scheme].iter().all(u8::is_ascii_alphanumeric);
    let rest = &href[scheme + 3..];
    match rest.iter().position(|&byte| byte == b'/') {
        Some(slash) if is_scheme => &rest[slash..],
        _ if is_scheme => b"/",
        _ => href,
    }
}

/// Whether a line like `HTTP/1.1 200 OK` says so.
fn is_success(line: &[u8]) -> bool {
    let code = line.trim_ascii().split(|&byte| byte == b' ').nth(1);
    code.is_some_and(|code| code.first() == Some(&b'2'))
}

#[cfg(test)]
#[path = "page_tests.rs"]
mod tests;
