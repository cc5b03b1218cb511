//! One request: sent, and its answer understood.

use std::future::poll_fn;
use std::num::NonZero;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, StatusCode, Uri};
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpResponse, HttpResponseBody,
    ReqwestConnector,
};
use object_store::{Certificate, ClientOptions};
use tokio::runtime::{Builder, Runtime};

use crate::error::Reason;
use crate::location::Location;
use crate::page::Page;
use crate::plan::From;
use crate::query::{ByteRange, Operation, Query};
use crate::refusal::Refusal;
use crate::server::Server;
use crate::settings::{Connection, Overrides, goes_into_a_header};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// An answer of this size is no page, however encoded: 5,000 keys of at most 1,024 characters.
const LARGEST_ANSWER_BYTES: usize = 64 << 20;

/// Why a request has no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The store asks for patience, this long if it says so.
    SlowDown(String, Option<Duration>),
    /// It may succeed when it is sent again.
    Again(String),
    /// It will not.
    Final(Reason),
}

/// What requests run in: threads of their own, at most so many.
pub(crate) fn runtime(most_threads: usize) -> Result<Runtime, Reason> {
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    let runtime = Builder::new_multi_thread()
        .worker_threads(threads.min(most_threads))
        .thread_name("requests")
        .enable_all()
        .build();
    runtime.map_err(|error| Reason::Setting(format!("no threads: {error}")))
}

/// The server that has a bucket, asked about one location in it.
#[derive(Debug)]
pub(crate) struct Client {
    http: HttpClient,
    server: Server,
    location: Location,
}

impl Client {
    /// Prepares to ask. No request.
    pub(crate) fn new(location: Location, overrides: &Overrides) -> Result<Client, Reason> {
        // It fails if there is one already, which then serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let server = Server::new(&location, overrides)?;
        let options = client_options(server.connection())?;
        let http = ReqwestConnector::default().connect(&options);
        let http = http.map_err(|error| Reason::Setting(error.to_string()))?;
        Ok(Client { http, server, location })
    }

    /// Requests a page of the listing.
    ///
    /// Price: one request; one more when the store says that the bucket is in another region.
    pub(crate) async fn page(&self, from: &From, one_level: bool) -> Result<Page, Failure> {
        self.page_of(Query { location: &self.location, from, one_level }).await
    }

    /// The same of one level of another location in the bucket.
    pub(crate) async fn level(&self, location: &Location, from: &From) -> Result<Page, Failure> {
        self.page_of(Query { location, from, one_level: true }).await
    }

    async fn page_of(&self, query: Query<'_>) -> Result<Page, Failure> {
        let answer = self.send(&Operation::Page(query)).await?;
        let mut body = Vec::new();
        receive(answer.into_body(), &mut body, LARGEST_ANSWER_BYTES).await?;
        // A page that came in one piece, but is none, may have been cut off on its way.
        let cut_off = |why| Failure::Again(format!("the answer is no listing: {why}"));
        self.server.page(&body, query.location).map_err(cut_off)
    }

    /// Requests bytes of the object at the location; the answer may have fewer, or all.
    ///
    /// Price: as a page.
    pub(crate) async fn bytes(&self, range: ByteRange<'_>) -> Result<HttpResponse, Failure> {
        self.send(&Operation::Bytes(&self.location, range)).await
    }

    /// Makes these bytes the object at the location: who reads it finds the old ones or these.
    ///
    /// Price: as a page.
    pub(crate) async fn put(&self, bytes: Bytes) -> Result<(), Failure> {
        self.send(&Operation::Put(&self.location, bytes)).await.map(|_| ())
    }

    async fn send(&self, operation: &Operation<'_>) -> Result<HttpResponse, Failure> {
        let before = self.server.region();
        let answer = match self.send_once(operation).await {
            Err(Sent::Elsewhere(region)) if before.is_some_and(|before| before != region) => {
                self.server.sign_for(region);
                self.send_once(operation).await
            }
            answer => answer,
        };
        answer.map_err(|sent| match sent {
            Sent::Failed(failure) => failure,
            Sent::Elsewhere(region) => Failure::Final(Reason::Refused {
                status: StatusCode::MOVED_PERMANENTLY.as_u16(),
                code: "PermanentRedirect".to_owned(),
                message: format!("the bucket is in the region {region}"),
            }),
        })
    }

