//! One piece of an object: what was received of it stays, and the rest is requested again.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use http::header::{CONTENT_RANGE, ETAG};
use http::{HeaderMap, StatusCode};
use object_store::client::HttpResponse;

use super::count;
use crate::error::Reason;
use crate::patience::Patience;
use crate::query::ByteRange;
use crate::request::{Client, Failure, receive};

/// A store that ignores ranges sends the whole object, which has to fit into memory.
const WHOLE_BYTES: usize = 64 << 20;

/// A piece, and what has come of it.
pub(super) struct Piece {
    range: Range<u64>,
    bytes: Vec<u8>,
    /// How many bytes the object has, and what names these.
    size: u64,
    version: Option<Arc<str>>,
}

impl Piece {
    pub(super) fn new(range: Range<u64>, size: u64, version: Option<Arc<str>>) -> Piece {
        Piece { range, bytes: Vec::new(), size, version }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Receives all of it. What fails on its way is requested again, as long as something comes.
    pub(super) async fn receive(
        &mut self,
        client: &Client,
        requests: &AtomicU64,
    ) -> Result<(), Reason> {
        let mut patience = Patience::default();
        while self.left() > 0 {
            let before = self.left();
            if let Err(failure) = self.receive_once(client, requests).await {
                if self.left() < before {
                    patience = Patience::default();
                }
                wait(&mut patience, failure, false).await?;
            }
        }
        Ok(())
    }

    fn left(&self) -> u64 {
        self.range.end - self.range.start - self.bytes.len() as u64
    }

    async fn receive_once(&mut self, client: &Client, requests: &AtomicU64) -> Result<(), Failure> {
        let first = self.range.start + self.bytes.len() as u64;
        let last = self.range.end - 1;
        count(requests);
        let answer = client.bytes(ByteRange { first, last, version: self.version.as_deref() });
        let answer = answer.await.map_err(changed)?;
        let came = range_of(&answer)?;
        // Not every store knows If-Match.
        let is_other = |version: &str| etag(&answer).is_some_and(|tag| tag != version);
        let is_larger = came.is_some_and(|came| came.size != self.size);
        if is_larger || self.version.as_deref().is_some_and(is_other) {
            return Err(Failure::Final(Reason::Changed));
        }
        if came.is_none_or(|came| came.first != first || came.last > last) {
            let why = format!("it has other bytes than {first} to {last}");
            return Err(Failure::Final(Reason::Answer(why)));
        }
        let most = self.left();
        receive(answer.into_body(), &mut self.bytes, usize::try_from(most).unwrap_or(usize::MAX))
            .await?;
        match self.left() {
            0 => Ok(()),
            _ => Err(Failure::Again("the answer was cut off".to_owned())),
        }
    }
}

/// The first piece, and what is known of the object then.
pub(super) struct First {
    pub(super) bytes: Vec<u8>,
    pub(super) size: u64,
    pub(super) version: Option<Arc<str>>,
}

impl First {
    pub(super) async fn receive(
        client: &Client,
        most: u64,
        requests: &AtomicU64,
    ) -> Result<First, Reason> {
        let mut patience = Patience::default();
        loop {
            match First::receive_once(client, most, requests).await {
                Ok(first) => return Ok(first),
                Err(failure) => wait(&mut patience, failure, true).await?,
            }
        }
    }

    async fn receive_once(
        client: &Client,
        most: u64,
        requests: &AtomicU64,
    ) -> Result<First, Failure> {
        count(requests);
        let answer = match client.bytes(ByteRange { first: 0, last: most - 1, version: None }).await
        {
            Ok(answer) => answer,
            Err(failure) if is_empty(&failure) => {
                return Ok(First { bytes: Vec::new(), size: 0, version: None });
            }
            Err(failure) => return Err(failure),
        };
        let version = etag(&answer).map(Arc::from);
        let range = range_of(&answer)?;
        if range.is_some_and(|range| range.first != 0 || range.last >= most) {
            return Err(Failure::Final(Reason::Answer("it has other bytes".to_owned())));
        }
        let mut bytes = Vec::new();
        receive(answer.into_body(), &mut bytes, WHOLE_BYTES).await?;
        let came = bytes.len() as u64;
        let Some(range) = range else { return Ok(First { bytes, size: came, version }) };
        if came != range.last + 1 {
            return Err(Failure::Again("the answer was cut off".to_owned()));
        }
        Ok(First { bytes, size: range.size, version })
    }
}

/// Waits until a request may be sent again.
async fn wait(patience: &mut Patience, failure: Failure, is_first: bool) -> Result<(), Reason> {
    let pause = match failure {
        Failure::Final(reason) => return Err(reason),
        Failure::Again(why) => patience.failed(why, is_first)?,
        Failure::SlowDown(why, at_least) => patience.refused(why, at_least)?,
    };
    tokio::time::sleep(pause).await;
    Ok(())
}

/// An object without bytes has no range of them.
fn is_empty(failure: &Failure) -> bool {
    has_status(failure, StatusCode::RANGE_NOT_SATISFIABLE)
}

fn changed(failure: Failure) -> Failure {
    match has_status(&failure, StatusCode::PRECONDITION_FAILED) {
        true => Failure::Final(Reason::Changed),
        false => failure,
    }
}

fn has_status(failure: &Failure, expected: StatusCode) -> bool {
    let Failure::Final(Reason::Refused { status, .. }) = failure else { return false };
    *status == expected.as_u16()
}

fn etag(answer: &HttpResponse) -> Option<&str> {
    answer.headers().get(ETAG)?.to_str().ok()
}

/// Which bytes an answer has, and of how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ContentRange {
    first: u64,
    last: u64,
    size: u64,
}

/// `None` for an answer that has all of them.
fn range_of(answer: &HttpResponse) -> Result<Option<ContentRange>, Failure> {
    if answer.status() != StatusCode::PARTIAL_CONTENT {
        return Ok(None);
    }
    let wrong = || Failure::Final(Reason::Answer("it does not say which bytes it has".to_owned()));
    content_range(answer.headers()).ok_or_else(wrong).map(Some)
}

/// `bytes 0-99/1234`; source: RFC 9110, 14.4.
fn content_range(headers: &HeaderMap) -> Option<ContentRange> {
    let text = headers.get(CONTENT_RANGE)?.to_str().ok()?.strip_prefix("bytes ")?;
    let (range, size) = text.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    let (first, last, size) = (first.parse().ok()?, last.parse().ok()?, size.parse().ok()?);
    (first <= last && last < size).then_some(ContentRange { first, last, size })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_says_which_bytes_it_has() {
        let of = |text: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_RANGE, http::HeaderValue::from_static(text));
            content_range(&headers)
        };
        let range = ContentRange { first: 5, last: 9, size: 12 };
        assert_eq!(of("bytes 5-9/12"), Some(range));
        for wrong in
            ["bytes 5-9/*", "bytes */12", "bytes 9-5/12", "bytes 5-12/12", "5-9/12", "bytes 5-9"]
        {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
