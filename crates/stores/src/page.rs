//! One page of a listing: parsed from the XML that S3 answers with.
//!
//! Source: the S3 API reference, ListObjectsV2.

use fewer::Time;
use quick_xml::Reader;
use quick_xml::events::{BytesRef, Event};

/// What a store tells of one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object<'p> {
    /// The key: any bytes, in practice UTF-8.
    pub key: &'p [u8],
    /// Size in bytes; 0 for a common prefix.
    pub size: u64,
    /// When it was last written; the start of 1970 for a common prefix.
    pub modified: Time,
    /// Not an object, but what a number of keys begin with up to the delimiter.
    pub is_common_prefix: bool,
    /// What names its contents, without quotes; empty if the store does not say.
    pub etag: &'p str,
}

/// Where in a page an object is.
#[derive(Clone, Copy, Debug)]
struct Record {
    key_end: usize,
    size: u64,
    modified: Time,
    is_common_prefix: bool,
    etag_end: usize,
}

/// The objects of an answer, in the order of their keys, and how the listing goes on.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// The keys, one behind the other.
    keys: Vec<u8>,
    /// And so the ETags.
    etags: String,
    records: Vec<Record>,
    is_truncated: bool,
    token: Option<String>,
}

impl Page {
    /// Parses an answer.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub(crate) fn parse(xml: &[u8]) -> Result<Page, String> {
        let mut parser = Parser::default();
        let mut reader = Reader::from_reader(xml);
        loop {
            match reader.read_event().map_err(|error| error.to_string())? {
                Event::Start(tag) => parser.open(tag.local_name().as_ref())?,
                Event::End(_) => parser.close()?,
                Event::Text(text) => parser.text.extend_from_slice(&text),
                Event::CData(text) => parser.text.extend_from_slice(&text),
                Event::GeneralRef(entity) => parser.entity(&entity)?,
                Event::Eof => return parser.finish(),
                _ => {}
            }
        }
    }

    /// A page without objects that goes on with a token.
    #[cfg(test)]
    pub(crate) fn of_token(token: Option<String>) -> Page {
        Page { is_truncated: token.is_some(), token, ..Page::default() }
    }

    /// Adds an object behind the others.
    pub(crate) fn push(&mut self, object: Object<'_>) {
        let Object { key, size, modified, is_common_prefix, etag } = object;
        self.keys.extend_from_slice(key);
        self.etags.push_str(etag);
        let (key_end, etag_end) = (self.keys.len(), self.etags.len());
        self.records.push(Record { key_end, size, modified, is_common_prefix, etag_end });
    }

    /// How many objects and common prefixes there are.
    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    pub(crate) fn get(&self, index: usize) -> Option<Object<'_>> {
        let Record { key_end, size, modified, is_common_prefix, etag_end } =
            *self.records.get(index)?;
        let before = index.checked_sub(1).map(|before| self.records[before]);
        let key = &self.keys[before.map_or(0, |it| it.key_end)..key_end];
        let etag = &self.etags[before.map_or(0, |it| it.etag_end)..etag_end];
        Some(Object { key, size, modified, is_common_prefix, etag })
    }

    pub(crate) fn objects(&self) -> impl Iterator<Item = Object<'_>> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// The memory that it takes, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.keys.capacity() + self.etags.capacity() + self.records.capacity() * size_of::<Record>()
    }

    /// What the next request begins with; `None` if this page is the last.
    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Whether there is more.
    pub(crate) fn is_truncated(&self) -> bool {
        self.is_truncated
    }

    /// Common prefixes come behind the objects: puts all in the order of their keys.
    fn merge(self) -> Page {
        if !self.records.iter().any(|record| record.is_common_prefix) {
            return self;
        }
        let mut objects: Vec<Object<'_>> = self.objects().collect();
        objects.sort_by_key(|object| object.key);
        let mut page = Page { is_truncated: self.is_truncated, ..Page::default() };
        for object in objects {
            page.push(object);
        }
        page.token = self.token;
        page
    }
}

/// The state of the parser: which elements are open, and what was read of an object.
#[derive(Default)]
struct Parser {
    /// The names of the open elements.
    open: Vec<Tag>,
    text: Vec<u8>,
    page: Page,
    is_url_encoded: bool,
    is_complete: bool,
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

impl Tag {
    fn named(name: &[u8]) -> Tag {
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
            b"EncodingType" => Tag::EncodingType,
            _ => Tag::Other,
        }
    }
}

