//! The flags of verbs that take addresses of object stores, and those that are about files alone.

use std::time::Duration;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, ValueHint, value_parser};
use stores::Overrides;

use super::{one, switch};

/// The flags of `walk` that a store has no answer to.
const NOT_FOR_STORES: &[&str] = &[
    "follow", "one-file-system", "gitignore", "since", "update", "summary", "owner", "exec",
    "exec-batch", "hyperlink", "max-threads",
];

/// The flags of `walk` that are about buckets alone.
const FOR_BUCKETS: &[&str] = &["endpoint-url", "region", "profile", "no-sign-request"];

/// How a store is reached.
pub(super) fn flags() -> Vec<Arg> {
    let flags = [
        one("endpoint-url", "URL", "The server of s3:// addresses (default: Amazon's)")
            .value_hint(ValueHint::Url)
            .long_help(
                "The server of s3:// addresses, as http://127.0.0.1:9000; otherwise \
                 AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, endpoint_url of the profile, or Amazon.",
            ),
        one("region", "NAME", "The region for which requests are signed").long_help(
            "The region for which requests are signed; otherwise AWS_REGION, AWS_DEFAULT_REGION, \
             that of the profile, or us-east-1. If the bucket is in another one, the store says \
             so, for one request.",
        ),
        one("profile", "NAME", "The profile in ~/.aws/config and ~/.aws/credentials").long_help(
            "The profile in ~/.aws/config and ~/.aws/credentials; its keys win over those of the \
             environment. Otherwise AWS_PROFILE, or default.",
        ),
        switch("no-sign-request", "Do not sign requests, for public buckets"),
        one("request-timeout", "SECONDS", "How long a request to a store may take (default: 30)")
            .value_parser(value_parser!(u64).range(1..)),
    ];
    flags.map(|flag| flag.help_heading("Object stores")).into()
}

/// What the flags say of how a store is reached.
pub(crate) fn overrides(flags: &ArgMatches) -> Overrides {
    let text = |name: &str| flags.get_one::<String>(name).cloned();
    Overrides {
        endpoint: text("endpoint-url"),
        region: text("region"),
        profile: text("profile"),
        anonymous: flags.get_flag("no-sign-request"),
        timeout: flags.get_one::<u64>("request-timeout").copied().map(Duration::from_secs),
    }
}

/// The first flag on the command line that is about files alone.
pub(crate) fn about_files(flags: &ArgMatches) -> Option<&'static str> {
    first_of(NOT_FOR_STORES, flags)
}

/// The first flag on the command line that is about buckets alone.
pub(crate) fn about_buckets(flags: &ArgMatches) -> Option<&'static str> {
    first_of(FOR_BUCKETS, flags)
}

fn first_of(names: &[&'static str], flags: &ArgMatches) -> Option<&'static str> {
    let is_there = |name: &str| flags.value_source(name) == Some(ValueSource::CommandLine);
    names.iter().copied().find(|name| is_there(name))
}
