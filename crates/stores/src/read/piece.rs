//! One piece of an object: what was received of it is handed on, and the rest is requested again.

use std::ops::Range;
use std::sync::Arc;

use http::header::{CONTENT_RANGE, ETAG};
use http::{HeaderMap, StatusCode};
use object_store::client::HttpResponse;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::Requests;
use crate::error::Reason;
use crate::patience::Patience;
use crate::query::ByteRange;
use crate::request::{Client, Failure, receive, receive_each};

/// Bytes as they come, and why there are no more. It holds no more than a piece has.
pub(super) type Receiver = UnboundedReceiver<Result<Vec<u8>, Reason>>;
type Sender = UnboundedSender<Result<Vec<u8>, Reason>>;

/// A store that ignores ranges sends the whole object, which has to fit into memory.
const WHOLE_BYTES: usize = 64 << 20;

/// A piece on its way to who reads the object.
pub(super) struct Piece {
    client: Arc<Client>,
    /// What has not come yet.
    left: Range<u64>,
    /// How many bytes the object has, and what names these.
    size: u64,
    version: Option<Arc<str>>,
    out: Sender,
    requests: Requests,
}

impl Piece {
    pub(super) fn new(
        client: Arc<Client>,
        left: Range<u64>,
        size: u64,
        version: Option<Arc<str>>,
        requests: Requests,
    ) -> (Piece, Receiver) {
        let (out, receiver) = unbounded_channel();
        let piece = Piece { client, left, size, version, out, requests };
        (piece, receiver)
    }

    /// Receives all of it, from an answer that has come and from others. What fails on its way is
    /// requested again, as long as something comes.
    pub(super) async fn receive(mut self, answer: Option<HttpResponse>) {
        if let Err(reason) = self.receive_all(answer).await {
            // Whoever is gone wants no reason.
            let _ = self.out.send(Err(reason));
        }
    }

    async fn receive_all(&mut self, mut answer: Option<HttpResponse>) -> Result<(), Reason> {
        let mut patience = Patience::default();
        while !self.left.is_empty() {
            let before = self.left.start;
            let received = match answer.take() {
                Some(answer) => self.receive_body(answer).await,
                None => self.receive_once().await,
            };
            if let Err(failure) = received {
                if self.left.start > before {
                    patience = Patience::default();
                }
                wait(&mut patience, failure, false).await?;
            }
        }
        Ok(())
    }

    async fn receive_once(&mut self) -> Result<(), Failure> {
        let (first, last) = (self.left.start, self.left.end - 1);
        self.requests.add();
        let range = ByteRange { first, last, version: self.version.as_deref() };
        let answer = self.client.bytes(range).await.map_err(changed)?;
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
        self.receive_body(answer).await
    }

    async fn receive_body(&mut self, answer: HttpResponse) -> Result<(), Failure> {
        let most = usize::try_from(self.left.end - self.left.start).unwrap_or(usize::MAX);
        let (left, out) = (&mut self.left, &self.out);
        receive_each(answer.into_body(), most, |bytes| {
            left.start += bytes.len() as u64;
            let _ = out.send(Ok(bytes.to_vec()));
        })
        .await?;
        match self.left.is_empty() {
            true => Ok(()),
            false => Err(Failure::Again("the answer was cut off".to_owned())),
        }
    }
}

/// The beginning of an object, and what is known of it then.
pub(super) struct First {
    pub(super) size: u64,
    pub(super) version: Option<Arc<str>>,
    pub(super) begin: Begin,
}

/// What has come of an object at first.
pub(super) enum Begin {
    /// All of it.
    Whole(Vec<u8>),
    /// An answer that has so many bytes of it.
    Part(HttpResponse, u64),
}

impl First {
    /// Waits until the store has begun to answer.
    pub(super) async fn receive(
        client: &Client,
        most: u64,
        requests: &Requests,
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
        requests: &Requests,
    ) -> Result<First, Failure> {
        requests.add();
        let answer = match client.bytes(ByteRange { first: 0, last: most - 1, version: None }).await
        {
            Ok(answer) => answer,
            Err(failure) if is_empty(&failure) => {
                return Ok(First { size: 0, version: None, begin: Begin::Whole(Vec::new()) });
            }
            Err(failure) => return Err(failure),
        };
        let version = etag(&answer).map(Arc::from);
        let Some(range) = range_of(&answer)? else {
            let mut bytes = Vec::new();
            receive(answer.into_body(), &mut bytes, WHOLE_BYTES).await?;
            return Ok(First { size: bytes.len() as u64, version, begin: Begin::Whole(bytes) });
        };
        if range.first != 0 || range.last >= most {
            return Err(Failure::Final(Reason::Answer("it has other bytes".to_owned())));
        }
        Ok(First { size: range.size, version, begin: Begin::Part(answer, range.last + 1) })
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