impl Parser {
    fn open(&mut self, name: &[u8]) -> Result<(), String> {
        let tag = Tag::named(name);
        if self.open.is_empty() && tag != Tag::Result {
            return Err(format!("it begins with <{}>", String::from_utf8_lossy(name)));
        }
        self.open.push(tag);
        self.text.clear();
        Ok(())
    }

    /// A reference like `&amp;` or `&#10;`.
    fn entity(&mut self, entity: &BytesRef<'_>) -> Result<(), String> {
        if let Some(char) = entity.resolve_char_ref().map_err(|error| error.to_string())? {
            self.text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
            return Ok(());
        }
        self.text.push(match &**entity {
            b"amp" => b'&',
            b"lt" => b'<',
            b"gt" => b'>',
            b"quot" => b'"',
            b"apos" => b'\'',
            other => return Err(format!("unknown entity {}", String::from_utf8_lossy(other))),
        });
        Ok(())
    }

    fn close(&mut self) -> Result<(), String> {
        let Some(tag) = self.open.pop() else { return Err("an element ends twice".to_owned()) };
        let inside = self.open.last().copied();
        match (inside, tag) {
            (None, Tag::Result) => self.is_complete = true,
            (Some(Tag::Result), Tag::IsTruncated) => {
                self.page.is_truncated = self.text.trim_ascii() == b"true";
            }
            (Some(Tag::Result), Tag::NextContinuationToken) => {
                self.page.token = Some(self.utf8()?).filter(|token| !token.is_empty());
            }
            (Some(Tag::Result), Tag::EncodingType) => {
                self.is_url_encoded = self.text.trim_ascii() == b"url";
            }
            (Some(Tag::Contents), Tag::Key) | (Some(Tag::CommonPrefixes), Tag::Prefix) => {
                std::mem::swap(&mut self.key, &mut self.text);
            }
            (Some(Tag::Contents), Tag::Size) => {
                let size = std::str::from_utf8(self.text.trim_ascii()).ok();
                let size = size.and_then(|size| size.parse().ok());
                self.size = size.ok_or_else(|| format!("size '{}'", self.lossy()))?;
            }
            (Some(Tag::Contents), Tag::LastModified) => self.modified = Some(self.time()?),
            (Some(Tag::Contents), Tag::Etag) => {
                self.etag = self.utf8()?.trim().trim_matches('"').to_owned();
            }
            (Some(Tag::Result), Tag::Contents) => self.object(false)?,
            (Some(Tag::Result), Tag::CommonPrefixes) => self.object(true)?,
            _ => {}
        }
        Ok(())
    }

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

    fn finish(self) -> Result<Page, String> {
        if !self.is_complete {
            return Err("it ends too early".to_owned());
        }
        let page = if self.is_url_encoded { decoded(&self.page) } else { self.page };
        if page.is_truncated && page.token.is_none() {
            return Err("there is more, but no token to continue with".to_owned());
        }
        Ok(page.merge())
    }

    fn utf8(&self) -> Result<String, String> {
        String::from_utf8(self.text.clone()).map_err(|_| format!("not UTF-8: '{}'", self.lossy()))
    }

    fn lossy(&self) -> String {
        String::from_utf8_lossy(&self.text).into_owned()
    }

    fn time(&self) -> Result<Time, String> {
        let text = std::str::from_utf8(self.text.trim_ascii()).ok();
        let time = text.and_then(|text| text.parse::<jiff::Timestamp>().ok());
        let time = time.ok_or_else(|| format!("time '{}'", self.lossy()))?;
        let nanoseconds = time.as_nanosecond();
        let second = 1_000_000_000;
        Ok(Time {
            seconds: nanoseconds.div_euclid(second) as i64,
            nanoseconds: nanoseconds.rem_euclid(second) as u32,
        })
    }
}

/// The same with keys as they are in the bucket: `%XX` is a byte, and `+` a space.
fn decoded(page: &Page) -> Page {
    let mut decoded = Page {
        keys: Vec::with_capacity(page.keys.len()),
        etags: page.etags.clone(),
        records: Vec::with_capacity(page.records.len()),
        is_truncated: page.is_truncated,
        token: page.token.clone(),
    };
    for (object, record) in page.objects().zip(&page.records) {
        if object.key.iter().any(|byte| b"%+".contains(byte)) {
            let spaced: Vec<u8> =
                object.key.iter().map(|&byte| if byte == b'+' { b' ' } else { byte }).collect();
            decoded.keys.extend(percent_encoding::percent_decode(&spaced));
        } else {
            decoded.keys.extend_from_slice(object.key);
        }
        decoded.records.push(Record { key_end: decoded.keys.len(), ..*record });
    }
    decoded
}

#[cfg(test)]
#[path = "page_tests.rs"]
mod tests;
