//! Google Cloud Storage: where a bucket is, and the token that goes with a request.
//!
//! Its XML API has the words of ListObjectsV2, so pages, ranges and errors are those of S3.
//! Source: the Cloud Storage reference, XML API, list objects.

use http::header::AUTHORIZATION;
use object_store::client::HttpRequest;
use object_store::gcp::{GcpCredentialProvider, GoogleCloudStorageBuilder};

use crate::error::Reason;
use crate::list_objects;
use crate::location::Location;
use crate::query::{Operation, bearer, no_credentials, retry};
use crate::settings::{
    Connection, Overrides, Variables, checked_endpoint, keeps_secrets, variable, yes,
};

const GOOGLE: &str = "https://storage.googleapis.com";

/// The server, and who one is.
#[derive(Debug)]
pub(crate) struct Gcs {
    settings: Settings,
    credentials: Option<GcpCredentialProvider>,
}

#[derive(Debug, PartialEq, Eq)]
struct Settings {
    endpoint: Option<String>,
    anonymous: bool,
    connection: Connection,
}

impl Settings {
    fn from(overrides: &Overrides, variable: Variables<'_>) -> Result<Settings, Reason> {
        // Google's clients send no token to an emulator.
        let emulator = variable("STORAGE_EMULATOR_HOST").filter(|_| overrides.endpoint.is_none());
        let is_emulator = emulator.is_some();
        let endpoint = emulator.map(|host| match host.contains("://") {
            true => host,
            false => format!("http://{host}"),
        });
        let endpoint = overrides.endpoint.clone().or(endpoint).map(checked_endpoint).transpose()?;
        let skips = yes("GOOGLE_SKIP_SIGNATURE", variable)?.unwrap_or(false);
        let anonymous = overrides.anonymous || skips || is_emulator;
        if let Some(endpoint) = endpoint.as_deref().filter(|_| !anonymous) {
            keeps_secrets(endpoint)?;
        }
        let connection = Connection { certificates: None, timeout: overrides.timeout() };
        Ok(Settings { endpoint, anonymous, connection })
    }

    /// The address of a bucket.
    fn address(&self, bucket: &str) -> String {
        format!("{}/{bucket}", self.endpoint.as_deref().unwrap_or(GOOGLE))
    }
}

impl Gcs {
    pub(crate) fn new(location: &Location, overrides: &Overrides) -> Result<Gcs, Reason> {
        let settings = Settings::from(overrides, &variable)?;
        let credentials = match settings.anonymous {
            true => None,
            false => Some(provider(location).map_err(|error| Reason::Setting(error.to_string()))?),
        };
        Ok(Gcs { settings, credentials })
    }

    /// The server, if it is not Google's.
    pub(crate) fn endpoint(overrides: &Overrides) -> Result<Option<String>, Reason> {
        Ok(Settings::from(overrides, &variable)?.endpoint)
    }

    pub(crate) fn connection(&self) -> &Connection {
        &self.settings.connection
    }

    pub(crate) async fn request(&self, operation: &Operation<'_>) -> Result<HttpRequest, Reason> {
        let address = self.settings.address(operation.bucket());
        let mut request =
            operation.unsigned(&address, |bucket, query| Ok(list_objects::url(bucket, query)))?;
        if let Some(credentials) = &self.credentials {
            let credential = credentials.get_credential().await;
            let credential = credential.map_err(|error| no_credentials("environment", &error))?;
            // An account may say that it has no token.
            if !credential.bearer.is_empty() {
                request.headers_mut().insert(AUTHORIZATION, bearer(&credential.bearer)?);
            }
        }
        Ok(request)
    }
}

/// A service account, the credentials of applications or the machine, as object_store finds them.
fn provider(location: &Location) -> Result<GcpCredentialProvider, object_store::Error> {
    let store = GoogleCloudStorageBuilder::from_env()
        .with_bucket_name(location.bucket())
        .with_retry(retry())
        .build()?;
    Ok(store.credentials().clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(overrides: &Overrides, variables: &[(&str, &str)]) -> Result<Settings, Reason> {
        let variable = |name: &str| {
            variables.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned())
        };
        Settings::from(overrides, &variable)
    }

    #[test]
    fn a_bucket_is_at_google_with_a_token_unless_told_otherwise() {
        let settings = settings(&Overrides::default(), &[]).unwrap();
        assert_eq!(settings.address("logs"), "https://storage.googleapis.com/logs");
        assert!(!settings.anonymous);
    }

    #[test]
    fn an_emulator_gets_no_token() {
        for host in ["127.0.0.1:4443", "http://127.0.0.1:4443", "http://127.0.0.1:4443/"] {
            let variables = [("STORAGE_EMULATOR_HOST", host)];
            let settings = settings(&Overrides::default(), &variables).unwrap();
            assert_eq!(settings.address("b"), "http://127.0.0.1:4443/b");
            assert!(settings.anonymous);
        }
    }

    #[test]
    fn a_token_does_not_go_where_others_can_read_it() {
        let at = |endpoint: &str, anonymous| {
            let endpoint = Some(endpoint.to_owned());
            settings(&Overrides { endpoint, anonymous, ..Overrides::default() }, &[])
        };
        for endpoint in
            ["https://a.example", "http://127.0.0.1:1", "http://localhost", "http://[::1]"]
        {
            assert!(at(endpoint, false).is_ok(), "{endpoint}");
        }
        assert!(at("http://a.example", true).is_ok());
        let refused = at("http://a.example", false).unwrap_err().to_string();
        assert!(refused.contains("http://a.example") && refused.contains("https"), "{refused}");
    }
}
