//! Makes a filter from the flags that choose entries.

use std::ffi::OsString;
use std::path::Path;
use sys::OsStrExt;

use clap::ArgMatches;
use fewer::filter::{Names, Owner, Size};
use fewer::{Filter, Kind, Kinds, Time};

/// The filter that the flags describe.
pub(crate) fn from_flags(flags: &ArgMatches) -> Result<Filter, String> {
    // Not every verb has them.
    let number = |name| flags.try_get_one::<usize>(name).ok().flatten().copied();
    let min_depth = number("min-depth").or(number("exact-depth"));
    let mut filter =
        types(flags)?.skip_hidden(flags.get_flag("no-hidden")).min_depth(min_depth.unwrap_or(0));
    if let Some(names) = names(flags).map_err(|error| error.to_string())? {
        filter = filter.names(names);
    }
    for text in texts(flags, "size") {
        let size: Size = text.parse().map_err(|reason| wrong("size", text, reason))?;
        filter = filter.size(size);
    }
    for value in flags.get_many::<OsString>("newer").into_iter().flatten() {
        filter = filter.newer(time("newer", value)?);
    }
    for value in flags.get_many::<OsString>("older").into_iter().flatten() {
        filter = filter.older(time("older", value)?);
    }
    if let Some(text) = flags.get_one::<String>("owner") {
        let owner: Owner = text.parse().map_err(|reason: String| wrong("owner", text, &reason))?;
        filter = filter.owner(owner);
    }
    Ok(filter)
}

fn texts<'f>(flags: &'f ArgMatches, name: &str) -> Vec<&'f String> {
    flags.get_many::<String>(name).into_iter().flatten().collect()
}

fn wrong(flag: &str, text: &str, reason: &str) -> String {
    format!("cannot understand --{flag} '{text}': {reason}")
}

/// What `--type` says. Executable means files and empty means files and directories, as in fd;
/// both are conditions on top of the kinds.
fn types(flags: &ArgMatches) -> Result<Filter, String> {
    let (mut kinds, mut executable, mut empty) = (Kinds::NONE, false, false);
    for word in texts(flags, "type") {
        match &**word {
            "x" | "executable" => (kinds, executable) = (kinds.with(Kind::File), true),
            "e" | "empty" => empty = true,
            word => {
                let reason = "expected f, d, l, p, s, b, c, e or x, with commas between several";
                kinds = kinds.with(word.parse().map_err(|_| wrong("type", word, reason))?);
            }
        }
    }
    let has_contents = kinds.contains(Kind::File) || kinds.contains(Kind::Directory);
    if empty && !has_contents {
        kinds = kinds.with(Kind::File).with(Kind::Directory);
    }
    let kinds = if kinds == Kinds::NONE { Kinds::ALL } else { kinds };
    Ok(Filter::new().kinds(kinds).executable(executable).empty(empty))
}

/// The kinds that `--type` names, if nothing but kinds is there.
pub(crate) fn kinds(flags: &ArgMatches) -> Result<Kinds, String> {
    let kinds = texts(flags, "type").into_iter().try_fold(Kinds::NONE, |kinds, word| {
        let reason = "expected f, d, l, p, s, b or c, with commas between several";
        word.parse().map(|kind| kinds.with(kind)).map_err(|_| wrong("type", word, reason))
    })?;
    Ok(if kinds == Kinds::NONE { Kinds::ALL } else { kinds })
}

/// The patterns of the flags, if there are any.
pub(crate) fn names(flags: &ArgMatches) -> Result<Option<Names>, fewer::filter::PatternError> {
    let flag_names = ["glob", "regex", "extension", "exclude"];
    if !flag_names.iter().any(|name| flags.contains_id(name)) {
        return Ok(None);
    }
    let extensions = flags.get_many::<OsString>("extension").into_iter().flatten();
    let extensions: Vec<&[u8]> = extensions.map(|extension| extension.as_bytes()).collect();
    Names::new()
        .ignore_case(flags.get_flag("ignore-case"))
        .full_path(flags.get_flag("full-path"))
        .extensions(&extensions)
        .globs(&texts(flags, "glob"))?
        .regexes(&texts(flags, "regex"))?
        .exclude_globs(&texts(flags, "exclude"))
        .map(Some)
}

fn time(flag: &str, value: &OsString) -> Result<Time, String> {
    if let Some(time) = value.to_str().and_then(fewer::filter::parse_time) {
        return Ok(time);
    }
    fewer::filter::modified(Path::new(value))
        .map_err(|error| format!("--{flag} is neither a time nor a file: {error}"))
}
