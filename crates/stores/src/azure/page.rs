//! A page of List Blobs.
//!
//! Source: the Blob service REST API, List Blobs, version 2023-11-03.

use fewer::Time;
use jiff::fmt::rfc2822::DateTimeParser;
use percent_encoding::percent_decode;
use quick_xml::events::BytesStart;

use crate::page::{Object, Page};
use crate::xml::{self, Document};

/// Parses an answer.
///
/// # Errors
/// What is wrong with it, in words.
pub(super) fn parse(xml: &[u8]) -> Result<Page, String> {
    let mut parser = Parser::default();
    xml::read(xml, &mut parser)?;
    let Parser { mut page, marker, .. } = parser;
    page.goes_on(marker.is_some(), marker);
    Ok(page.merge())
}

/// What was read of a page, and of a blob.
#[derive(Default)]
struct Parser {
    page: Page,
    marker: Option<String>,
    /// The name that is read is percent-encoded: it has a character that no XML can have.
    is_encoded: bool,
    name: Vec<u8>,
    size: u64,
    modified: Option<Time>,
    etag: String,
    /// Accounts with a hierarchical namespace list their directories.
    is_directory: bool,
}

/// The elements that matter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tag {
    Result,
    Blobs,
    Blob,
    BlobPrefix,
    Name,
    Properties,
    ContentLength,
    LastModified,
    Etag,
    ResourceType,
    NextMarker,
    Other,
}

impl Document for Parser {
    type Tag = Tag;

    const ROOT: &'static str = "EnumerationResults";

    fn tag(name: &[u8]) -> Tag {
        match name {
            b"EnumerationResults" => Tag::Result,
            b"Blobs" => Tag::Blobs,
            b"Blob" => Tag::Blob,
            b"BlobPrefix" => Tag::BlobPrefix,
            b"Name" => Tag::Name,
            b"Properties" => Tag::Properties,
            b"Content-Length" => Tag::ContentLength,
            b"Last-Modified" => Tag::LastModified,
            b"Etag" => Tag::Etag,
            b"ResourceType" => Tag::ResourceType,
            b"NextMarker" => Tag::NextMarker,
            _ => Tag::Other,
        }
    }

    fn begin(&mut self, tag: Tag, element: &BytesStart<'_>) {
        if tag == Tag::Name {
            let encoded = element.try_get_attribute("Encoded").ok().flatten();
            self.is_encoded = encoded.is_some_and(|encoded| *encoded.value == *b"true");
        }
    }

    fn end(&mut self, inside: Option<Tag>, tag: Tag, text: &mut Vec<u8>) -> Result<(), String> {
        match (inside, tag) {
            (Some(Tag::Blob | Tag::BlobPrefix), Tag::Name) => match self.is_encoded {
                true => self.name = percent_decode(text).collect(),
                false => std::mem::swap(&mut self.name, text),
            },
            (Some(Tag::Properties), Tag::ContentLength) => self.size = xml::size(text)?,
            (Some(Tag::Properties), Tag::LastModified) => {
                let parser = DateTimeParser::new();
                self.modified = Some(xml::time(text, |text| parser.parse_timestamp(text))?);
            }
            (Some(Tag::Properties), Tag::Etag) => self.etag = xml::etag(text)?,
            (Some(Tag::Properties), Tag::ResourceType) => {
                self.is_directory = text.trim_ascii() == b"directory";
            }
            (Some(Tag::Blobs), Tag::Blob) => self.object(false)?,
            (Some(Tag::Blobs), Tag::BlobPrefix) => self.object(true)?,
            (Some(Tag::Result), Tag::NextMarker) => self.marker = xml::token(text)?,
            _ => {}
        }
        Ok(())
    }
}

