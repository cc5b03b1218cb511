//! What is asked of a bucket or done with an object, and what requests for it have in common.

use std::time::Duration;

use bytes::Bytes;
use fewer::present::lossless::to_base64;
use http::header::{CONTENT_LENGTH, IF_MATCH, RANGE};
use http::{HeaderValue, Method};
use object_store::client::{HttpRequest, HttpRequestBody};
use object_store::{BackoffConfig, RetryConfig};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};

use crate::error::Reason;
use crate::location::Location;
use crate::plan::From;
use crate::secret::text_without_secret;

/// What a signed query leaves as it is; source: AWS Signature Version 4.
const QUERY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The same for a path.
const PATH: &AsciiSet = &QUERY.remove(b'/');

/// What a server is to do.
#[derive(Clone, Debug)]
pub(crate) enum Operation<'q> {
    /// A page of the listing of a bucket.
    Page(Query<'q>),
    /// Bytes of the object at a location.
    Bytes(&'q Location, ByteRange<'q>),
    /// These bytes become the object at a location.
    Put(&'q Location, Bytes),
}

/// Bytes of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByteRange<'q> {
    pub(crate) first: u64,
    pub(crate) last: u64,
    /// The ETag that the object must still have.
    pub(crate) version: Option<&'q str>,
}

impl Operation<'_> {
    /// The request, not signed yet, below the address of a bucket.
    pub(crate) fn unsigned(
        &self,
        bucket: &str,
        page: fn(&str, &Query<'_>) -> Result<String, Reason>,
    ) -> Result<HttpRequest, Reason> {
        match self {
            Operation::Page(query) => to_url(&page(bucket, query)?),
            Operation::Bytes(location, range) => {
                let mut request = to_url(&object_url(bucket, location.prefix())?)?;
                let bytes = format!("bytes={}-{}", range.first, range.last);
                let version = range.version.map(|version| (IF_MATCH, version));
                for (name, value) in [(RANGE, &*bytes)].into_iter().chain(version) {
                    let value = HeaderValue::from_str(value);
                    let value = value.map_err(|_| Reason::Answer("a bad ETag".to_owned()))?;
                    request.headers_mut().insert(name, value);
                }
                Ok(request)
            }
            Operation::Put(location, bytes) => {
                let mut request = to_url(&object_url(bucket, location.prefix())?)?;
                *request.method_mut() = Method::PUT;
                request.headers_mut().insert(CONTENT_LENGTH, bytes.len().into());
                *request.body_mut() = bytes.clone().into();
                Ok(request)
            }
        }
    }

    /// The bucket it is about.
    pub(crate) fn bucket(&self) -> &str {
        match self {
            Operation::Page(query) => query.location.bucket(),
            Operation::Bytes(location, _) | Operation::Put(location, _) => location.bucket(),
        }
    }
}

/// The address of an object below that of its bucket.
fn object_url(bucket: &str, key: &str) -> Result<String, Reason> {
    // Every client of HTTP takes these for steps in a path.
    if key.split('/').any(|part| part == "." || part == "..") {
        return Err(Reason::Key("an object with . or .. in its key cannot be requested"));
    }
    if key.is_empty() || key.ends_with('/') {
        return Err(Reason::Key("it is a folder"));
    }
    Ok(format!("{bucket}/{}", percent_encode(key.as_bytes(), PATH)))
}

/// The address of a collection below that of its server.
pub(crate) fn collection_url(server: &str, key: &str) -> String {
    format!("{server}/{}", percent_encode(key.as_bytes(), PATH))
}

/// What is wanted of a bucket.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query<'q> {
    pub(crate) location: &'q Location,
    pub(crate) from: &'q From,
    /// Only the first level below the prefix, the rest as common prefixes.
    pub(crate) one_level: bool,
}

impl Query<'_> {
    /// Prefix and delimiter have the same names everywhere.
    pub(crate) fn push_prefix(&self, url: &mut String) {
        push_parameter(url, "prefix", self.location.prefix().as_bytes());
        push_parameter(url, "delimiter", if self.one_level { b"/" } else { b"" });
    }
}

/// Appends a parameter, unless it is empty.
pub(crate) fn push_parameter(url: &mut String, name: &str, value: &[u8]) {
    if !value.is_empty() {
        *url += &format!("&{name}={}", percent_encode(value, QUERY));
    }
}

/// A request that is not signed yet.
fn to_url(url: &str) -> Result<HttpRequest, Reason> {
    let wrong = || Reason::Setting(format!("'{}' is no URL", text_without_secret(url)));
    // What signs requests takes it for granted.
    if url::Url::parse(url).is_err() {
        return Err(wrong());
    }
    let mut request = HttpRequest::new(HttpRequestBody::empty());
    *request.method_mut() = Method::GET;
    *request.uri_mut() = url.parse().map_err(|_| wrong())?;
    Ok(request)
}

/// What a token stands in.
pub(crate) fn bearer(token: &str) -> Result<HeaderValue, Reason> {
    let value = HeaderValue::from_str(&format!("Bearer {token}"));
    let mut value = value
        .map_err(|_| Reason::Credentials("the token has a character that none has".to_owned()))?;
    value.set_sensitive(true);
    Ok(value)
}

/// What a name and a password stand in.
pub(crate) fn basic(name: &str, password: &str) -> Result<HeaderValue, Reason> {
    let pair = to_base64(format!("{name}:{password}").as_bytes());
    let wrong = |_| Reason::Credentials("the name and the password are too long".to_owned());
    let mut value = HeaderValue::from_str(&format!("Basic {pair}")).map_err(wrong)?;
    value.set_sensitive(true);
    Ok(value)
}

/// How often a machine is asked for credentials. One that has none has nobody who answers: seconds
/// are enough to find that out.
pub(crate) fn retry() -> RetryConfig {
    let backoff = BackoffConfig { max_backoff: Duration::from_secs(1), ..BackoffConfig::default() };
    RetryConfig { max_retries: 2, retry_timeout: Duration::from_secs(5), backoff }
}

/// Nothing says who one is: neither these places nor the machine.
pub(crate) fn no_credentials(places: &str, error: &object_store::Error) -> Reason {
    Reason::Credentials(format!(
        "none in the {places} or from the machine ({error}); \
         --no-sign-request lists a public bucket"
    ))
}