    async fn send_once(&self, operation: &Operation<'_>) -> Result<HttpResponse, Sent> {
        let request = self.server.request(operation).await;
        let request = request.map_err(|reason| Sent::Failed(Failure::Final(reason)))?;
        let server = server_of(request.uri());
        let answer = self.http.execute(request).await;
        let answer = answer.map_err(|error| Sent::Failed(no_answer(&server, &error)))?;
        if matches!(
            answer.status(),
            StatusCode::OK
                | StatusCode::PARTIAL_CONTENT
                | StatusCode::CREATED
                | StatusCode::NO_CONTENT
                | StatusCode::MULTI_STATUS
        ) {
            return Ok(answer);
        }
        let (head, body) = answer.into_parts();
        let mut text = Vec::new();
        receive(body, &mut text, LARGEST_ANSWER_BYTES).await.map_err(Sent::Failed)?;
        Err(match self.server.understand(head.status.as_u16(), &text, &head.headers) {
            Refusal::Region(region) if goes_into_a_header(&region) => Sent::Elsewhere(region),
            Refusal::Region(region) => {
                let why = format!("'{region}' is no name of a region");
                Sent::Failed(Failure::Final(Reason::Answer(why)))
            }
            Refusal::SlowDown(why) => Sent::Failed(Failure::SlowDown(why, patience(&head.headers))),
            Refusal::Again(why) => Sent::Failed(Failure::Again(why)),
            Refusal::Final(reason) => Sent::Failed(Failure::Final(reason)),
        })
    }
}

/// What became of a request.
#[derive(Debug)]
enum Sent {
    /// The bucket is in this region.
    Elsewhere(String),
    Failed(Failure),
}

/// Appends the body of an answer, which has at most so many bytes. What came before an error stays.
pub(crate) async fn receive(
    body: HttpResponseBody,
    bytes: &mut Vec<u8>,
    most: usize,
) -> Result<(), Failure> {
    receive_each(body, most, |piece| bytes.extend_from_slice(piece)).await
}

/// The same, with the bytes as they come.
pub(crate) async fn receive_each(
    body: HttpResponseBody,
    most: usize,
    mut take: impl FnMut(&[u8]),
) -> Result<(), Failure> {
    let mut came = 0;
    let mut pieces = body.bytes_stream();
    while let Some(piece) = poll_fn(|context| pieces.as_mut().poll_next(context)).await {
        let piece = piece.map_err(|error| again(&error))?;
        came += piece.len();
        if came > most {
            let why = format!("it has more than {} MiB", most >> 20);
            return Err(Failure::Final(Reason::Answer(why)));
        }
        take(&piece);
    }
    Ok(())
}

/// The server that a request goes to.
fn server_of(uri: &Uri) -> String {
    let port = match uri.port_u16() {
        Some(port) => port,
        None if uri.scheme_str() == Some("http") => 80,
        None => 443,
    };
    format!("{}:{port}", uri.host().unwrap_or_default())
}

/// A server does not answer, or cannot be reached at all.
fn no_answer(server: &str, error: &HttpError) -> Failure {
    let why = reason(error);
    Failure::Again(match error.kind() {
        HttpErrorKind::Connect => format!("cannot reach {server}: {why}"),
        _ => format!("no answer from {server}: {why}"),
    })
}

/// The connection failed.
fn again(error: &HttpError) -> Failure {
    Failure::Again(reason(error))
}

/// The reason is behind several that say nothing.
fn reason(error: &HttpError) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    let errno = innermost.downcast_ref().and_then(sys::Errno::from_io_error);
    errno.map_or_else(|| innermost.to_string(), |errno| errno.to_string())
}

/// How long the store wants to be left alone, in whole seconds.
fn patience(headers: &HeaderMap) -> Option<Duration> {
    let seconds: u64 = headers.get("retry-after")?.to_str().ok()?.parse().ok()?;
    Some(Duration::from_secs(seconds.min(60)))
}

fn client_options(connection: &Connection) -> Result<ClientOptions, Reason> {
    let mut options = ClientOptions::new()
        .with_allow_http(true)
        .with_timeout(connection.timeout)
        .with_connect_timeout(CONNECT_TIMEOUT.min(connection.timeout));
    if let Some(file) = &connection.certificates {
        let wrong = |why: String| Reason::Setting(format!("certificates of '{file}': {why}"));
        let name = std::ffi::CString::new(file.as_bytes());
        let name = name.map_err(|error| wrong(error.to_string()))?;
        let pem = sys::read_all(sys::CWD, &name, LARGEST_ANSWER_BYTES);
        let pem = pem.map_err(|errno| wrong(errno.to_string()))?;
        let found = Certificate::from_pem_bundle(&pem).map_err(|error| wrong(error.to_string()))?;
        options = found.into_iter().fold(options, ClientOptions::with_root_certificate);
    }
    Ok(options)
}
