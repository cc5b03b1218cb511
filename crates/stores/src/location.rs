//! What an address like `s3://bucket/prefix` or `gs://bucket/prefix` names.

use crate::error::{Error, Reason};
use crate::scheme::scheme;
use crate::secret::secret;
use crate::store::Store;

/// Schemes of stores that are known, but cannot be listed yet.
const NOT_YET: &[&str] = &[
    "az", "azure", "abfs", "abfss", "wasb", "wasbs", "adl", "webdav", "dav", "viewfs", "webhdfs",
    "swebhdfs",
];

/// The end of the name of a directory bucket.
const DIRECTORY_BUCKET: &str = "--x-s3";

/// What is behind the name of an account and the kind of its server.
const AZURE_SUFFIXES: &[&str] =
    &["core.windows.net", "core.chinacloudapi.cn", "core.usgovcloudapi.net"];

/// A bucket, and what its keys begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    store: Store,
    /// The server of an account, as it stands behind an `@`.
    host: Option<String>,
    bucket: String,
    prefix: String,
}

impl Location {
    /// Whether a text is an address of a store: `scheme://…` with a scheme that a store has.
    ///
    /// Price: no request.
    #[must_use]
    pub fn is_address(text: &[u8]) -> bool {
        scheme(text).is_some_and(|scheme| {
            Store::of_scheme(scheme).is_some() || is_hdfs(scheme) || is_known(scheme)
        })
    }

    /// The location that an address names: `s3://bucket`, `gs://bucket/prefix`,
    /// `az://container/prefix`, `abfss://container@account.dfs.core.windows.net/prefix`. The prefix is
    /// taken as it is, without an escape: a key may contain any character.
    ///
    /// Price: no request.
    ///
    /// # Errors
    /// A scheme that is not built yet, HDFS, no bucket, a name that no bucket has, a directory
    /// bucket.
    pub fn parse(address: &str) -> Result<Location, Error> {
        let refuse = |reason| Err(Error::new(address, reason));
        let Some(scheme) = scheme(address.as_bytes()) else { return refuse(Reason::NoAddress) };
        if is_hdfs(scheme) {
            return refuse(Reason::NoBucket);
        }
        let Some(store) = Store::of_scheme(scheme) else {
            return refuse(Reason::Scheme(String::from_utf8_lossy(scheme).to_lowercase()));
        };
        let rest = &address[scheme.len() + "://".len()..];
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        if store == Store::S3 && bucket.ends_with(DIRECTORY_BUCKET) {
            return refuse(Reason::DirectoryBucket);
        }
        let (bucket, host) = match bucket.split_once('@') {
            Some((bucket, host)) if is_abfs(scheme) => (bucket, Some(host.to_owned())),
            _ => (bucket, None),
        };
        if host.as_deref().is_some_and(|host| Account::of_host(host).is_none()) {
            let has_secret = secret(address.as_bytes()).is_some();
            return refuse(if has_secret { Reason::User } else { Reason::Account });
        }
        if !is_bucket_name(store, bucket) {
            let of = if store.has_collections() { "server" } else { "bucket" };
            return Err(Error::of_name(address, of, bucket));
        }
        Ok(Location { store, host, bucket: bucket.to_owned(), prefix: prefix.to_owned() })
    }

    /// The store that has the bucket.
    #[must_use]
    pub fn store(&self) -> Store {
        self.store
    }

    /// The account, where the address names one.
    pub(crate) fn account(&self) -> Option<Account> {
        self.host.as_deref().and_then(Account::of_host)
    }

    /// The name of the bucket.
    #[must_use]
    pub fn bucket(&self) -> &str {
        &self.bucket
    }

    /// What a listing is of: the name of a collection ends in a slash, however it was written.
    #[must_use]
    pub fn listed(mut self) -> Location {
        let is_whole = self.prefix.is_empty() || self.prefix.ends_with('/');
        if self.store.has_collections() && !is_whole {
            self.prefix.push('/');
        }
        self
    }

    /// The same bucket with another prefix.
    pub(crate) fn with_prefix(&self, prefix: &str) -> Location {
        Location { prefix: prefix.to_owned(), ..self.clone() }
    }

    /// What the keys begin with; empty for all keys.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// What stands in front of a key in its address.
    #[must_use]
    pub fn front(&self) -> String {
        match &self.host {
            Some(host) => format!("abfss://{}@{host}/", self.bucket),
            None => format!("{}://{}/", self.store.scheme(), self.bucket),
        }
    }

    /// The address.
    #[must_use]
    pub fn address(&self) -> String {
        self.front() + &self.prefix
    }
}

/// An account of Azure Blob Storage in an address.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) name: String,
    /// The URL of its blobs.
    pub(crate) server: String,
}

impl Account {
    /// The account that `account.dfs.core.windows.net` names.
    fn of_host(host: &str) -> Option<Account> {
        let (name, rest) = host.split_once('.')?;
        let suffix = rest.strip_prefix("dfs.").or_else(|| rest.strip_prefix("blob."))?;
        let is_known = AZURE_SUFFIXES.contains(&suffix) && is_account(name);
        let server = format!("https://{name}.blob.{suffix}");
        is_known.then(|| Account { name: name.to_owned(), server })
    }
}

