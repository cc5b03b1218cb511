//! The flags of verbs that take addresses of object stores, and those that are about files alone.

use std::ffi::OsString;
use std::time::Duration;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use stores::Overrides;

use super::{one, switch};

const HEADING: &str = "Object stores";

/// The flags of `walk` and `size` that a store has no answer to.
const NOT_FOR_STORES: &[&str] = &[
    "follow", "one-file-system", "gitignore", "summary", "owner", "exec", "exec-batch",
    "hyperlink", "max-threads", "count-links",
];

/// The flags that are about buckets alone.
const FOR_BUCKETS: &[&str] = &[
    "endpoint-url", "region", "profile", "no-sign-request", "checkpoint", "inventory", "max-keys",
];

/// Those among them that are about S3 alone.
const FOR_S3: &[&str] = &["region", "profile", "inventory"];

/// The flags of `walk` that make no difference to what a checkpoint is of.
const NOT_OF_THE_LISTING: &[&str] = &[
    "path", "endpoint-url", "region", "profile", "no-sign-request", "request-timeout",
    "checkpoint", "threads", "calls", "no-progress", "max-results", "max-one-result", "max-keys",
];

/// The flags that say how a store is reached.
const FLAGS: &[&str] = &["endpoint-url", "region", "profile", "no-sign-request", "request-timeout"];

/// How a store is reached.
pub(super) fn flags() -> Vec<Arg> {
    let flags = [
        one("endpoint-url", "URL", "The server of a bucket (default: that of the store)")
            .value_hint(ValueHint::Url)
            .long_help(
                "The server of a bucket, as http://127.0.0.1:9000. Otherwise for s3:// \
                 AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, endpoint_url of the profile, or Amazon; \
                 for gs:// STORAGE_EMULATOR_HOST, or Google; for az:// BlobEndpoint of \
                 AZURE_STORAGE_CONNECTION_STRING, AZURE_STORAGE_ENDPOINT, or Azure.",
            ),
        one("region", "NAME", "The region for which requests to S3 are signed").long_help(
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
    flags.map(|flag| flag.help_heading(HEADING)).into()
}

/// Beginnings of long flags stay what they are in a build without these: what meant one flag of the
/// verb then means it still, and a flag of a store has to be written out further.
pub(super) fn keep_abbreviations(verb: Command, own: &[Arg]) -> Command {
    FLAGS.iter().flat_map(|flag| (1..flag.len()).map(|end| &flag[..end])).fold(
        verb,
        |verb, begin| {
            let is_meant = |flag: &&Arg| flag.get_long().is_some_and(|it| it.starts_with(begin));
            let mut meant = own.iter().filter(is_meant);
            match (meant.next(), meant.next()) {
                (Some(flag), None) if flag.get_long() != Some(begin) => {
                    verb.mut_arg(flag.get_id(), |flag| flag.alias(begin))
                }
                _ => verb,
            }
        },
    )
}

/// What is read in place of a listing.
pub(super) fn inventory() -> Arg {
    one("inventory", "ADDRESS", "Read this S3 Inventory instead of listing; it is as old as it is")
        .conflicts_with_all(["checkpoint", "sort"])
        .long_help(
            "Read an S3 Inventory instead of listing, by the address of its manifest.json: what \
             was in the bucket when the store made it, a day or a week ago. Latest versions only, \
             in no order, of inventories as CSV or, in a build with tables, Parquet. --calls says \
             when it was made.",
        )
        .help_heading(HEADING)
}

/// Where a listing ends.
pub(super) fn max_keys() -> Arg {
    one("max-keys", "N", "Stop after N keys of a bucket, whether they pass the filters or not")
        .value_parser(value_parser!(u64).range(1..))
        .help_heading(HEADING)
}

/// How a listing goes on.
pub(super) fn checkpoint() -> Arg {
    one("checkpoint", "FILE", "Keep what is left in this file, and go on from it")
        .value_parser(value_parser!(OsString))
        .value_hint(ValueHint::FilePath)
        .long_help(
            "Keep what is left of the listing in this file, and go on from it if it is there. \
             It is written once a second, on an error and on Ctrl-C, and removed when all is \
             listed. Append the output to a file with >>: then each key is there exactly \
             once, even if the process was killed. With --max-results, the next N each time. With \
             a table, each run writes one of its own, and then the checkpoint.",
        )
        .help_heading(HEADING)
}

/// What the flags say of how a store is reached.
pub(crate) fn overrides(flags: &ArgMatches) -> Overrides {
    let text = |name: &str| flags.get_one::<String>(name).cloned();
    Overrides {
        endpoint: text("endpoint-url"),
        region: text("region"),
        profile: text("profile"),
        anonymous: flags.get_flag("no-sign-request"),
        stopped: Some(|| sys::noted_end().is_some()),
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

/// The first flag on the command line that is about S3 alone.
pub(crate) fn about_s3(flags: &ArgMatches) -> Option<&'static str> {
    first_of(FOR_S3, flags)
}

fn first_of(names: &[&'static str], flags: &ArgMatches) -> Option<&'static str> {
    // Not every verb has all of them.
    let is_there = |name: &str| {
        matches!(flags.try_contains_id(name), Ok(true))
            && flags.value_source(name) == Some(ValueSource::CommandLine)
    };
    names.iter().copied().find(|name| is_there(name))
}

/// Whether a flag makes no difference to what a checkpoint is of.
pub(crate) fn not_of_the_listing(flag: &str) -> bool {
    NOT_OF_THE_LISTING.contains(&flag)
}
