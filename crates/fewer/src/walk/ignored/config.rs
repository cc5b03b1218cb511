//! The settings for ignored files in git's configuration (git-config(1)): `core.excludesFile` and
//! `core.ignoreCase`, in the files of the system, the user and the repository, in files that these
//! include, and in the environment.

use std::ffi::CString;

use sys::{At, OsStringExt};

use super::files::read;
use super::syntax::{Entry, entries, parameters};
use super::wildmatch;
use crate::path::lexical;

/// How deep files may include others.
const DEPTH_AT_MOST: u8 = 10;

/// The settings.
#[derive(Clone, Debug, Default)]
pub(super) struct Config {
    /// The file of the user's own excludes.
    pub(super) excludes: Option<Vec<u8>>,
    /// Whether letters are the same in either case.
    pub(super) ignore_case: bool,
    /// Whether the worktree has a configuration of its own.
    pub(super) of_worktree: bool,
    /// Whether something in it depends on the repository.
    pub(super) conditional: bool,
}

/// The repository that conditions look at.
#[derive(Clone, Copy)]
pub(super) struct Here<'a> {
    /// The absolute path of its `.git`, links resolved.
    pub(super) git: &'a dyn Fn() -> Option<Vec<u8>>,
    /// Its `HEAD`, as the configuration's files are found.
    pub(super) head: &'a [u8],
}

/// The URLs of `remote.*.url`, as far as they are known. They may be set after a condition that
/// depends on them; if there is such a condition, the files are read three times.
pub(super) enum Remotes {
    /// No condition depends on them so far.
    Unasked,
    /// A condition depends on them, and was taken not to hold.
    Asked,
    /// They are known. In the files that set them no such condition holds: git does not allow URLs
    /// in files that are included under one.
    Collected(Vec<Vec<u8>>),
    Known(Vec<Vec<u8>>),
}

/// Reads files of configuration.
pub(super) struct Reader<'a> {
    /// What relative paths are relative to.
    pub(super) at: At<'a>,
    pub(super) here: Option<Here<'a>>,
    pub(super) config: Config,
    pub(super) remotes: Remotes,
}

/// A variable of the environment that is not empty.
pub(super) fn variable(name: &str) -> Option<Vec<u8>> {
    std::env::var_os(name).map(OsStringExt::into_vec).filter(|value| !value.is_empty())
}

/// The folder of the user's configuration of git.
pub(super) fn user_folder() -> Option<Vec<u8>> {
    let folder = variable("XDG_CONFIG_HOME")
        .or_else(|| variable("HOME").map(|home| [&home[..], b"/.config"].concat()))?;
    Some([&folder[..], b"/git/"].concat())
}

