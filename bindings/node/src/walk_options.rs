//! The options of a walk.

use fewer::filter::{Names, PatternError};
use fewer::{Filter, Kind, Kinds, Order, Scope, Walk};
use napi::{Error, Result, Status};
use napi_derive::napi;

use crate::text::Encoding;

/// The options of a walk, which `lib/arguments.js` has checked.
#[napi(object)]
pub(crate) struct WalkOptions {
    pub sort: Option<bool>,
    pub threads: Option<f64>,
    pub max_threads: Option<f64>,
    pub kinds: Option<Vec<String>>,
    pub glob: Option<Vec<String>>,
    pub exclude: Option<Vec<String>>,
    pub ignore_case: Option<bool>,
    pub full_path: Option<bool>,
    pub min_depth: Option<f64>,
    pub max_depth: Option<f64>,
    pub hidden: Option<bool>,
    pub gitignore: Option<bool>,
    pub follow: Option<bool>,
    pub one_file_system: Option<bool>,
    pub encoding: Option<String>,
}

/// An argument that means nothing.
pub(crate) fn wrong(why: impl ToString) -> Error {
    Error::new(Status::InvalidArg, why.to_string())
}

/// The path of these bytes.
pub(crate) fn path(bytes: &[u8]) -> &std::path::Path {
    use sys::OsStrExt;
    std::path::Path::new(std::ffi::OsStr::from_bytes(bytes))
}

/// Paths with a NUL between them.
pub(crate) fn paths(joined: &[u8]) -> impl Iterator<Item = &std::path::Path> {
    joined.split(|byte| *byte == 0).map(path)
}

pub(crate) fn kinds(words: &[String]) -> Result<Kinds> {
    let kind = |word: &String| {
        word.parse::<Kind>().map_err(|why| wrong(format!("'{word}' is no kind; {why}")))
    };
    words.iter().map(kind).collect()
}

/// A count, as JavaScript has it: a whole number that is not negative.
pub(crate) fn count(number: f64) -> usize {
    number as usize
}

impl WalkOptions {
    pub(crate) fn encoding(&self) -> Encoding {
        Encoding::named(self.encoding.as_deref())
    }

    /// The walk through some roots, with a NUL between them.
    pub(crate) fn walk(&self, roots: &[u8], scope: &Scope) -> Result<Walk> {
        let is = |flag: Option<bool>| flag.unwrap_or(false);
        let mut roots = paths(roots);
        let first = roots.next().ok_or_else(|| wrong("there is no path"))?;
        let mut walk = roots.fold(Walk::new(first), Walk::add_root);
        walk = walk
            .within(scope)
            .order(if is(self.sort) { Order::Sorted } else { Order::Any })
            .follow(is(self.follow))
            .one_file_system(is(self.one_file_system))
            .gitignore(is(self.gitignore))
            .filter(self.filter()?);
        if let Some(depth) = self.max_depth {
            walk = walk.max_depth(count(depth));
        }
        if let Some(threads) = self.threads {
            walk = walk.threads(count(threads));
        }
        if let Some(threads) = self.max_threads {
            walk = walk.max_threads(count(threads));
        }
        Ok(walk)
    }

    fn filter(&self) -> Result<Filter> {
        let mut filter = Filter::new()
            .min_depth(self.min_depth.map_or(0, count))
            .skip_hidden(self.hidden == Some(false));
        if let Some(words) = &self.kinds {
            filter = filter.kinds(kinds(words)?);
        }
        if let Some(names) = self.names().map_err(wrong)? {
            filter = filter.names(names);
        }
        Ok(filter)
    }

    fn names(&self) -> std::result::Result<Option<Names>, PatternError> {
        let (globs, excluded) = (self.glob.as_deref(), self.exclude.as_deref());
        if globs.is_none() && excluded.is_none() {
            return Ok(None);
        }
        let mut names = Names::new()
            .ignore_case(self.ignore_case.unwrap_or(false))
            .full_path(self.full_path.unwrap_or(false));
        if let Some(globs) = globs.filter(|globs| !globs.is_empty()) {
            names = names.globs(globs)?;
        }
        names.exclude_globs(excluded.unwrap_or_default()).map(Some)
    }
}
