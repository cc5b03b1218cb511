//! How S3 is reached: from flags, the environment and a profile, in this order, by the names that
//! the AWS command line has for them.

use std::ffi::{CString, OsString};

use sys::OsStrExt;

use super::profile::{self, Profile};
use crate::error::Reason;
use crate::settings::{
    Connection, Overrides, Variables, checked_endpoint, first, goes_into_a_header, variable, yes,
};

/// More than a file of settings has.
const FILE_LIMIT_BYTES: usize = 1 << 20;

const DEFAULT_REGION: &str = "us-east-1";

const ENDPOINTS: &[&str] = &["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"];

/// Keys that stand in a file or in the environment.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Keys {
    pub(crate) id: String,
    pub(crate) secret: String,
    pub(crate) token: Option<String>,
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keys").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Where the credentials come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Credentials {
    Anonymous,
    Keys(Keys),
    /// A web identity, a container or the instance, as object_store finds them.
    Elsewhere,
}

/// All that a request needs to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) endpoint: Option<String>,
    pub(crate) region: String,
    /// The bucket stands in the path, not in the name of the server; `None` where nobody said.
    pub(crate) path_style: Option<bool>,
    pub(crate) credentials: Credentials,
    pub(crate) requester_pays: bool,
    pub(crate) connection: Connection,
}

impl Settings {
    /// The settings of this process.
    ///
    /// Price: two small files are read.
    ///
    /// # Errors
    /// A profile that is named but not there, a setting that is not understood.
    pub(crate) fn find(overrides: &Overrides) -> Result<Settings, Reason> {
        let file = |name: &str, below: &str| {
            let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE"));
            let standard = || home.map(|home| [home, below.into()].into_iter().collect());
            std::env::var_os(name).or_else(standard).map(read).unwrap_or_default()
        };
        let config = file("AWS_CONFIG_FILE", "/.aws/config");
        let credentials = file("AWS_SHARED_CREDENTIALS_FILE", "/.aws/credentials");
        Settings::from(overrides, &variable, &config, &credentials)
    }

    fn from(
        overrides: &Overrides,
        variable: Variables<'_>,
        config: &str,
        credentials: &str,
    ) -> Result<Settings, Reason> {
        let named = overrides.profile.clone().or_else(|| variable("AWS_PROFILE"));
        let name = named.as_deref().unwrap_or("default");
        let profile = profile::find(name, config, credentials);
        if profile.is_none() && named.is_some() {
            return Err(Reason::Setting(format!("there is no profile '{name}'")));
        }
        let profile = profile.unwrap_or_default();
        let of_profile = |key: &str| profile.get(key).cloned();
        let endpoint = overrides
            .endpoint
            .clone()
            .or_else(|| first(ENDPOINTS, variable))
            .or_else(|| of_profile("endpoint_url"));
        let region = overrides.region.clone();
        let region = region.or_else(|| first(&["AWS_REGION", "AWS_DEFAULT_REGION"], variable));
        let region = region.or_else(|| of_profile("region")).unwrap_or(DEFAULT_REGION.into());
        if !goes_into_a_header(&region) {
            return Err(Reason::Setting(format!("'{region}' is no name of a region")));
        }
        Ok(Settings {
            endpoint: endpoint.map(checked_endpoint).transpose()?,
            region,
            path_style: yes("AWS_VIRTUAL_HOSTED_STYLE_REQUEST", variable)?.map(|yes| !yes),
            credentials: choose(overrides, variable, &profile, name)?,
            requester_pays: yes("AWS_REQUEST_PAYER", variable)?.unwrap_or(false),
            connection: Connection {
                certificates: variable("AWS_CA_BUNDLE").or_else(|| of_profile("ca_bundle")),
                timeout: overrides.timeout(),
            },
        })
    }

    /// The address of a bucket of this region, without a slash at its end.
    pub(crate) fn address(&self, bucket: &str, region: &str) -> String {
        // A certificate for any name below a domain has no dots in that name.
        let in_path = self.path_style.unwrap_or(self.endpoint.is_some() || bucket.contains('.'));
        let amazon = || {
            let china = if region.starts_with("cn-") { ".cn" } else { "" };
            format!("https://s3.{region}.amazonaws.com{china}")
        };
        let server = self.endpoint.clone().unwrap_or_else(amazon);
        match server.split_once("://") {
            Some((scheme, host)) if !in_path => format!("{scheme}://{bucket}.{host}"),
            _ => format!("{server}/{bucket}"),
        }
    }
}

/// Keys of the environment win over those of a profile, unless the profile was asked for by a flag.
fn choose(
    overrides: &Overrides,
    variable: Variables<'_>,
    profile: &Profile,
    name: &str,
) -> Result<Credentials, Reason> {
    if overrides.anonymous || yes("AWS_SKIP_SIGNATURE", variable)?.unwrap_or(false) {
        return Ok(Credentials::Anonymous);
    }
    let by_variable = || keys("AWS_ACCESS_KEY_ID", &|name: &str| variable(name));
    let by_profile = || keys("aws_access_key_id", &|name: &str| profile.get(name).cloned());
    if overrides.profile.is_none() {
        if let Some(keys) = by_variable()? {
            return Ok(Credentials::Keys(keys));
        }
        if variable("AWS_WEB_IDENTITY_TOKEN_FILE").is_some() {
            return Ok(Credentials::Elsewhere);
        }
    }
    if let Some(keys) = by_profile()? {
        return Ok(Credentials::Keys(keys));
    }
    let unsupported = ["role_arn", "sso_session", "sso_start_url", "credential_process"];
    match unsupported.iter().find(|key| profile.contains_key(**key)) {
        Some(key) => Err(Reason::Setting(format!(
            "profile '{name}' has {key}, which is not supported: \
             `aws configure export-credentials --format env` prints keys"
        ))),
        None => Ok(Credentials::Elsewhere),
    }
}

/// An access key, its secret and a token, by the names in one place.
fn keys(id: &str, get: &dyn Fn(&str) -> Option<String>) -> Result<Option<Keys>, Reason> {
    let others = ["AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"];
    let in_case = |name: &str| match id.starts_with('A') {
        true => name.to_owned(),
        false => name.to_lowercase(),
    };
    let [secret, token] = others.map(in_case);
    match (get(id), get(&secret)) {
        (Some(id), Some(secret)) => {
            let keys = Keys { id, secret, token: get(&token) };
            let sent = [&*keys.id, keys.token.as_deref().unwrap_or_default()];
            match sent.iter().all(|text| goes_into_a_header(text)) {
                true => Ok(Some(keys)),
                false => {
                    Err(Reason::Setting("a key or token has a character that none has".into()))
                }
            }
        }
        (None, None) => Ok(None),
        (Some(_), None) => Err(Reason::Setting(format!("{id} is set, and {secret} is not"))),
        (None, Some(_)) => Err(Reason::Setting(format!("{secret} is set, and {id} is not"))),
    }
}

/// The text of a file; empty if it is not there or cannot be read.
fn read(path: OsString) -> String {
    let Ok(name) = CString::new(path.as_bytes()) else { return String::new() };
    let bytes = sys::read_all(sys::CWD, &name, FILE_LIMIT_BYTES).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
