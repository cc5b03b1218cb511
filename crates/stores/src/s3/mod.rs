//! S3, and what speaks like it: where a bucket is, and how requests are signed.
//!
//! | module | what is in it |
//! |---|---|
//! | here | [`S3`]: a request, signed |
//! | `settings`, `profile` | endpoint, region and credentials: flags, environment, profile |

mod profile;
mod settings;

use std::sync::{Arc, Mutex, PoisonError};

use object_store::StaticCredentialProvider;
use object_store::aws::{AmazonS3Builder, AwsAuthorizer, AwsCredential, AwsCredentialProvider};
use object_store::client::HttpRequest;

use crate::error::Reason;
use crate::list_objects;
use crate::location::Location;
use crate::query::{Operation, Query, no_credentials, retry};
use crate::settings::{Connection, Overrides};
use settings::{Credentials, Settings};

/// A server that speaks as S3 does.
#[derive(Debug)]
pub(crate) struct S3 {
    credentials: Option<AwsCredentialProvider>,
    settings: Settings,
    /// It changes once the store has said that the bucket is in another one.
    region: Mutex<String>,
}

impl S3 {
    pub(crate) fn new(location: &Location, overrides: &Overrides) -> Result<S3, Reason> {
        let settings = Settings::find(overrides)?;
        let credentials = match &settings.credentials {
            Credentials::Anonymous => None,
            other => Some(
                provider(location, &settings, other)
                    .map_err(|error| Reason::Setting(error.to_string()))?,
            ),
        };
        let region = Mutex::new(settings.region.clone());
        Ok(S3 { credentials, settings, region })
    }

    /// The server, if it is not Amazon's.
    pub(crate) fn endpoint(overrides: &Overrides) -> Result<Option<String>, Reason> {
        Ok(Settings::find(overrides)?.endpoint)
    }

    pub(crate) fn connection(&self) -> &Connection {
        &self.settings.connection
    }

    /// The region for which requests are signed.
    pub(crate) fn region(&self) -> String {
        self.region.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Signs for another region from now on.
    pub(crate) fn sign_for(&self, region: String) {
        *self.region.lock().unwrap_or_else(PoisonError::into_inner) = region;
    }

    pub(crate) async fn request(&self, operation: &Operation<'_>) -> Result<HttpRequest, Reason> {
        let region = self.region();
        let address = self.settings.address(operation.bucket(), &region);
        // Without a path the signature would be of another one.
        let page =
            |bucket: &str, query: &Query<'_>| Ok(list_objects::url(&format!("{bucket}/"), query));
        let mut request = operation.unsigned(&address, page)?;
        if let Some(credentials) = &self.credentials {
            let credential = credentials.get_credential().await;
            let credential = credential
                .map_err(|error| no_credentials("environment, in the profile", &error))?;
            AwsAuthorizer::new(&credential, "s3", &region)
                .with_request_payer(self.settings.requester_pays)
                .try_authorize(&mut request, None)
                .map_err(|error| Reason::Setting(error.to_string()))?;
        }
        Ok(request)
    }
}

/// What gives credentials: keys that are known, or what object_store finds in the environment.
fn provider(
    location: &Location,
    settings: &Settings,
    credentials: &Credentials,
) -> Result<AwsCredentialProvider, object_store::Error> {
    if let Credentials::Keys(keys) = credentials {
        return Ok(Arc::new(StaticCredentialProvider::new(AwsCredential {
            key_id: keys.id.clone(),
            secret_key: keys.secret.clone(),
            token: keys.token.clone(),
        })));
    }
    let store = AmazonS3Builder::from_env()
        .with_bucket_name(location.bucket())
        .with_region(&settings.region)
        .with_retry(retry())
        .build()?;
    Ok(store.credentials().clone())
}
