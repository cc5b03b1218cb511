//! WebDAV: how a collection is asked for, and who one is.
//!
//! | module | what is in it |
//! |---|---|
//! | here | [`WebDav`]: a request |
//! | `page` | the members of a collection, as a page |
//!
//! `PROPFIND` with `Depth: 1` names what is directly in a collection. `Depth: infinity` would be
//! one request for all, and servers may refuse it, as most do. The crate object_store asks for
//! that, does not take names that it could not write itself, and has no error of one collection: of
//! it the client alone is used.
//!
//! Source: RFC 4918.

mod page;

use http::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderValue, Method};
use object_store::client::HttpRequest;

use crate::error::Reason;
use crate::location::Location;
use crate::page::Page;
use crate::query::{Operation, Query, basic, bearer, collection_url};
use crate::settings::{Connection, Overrides, Variables, keeps_secrets, variable};
use crate::store::Store;

const WANTED: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?><propfind xmlns=\"DAV:\"><prop>\
    <resourcetype/><getcontentlength/><getlastmodified/><getetag/></prop></propfind>";

/// The server, and who one is.
#[derive(Debug)]
pub(crate) struct WebDav {
    server: String,
    authorization: Option<HeaderValue>,
    connection: Connection,
}

impl WebDav {
    pub(crate) fn new(location: &Location, overrides: &Overrides) -> Result<WebDav, Reason> {
        WebDav::from(location, overrides, &variable)
    }

    fn from(
        location: &Location,
        overrides: &Overrides,
        variable: Variables<'_>,
    ) -> Result<WebDav, Reason> {
        if overrides.endpoint.is_some() {
            let why = "the server is that of the address, and no other endpoint";
            return Err(Reason::Setting(why.to_owned()));
        }
        let server = server(location);
        let authorization = match overrides.anonymous {
            true => None,
            false => authorization(variable)?,
        };
        if authorization.is_some() {
            keeps_secrets(&server)?;
        }
        let connection = Connection { certificates: None, timeout: overrides.timeout() };
        Ok(WebDav { server, authorization, connection })
    }

    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }

    pub(crate) fn request(&self, operation: &Operation<'_>) -> Result<HttpRequest, Reason> {
        let page_url =
            |server: &str, query: &Query<'_>| Ok(collection_url(server, query.location.prefix()));
        let mut request = operation.unsigned(&self.server, page_url)?;
        if let Operation::Page(_) = operation {
            *request.method_mut() = Method::from_bytes(b"PROPFIND").unwrap_or_default();
            *request.body_mut() = WANTED.to_owned().into();
            let headers = request.headers_mut();
            headers.insert("depth", HeaderValue::from_static("1"));
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/xml"));
            headers.insert(CONTENT_LENGTH, WANTED.len().into());
        }
        if let Some(authorization) = &self.authorization {
            request.headers_mut().insert(AUTHORIZATION, authorization.clone());
        }
        Ok(request)
    }

    /// The page of an answer about a collection.
    pub(crate) fn page(body: &[u8], prefix: &str) -> Result<Page, String> {
        page::parse(body, prefix)
    }
}

/// The server that an address names.
fn server(location: &Location) -> String {
    let scheme = if location.store() == Store::WebDavPlain { "http" } else { "https" };
    format!("{scheme}://{}", location.bucket())
}

/// What the environment says of who one is.
fn authorization(variable: Variables<'_>) -> Result<Option<HeaderValue>, Reason> {
    if let Some(token) = variable("WEBDAV_TOKEN") {
        return bearer(&token).map(Some);
    }
    let Some(name) = variable("WEBDAV_USERNAME") else { return Ok(None) };
    basic(&name, &variable("WEBDAV_PASSWORD").unwrap_or_default()).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(
        address: &str,
        overrides: &Overrides,
        variables: &[(&str, &str)],
    ) -> Result<WebDav, Reason> {
        let variable = |name: &str| {
            variables.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned())
        };
        WebDav::from(&Location::parse(address).unwrap(), overrides, &variable)
    }

    #[test]
    fn a_name_and_a_token_are_sent_over_what_is_encrypted_alone() {
        let sent = |address: &str, variables: &[(&str, &str)]| {
            let dav = settings(address, &Overrides::default(), variables)?;
            Ok::<_, Reason>(dav.authorization.map(|value| value.to_str().unwrap().to_owned()))
        };
        let user = [("WEBDAV_USERNAME", "Aladdin"), ("WEBDAV_PASSWORD", "open sesame")];
        // The example of RFC 7617.
        let basic = Some("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==".to_owned());
        assert_eq!(sent("https://a.example/p", &user), Ok(basic.clone()));
        assert_eq!(sent("http://127.0.0.1:8080/p", &user), Ok(basic));
        let token = [("WEBDAV_TOKEN", "t"), user[0]];
        assert_eq!(sent("https://a.example", &token), Ok(Some("Bearer t".to_owned())));
        assert_eq!(sent("http://a.example/p", &[]), Ok(None));
        let refused = sent("http://a.example/p", &token).unwrap_err().to_string();
        assert!(refused.contains("https://"), "{refused}");
        let anonymous = Overrides { anonymous: true, ..Overrides::default() };
        let none = settings("http://a.example/p", &anonymous, &token).unwrap();
        assert_eq!(none.authorization, None);
        let endpoint = Overrides { endpoint: Some("http://x".to_owned()), ..Overrides::default() };
        assert!(settings("https://a.example", &endpoint, &[]).is_err());
    }
}
