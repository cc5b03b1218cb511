//! What a store means by an answer that is no page.
//!
//! Source: the S3 API reference, error responses.

use quick_xml::Reader;
use quick_xml::events::Event;

use crate::error::Reason;

/// What to do about it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Send fewer requests.
    SlowDown(String),
    /// Send it again.
    Again(String),
    /// Sign it for this region.
    Region(String),
    /// Nothing.
    Final(Reason),
}

/// Understands an answer by its status, its body, and the region in its head.
pub(crate) fn understand(status: u16, body: &[u8], region: Option<String>) -> Refusal {
    let Body { code, message, region: in_body } = parse(body);
    // In Azure's lines there follow the number of the request and the time.
    let message = message.lines().next().unwrap_or_default().to_owned();
    let why = format!("{status} {}", if code.is_empty() { "without a code" } else { &code });
    let is_region = matches!(
        &*code,
        "PermanentRedirect"
            | "TemporaryRedirect"
            | "AuthorizationHeaderMalformed"
            | "IllegalLocationConstraintException"
    );
    match (status, &*code) {
        (301 | 307 | 400, _) if is_region || code.is_empty() && region.is_some() => {
            match region.or(in_body) {
                Some(region) => Refusal::Region(region),
                None => Refusal::Final(Reason::Refused { status, code, message }),
            }
        }
        (503 | 429, _) | (_, "SlowDown" | "TooManyRequests" | "RequestLimitExceeded") => {
            Refusal::SlowDown(why)
        }
        (500..=599 | 408, _) | (_, "RequestTimeout") => Refusal::Again(why),
        (200, _) => Refusal::Final(Reason::Answer("it is too long".to_owned())),
        _ => Refusal::Final(Reason::Refused { status, code, message }),
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Body {
    code: String,
    message: String,
    region: Option<String>,
}

/// The parts of an error in XML; empty where the body is something else.
fn parse(body: &[u8]) -> Body {
    let mut reader = Reader::from_reader(body);
    let (mut found, mut name, mut depth) = (Body::default(), Vec::new(), 0);
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Eof => break,
            Event::Start(tag) => {
                depth += 1;
                name = tag.local_name().as_ref().to_vec();
            }
            Event::End(_) => {
                depth -= 1;
                name.clear();
            }
            Event::Text(text) if depth == 2 => {
                let text = String::from_utf8_lossy(&text).into_owned();
                match &*name {
                    b"Code" => found.code = text,
                    b"Message" => found.message += &text,
                    b"Region" => found.region = Some(text),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(code: &str) -> Vec<u8> {
        format!(
            "<?xml version=\"1.0\"?><Error><Code>{code}</Code><Message>Why.</Message>\
             <Region>eu-west-1</Region></Error>"
        )
        .into_bytes()
    }

    #[test]
    fn codes_say_what_to_do() {
        let final_of = |status, code: &str| {
            let (code, message) = (code.to_owned(), "Why.".to_owned());
            Refusal::Final(Reason::Refused { status, code, message })
        };
        for (status, code, expected) in [
            (503, "SlowDown", Refusal::SlowDown("503 SlowDown".into())),
            (429, "TooManyRequests", Refusal::SlowDown("429 TooManyRequests".into())),
            (500, "InternalError", Refusal::Again("500 InternalError".into())),
            (400, "RequestTimeout", Refusal::Again("400 RequestTimeout".into())),
            (301, "PermanentRedirect", Refusal::Region("eu-west-1".into())),
            (400, "AuthorizationHeaderMalformed", Refusal::Region("eu-west-1".into())),
            (403, "AccessDenied", final_of(403, "AccessDenied")),
            (404, "NoSuchBucket", final_of(404, "NoSuchBucket")),
        ] {
            assert_eq!(understand(status, &error(code), None), expected);
        }
    }

    #[test]
    fn the_head_names_the_region_where_there_is_no_body() {
        let region = Some("eu-west-3".to_owned());
        assert_eq!(understand(301, b"", region), Refusal::Region("eu-west-3".into()));
    }

    #[test]
    fn an_answer_of_another_server_is_final_with_its_status() {
        let refused = |status| {
            let (code, message) = (String::new(), String::new());
            Refusal::Final(Reason::Refused { status, code, message })
        };
        assert_eq!(understand(404, b"<html><p>Not found<br></html>", None), refused(404));
        assert_eq!(understand(418, b"\xff\x00", None), refused(418));
        assert_eq!(
            understand(502, b"Bad gateway", None),
            Refusal::Again("502 without a code".into())
        );
    }
}
