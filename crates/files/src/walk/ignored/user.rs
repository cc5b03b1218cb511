//! The user's own excludes: the file that `core.excludesFile` names, else `git/ignore` in the
//! user's configuration folder.

use std::ffi::CString;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use kernel::At;

use super::config::{Config, Here, Reader, user_folder};
use super::files::{Repository, join, read};
use super::pattern::Patterns;

/// What the user has configured, read once a walk; for all repositories, unless one says
/// otherwise.
#[derive(Debug, Default)]
pub(crate) struct UserRules {
    config: OnceLock<Config>,
    /// Files with an absolute path that have been read.
    read: Mutex<Vec<Known>>,
}

/// A file, whether letters are the same in either case in it, and what it says.
type Known = (Vec<u8>, bool, Arc<Patterns>);

impl UserRules {
    /// Outside of all repositories; relative to `at`, should the environment name it so.
    pub(super) fn outside(&self, at: At<'_>) -> Option<Arc<Patterns>> {
        let mut reader = Reader { at, here: None, config: self.system_and_user(at).clone() };
        reader.environment();
        self.excludes(at, b"", &reader.config)
    }

    /// In a repository, and whether letters are the same there in either case. `git` tells the
    /// absolute path of its `.git`.
    ///
    /// Price: `openat`, two `read` and `close` of its configuration, and of the user's where that
    /// depends on it.
    pub(super) fn of_repository(
        &self,
        at: At<'_>,
        repository: &Repository,
        git: &dyn Fn() -> Option<Vec<u8>>,
    ) -> (Option<Arc<Patterns>>, bool) {
        let head = repository.own(b"HEAD");
        let known = self.system_and_user(at);
        let config = if known.conditional { Config::default() } else { known.clone() };
        let mut reader = Reader { at, here: Some(Here { git, head: &head }), config };
        if known.conditional {
            reader.system_and_user();
        }
        reader.file(&repository.shared(b"config"), 0);
        if reader.config.of_worktree {
            reader.file(&repository.own(b"config.worktree"), 0);
        }
        reader.environment();
        let fold = reader.config.ignore_case;
        (self.excludes(at, &repository.top, &reader.config), fold)
    }

    fn system_and_user(&self, at: At<'_>) -> &Config {
        self.config.get_or_init(|| {
            let mut reader = Reader { at, here: None, config: Config::default() };
            reader.system_and_user();
            reader.config
        })
    }

    /// A relative path is one from the top of the repository.
    fn excludes(&self, at: At<'_>, top: &[u8], config: &Config) -> Option<Arc<Patterns>> {
        let default = || user_folder().map(|folder| [&folder[..], b"ignore"].concat());
        let path = join(top, &config.excludes.clone().or_else(default)?);
        let is_known = |known: &&Known| known.0 == path && known.1 == config.ignore_case;
        let mut files = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = files.iter().find(is_known) {
            return Some(Arc::clone(&known.2));
        }
        let text = read(at, &CString::new(&*path).ok()?).unwrap_or_default();
        let patterns = Arc::new(Patterns::parse(&text, config.ignore_case));
        if path.starts_with(b"/") {
            files.push((path, config.ignore_case, Arc::clone(&patterns)));
        }
        Some(patterns)
    }
}