impl Reader<'_> {
    /// The files of the system and the user, the later ones counting more.
    ///
    /// Price: for each that is there `openat`, two `read`, `close`; one `openat` for others.
    pub(super) fn system_and_user(&mut self) {
        if !variable("GIT_CONFIG_NOSYSTEM").is_some_and(|value| is_true(Some(&value))) {
            let system = std::env::var_os("GIT_CONFIG_SYSTEM").map(OsStringExt::into_vec);
            self.file(&system.unwrap_or_else(|| b"/etc/gitconfig".to_vec()), 0);
        }
        if let Some(user) = std::env::var_os("GIT_CONFIG_GLOBAL").map(OsStringExt::into_vec) {
            self.file(&user, 0);
            return;
        }
        let folder = user_folder().map(|folder| [&folder[..], b"config"].concat());
        let home = variable("HOME").map(|home| [&home[..], b"/.gitconfig"].concat());
        for path in [folder, home].into_iter().flatten() {
            self.file(&path, 0);
        }
    }

    /// The settings of `GIT_CONFIG_COUNT`, `GIT_CONFIG_KEY_0`, …; and then those of `git -c`.
    pub(super) fn environment(&mut self) {
        let count = variable("GIT_CONFIG_COUNT").and_then(|it| String::from_utf8(it).ok());
        for number in 0..count.and_then(|it| it.trim().parse::<u16>().ok()).unwrap_or(0) {
            let value = |what| std::env::var_os(format!("GIT_CONFIG_{what}_{number}"));
            let (Some(key), Some(value)) = (value("KEY"), value("VALUE")) else { return };
            if let Some(entry) = Entry::named(&key.into_vec(), Some(value.into_vec())) {
                self.entry(&entry, b"", 0);
            }
        }
        for entry in parameters(&variable("GIT_CONFIG_PARAMETERS").unwrap_or_default()) {
            self.entry(&entry, b"", 0);
        }
    }

    /// One file, and what it includes.
    pub(super) fn file(&mut self, path: &[u8], depth: u8) {
        let text = CString::new(path).ok().and_then(|path| read(self.at, &path).ok());
        let folder = memchr::memrchr(b'/', path).map_or(&b""[..], |slash| &path[..=slash]);
        for entry in entries(&text.unwrap_or_default()) {
            self.entry(&entry, folder, depth);
        }
    }

    fn entry(&mut self, entry: &Entry, folder: &[u8], depth: u8) {
        let value = entry.value.as_deref();
        match (&*entry.section, &*entry.key, entry.subsection.as_deref()) {
            (b"core", b"excludesfile", None) => {
                if let Some(value) = value {
                    self.config.excludes = Some(from_home(value));
                }
            }
            (b"core", b"ignorecase", None) => self.config.ignore_case = is_true(value),
            (b"extensions", b"worktreeconfig", None) => self.config.of_worktree = is_true(value),
            (b"remote", b"url", Some(_)) => {
                if let (Remotes::Collected(urls), Some(url)) = (&mut self.remotes, value) {
                    urls.push(url.to_vec());
                }
            }
            (b"include", b"path", None) => self.include(value, folder, depth),
            (b"includeif", b"path", Some(condition)) => {
                self.config.conditional = true;
                if self.holds(condition, folder) {
                    self.include(value, folder, depth);
                }
            }
            _ => {}
        }
    }

    fn include(&mut self, path: Option<&[u8]>, folder: &[u8], depth: u8) {
        if let Some(path) = path.filter(|_| depth < DEPTH_AT_MOST) {
            self.file(&lexical::below(folder, &from_home(path)), depth + 1);
        }
    }

    /// `gitdir:`, `gitdir/i:`, `onbranch:` and `hasconfig:remote.*.url:`; no other condition holds.
    fn holds(&mut self, condition: &[u8], folder: &[u8]) -> bool {
        if matches!(self.remotes, Remotes::Collected(_)) {
            return false;
        }
        if let Some(pattern) = condition.strip_prefix(b"hasconfig:remote.*.url:") {
            return self.has_remote(pattern);
        }
        let Some(here) = &self.here else { return false };
        if let Some(branch) = condition.strip_prefix(b"onbranch:") {
            let head = CString::new(here.head).ok().and_then(|head| read(self.at, &head).ok());
            let head = head.unwrap_or_default();
            let name = head.strip_prefix(b"ref: refs/heads/").map(<[u8]>::trim_ascii_end);
            return name.is_some_and(|name| {
                wildmatch::matches(&with_all_below(branch.to_vec()), name, false)
            });
        }
        let (pattern, fold) = match condition.strip_prefix(b"gitdir:") {
            Some(pattern) => (pattern, false),
            None => match condition.strip_prefix(b"gitdir/i:") {
                Some(pattern) => (pattern, true),
                None => return false,
            },
        };
        let pattern = match pattern.strip_prefix(b"./") {
            Some(rest) => [folder, rest].concat(),
            None => from_home(pattern),
        };
        let anywhere = if pattern.starts_with(b"/") { &b""[..] } else { b"**/" };
        let pattern = with_all_below([anywhere, &pattern].concat());
        (here.git)().is_some_and(|git| wildmatch::matches(&pattern, &git, fold))
    }

    fn has_remote(&mut self, pattern: &[u8]) -> bool {
        if let Remotes::Known(urls) = &self.remotes {
            return urls.iter().any(|url| wildmatch::matches(pattern, url, false));
        }
        self.remotes = Remotes::Asked;
        false
    }
}

/// A pattern that ends in a slash means everything below.
fn with_all_below(mut pattern: Vec<u8>) -> Vec<u8> {
    if pattern.ends_with(b"/") {
        pattern.extend_from_slice(b"**");
    }
    pattern
}

fn from_home(path: &[u8]) -> Vec<u8> {
    match (path.strip_prefix(b"~/"), variable("HOME")) {
        (Some(rest), Some(home)) => [&home[..], b"/", rest].concat(),
        _ => path.to_vec(),
    }
}

/// A key without a value is true.
fn is_true(value: Option<&[u8]>) -> bool {
    let Some(value) = value else { return true };
    match value.to_ascii_lowercase().as_slice() {
        b"true" | b"yes" | b"on" => true,
        number => {
            let number = number.strip_suffix(b"k").unwrap_or(number);
            let number = str::from_utf8(number).ok().and_then(|it| it.parse::<i64>().ok());
            number.is_some_and(|number| number != 0)
        }
    }
}