impl Parser {
    fn object(&mut self, is_common_prefix: bool) -> Result<(), String> {
        if self.name.is_empty() {
            return Err("a blob without a name".to_owned());
        }
        if std::mem::take(&mut self.is_directory) && !self.name.ends_with(b"/") {
            self.name.push(b'/');
        }
        let modified = self.modified.take().unwrap_or(Time { seconds: 0, nanoseconds: 0 });
        let size = std::mem::take(&mut self.size);
        let (key, etag) = (&self.name, &self.etag);
        self.page.push(Object { key, size, modified, is_common_prefix, etag });
        self.name.clear();
        self.etag.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the reference of List Blobs, with other names; what it answers begins with a mark.
    const PAGE: &str = "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>
<EnumerationResults ServiceEndpoint=\"https://a.blob.core.windows.net/\" ContainerName=\"c\">
  <Prefix>p</Prefix><Delimiter>/</Delimiter><MaxResults>4</MaxResults>
  <Blobs>
    <Blob><Name>pa&amp;b&#xD; %41+</Name><Properties>
      <Last-Modified>Mon, 12 Oct 2009 17:50:30 GMT</Last-Modified>
      <Etag>0x8CBFF45D8A29A19</Etag><Content-Length>434234</Content-Length>
      <Content-Type>text/html</Content-Type><BlobType>BlockBlob</BlobType></Properties>
      <Metadata><Name>no name</Name></Metadata></Blob>
    <Blob><Name Encoded=\"true\">pb%EF%BF%BE%2541+</Name><Properties>
      <Content-Length>1</Content-Length></Properties></Blob>
    <Blob><Name>pd</Name><Properties><ResourceType>directory</ResourceType></Properties></Blob>
    <BlobPrefix><Name>pc/</Name></BlobPrefix>
  </Blobs>
  <NextMarker>2!88!MDAwMDA5IXBk</NextMarker>
</EnumerationResults>";

    #[test]
    fn a_page_has_names_sizes_and_times() {
        let page = parse(PAGE.as_bytes()).unwrap();
        let names: Vec<String> =
            page.objects().map(|object| String::from_utf8(object.key.to_vec()).unwrap()).collect();
        assert_eq!(names, ["pa&b\r %41+", "pb\u{fffe}%41+", "pc/", "pd/"]);
        let first = page.get(0).unwrap();
        assert_eq!((first.size, first.modified.seconds), (434_234, 1_255_369_830));
        let prefixes: Vec<bool> = page.objects().map(|object| object.is_common_prefix).collect();
        assert_eq!(prefixes, [false, false, true, false]);
        assert_eq!(page.token(), Some("2!88!MDAwMDA5IXBk"));
        assert!(page.is_truncated());
    }

    #[test]
    fn the_last_page_has_no_marker() {
        for marker in ["<NextMarker/>", "<NextMarker />", "<NextMarker></NextMarker>", ""] {
            let page = format!("<EnumerationResults><Blobs/>{marker}</EnumerationResults>");
            let page = parse(page.as_bytes()).unwrap();
            assert_eq!((page.len(), page.token(), page.is_truncated()), (0, None, false));
        }
    }

    #[test]
    fn every_part_of_a_page_is_refused() {
        for end in 1..PAGE.len() {
            assert!(parse(&PAGE.as_bytes()[..end]).is_err(), "{end} bytes");
        }
    }

    #[test]
    fn what_is_no_page_is_refused_with_the_reason() {
        let blob = |inside: &str| {
            format!("<EnumerationResults><Blobs><Blob>{inside}</Blob></Blobs></EnumerationResults>")
        };
        for (xml, why) in [
            ("<ListBucketResult></ListBucketResult>".to_owned(), "<ListBucketResult>"),
            (blob(""), "without a name"),
            (blob("<Properties><Content-Length>x</Content-Length></Properties>"), "size 'x'"),
            (blob("<Properties><Last-Modified>x</Last-Modified></Properties>"), "time 'x'"),
        ] {
            let error = parse(xml.as_bytes()).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }
}
