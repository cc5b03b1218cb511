//! One list request: signed, sent, and its answer understood.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http::{HeaderMap, Method, StatusCode};
use object_store::aws::{AmazonS3Builder, AwsAuthorizer, AwsCredential, AwsCredentialProvider};
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpRequest, HttpRequestBody, HttpResponseBody,
    ReqwestConnector,
};
use object_store::{BackoffConfig, Certificate, ClientOptions, RetryConfig};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};

use crate::error::Reason;
use crate::location::Location;
use crate::page::Page;
use crate::plan::From;
use crate::refusal::{self, Refusal};
use crate::settings::{Credentials, Settings};

/// What a signed query leaves as it is; source: AWS Signature Version 4.
const QUERY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// An answer of this size is no page of 1,000 keys of at most 1,024 bytes, however encoded.
const LARGEST_ANSWER_BYTES: usize = 64 << 20;

/// Why a request has no page.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The store asks for patience, this long if it says so.
    SlowDown(String, Option<Duration>),
    /// It may succeed when it is sent again.
    Again(String),
    /// It will not.
    Final(Reason),
}

/// A bucket that can be listed.
#[derive(Debug)]
pub(crate) struct Bucket {
    http: HttpClient,
    credentials: Option<AwsCredentialProvider>,
    location: Location,
    /// Only the first level below the prefix, the rest as common prefixes.
    one_level: bool,
    /// The region changes once the store has said that it is another one.
    settings: Mutex<Settings>,
}

impl Bucket {
    /// Prepares to list. No request.
    pub(crate) fn new(
        location: Location,
        settings: Settings,
        one_level: bool,
    ) -> Result<Bucket, Reason> {
        // It fails if there is one already, which then serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let options = client_options(&settings)?;
        let wrong = |error: object_store::Error| Reason::Setting(error.to_string());
        let http = ReqwestConnector::default().connect(&options).map_err(wrong)?;
        let credentials = match &settings.credentials {
            Credentials::Anonymous => None,
            other => Some(provider(&location, &settings, other).map_err(wrong)?),
        };
        Ok(Bucket { http, credentials, location, one_level, settings: Mutex::new(settings) })
    }

    /// Requests a page.
    ///
    /// Price: one request; one more when the store says that the bucket is in another region.
    pub(crate) async fn page(&self, from: &From) -> Result<Page, Failure> {
        match self.request(from).await {
            Err(Sent::Elsewhere(region)) if region.bytes().all(|byte| byte.is_ascii_graphic()) => {
                {
                    let mut settings = self.settings.lock().unwrap_or_else(PoisonError::into_inner);
                    settings.region = region;
                }
                self.request(from).await
            }
            answer => answer,
        }
        .map_err(|sent| match sent {
            Sent::Failed(failure) => failure,
            Sent::Elsewhere(region) => Failure::Final(Reason::Refused {
                status: StatusCode::MOVED_PERMANENTLY.as_u16(),
                code: "PermanentRedirect".to_owned(),
                message: format!("the bucket is in the region {region}"),
            }),
        })
    }

    async fn request(&self, from: &From) -> Result<Page, Sent> {
        let settings = self.settings.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut request = HttpRequest::new(HttpRequestBody::empty());
        *request.method_mut() = Method::GET;
        let uri = self.uri(&settings, from);
        // What signs requests takes it for granted.
        if reqwest::Url::parse(&uri).is_err() {
            return Err(final_failure(&format!("'{uri}' is no URL")));
        }
        let uri = uri.parse().map_err(|_| final_failure(&format!("'{uri}' is no URL")))?;
        *request.uri_mut() = uri;
        if let Some(credentials) = &self.credentials {
            let credential = credentials.get_credential().await;
            let credential = credential.map_err(|error| no_credentials(&error))?;
            AwsAuthorizer::new(&credential, "s3", &settings.region)
                .with_request_payer(settings.requester_pays)
                .try_authorize(&mut request, None)
                .map_err(|error| final_failure(&error.to_string()))?;
        }
        let answer = self.http.execute(request).await.map_err(|error| again(&error))?;
        let (head, body) = answer.into_parts();
        let body = whole(body).await?;
        if head.status == StatusCode::OK {
            return page(&body).map_err(Sent::Failed);
        }
        Err(match refusal::understand(head.status.as_u16(), &body, region(&head.headers)) {
            Refusal::Region(region) if region != settings.region => Sent::Elsewhere(region),
            Refusal::SlowDown(why) => Sent::Failed(Failure::SlowDown(why, patience(&head.headers))),
            Refusal::Again(why) => Sent::Failed(Failure::Again(why)),
            Refusal::Final(reason) => Sent::Failed(Failure::Final(reason)),
            Refusal::Region(region) => {
                final_failure(&format!("the store wants requests signed for {region}, as they are"))
            }
        })
    }

