//! What a request asks for.

use crate::answer::{BAD_ENCODING, BAD_MAX_KEYS, Refusal};
use crate::encoding::from_url;

/// How many keys a page has at most.
const MAX_KEYS: u64 = 1000;

/// Subresources of a bucket, which ask for something else than a list of keys.
const SUBRESOURCES: &[&str] = &[
    "accelerate", "acl", "analytics", "cors", "encryption", "inventory", "lifecycle", "logging",
    "metrics", "notification", "object-lock", "ownershipControls", "policy", "policyStatus",
    "publicAccessBlock", "replication", "requestPayment", "tagging", "uploads", "versioning",
    "versions", "website",
];

/// The head of a request, as far as it decides the answer.
pub(crate) struct Head {
    pub(crate) method: String,
    /// Path and query, as they were sent.
    pub(crate) target: String,
    /// The region for which the request is signed.
    pub(crate) region: Option<String>,
    pub(crate) range: Option<String>,
    pub(crate) keep_alive: bool,
    /// Whether a body follows, which nothing here reads.
    pub(crate) has_body: bool,
}

impl Head {
    pub(crate) fn new(request: &httparse::Request<'_, '_>) -> Head {
        let value = |name: &str| {
            let mut headers = request.headers.iter();
            let header = headers.find(|header| header.name.eq_ignore_ascii_case(name))?;
            std::str::from_utf8(header.value).ok()
        };
        let keep_alive = match value("Connection") {
            Some(option) => option.eq_ignore_ascii_case("keep-alive"),
            None => request.version == Some(1),
        };
        Head {
            method: request.method.unwrap_or_default().to_owned(),
            target: request.path.unwrap_or_default().to_owned(),
            region: value("Authorization").and_then(signed_region).map(str::to_owned),
            range: value("Range").map(str::to_owned),
            keep_alive,
            has_body: value("Transfer-Encoding").is_some()
                || value("Content-Length").is_some_and(|length| length != "0"),
        }
    }
}

/// The region in `…Credential=KEY/20240117/eu-west-1/s3/aws4_request…`.
fn signed_region(authorization: &str) -> Option<&str> {
    let (_, credential) = authorization.split_once("Credential=")?;
    let scope = credential.split([',', ' ']).next()?;
    // A key may contain slashes, so that the region is the third but last.
    scope.rsplit('/').nth(2)
}

/// What is asked for.
pub(crate) enum Action {
    List(Box<List>),
    HeadBucket,
    Location,
    /// HEAD or GET of an object.
    Object(Vec<u8>),
    Unknown,
}

/// A list request. Texts are decoded.
#[derive(Default)]
pub(crate) struct List {
    pub(crate) bucket: Vec<u8>,
    /// Whether it is ListObjects, which came before ListObjectsV2.
    pub(crate) is_first_version: bool,
    pub(crate) prefix: Vec<u8>,
    pub(crate) delimiter: Vec<u8>,
    /// The `marker` of ListObjects, the `start-after` of ListObjectsV2.
    pub(crate) start_after: Option<Vec<u8>>,
    pub(crate) token: Option<Vec<u8>>,
    /// At most 1000.
    pub(crate) max_keys: u64,
    pub(crate) encodes_url: bool,
    pub(crate) fetches_owner: bool,
    /// What is wrong with the request.
    pub(crate) refusal: Option<&'static Refusal>,
}

impl Action {
    pub(crate) fn new(head: &Head) -> Action {
        let (path, query) = head.target.split_once('?').unwrap_or((&head.target, ""));
        let path = path.strip_prefix('/').unwrap_or(path);
        let (bucket, key) = path.split_once('/').unwrap_or((path, ""));
        match (head.method.as_str(), bucket, key) {
            (_, "", _) => Action::Unknown,
            ("GET", _, "") => in_bucket(bucket, query),
            ("HEAD", _, "") => Action::HeadBucket,
            ("GET" | "HEAD", _, _) => Action::Object(from_url(key, false)),
            _ => Action::Unknown,
        }
    }
}

fn in_bucket(bucket: &str, query: &str) -> Action {
    let names = || query.split('&').map(|pair| pair.split('=').next().unwrap_or_default());
    if names().any(|name| name == "location") {
        Action::Location
    } else if names().any(|name| SUBRESOURCES.contains(&name)) {
        Action::Unknown
    } else {
        Action::List(Box::new(List::new(bucket, query)))
    }
}

impl List {
    fn new(bucket: &str, query: &str) -> List {
        let mut list = List {
            bucket: from_url(bucket, false),
            is_first_version: true,
            max_keys: MAX_KEYS,
            ..List::default()
        };
        let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        let (mut marker, mut start_after) = (None, None);
        for (name, value) in pairs {
            let value = || from_url(value, true);
            match name {
                "list-type" => list.is_first_version = value() != b"2",
                "prefix" => list.prefix = value(),
                "delimiter" => list.delimiter = value(),
                "marker" => marker = Some(value()),
                "start-after" => start_after = Some(value()),
                "continuation-token" => list.token = Some(value()),
                "max-keys" => list.set_max_keys(&value()),
                "encoding-type" => list.set_encoding(&value()),
                "fetch-owner" => list.fetches_owner = value() == b"true",
                _ => {}
            }
        }
        list.start_after = if list.is_first_version { marker } else { start_after };
        list
    }

    fn set_max_keys(&mut self, value: &[u8]) {
        let number = std::str::from_utf8(value).ok().and_then(|text| text.parse::<u64>().ok());
        match number {
            Some(number) => self.max_keys = number.min(MAX_KEYS),
            // Some clients send the parameter without a value.
            None if value.is_empty() => {}
            None => self.refusal = Some(&BAD_MAX_KEYS),
        }
    }

    fn set_encoding(&mut self, value: &[u8]) {
        match value {
            b"url" => self.encodes_url = true,
            b"" => {}
            _ => self.refusal = Some(&BAD_ENCODING),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_region_is_that_of_the_signature() {
        let header = "AWS4-HMAC-SHA256 Credential=A/K/20240117/eu-west-1/s3/aws4_request, \
                      SignedHeaders=host, Signature=00";
        assert_eq!(signed_region(header), Some("eu-west-1"));
        assert_eq!(signed_region("AWS A:B"), None);
    }

    #[test]
    fn a_list_request_is_decoded() {
        let list = List::new(
            "b%2B",
            "list-type=2&prefix=a+b%2Fc&max-keys=5000&start-after=x&marker=y&encoding-type=url\
             &fetch-owner=true",
        );
        assert_eq!((list.bucket, list.prefix), (b"b+".to_vec(), b"a b/c".to_vec()));
        assert_eq!((list.start_after, list.token), (Some(b"x".to_vec()), None));
        assert_eq!((list.max_keys, list.encodes_url), (1000, true));
        assert!(list.fetches_owner && !list.is_first_version && list.refusal.is_none());
    }

    #[test]
    fn what_is_no_number_of_keys_is_refused() {
        assert!(List::new("b", "max-keys=-1").refusal.is_some());
        assert!(List::new("b", "max-keys=ten").refusal.is_some());
        assert!(List::new("b", "encoding-type=base64").refusal.is_some());
        assert!(List::new("b", "max-keys=&encoding-type=").refusal.is_none());
    }
}
