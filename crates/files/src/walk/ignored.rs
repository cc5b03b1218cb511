//! What git would ignore: the rules in force in one directory, chained to those above it.
//!
//! Ignore files are found among the names that the walk has read anyway. Matching is the `ignore`
//! crate's; which files count, and in which order, follows gitignore(5): the deepest `.gitignore`
//! first, up to the top of the repository, then `info/exclude`, then the user's own excludes.

mod files;
mod pattern;

use std::ffi::{CString, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use kernel::{At, Kind};

use super::held::Dir;
use super::stack::Listing;
use crate::error::Error;
use crate::scope::Scope;

/// The user's own excludes, read once a walk.
#[derive(Debug, Default)]
pub(crate) struct UserRules(OnceLock<Arc<Patterns>>);

/// The patterns of one file, in groups that are each compiled into one matcher; later ones count
/// before earlier ones.
type Patterns = Vec<Gitignore>;

/// The rules that a directory adds to those above it.
#[derive(Debug)]
pub(crate) struct Rules {
    above: Option<Arc<Rules>>,
    patterns: Arc<Patterns>,
    /// What stands before a path below the walk's root to make it one below this directory: empty
    /// unless the directory lies above the root.
    lead: Vec<u8>,
    /// How much of the walk's path leads to this directory, or to the root if it lies above.
    path_length: usize,
}

/// Collects the rules of one directory, and what could not be read.
pub(crate) struct Loader<'w> {
    pub(crate) user: &'w UserRules,
    /// What the user's own paths are relative to.
    pub(crate) scope: &'w Scope,
    pub(crate) errors: Vec<Error>,
    /// The path of the directory, with the slash.
    pub(crate) path: &'w [u8],
}

impl Rules {
    /// Whether git would ignore the entry that `path` ends with, whose name starts at `start`, by
    /// the `rules` in force in its directory.
    pub(crate) fn ignore(rules: Option<&Rules>, path: &[u8], start: usize, is_dir: bool) -> bool {
        if &path[start..] == b".git" {
            return true;
        }
        let mut level = rules;
        while let Some(rules) = level {
            let below = &path[rules.path_length..];
            let whole;
            let below = if rules.lead.is_empty() {
                below
            } else {
                whole = [&rules.lead, below].concat();
                &whole
            };
            for matcher in rules.patterns.iter().rev() {
                match matcher.matched(as_path(below), is_dir) {
                    Match::Ignore(_) => return true,
                    Match::Whitelist(_) => return false,
                    Match::None => {}
                }
            }
            level = rules.above.as_deref();
        }
        false
    }

    fn below(
        above: Option<Arc<Rules>>,
        patterns: Option<Arc<Patterns>>,
        lead: &[u8],
        path_length: usize,
    ) -> Option<Arc<Rules>> {
        match patterns {
            Some(patterns) if !patterns.is_empty() => {
                Some(Arc::new(Rules { above, patterns, lead: lead.to_vec(), path_length }))
            }
            _ => above,
        }
    }
}

impl Loader<'_> {
    /// The rules in force in a directory, given those in force in its parent; `is_root` for a
    /// root of the walk, above which the rules are looked for.
    pub(crate) fn enter(
        &mut self,
        above: Option<Arc<Rules>>,
        is_root: bool,
        dir: &Dir,
        names: &Listing,
    ) -> Option<Arc<Rules>> {
        let length = self.path.len();
        let git = names.find(b".git").map(|item| item.found.kind);
        let exclude = git.and_then(|git| files::exclude_of_repository(dir.at(), b"", git));
        let above = match exclude {
            // A repository starts here: nothing above it counts.
            Some(exclude) => self.repository(dir.at(), &exclude, b"", length),
            None if is_root => self.above_root(dir, length),
            None => above,
        };
        let has_file = names.find(b".gitignore").is_some_and(|item| item.found.kind == Kind::File);
        let patterns = if has_file { self.load(dir.at(), b".gitignore") } else { None };
        Rules::below(above, patterns, b"", length)
    }

    /// The rules that hold for all of a repository: the user's own, and those in its own file of
    /// excludes, relative to `at`.
    fn repository(
        &mut self,
        at: At<'_>,
        exclude: &[u8],
        lead: &[u8],
        path_length: usize,
    ) -> Option<Arc<Rules>> {
        let rules = Rules::below(None, Some(self.user_patterns()), lead, path_length);
        let patterns = self.load(at, exclude);
        Rules::below(rules, patterns, lead, path_length)
    }

    fn user_patterns(&self) -> Arc<Patterns> {
        Arc::clone(self.user.0.get_or_init(|| Arc::new(files::user_excludes(self.scope.at()))))
    }

    /// The rules that reach down to a root of the walk from the repository that it lies in; those
    /// of the user alone where it lies in none.
    fn above_root(&mut self, dir: &Dir, length: usize) -> Option<Arc<Rules>> {
        let path = dir.absolute_path().unwrap_or_default();
        let parts: Vec<&[u8]> = path.split(|&b| b == b'/').filter(|p| !p.is_empty()).collect();
        for steps in 1..=parts.len() {
            let lead = lead(&parts[parts.len() - steps..]);
            let git = files::kind(dir.at(), &[&up(&lead)[..], b".git\0"].concat());
            let exclude =
                git.and_then(|git| files::exclude_of_repository(dir.at(), &up(&lead), git));
            let Some(exclude) = exclude else { continue };
            let mut rules = self.repository(dir.at(), &exclude, &lead, length);
            for steps in (1..=steps).rev() {
                let lead = self::lead(&parts[parts.len() - steps..]);
                let file = [&up(&lead)[..], b".gitignore"].concat();
                // As below the root, a link is not an ignore file.
                let is_file = files::kind(dir.at(), &[&file[..], b"\0"].concat());
                if is_file == Some(Kind::File) {
                    let patterns = self.load(dir.at(), &file);
                    rules = Rules::below(rules, patterns, &lead, length);
                }
            }
            return rules;
        }
        Rules::below(None, Some(self.user_patterns()), b"", length)
    }

    /// The patterns in a file, relative to `at`; a missing file has none.
    fn load(&mut self, at: At<'_>, file: &[u8]) -> Option<Arc<Patterns>> {
        match files::read(at, &CString::new(file).ok()?) {
            Ok(text) => Some(Arc::new(parse(&text))),
            Err(None) => None,
            Err(Some(errno)) => {
                let path = files::join(self.path, file);
                self.errors.push(Error::new(errno, "read ignore file", &path));
                None
            }
        }
    }
}

