//! The server of a bucket: how a request to it is made, and what its answer means.

use http::HeaderMap;
use object_store::client::HttpRequest;

use crate::azure::Azure;
use crate::error::Reason;
use crate::gcs::Gcs;
use crate::list_objects;
use crate::location::Location;
use crate::page::Page;
use crate::query::Operation;
use crate::refusal::{self, Refusal};
use crate::s3::S3;
use crate::settings::{Connection, Overrides};
use crate::store::Store;
use crate::webdav::WebDav;

/// The server that has a bucket.
#[derive(Debug)]
pub(crate) enum Server {
    S3(S3),
    Gcs(Gcs),
    Azure(Azure),
    WebDav(WebDav),
}

impl Server {
    /// The server of a location. No request.
    pub(crate) fn new(location: &Location, overrides: &Overrides) -> Result<Server, Reason> {
        Ok(match location.store() {
            Store::S3 => Server::S3(S3::new(location, overrides)?),
            Store::Gcs => Server::Gcs(Gcs::new(location, overrides)?),
            Store::Azure => Server::Azure(Azure::new(location, overrides)?),
            Store::WebDav | Store::WebDavPlain => Server::WebDav(WebDav::new(location, overrides)?),
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
            // The address itself says it.
            Store::WebDav | Store::WebDavPlain => Ok(None),
        }
    }

    pub(crate) fn connection(&self) -> &Connection {
        match self {
            Server::S3(s3) => s3.connection(),
            Server::Gcs(gcs) => gcs.connection(),
            Server::Azure(azure) => azure.connection(),
            Server::WebDav(webdav) => webdav.connection(),
        }
    }

    /// The region for which requests are signed, where there is one.
    pub(crate) fn region(&self) -> Option<String> {
        match self {
            Server::S3(s3) => Some(s3.region()),
            Server::Gcs(_) | Server::Azure(_) | Server::WebDav(_) => None,
        }
    }

    /// Signs for another region from now on.
    pub(crate) fn sign_for(&self, region: String) {
        match self {
            Server::S3(s3) => s3.sign_for(region),
            Server::Gcs(_) | Server::Azure(_) | Server::WebDav(_) => {}
        }
    }

    /// The request, with all that proves who one is.
    pub(crate) async fn request(&self, operation: &Operation<'_>) -> Result<HttpRequest, Reason> {
        match self {
            Server::S3(s3) => s3.request(operation).await,
            Server::Gcs(gcs) => gcs.request(operation).await,
            Server::Azure(azure) => azure.request(operation).await,
            Server::WebDav(webdav) => webdav.request(operation),
        }
    }

    /// The page of an answer about a location.
    pub(crate) fn page(&self, body: &[u8], location: &Location) -> Result<Page, String> {
        match self {
            Server::S3(_) | Server::Gcs(_) => list_objects::parse(body),
            Server::Azure(_) => Azure::page(body),
            Server::WebDav(_) => WebDav::page(body, location.prefix()),
        }
    }

    /// What an answer means that is no page.
    pub(crate) fn understand(&self, status: u16, body: &[u8], headers: &HeaderMap) -> Refusal {
        let region = headers.get("x-amz-bucket-region").and_then(|value| value.to_str().ok());
        match (self, refusal::understand(status, body, region.map(str::to_owned))) {
            (Server::WebDav(_), Refusal::Final(Reason::Refused { status, code, .. }))
                if matches!(status, 405 | 501) =>
            {
                let message = "it speaks no WebDAV at this address".to_owned();
                Refusal::Final(Reason::Refused { status, code, message })
            }
            (_, refusal) => refusal,
        }
    }
}
