//! How Azure Blob Storage is reached: from flags, the address, a connection string and the
//! environment, by the names that Azure's command line and object_store have for them.

use std::collections::BTreeMap;

use url::{Host, Url};

use crate::error::Reason;
use crate::location::{Location, is_account};
use crate::settings::{
    Connection, Overrides, Variables, checked_endpoint, first, is_this_machine, variable, yes,
};

/// The account of Azurite, the emulator, and its key, which everybody knows.
const EMULATOR_ACCOUNT: &str = "devstoreaccount1";
const EMULATOR_KEY: &str =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
const EMULATOR: &str = "http://127.0.0.1:10000";

const SUFFIX: &str = "core.windows.net";

const ACCOUNTS: &[&str] = &["AZURE_STORAGE_ACCOUNT_NAME", "AZURE_STORAGE_ACCOUNT"];
const KEYS: &[&str] =
    &["AZURE_STORAGE_ACCOUNT_KEY", "AZURE_STORAGE_ACCESS_KEY", "AZURE_STORAGE_KEY"];
const SIGNATURES: &[&str] = &["AZURE_STORAGE_SAS_TOKEN", "AZURE_STORAGE_SAS_KEY"];

/// All that a request needs to know.
#[derive(PartialEq, Eq)]
pub(super) struct Settings {
    /// The URL of the account, without a slash at its end.
    pub(super) server: String,
    pub(super) account: String,
    /// The key of the account.
    pub(super) key: Option<String>,
    /// A shared access signature.
    pub(super) signature: Option<String>,
    pub(super) anonymous: bool,
    pub(super) connection: Connection,
}

/// Without its secrets.
impl std::fmt::Debug for Settings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Settings").field("server", &self.server).finish_non_exhaustive()
    }
}

impl Settings {
    /// The settings of this process.
    ///
    /// # Errors
    /// No account, a setting that is not understood.
    pub(super) fn find(location: &Location, overrides: &Overrides) -> Result<Settings, Reason> {
        Settings::from(location, overrides, &variable)
    }

    fn from(
        location: &Location,
        overrides: &Overrides,
        variable: Variables<'_>,
    ) -> Result<Settings, Reason> {
        let text = variable("AZURE_STORAGE_CONNECTION_STRING").unwrap_or_default();
        let string = ConnectionString::parse(&text)?;
        let of_string = |name: &str| string.0.get(name).map(|value| (*value).to_owned());
        let by_address = location.account();
        let wants_emulator = yes("AZURE_STORAGE_USE_EMULATOR", variable)?.unwrap_or(false)
            || of_string("usedevelopmentstorage").is_some_and(|value| value == "true");
        let endpoint = overrides
            .endpoint
            .clone()
            .or_else(|| by_address.as_ref().map(|account| account.server.clone()))
            .or_else(|| of_string("blobendpoint"))
            .or_else(|| first(&["AZURE_STORAGE_ENDPOINT", "AZURE_ENDPOINT"], variable))
            .or_else(|| wants_emulator.then(|| EMULATOR.to_owned()))
            .map(checked_endpoint)
            .transpose()?;
        let account = by_address
            .map(|account| account.name)
            .or_else(|| first(ACCOUNTS, variable))
            .or_else(|| of_string("accountname"))
            .or_else(|| endpoint.as_deref().and_then(account_of))
            .ok_or_else(|| Reason::Setting("AZURE_STORAGE_ACCOUNT_NAME is not set".to_owned()))?;
        if !is_account(&account) {
            return Err(Reason::Setting(format!("'{account}' is no name of an account")));
        }
        let is_of_string = of_string("accountname").is_none_or(|name| name == account);
        let of_string = |name: &str| of_string(name).filter(|_| is_of_string);
        let suffix = of_string("endpointsuffix").unwrap_or(SUFFIX.to_owned());
        let signature = first(SIGNATURES, variable).or_else(|| of_string("sharedaccesssignature"));
        let key = first(KEYS, variable).or_else(|| of_string("accountkey"));
        let well_known =
            (account == EMULATOR_ACCOUNT && signature.is_none()).then(|| EMULATOR_KEY.to_owned());
        let skips = yes("AZURE_SKIP_SIGNATURE", variable)?.unwrap_or(false);
        Ok(Settings {
            server: match endpoint {
                Some(endpoint) => with_account(endpoint, &account),
                None => checked_endpoint(format!("https://{account}.blob.{suffix}"))?,
            },
            key: key.or(well_known),
            account,
            signature,
            anonymous: overrides.anonymous || skips,
            connection: Connection { certificates: None, timeout: overrides.timeout() },
        })
    }
}

/// A server without names of accounts in its own name has them in the path.
fn with_account(endpoint: String, account: &str) -> String {
    let has_account = |url: &Url| {
        url.path() != "/" || matches!(url.host(), Some(Host::Domain(name)) if name != "localhost")
    };
    match Url::parse(&endpoint) {
        Ok(url) if !has_account(&url) => format!("{endpoint}/{account}"),
        _ => endpoint,
    }
}

/// The account that an endpoint names.
fn account_of(endpoint: &str) -> Option<String> {
    let url = Url::parse(endpoint).ok()?;
    let (host, path) = (url.host()?, url.path().trim_matches('/'));
    match host.to_string().split_once(".blob.") {
        Some((account, _)) => Some(account.to_owned()),
        None if !path.is_empty() && !path.contains('/') => Some(path.to_owned()),
        None => is_this_machine(&host).then(|| EMULATOR_ACCOUNT.to_owned()),
    }
}

/// `NAME=VALUE;NAME=VALUE`, with names in lower case.
struct ConnectionString<'s>(BTreeMap<String, &'s str>);

impl ConnectionString<'_> {
    fn parse(text: &str) -> Result<ConnectionString<'_>, Reason> {
        let parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
        let pairs = parts.map(|part| {
            let (name, value) = part.split_once('=').ok_or_else(|| {
                let why = "AZURE_STORAGE_CONNECTION_STRING has a part without '='";
                Reason::Setting(why.to_owned())
            })?;
            Ok((name.trim().to_lowercase(), value.trim()))
        });
        Ok(ConnectionString(pairs.collect::<Result<_, Reason>>()?))
    }
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