/// `a/b/` for the components `a` and `b`.
fn lead(parts: &[&[u8]]) -> Vec<u8> {
    let mut lead = parts.join(&b'/');
    lead.push(b'/');
    lead
}

/// As many `../` as `lead` has components.
fn up(lead: &[u8]) -> Vec<u8> {
    b"../".repeat(lead.iter().filter(|&&byte| byte == b'/').count())
}

fn as_path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

/// So many lines are compiled into one matcher: the time and memory that takes grow faster than
/// their number.
const LINES_PER_MATCHER: usize = 500;

/// The patterns of an ignore file. A line that is no valid pattern matches nothing, as in git.
fn parse(text: &[u8]) -> Patterns {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    let mut patterns = Patterns::new();
    for lines in lines.chunks(LINES_PER_MATCHER) {
        compile(lines, &mut patterns);
    }
    patterns
}

/// Compiles the lines together; if that is too much at once, each half on its own.
fn compile(lines: &[&[u8]], patterns: &mut Patterns) {
    let mut builder = GitignoreBuilder::new("");
    for line in lines {
        let line = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line));
        // An invalid pattern leaves the builder as it was.
        let _ = builder.add_line(None, &pattern::as_glob(&line));
    }
    match builder.build() {
        Ok(matcher) if matcher.num_ignores() + matcher.num_whitelists() > 0 => {
            patterns.push(matcher);
        }
        Err(_) if lines.len() > 1 => {
            let (first, second) = lines.split_at(lines.len() / 2);
            compile(first, patterns);
            compile(second, patterns);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(above: Option<Arc<Rules>>, text: &str, path_length: usize) -> Arc<Rules> {
        Rules::below(above, Some(Arc::new(parse(text.as_bytes()))), b"", path_length).unwrap()
    }

    #[test]
    fn the_deepest_rule_that_matches_decides() {
        let top = rules(None, "*.o\n/build/\nsub/deep\n", 2);
        let sub = rules(Some(Arc::clone(&top)), "!keep.o\n*.txt\n", 6);
        let ignored = |rules: &Rules, path: &str, kind| {
            let start = path.rfind('/').unwrap() + 1;
            Rules::ignore(Some(rules), path.as_bytes(), start, kind == Kind::Directory)
        };
        assert!(ignored(&top, "r/a.o", Kind::File));
        assert!(ignored(&top, "r/build", Kind::Directory));
        assert!(!ignored(&top, "r/build", Kind::File));
        assert!(!ignored(&top, "r/a.txt", Kind::File));
        assert!(ignored(&sub, "r/sub/a.o", Kind::File));
        assert!(!ignored(&sub, "r/sub/keep.o", Kind::File));
        assert!(ignored(&sub, "r/sub/a.txt", Kind::File));
        assert!(ignored(&sub, "r/sub/deep", Kind::File));
        assert!(!ignored(&sub, "r/sub/build", Kind::Directory));
        assert!(ignored(&sub, "r/sub/.git", Kind::Directory));
    }

    #[test]
    fn rules_from_above_the_root_see_the_whole_path() {
        let matcher = Arc::new(parse(b"/src/gen/*.c\n"));
        let rules = Rules::below(None, Some(matcher), b"src/gen/", 2).unwrap();
        assert!(Rules::ignore(Some(&rules), b"./a.c", 2, false));
        assert!(!Rules::ignore(Some(&rules), b"./x/a.c", 4, false));
    }
}
