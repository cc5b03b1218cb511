//! XML documents, read element by element.

use fewer::Time;
use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

/// A kind of document.
pub(crate) trait Document {
    /// The names of elements that matter.
    type Tag: Copy;

    /// The name of the outermost element.
    const ROOT: &'static str;

    /// Elements without contents matter, too.
    const HAS_EMPTY_ELEMENTS: bool = false;

    fn tag(name: &[u8]) -> Self::Tag;

    /// An element begins.
    fn begin(&mut self, tag: Self::Tag, element: &BytesStart<'_>) {
        let _ = (tag, element);
    }

    /// An element ends: which one it is in, and its text.
    fn end(
        &mut self,
        inside: Option<Self::Tag>,
        tag: Self::Tag,
        text: &mut Vec<u8>,
    ) -> Result<(), String>;
}

/// Reads a whole document.
///
/// # Errors
/// What is wrong with it, in words.
pub(crate) fn read<D: Document>(xml: &[u8], document: &mut D) -> Result<(), String> {
    let mut reader = Reader::from_reader(xml);
    reader.config_mut().expand_empty_elements = D::HAS_EMPTY_ELEMENTS;
    let (mut open, mut text): (Vec<D::Tag>, Vec<u8>) = (Vec::new(), Vec::new());
    let mut is_complete = false;
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(element) => {
                let name = element.local_name();
                if open.is_empty() && name.as_ref() != D::ROOT.as_bytes() {
                    return Err(format!("it begins with <{}>", lossy(name.as_ref())));
                }
                let tag = D::tag(name.as_ref());
                document.begin(tag, &element);
                open.push(tag);
                text.clear();
            }
            Event::End(_) => {
                let tag = open.pop().ok_or("an element ends twice")?;
                document.end(open.last().copied(), tag, &mut text)?;
                is_complete |= open.is_empty();
            }
            Event::Text(part) => text.extend_from_slice(&part),
            Event::CData(part) => text.extend_from_slice(&part),
            Event::GeneralRef(entity) => push_entity(&entity, &mut text)?,
            Event::Eof if is_complete => return Ok(()),
            Event::Eof => return Err("it ends too early".to_owned()),
            _ => {}
        }
    }
}

/// A reference like `&amp;` or `&#10;`.
fn push_entity(entity: &BytesRef<'_>, text: &mut Vec<u8>) -> Result<(), String> {
    if let Some(char) = entity.resolve_char_ref().map_err(|error| error.to_string())? {
        text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
        return Ok(());
    }
    text.push(match &**entity {
        b"amp" => b'&',
        b"lt" => b'<',
        b"gt" => b'>',
        b"quot" => b'"',
        b"apos" => b'\'',
        other => return Err(format!("unknown entity {}", lossy(other))),
    });
    Ok(())
}

/// The text of an element that may not be empty.
pub(crate) fn token(text: &[u8]) -> Result<Option<String>, String> {
    let token = String::from_utf8(text.to_vec());
    let token = token.map_err(|_| format!("not UTF-8: '{}'", lossy(text)))?;
    Ok(Some(token).filter(|token| !token.is_empty()))
}

/// What names the contents of an object, without quotes.
pub(crate) fn etag(text: &[u8]) -> Result<String, String> {
    let tag = token(text.trim_ascii())?.unwrap_or_default();
    Ok(tag.trim_matches('"').to_owned())
}

/// A size in bytes.
pub(crate) fn size(text: &[u8]) -> Result<u64, String> {
    let size = std::str::from_utf8(text.trim_ascii()).ok().and_then(|size| size.parse().ok());
    size.ok_or_else(|| format!("size '{}'", lossy(text)))
}

/// A time, as it is written in one store or another.
pub(crate) fn time(
    text: &[u8],
    parse: impl Fn(&str) -> Result<jiff::Timestamp, jiff::Error>,
) -> Result<Time, String> {
    const SECOND: i128 = 1_000_000_000;
    let time = std::str::from_utf8(text.trim_ascii()).ok().and_then(|text| parse(text).ok());
    let nanoseconds = time.ok_or_else(|| format!("time '{}'", lossy(text)))?.as_nanosecond();
    Ok(Time {
        seconds: nanoseconds.div_euclid(SECOND) as i64,
        nanoseconds: nanoseconds.rem_euclid(SECOND) as u32,
    })
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
