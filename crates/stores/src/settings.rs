//! What flags and the environment say of all stores.

use std::time::Duration;

use url::{Host, Url};

use crate::error::Reason;
use crate::secret::text_without_secret;

const TIMEOUT: Duration = Duration::from_secs(30);

/// What the caller wants otherwise than the environment says.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// The server, such as `http://127.0.0.1:9000`; by default that of the store.
    pub endpoint: Option<String>,
    /// The region for which requests are signed.
    pub region: Option<String>,
    /// The profile in `~/.aws/config` and `~/.aws/credentials`; its keys win over those of the
    /// environment.
    pub profile: Option<String>,
    /// Requests are not signed, as public buckets allow.
    pub anonymous: bool,
    /// How long one request may take; by default 30 seconds.
    pub timeout: Option<Duration>,
    /// Asked ten times a second while an object, an inventory or what is written is waited for:
    /// whether that is to end, with [`Reason::Stopped`]. Listings ask their visitor.
    pub stopped: Option<fn() -> bool>,
}

impl Overrides {
    /// How long one request may take.
    pub(crate) fn timeout(&self) -> Duration {
        self.timeout.unwrap_or(TIMEOUT)
    }
}

/// How connections to a server are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Connection {
    /// A file of certificates that are trusted besides those of the system.
    pub(crate) certificates: Option<String>,
    pub(crate) timeout: Duration,
}

/// The environment.
pub(crate) type Variables<'v> = &'v dyn Fn(&str) -> Option<String>;

/// The value of a variable of this process; an empty one is none.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The first of these variables that is set.
pub(crate) fn first(names: &[&str], variable: Variables<'_>) -> Option<String> {
    names.iter().find_map(|name| variable(name))
}

/// Whether a text may stand in the head of a request.
pub(crate) fn goes_into_a_header(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// A variable that is true or false.
pub(crate) fn yes(name: &str, variable: Variables<'_>) -> Result<Option<bool>, Reason> {
    let Some(value) = variable(name) else { return Ok(None) };
    match &*value.to_lowercase() {
        "1" | "true" | "yes" | "on" | "y" => Ok(Some(true)),
        "0" | "false" | "no" | "off" | "n" => Ok(Some(false)),
        _ => Err(Reason::Setting(format!("{name} is '{value}', neither true nor false"))),
    }
}

/// Refuses a server that a token would reach over a network without encryption: whoever reads it on
/// its way can use it.
pub(crate) fn keeps_secrets(endpoint: &str) -> Result<(), Reason> {
    let url = Url::parse(endpoint).ok().filter(|url| url.scheme() == "http");
    match url.as_ref().and_then(Url::host) {
        Some(host) if !is_this_machine(&host) => Err(Reason::Setting(format!(
            "endpoint '{}': a token is sent by https:// only, or to this machine",
            text_without_secret(endpoint)
        ))),
        _ => Ok(()),
    }
}

/// Whether the host of a URL is the machine itself.
pub(crate) fn is_this_machine(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => *name == "localhost",
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    }
}

/// A server of one's own, without a slash at its end.
pub(crate) fn checked_endpoint(endpoint: String) -> Result<String, Reason> {
    let refused = |why: &str| {
        let endpoint = text_without_secret(&endpoint);
        Reason::Setting(format!("endpoint '{endpoint}': {why}"))
    };
    let url = Url::parse(&endpoint).map_err(|error| refused(&error.to_string()))?;
    match url.scheme() {
        "http" | "https" if url.query().is_none() && url.fragment().is_none() => {
            Ok(endpoint.trim_end_matches('/').to_owned())
        }
        _ => Err(refused("expected http://HOST[:PORT] or https://HOST[:PORT]")),
    }
}
