//! Azure Blob Storage: where a container is, and how a request is signed.
//!
//! | module | what is in it |
//! |---|---|
//! | here | [`Azure`]: a request, signed |
//! | `settings` | account, server and credentials: flags, address, environment |
//! | `page` | a page of List Blobs |
//!
//! A page has 5,000 blobs and says how the next one begins, so that they come one after the other:
//! the service can begin at a name only from version 2026-02-06 on, which servers ignore that do
//! not know it.

mod page;
mod settings;

use http::HeaderValue;
use object_store::azure::{
    AzureAuthorizer, AzureConfigKey, AzureCredential, AzureCredentialProvider,
    MicrosoftAzureBuilder,
};
use object_store::client::HttpRequest;

use crate::error::Reason;
use crate::location::Location;
use crate::page::Page;
use crate::plan::From;
use crate::query::{Operation, Query, no_credentials, push_parameter, retry};
use crate::settings::{Connection, Overrides, keeps_secrets};
use settings::Settings;

/// The version of the service whose answers are understood. From 2021-02-12 on names are encoded
/// that no XML can have.
const VERSION: HeaderValue = HeaderValue::from_static("2023-11-03");

/// The server, and who one is.
#[derive(Debug)]
pub(crate) struct Azure {
    settings: Settings,
    credentials: Option<AzureCredentialProvider>,
}

impl Azure {
    pub(crate) fn new(location: &Location, overrides: &Overrides) -> Result<Azure, Reason> {
        let settings = Settings::find(location, overrides)?;
        let credentials = match settings.anonymous {
            true => None,
            false => Some(
                provider(location, &settings)
                    .map_err(|error| Reason::Credentials(error.to_string()))?,
            ),
        };
        Ok(Azure { settings, credentials })
    }

    /// The server of the account.
    pub(crate) fn endpoint(
        location: &Location,
        overrides: &Overrides,
    ) -> Result<Option<String>, Reason> {
        Ok(Some(Settings::find(location, overrides)?.server))
    }

    pub(crate) fn connection(&self) -> &Connection {
        &self.settings.connection
    }

    pub(crate) async fn request(&self, operation: &Operation<'_>) -> Result<HttpRequest, Reason> {
        let container = format!("{}/{}", self.settings.server, operation.bucket());
        let mut request = operation.unsigned(&container, page_url)?;
        request.headers_mut().insert("x-ms-version", VERSION);
        if let Operation::Put(..) = operation {
            request.headers_mut().insert("x-ms-blob-type", HeaderValue::from_static("BlockBlob"));
        }
        if let Some(credentials) = &self.credentials {
            let credential = credentials.get_credential().await;
            let credential = credential.map_err(|error| no_credentials("environment", &error))?;
            // A key only signs, and others are sent.
            if !matches!(*credential, AzureCredential::AccessKey(_)) {
                keeps_secrets(&self.settings.server)?;
            }
            AzureAuthorizer::new(&credential, &self.settings.account)
                .try_authorize(&mut request)
                .map_err(|error| Reason::Setting(error.to_string()))?;
        }
        Ok(request)
    }

    pub(crate) fn page(body: &[u8]) -> Result<Page, String> {
        page::parse(body)
    }
}

/// The URL of a page.
fn page_url(container: &str, query: &Query<'_>) -> Result<String, Reason> {
    let mut url = format!("{container}?restype=container&comp=list");
    match query.from {
        From::Beginning => {}
        From::Token(marker) => push_parameter(&mut url, "marker", marker.as_bytes()),
        From::After(_) => return Err(Reason::NoRanges),
    }
    query.push_prefix(&mut url);
    Ok(url)
}

/// A key, a signature, or what object_store finds in the environment and on the machine.
fn provider(
    location: &Location,
    settings: &Settings,
) -> Result<AzureCredentialProvider, object_store::Error> {
    let mut builder = MicrosoftAzureBuilder::from_env()
        .with_account(&settings.account)
        .with_container_name(location.bucket())
        .with_endpoint(settings.server.clone())
        .with_allow_http(true)
        .with_use_emulator(false)
        .with_retry(retry());
    if let Some(key) = &settings.key {
        builder = builder.with_access_key(key);
    }
    if let Some(signature) = &settings.signature {
        builder = builder.with_config(AzureConfigKey::SasKey, signature);
    }
    Ok(builder.build()?.credentials().clone())
}