    fn uri(&self, settings: &Settings, from: &From) -> String {
        let mut uri = settings.address(self.location.bucket());
        // Without a path the signature would be of another one.
        uri += "/?list-type=2&encoding-type=url";
        let mut add = |name: &str, value: &[u8]| {
            if !value.is_empty() {
                uri += &format!("&{name}={}", percent_encode(value, QUERY));
            }
        };
        match from {
            From::Beginning => {}
            From::After(key) => add("start-after", key),
            From::Token(token) => add("continuation-token", token.as_bytes()),
        }
        add("prefix", self.location.prefix().as_bytes());
        add("delimiter", if self.one_level { b"/" } else { b"" });
        uri
    }
}

/// What became of a request.
#[derive(Debug)]
enum Sent {
    /// The bucket is in this region.
    Elsewhere(String),
    Failed(Failure),
}

fn final_failure(why: &str) -> Sent {
    Sent::Failed(Failure::Final(Reason::Setting(why.to_owned())))
}

fn no_credentials(error: &object_store::Error) -> Sent {
    Sent::Failed(Failure::Final(Reason::Credentials(format!(
        "none in the environment, in the profile or from the machine ({error}); \
         --no-sign-request lists a public bucket"
    ))))
}

/// The body of an answer, as long as it is one that can be.
async fn whole(body: HttpResponseBody) -> Result<Vec<u8>, Sent> {
    let mut bytes = Vec::new();
    let mut pieces = body.bytes_stream();
    while let Some(piece) = poll_fn(|context| pieces.as_mut().poll_next(context)).await {
        bytes.extend_from_slice(&piece.map_err(|error| again(&error))?);
        if bytes.len() > LARGEST_ANSWER_BYTES {
            let why = format!("it has more than {} MiB", LARGEST_ANSWER_BYTES >> 20);
            return Err(Sent::Failed(Failure::Final(Reason::Answer(why))));
        }
    }
    Ok(bytes)
}

/// A page that came in one piece, but is none, may have been cut off on its way.
fn page(body: &[u8]) -> Result<Page, Failure> {
    Page::parse(body).map_err(|why| Failure::Again(format!("the answer is no listing: {why}")))
}

/// The connection failed. Its reason is behind several that say nothing.
fn again(error: &HttpError) -> Sent {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    let errno = innermost.downcast_ref().and_then(sys::Errno::from_io_error);
    let why = errno.map_or_else(|| innermost.to_string(), |errno| errno.to_string());
    Sent::Failed(Failure::Again(why))
}

fn region(headers: &HeaderMap) -> Option<String> {
    headers.get("x-amz-bucket-region")?.to_str().ok().map(str::to_owned)
}

/// How long the store wants to be left alone, in whole seconds.
fn patience(headers: &HeaderMap) -> Option<Duration> {
    let seconds: u64 = headers.get("retry-after")?.to_str().ok()?.parse().ok()?;
    Some(Duration::from_secs(seconds.min(60)))
}

fn client_options(settings: &Settings) -> Result<ClientOptions, Reason> {
    let mut options = ClientOptions::new()
        .with_allow_http(true)
        .with_timeout(settings.timeout)
        .with_connect_timeout(CONNECT_TIMEOUT.min(settings.timeout));
    if let Some(file) = &settings.certificates {
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

/// What gives credentials: keys that are known, or what object_store finds in the environment.
fn provider(
    location: &Location,
    settings: &Settings,
    credentials: &Credentials,
) -> Result<AwsCredentialProvider, object_store::Error> {
    if let Credentials::Keys(keys) = credentials {
        return Ok(Arc::new(object_store::StaticCredentialProvider::new(AwsCredential {
            key_id: keys.id.clone(),
            secret_key: keys.secret.clone(),
            token: keys.token.clone(),
        })));
    }
    // A machine that is no instance has nobody who answers: seconds are enough to find that out.
    let backoff = BackoffConfig { max_backoff: Duration::from_secs(1), ..BackoffConfig::default() };
    let retry = RetryConfig { max_retries: 2, retry_timeout: Duration::from_secs(5), backoff };
    let store = AmazonS3Builder::from_env()
        .with_bucket_name(location.bucket())
        .with_region(&settings.region)
        .with_retry(retry)
        .build()?;
    Ok(store.credentials().clone())
}
