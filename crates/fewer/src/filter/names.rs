//! Patterns on names and paths.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;
use sys::OsStrExt;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use regex::bytes::{RegexSet, RegexSetBuilder};

use crate::entry::Entry;

/// A text that is no pattern, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    reason: String,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for PatternError {}

/// Patterns on names and paths. A name passes if any of the globs and regular expressions
/// matches (or none is given) and it has one of the extensions (or none is given).
///
/// Globs: `*` and `?` match any bytes but `/`, `**/` any number of directories, `[a-z]` and
/// `{a,b}` as usual, a backslash takes the next character as it is. Regular expressions are those
/// of the `regex` crate and match anywhere in the name unless anchored. Globs see bytes: in `[…]`,
/// and where case is ignored, they know ASCII letters only; regular expressions know Unicode: its
/// letters, digits and cases, general categories (`\p{Lu}`) and scripts (`\p{Greek}`), but neither
/// ages nor boundaries of sentences nor binary properties, whose tables are large.
#[derive(Clone, Debug, Default)]
pub struct Names {
    // `None` rather than an empty set: even that would be compiled.
    globs: Option<GlobSet>,
    regexes: Option<RegexSet>,
    extensions: Vec<Vec<u8>>,
    excluded_names: Option<GlobSet>,
    excluded_paths: Option<GlobSet>,
    full_path: bool,
    ignore_case: bool,
}

impl Names {
    /// No patterns.
    #[must_use]
    pub fn new() -> Names {
        Names::default()
    }

    /// Whether every name passes.
    pub(super) fn is_trivial(&self) -> bool {
        self.globs.is_none()
            && self.regexes.is_none()
            && self.extensions.is_empty()
            && self.excluded_names.is_none()
            && self.excluded_paths.is_none()
    }

    crate::setters::setters! {
        /// Whether the case of letters is ignored; call it before adding patterns.
        ignore_case(yes: bool) => ignore_case = yes;
        /// Whether globs and regular expressions look at the whole path, as the walk spells it,
        /// instead of the name.
        full_path(yes: bool) => full_path = yes;
    }

    /// Globs of which one must match.
    ///
    /// # Errors
    /// The first that is not a glob.
    pub fn globs<S: AsRef<str>>(mut self, globs: &[S]) -> Result<Names, PatternError> {
        self.globs = self.glob_set(globs.iter().map(S::as_ref))?;
        Ok(self)
    }

    /// Regular expressions of which one must match.
    ///
    /// # Errors
    /// The first that is not a regular expression.
    pub fn regexes<S: AsRef<str>>(mut self, regexes: &[S]) -> Result<Names, PatternError> {
        if !regexes.is_empty() {
            let mut set = RegexSetBuilder::new(regexes);
            let set = set.case_insensitive(self.ignore_case).build();
            let set = set.map_err(|error| PatternError { reason: error.to_string() })?;
            self.regexes = Some(set);
        }
        Ok(self)
    }

    /// Extensions of which the name must have one, with something before the dot; a dot in front
    /// of an extension may be left out. `tar.gz` is an extension as well.
    #[must_use]
    pub fn extensions<B: AsRef<[u8]>>(mut self, extensions: &[B]) -> Names {
        let dotted = |extension: &B| {
            let plain = extension.as_ref().strip_prefix(b".").unwrap_or(extension.as_ref());
            [b".", plain].concat()
        };
        self.extensions = extensions.iter().map(dotted).collect();
        self
    }

    /// Globs that no name may match; one with a `/` in it looks at the path below the root.
    ///
    /// # Errors
    /// The first that is not a glob.
    pub fn exclude_globs<S: AsRef<str>>(mut self, globs: &[S]) -> Result<Names, PatternError> {
        let (paths, names): (Vec<&str>, Vec<&str>) =
            globs.iter().map(S::as_ref).partition(|glob| glob.trim_end_matches('/').contains('/'));
        let plain = |glob: &'_ str| glob.trim_end_matches('/').trim_start_matches('/').to_owned();
        let names: Vec<String> = names.into_iter().map(plain).collect();
        let paths: Vec<String> = paths.into_iter().map(plain).collect();
        self.excluded_names = self.glob_set(names.iter().map(String::as_str))?;
        self.excluded_paths = self.glob_set(paths.iter().map(String::as_str))?;
        Ok(self)
    }

    fn glob_set<'g>(
        &self,
        globs: impl Iterator<Item = &'g str>,
    ) -> Result<Option<GlobSet>, PatternError> {
        let wrong = |error: globset::Error| PatternError { reason: error.to_string() };
        let mut set = GlobSetBuilder::new();
        for glob in globs {
            if nesting(glob) > DEEPEST_BRACES {
                let reason = "braces are nested too deep in a glob".to_owned();
                return Err(PatternError { reason });
            }
            let glob = GlobBuilder::new(glob)
                .case_insensitive(self.ignore_case)
                .literal_separator(true)
                .backslash_escape(true)
                .build()
                .map_err(wrong)?;
            set.add(glob);
        }
        let set = set.build().map_err(wrong)?;
        Ok((!set.is_empty()).then_some(set))
    }

    /// Whether the entry is neither to be shown nor entered.
    pub(super) fn exclude(&self, entry: &Entry<'_>) -> bool {
        self.excluded_names.as_ref().is_some_and(|globs| globs.is_match(entry.name()))
            || self.excluded_paths.as_ref().is_some_and(|globs| globs.is_match(below_root(entry)))
    }

    /// Whether the entry passes the patterns.
    pub(super) fn accept(&self, entry: &Entry<'_>) -> bool {
        self.has_extension(entry.name_bytes()) && self.matches(entry)
    }

    fn matches(&self, entry: &Entry<'_>) -> bool {
        if self.globs.is_none() && self.regexes.is_none() {
            return true;
        }
        let subject = if self.full_path { entry.path_bytes() } else { entry.name_bytes() };
        self.globs.as_ref().is_some_and(|globs| globs.is_match(OsStr::from_bytes(subject)))
            || self.regexes.as_ref().is_some_and(|regexes| regexes.is_match(subject))
    }

    fn has_extension(&self, name: &[u8]) -> bool {
        let ends_with = |extension: &Vec<u8>| match name.len().checked_sub(extension.len()) {
            Some(start) if start > 0 => match self.ignore_case {
                true => name[start..].eq_ignore_ascii_case(extension),
                false => name[start..] == **extension,
            },
            _ => false,
        };
        self.extensions.is_empty() || self.extensions.iter().any(ends_with)
    }
}

/// Deeper than any real glob nests braces, and far from where the parser would exhaust the stack.
const DEEPEST_BRACES: usize = 100;

/// How deep the braces of a glob may be nested at most.
fn nesting(glob: &str) -> usize {
    let mut open = 0usize;
    let depths = glob.bytes().map(|byte| {
        match byte {
            b'{' => open += 1,
            b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        open
    });
    depths.max().unwrap_or(0)
}

/// The path without the root.
fn below_root<'w>(entry: &Entry<'w>) -> &'w Path {
    Path::new(OsStr::from_bytes(entry.split_root().1))
}
