//! The entries that git would ignore: the rules in force in one directory, chained to those above
//! it.
//!
//! Ignore files are found among the names that the walk has read anyway. Which files count, and in
//! which order, follows gitignore(5): the deepest `.gitignore` first, up to the top of the
//! repository, then `info/exclude`, then the user's own excludes.
//!
//! | module | what is in it |
//! |---|---|
//! | here | rules, and where they are looked for |
//! | `pattern` | the lines of an ignore file, matched with a path |
//! | `wildmatch` | globs |
//! | `files` | where a repository keeps its rules |
//! | `config` | the settings of git's configuration for ignored files |
//! | `syntax` | the syntax of that configuration |
//! | `user` | the user's own excludes |

mod config;
mod files;
mod pattern;
mod syntax;
mod user;
mod wildmatch;

use std::ffi::{CString, OsStr};
use std::sync::Arc;

use sys::{At, Kind, OsStrExt, OsStringExt};

use self::files::Repository;
use self::pattern::Patterns;
pub(crate) use self::user::UserRules;
use super::listing::Listing;
use super::open_dir::Dir;
use crate::error::{Action, Error};
use crate::path::lexical;
use crate::scope::Scope;

/// The rules that a directory adds to those above it.
#[derive(Debug)]
pub(crate) struct Rules {
    above: Option<Arc<Rules>>,
    kind: RuleKind,
    /// The path from this directory to the walk's root, which precedes paths below the root: empty
    /// unless the directory lies above the root.
    prefix: Vec<u8>,
    /// How much of the walk's path leads to this directory, or to the root if it lies above.
    path_length: usize,
}

#[derive(Debug)]
enum RuleKind {
    Patterns(Arc<Patterns>),
    /// No rule, but for the files below upper and lower case are the same.
    IgnoreCase,
    /// Everything is ignored: the directory lies in an ignored one.
    Everything,
}

/// Collects the rules of one directory, and what could not be read.
pub(crate) struct Loader<'w> {
    pub(crate) user: &'w UserRules,
    /// The scope that the user's relative paths start from.
    pub(crate) scope: &'w Scope,
    pub(crate) errors: Vec<Error>,
    /// The path of the directory, with the slash.
    pub(crate) path: &'w [u8],
}

impl Rules {
    /// Whether git would ignore the entry that `path` ends with, whose name starts at `start`, by
    /// the `rules` in force in its directory.
    pub(crate) fn ignore(rules: Option<&Rules>, path: &[u8], start: usize, is_dir: bool) -> bool {
        let name = &path[start..];
        let is_git = match rules {
            Some(rules) if name.len() == b".git".len() && rules.ignores_case() => {
                name.eq_ignore_ascii_case(b".git")
            }
            _ => name == b".git",
        };
        is_git || Rules::ignore_named(rules, path, start, is_dir)
    }

    fn ignore_named(mut level: Option<&Rules>, path: &[u8], start: usize, is_dir: bool) -> bool {
        while let Some(rules) = level {
            let verdict = match &rules.kind {
                RuleKind::Everything => Some(true),
                RuleKind::IgnoreCase => None,
                RuleKind::Patterns(patterns) if rules.prefix.is_empty() => {
                    let start = start - rules.path_length;
                    patterns.verdict(&path[rules.path_length..], start, is_dir)
                }
                RuleKind::Patterns(patterns) => {
                    let whole = [&rules.prefix, &path[rules.path_length..]].concat();
                    patterns.verdict(&whole, start - rules.path_length + rules.prefix.len(), is_dir)
                }
            };
            if let Some(verdict) = verdict {
                return verdict;
            }
            level = rules.above.as_deref();
        }
        false
    }

    /// Whether the repository ignores the case of letters.
    fn ignores_case(&self) -> bool {
        match &self.kind {
            RuleKind::Patterns(patterns) => patterns.fold,
            RuleKind::IgnoreCase => true,
            RuleKind::Everything => self.above.as_deref().is_some_and(Rules::ignores_case),
        }
    }

