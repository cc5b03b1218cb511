//! What an address like `hdfs://namenode:8020/path` names.

use crate::error::{Error, Reason};
use crate::location;
use crate::scheme::scheme;

/// A file or directory of HDFS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// As it was written.
    text: String,
    /// NameNode or nameservice, perhaps with a port; empty for that of the settings.
    authority: String,
    path: String,
}

impl Address {
    /// Whether a text begins with `hdfs://`.
    ///
    /// Price: no call.
    #[must_use]
    pub fn is_address(text: &[u8]) -> bool {
        scheme(text).is_some_and(location::is_hdfs)
    }

    /// What an address names: `hdfs://namenode:8020/path`, `hdfs://nameservice/path`, or
    /// `hdfs:///path` for that of `fs.defaultFS`. The path is taken as it is, without an escape.
    ///
    /// Price: no call.
    ///
    /// # Errors
    /// Another scheme, or no name of a server.
    pub fn parse(text: &str) -> Result<Address, Error> {
        let rest = text.split_once("://").map(|(_, rest)| rest);
        let Some(rest) = rest.filter(|_| Address::is_address(text.as_bytes())) else {
            return Err(Error::new(text, Reason::NoAddress));
        };
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        if !authority.chars().all(|char| char.is_ascii_alphanumeric() || ".-_:[]".contains(char)) {
            return Err(Error::of_name(text, "server", authority));
        }
        let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
        let path = format!("/{}", names.join("/"));
        Ok(Address { text: text.to_owned(), authority: authority.to_owned(), path })
    }

    /// The address as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// NameNode or nameservice, perhaps with a port; empty for that of the settings.
    #[must_use]
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// The absolute path, without a slash at its end or two in a row.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

/// Whether a port stands behind the name of a server.
pub(super) fn has_port(authority: &str) -> bool {
    let port = authority.rsplit_once(':').map(|(_, port)| port);
    port.is_some_and(|port| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (String, String) {
        let address = Address::parse(text).unwrap();
        assert_eq!(address.as_str(), text);
        (address.authority, address.path)
    }

    #[test]
    fn an_address_names_a_server_and_a_path_as_it_is_written() {
        assert_eq!(parts("hdfs://nn:8020/a/b"), ("nn:8020".into(), "/a/b".into()));
        assert_eq!(parts("HDFS://cluster"), ("cluster".into(), "/".into()));
        assert_eq!(parts("hdfs:///"), (String::new(), "/".into()));
        assert_eq!(parts("hdfs:///a//b c%20\n/"), (String::new(), "/a/b c%20\n".into()));
        assert_eq!(parts("hdfs://[::1]:9000/ä"), ("[::1]:9000".into(), "/ä".into()));
    }

    #[test]
    fn what_names_no_server_is_refused() {
        for text in ["hdfs://a b/c", "hdfs:/a", "/a", "s3://a", "viewfs://a/"] {
            let error = Address::parse(text).unwrap_err().to_string();
            assert!(error.contains(text), "{error}");
        }
        let error = Address::parse("hdfs://user:secret@nn/").unwrap_err();
        assert_eq!((error.reason(), error.address()), (&Reason::User, "hdfs://***@nn/"));
    }

    #[test]
    fn a_port_is_a_number_behind_a_colon() {
        assert!(has_port("nn:8020") && has_port("[::1]:8020"));
        assert!(!has_port("nn") && !has_port("nn:") && !has_port("[::1]"));
    }
}
