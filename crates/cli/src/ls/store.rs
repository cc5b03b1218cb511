//! Addresses of stores: `fewer ls s3://bucket/folder/`, `hdfs://namenode/path`.

use std::path::PathBuf;

use clap::ArgMatches;
use clap::parser::ValueSource;
use fewer::list::Moment;

use super::level::Level;
use super::options::{Indicators, Options};
use super::renderer::Renderer;
use super::{Run, below};
use crate::report;
use crate::store::{self, Cost};

/// Flags that a store has no answer to, and how they are written.
const ABOUT_FILES: &[(&str, &str)] = &[
    ("directory", "--directory"),
    ("dereference", "--dereference"),
    ("dereference-command-line", "--dereference-command-line"),
    ("dereference-command-line-symlink-to-dir", "--dereference-command-line-symlink-to-dir"),
    ("inode", "--inode"),
    ("size", "--size"),
    ("numeric-uid-gid", "--numeric-uid-gid"),
    ("author", "--author"),
    ("kibibytes", "--kibibytes"),
    ("marks", "--marks"),
    ("hyperlink", "--hyperlink"),
];

/// Lists what is in stores; `None` if the paths are no addresses.
pub(super) fn run(flags: &ArgMatches) -> Option<u8> {
    let status = store::addresses(flags)?.and_then(|paths| list(flags, &paths));
    Some(status.unwrap_or_else(|message| report::fail(&message)))
}

fn list(flags: &ArgMatches, paths: &[PathBuf]) -> Result<u8, String> {
    store::refuse_flags(flags, paths)?;
    let options = options(flags, paths)?;
    let renderer = Renderer::new(&options);
    let mut run = Run::new(&renderer);
    let mut cost = Cost::default();
    for path in paths {
        if options.selection.recursive {
            below::list(&mut run, flags, path, &mut cost);
        } else {
            let level = Level::read(flags, path, &mut cost);
            run.print_level(path, level, paths.len() > 1);
        }
        if run.output.is_refused() {
            break;
        }
    }
    let status = run.finish(paths.len());
    if flags.get_flag("calls") {
        cost.print(flags.get_flag("json"));
    }
    Ok(status)
}

/// What the flags ask for, without what these stores do not tell.
fn options(flags: &ArgMatches, paths: &[PathBuf]) -> Result<Options, String> {
    let is_there = |id: &str| flags.value_source(id) == Some(ValueSource::CommandLine);
    if let Some((_, flag)) = ABOUT_FILES.iter().find(|(id, _)| is_there(id)) {
        return Err(store::is_about_files(flag));
    }
    if is_there("tree") {
        return Err("--tree: all that is below an address is listed by -R and by fewer walk".into());
    }
    let mut options = Options::new(flags)?;
    if options.details.moment != Moment::Modified {
        return Err("--time: of an object a store tells when it was last changed only".to_owned());
    }
    let are_trees = paths.iter().all(|path| store::is_tree(path));
    options.details.known = store::fields(are_trees);
    (options.details.owner, options.details.group) = (false, false);
    if !are_trees {
        // The names of folders end in a slash, and objects are not executed.
        options.names.indicators = Indicators::None;
    }
    Ok(options)
}