    fn below(
        above: Option<Arc<Rules>>,
        patterns: Option<Arc<Patterns>>,
        prefix: &[u8],
        path_length: usize,
    ) -> Option<Arc<Rules>> {
        match patterns {
            Some(patterns) if !patterns.is_empty() => {
                let (kind, prefix) = (RuleKind::Patterns(patterns), prefix.to_vec());
                Some(Arc::new(Rules { above, kind, prefix, path_length }))
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
        let git = names.find(b".git").map(|item| item.info.kind);
        // Where the environment names the repository, none is looked for around a root.
        let named = is_root && config::variable("GIT_DIR").is_some();
        let found = git.filter(|_| !named).and_then(|git| Repository::at(dir.at(), b"", git));
        let above = match found {
            // A repository starts here: nothing above it counts.
            Some(found) => self.repository(dir, &found, b"", length, 0),
            None if is_root => self.above_root(dir, length),
            None => above,
        };
        if above.as_deref().is_some_and(|above| matches!(above.kind, RuleKind::Everything)) {
            return above; // no rule from below an ignored directory takes it back
        }
        let has_file = names.find(b".gitignore").is_some_and(|item| item.info.kind == Kind::File);
        let fold = above.as_deref().is_some_and(Rules::ignores_case);
        let patterns = if has_file { self.load(dir.at(), b".gitignore", fold) } else { None };
        Rules::below(above, patterns, b"", length)
    }

    /// The rules for all of a repository whose top lies so many directories above: the user's own,
    /// and those in the repository's file of excludes.
    fn repository(
        &mut self,
        dir: &Dir,
        repository: &Repository,
        prefix: &[u8],
        path_length: usize,
        steps: usize,
    ) -> Option<Arc<Rules>> {
        let git = || {
            let mut top = dir.absolute_path()?;
            for _ in 0..steps {
                top.truncate(memchr::memrchr(b'/', &top)?);
            }
            top.push(b'/');
            Some(lexical::normalize(&lexical::below(&top, &repository.git_dir)))
        };
        let (user, fold) = self.user.of_repository(dir.at(), repository, &git);
        let case =
            Rules { above: None, kind: RuleKind::IgnoreCase, prefix: Vec::new(), path_length };
        let rules = Rules::below(fold.then(|| Arc::new(case)), user, prefix, path_length);
        let patterns = self.load(dir.at(), &repository.in_common_dir(b"info/exclude"), fold);
        Rules::below(rules, patterns, prefix, path_length)
    }

    /// The rules for a root of the walk from the repository that it lies in; only the user's own if
    /// it lies in none.
    fn above_root(&mut self, dir: &Dir, length: usize) -> Option<Arc<Rules>> {
        let path = dir.absolute_path().unwrap_or_default();
        let parts: Vec<&[u8]> = path.split(|&b| b == b'/').filter(|p| !p.is_empty()).collect();
        if let Some(git_dir) = config::variable("GIT_DIR") {
            return self.named(dir, &git_dir, &parts, length);
        }
        for steps in 1..=parts.len() {
            let top = b"../".repeat(steps);
            let git = files::kind(dir.at(), &[&top[..], b".git\0"].concat());
            let found = git.and_then(|git| Repository::at(dir.at(), &top, git));
            let Some(found) = found else { continue };
            let components = &parts[parts.len() - steps..];
            let rules = self.repository(dir, &found, &prefix(components), length, steps);
            return self.down_to_root(dir, rules, components, length);
        }
        Rules::below(None, self.user.outside(self.scope.at()), b"", length)
    }

    /// The rules of the repository that the environment names, if the root of the walk lies in it;
    /// its top is the working directory, unless the environment says otherwise.
    fn named(
        &mut self,
        dir: &Dir,
        git_dir: &[u8],
        parts: &[&[u8]],
        length: usize,
    ) -> Option<Arc<Rules>> {
        let here = self.scope.physical().map(|path| path.into_os_string().into_vec());
        let here = [&here.unwrap_or_default()[..], b"/"].concat();
        let top = match config::variable("GIT_WORK_TREE") {
            Some(top) => {
                let top = self.scope.physical_of(OsStr::from_bytes(&top)).ok().flatten();
                top.unwrap_or_default()
            }
            None => here.clone(),
        };
        let above: Vec<&[u8]> = top.split(|&b| b == b'/').filter(|p| !p.is_empty()).collect();
        let found = parts.strip_prefix(&above[..]).and_then(|components| {
            let top = b"../".repeat(components.len());
            let git_dir = lexical::normalize(&lexical::below(&here, git_dir));
            Some((components, Repository::in_directory(dir.at(), &top, git_dir)?))
        });
        let Some((components, found)) = found else {
            return Rules::below(None, self.user.outside(self.scope.at()), b"", length);
        };
        let prefix = if components.is_empty() { Vec::new() } else { prefix(components) };
        let rules = self.repository(dir, &found, &prefix, length, components.len());
        self.down_to_root(dir, rules, components, length)
    }

    /// Goes down from the top of the repository to the root of the walk, along directories with
    /// these names. Below an ignored one everything is ignored.
    fn down_to_root(
        &mut self,
        dir: &Dir,
        mut rules: Option<Arc<Rules>>,
        components: &[&[u8]],
        length: usize,
    ) -> Option<Arc<Rules>> {
        let fold = rules.as_deref().is_some_and(Rules::ignores_case);
        for steps in (1..=components.len()).rev() {
            let file = [&b"../".repeat(steps)[..], b".gitignore"].concat();
            let below = &components[components.len() - steps..];
            // As below the root, a link is not an ignore file.
            if files::kind(dir.at(), &[&file[..], b"\0"].concat()) == Some(Kind::File) {
                let patterns = self.load(dir.at(), &file, fold);
                rules = Rules::below(rules, patterns, &prefix(below), length);
            }
            if is_ignored(rules.as_deref(), components, components.len() - steps) {
                let (kind, prefix) = (RuleKind::Everything, Vec::new());
                return Some(Arc::new(Rules { above: rules, kind, prefix, path_length: length }));
            }
        }
        rules
    }

    /// The patterns in a file, relative to `at`; a missing file has none.
    fn load(&mut self, at: At<'_>, file: &[u8], fold: bool) -> Option<Arc<Patterns>> {
        match files::read(at, &CString::new(file).ok()?) {
            Ok(text) => Some(Arc::new(Patterns::parse(&text, fold))),
            Err(None) => None,
            Err(Some(errno)) => {
                let path = lexical::below(self.path, file);
                self.errors.push(Error::new(errno, Action::READ_IGNORE_FILE, &path));
                None
            }
        }
    }
}

/// Whether the directory at this index of the path from the top is ignored by the rules above it.
fn is_ignored(mut level: Option<&Rules>, components: &[&[u8]], place: usize) -> bool {
    while let Some(rules) = level {
        if let RuleKind::Patterns(patterns) = &rules.kind {
            let steps = rules.prefix.iter().filter(|&&byte| byte == b'/').count();
            let path = components[components.len() - steps..=place].join(&b'/');
            if let Some(verdict) =
                patterns.verdict(&path, path.len() - components[place].len(), true)
            {
                return verdict;
            }
        }
        level = rules.above.as_deref();
    }
    false
}

/// `a/b/` for the components `a` and `b`.
fn prefix(parts: &[&[u8]]) -> Vec<u8> {
    let mut prefix = parts.join(&b'/');
    prefix.push(b'/');
    prefix
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(above: Option<Arc<Rules>>, text: &str, path_length: usize) -> Arc<Rules> {
        let patterns = Arc::new(Patterns::parse(text.as_bytes(), false));
        Rules::below(above, Some(patterns), b"", path_length).unwrap()
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
        let patterns = Arc::new(Patterns::parse(b"/src/gen/*.c\n", false));
        let rules = Rules::below(None, Some(patterns), b"src/gen/", 2).unwrap();
        assert!(Rules::ignore(Some(&rules), b"./a.c", 2, false));
        assert!(!Rules::ignore(Some(&rules), b"./x/a.c", 4, false));
        let components: [&[u8]; 2] = [b"src", b"gen"];
        assert!(!is_ignored(Some(&rules), &components, 1));
    }
}
