//! The flags of `walk` that write a table.

use std::ffi::OsString;

use clap::{Arg, ArgMatches, ValueHint, value_parser};
use tables::Format;

use super::one;

/// The flags, and the formats that they name.
const FORMATS: [(&str, Format); 3] =
    [("parquet", Format::Parquet), ("arrow", Format::Arrow), ("csv", Format::Csv)];

/// Other outputs.
const OTHERS: &[&str] =
    &["null", "json", "count", "summary", "format", "printf", "hyperlink", "exec", "exec-batch"];

pub(super) fn flags() -> Vec<Arg> {
    let flag = |name, help| {
        one(name, "FILE", help)
            .value_parser(value_parser!(OsString))
            .value_hint(ValueHint::FilePath)
            .conflicts_with_all(OTHERS)
            .conflicts_with_all(FORMATS.map(|(name, _)| name).iter().filter(|it| **it != name))
            .help_heading("Output")
    };
    vec![
        flag("parquet", "Write all that is known of each entry as a Parquet file").long_help(
            "Write all that is known of each entry as a Parquet file: path, kind, depth, inode, \
             device, sizes, permissions, owner and times; of an object in a store what the store \
             tells. Failures are rows, too. The file has its name once it is whole; - is the \
             standard output. Costs one statx an entry.",
        ),
        flag("arrow", "Write the same as a stream of Arrow"),
        flag("csv", "Write the same as CSV").long_help(
            "Write the same as CSV, with the names of the columns in the first line. A path that \
             is not UTF-8 is in the column path_bytes, in base64.",
        ),
    ]
}

/// Whether a flag writes a table.
#[cfg(feature = "stores")]
pub(crate) fn is_one(flag: &str) -> bool {
    FORMATS.iter().any(|(name, _)| *name == flag)
}

/// The format of the table that the flags ask for, and its file.
pub(crate) fn format(flags: &ArgMatches) -> Option<(Format, &OsString)> {
    let file = |(name, format)| Some((format, flags.get_one::<OsString>(name)?));
    FORMATS.into_iter().find_map(file)
}
