//! What differs between stores: how a request is made, and what its answer means.

use std::time::Duration;

use http::header::{IF_MATCH, RANGE};
use http::{HeaderMap, HeaderValue, Method};
use object_store::client::{HttpRequest, HttpRequestBody};
use object_store::{BackoffConfig, RetryConfig};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};

use crate::azure::Azure;
use crate::error::Reason;
use crate::gcs::Gcs;
use crate::list_objects;
use crate::location::Location;
use crate::page::Page;
use crate::plan::From;
use crate::refusal::{self, Refusal};
use crate::s3::S3;
use crate::settings::{Connection, Overrides};
use crate::store::Store;

/// What a signed query leaves as it is; source: AWS Signature Version 4.
const QUERY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The same for a path.
const PATH: &AsciiSet = &QUERY.remove(b'/');

/// The server that has a bucket.
#[derive(Debug)]
pub(crate) enum Server {
    S3(S3),
    Gcs(Gcs),
    Azure(Azure),
}

impl Server {
    /// The server of a location. No request.
    pub(crate) fn new(location: &Location, overrides: &Overrides) -> Result<Server, Reason> {
        Ok(match location.store() {
            Store::S3 => Server::S3(S3::new(location, overrides)?),
            Store::Gcs => Server::Gcs(Gcs::new(location, overrides)?),
            Store::Azure => Server::Azure(Azure::new(location, overrides)?),
        })
    }

    /// Where the server is, if it is not that of the store's owner.
    pub(crate) fn endpoint(
        location: &Location,
        overrides: &Overrides,
    ) -> Result<Option<String>, Reason> {
        match location.store() {
            Store::S3 => S3::endpoint(overrides),
            Store::Gcs => Gcs::endpoint(overrides),
            Store::Azure => Azure::endpoint(location, overrides),
        }
    }

    pub(crate) fn connection(&self) -> &Connection {
        match self {
            Server::S3(s3) => s3.connection(),
            Server::Gcs(gcs) => gcs.connection(),
            Server::Azure(azure) => azure.connection(),
        }
    }

    /// The region for which requests are signed, where there is one.
    pub(crate) fn region(&self) -> Option<String> {
        match self {
            Server::S3(s3) => Some(s3.region()),
            Server::Gcs(_) | Server::Azure(_) => None,
        }
    }

    /// Signs for another region from now on.
    pub(crate) fn sign_for(&self, region: String) {
        match self {
            Server::S3(s3) => s3.sign_for(region),
            Server::Gcs(_) | Server::Azure(_) => {}
        }
    }

    /// The request, with all that proves who one is.
    pub(crate) async fn request(&self, get: &Get<'_>) -> Result<HttpRequest, Reason> {
        match self {
            Server::S3(s3) => s3.request(get).await,
            Server::Gcs(gcs) => gcs.request(get).await,
            Server::Azure(azure) => azure.request(get).await,
        }
    }

    /// The page of an answer.
    pub(crate) fn page(&self, body: &[u8]) -> Result<Page, String> {
        match self {
            Server::S3(_) | Server::Gcs(_) => list_objects::parse(body),
            Server::Azure(_) => Azure::page(body),
        }
    }

    /// What an answer means that is no page.
    pub(crate) fn understand(&self, status: u16, body: &[u8], headers: &HeaderMap) -> Refusal {
        let region = headers.get("x-amz-bucket-region").and_then(|value| value.to_str().ok());
        refusal::understand(status, body, region.map(str::to_owned))
    }
}

/// What is asked of a server.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Get<'q> {
    /// A page of the listing of a bucket.
    Page(Query<'q>),
    /// Bytes of the object at a location.
    Bytes(&'q Location, ByteRange<'q>),
}

/// Bytes of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByteRange<'q> {
    pub(crate) first: u64,
    pub(crate) last: u64,
    /// The ETag that the object must still have.
    pub(crate) version: Option<&'q str>,
}

impl Get<'_> {
    /// The request, not signed yet, below the address of a bucket.
    pub(crate) fn unsigned(
        &self,
        bucket: &str,
        page: fn(&str, &Query<'_>) -> Result<String, Reason>,
    ) -> Result<HttpRequest, Reason> {
        match self {
            Get::Page(query) => to_url(&page(bucket, query)?),
            Get::Bytes(location, range) => {
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
        }
    }

    /// The bucket it is about.
    pub(crate) fn bucket(&self) -> &str {
        match self {
            Get::Page(query) => query.location.bucket(),
            Get::Bytes(location, _) => location.bucket(),
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
    let wrong = || Reason::Setting(format!("'{url}' is no URL"));
    // What signs requests takes it for granted.
    if reqwest::Url::parse(url).is_err() {
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

/// How often a machine is asked for credentials. One that has none has nobody who answers: seconds
/// are enough to find that out.
pub(crate) fn retry() -> RetryConfig {
    let backoff = BackoffConfig { max_backoff: Duration::from_secs(1), ..BackoffConfig::default() };
    RetryConfig { max_retries: 2, retry_timeout: Duration::from_secs(5), backoff }
}

/// Nothing says who one is: neither these places nor the machine.
pub(crate) fn no_credentials(places: &str, error: &object_store::Error) -> Reason {
    Reason::Credentials(format!(
        "none in the {places} or from the machine ({error}); --no-sign-request lists a public bucket"
    ))
}