/// Whether a name can be that of an account: nothing that could be another part of a URL.
pub(crate) fn is_account(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// Whether a scheme is that of HDFS, in any case.
pub(crate) fn is_hdfs(scheme: &[u8]) -> bool {
    scheme.eq_ignore_ascii_case(b"hdfs")
}

fn is_known(scheme: &[u8]) -> bool {
    NOT_YET.iter().any(|name| scheme.eq_ignore_ascii_case(name.as_bytes()))
}

/// Hadoop's scheme, whose addresses may name an account.
fn is_abfs(scheme: &[u8]) -> bool {
    [b"abfs".as_slice(), b"abfss"].iter().any(|name| scheme.eq_ignore_ascii_case(name))
}

/// Names that S3 allows, and those of older buckets and of servers that are less strict: nothing
/// that could be another part of an address. Azure's own containers begin with a dollar sign.
fn is_bucket_name(store: Store, name: &str) -> bool {
    if store.has_collections() {
        return is_server_name(name);
    }
    let name = if store == Store::Azure { name.strip_prefix('$').unwrap_or(name) } else { name };
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
    (1..=255).contains(&name.len())
        && name.bytes().all(allowed)
        && name.bytes().next().is_some_and(|first| first.is_ascii_alphanumeric())
        && !name.contains("..")
}

/// Names and numbers of servers, with a port: nothing that could be another part of an address, as
/// a password would be.
fn is_server_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte);
    !name.is_empty()
        && name.bytes().all(allowed)
        && url::Url::parse(&format!("http://{name}/")).is_ok_and(|url| url.path() == "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(address: &str) -> (String, String) {
        let location = Location::parse(address).unwrap();
        (location.bucket, location.prefix)
    }

    #[test]
    fn an_address_names_a_bucket_and_a_prefix_as_it_is_written() {
        assert_eq!(parts("s3://logs"), ("logs".into(), String::new()));
        assert_eq!(parts("s3://logs/"), ("logs".into(), String::new()));
        assert_eq!(parts("S3://logs/2024/a b%20?"), ("logs".into(), "2024/a b%20?".into()));
        assert_eq!(parts("s3a://my.logs//x"), ("my.logs".into(), "/x".into()));
    }

    #[test]
    fn an_address_is_printed_with_the_scheme_of_its_store() {
        for (address, printed) in [
            ("s3n://b/p", "s3://b/p"),
            ("gs://b", "gs://b/"),
            ("GCS://b/p/", "gs://b/p/"),
            ("abfs://c/p", "az://c/p"),
            ("HTTPS://a.example:8443/p q%20", "https://a.example:8443/p q%20"),
            ("http://[::1]", "http://[::1]/"),
            ("az://$web", "az://$web/"),
            ("abfs://c@a.dfs.core.windows.net/p@q", "abfss://c@a.dfs.core.windows.net/p@q"),
        ] {
            assert_eq!(Location::parse(address).unwrap().address(), printed);
        }
    }

    #[test]
    fn what_cannot_be_listed_is_refused_by_name() {
        for (address, word) in [
            ("wasb://b/p", "wasb"),
            ("http:///p", "server"),
            ("http://a.example:x/p", "server"),
            ("https://a?b/p", "server"),
            ("webdav://a.example/p", "webdav"),
            ("az://c@a.dfs.core.windows.net/p", "bucket"),
            ("s3://$b/p", "bucket"),
            ("abfss://c@a.example/p", "@"),
            ("abfss://c@a.dfs.core.windows.net.example/p", "@"),
            ("abfss://c@/p", "@"),
            ("hdfs://node:9000/p", "hdfs"),
            ("s3://", "bucket"),
            ("s3:///p", "bucket"),
            ("s3://a..b/p", "bucket"),
            ("s3://data--use1-az4--x-s3/p", "directory bucket"),
        ] {
            let error = Location::parse(address).unwrap_err().to_string();
            assert!(error.contains(word) && error.contains(address), "{error}");
        }
    }

    #[test]
    fn what_has_a_user_is_refused_and_no_password_is_printed() {
        for (address, printed) in [
            ("https://user:secret@a.example/p", "https://***@a.example/p"),
            ("s3://user@b/p", "s3://***@b/p"),
            ("abfss://user:secret@a.example/p", "abfss://***@a.example/p"),
        ] {
            let error = Location::parse(address).unwrap_err();
            assert_eq!((error.reason(), error.address()), (&Reason::User, printed));
        }
    }

    #[test]
    fn a_listing_is_of_a_collection() {
        let listed = |address: &str| Location::parse(address).unwrap().listed().address();
        assert_eq!(listed("https://a/p"), "https://a/p/");
        assert_eq!(listed("http://a/p/"), "http://a/p/");
        assert_eq!(listed("http://a"), "http://a/");
        assert_eq!(listed("s3://a/p"), "s3://a/p");
    }

    #[test]
    fn paths_are_no_addresses() {
        for path in ["s3", "s3:/b", "./s3://b", "a/s3://b", "://", "file:///a", "C://x", ""] {
            assert!(!Location::is_address(path.as_bytes()), "{path}");
        }
        assert!(Location::is_address(b"s3://b") && Location::is_address(b"GS://b"));
    }
}
