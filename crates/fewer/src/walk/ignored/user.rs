//! The user's own excludes: the file that `core.excludesFile` names, else `git/ignore` in the
//! user's configuration folder.

use std::ffi::CString;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use sys::At;

use super::config::{Config, Here, Reader, Remotes, user_folder};
use super::files::{Repository, read};
use super::pattern::Patterns;
use crate::path::lexical;

/// The user's configuration, read once per walk; for all repositories, unless one overrides it.
#[derive(Debug, Default)]
pub(crate) struct UserRules {
    config: OnceLock<Config>,
    /// Files with an absolute path that have been read.
    files: Mutex<Vec<Known>>,
}

/// A file, whether case is ignored in it, and its patterns.
type Known = (Vec<u8>, bool, Arc<Patterns>);

impl UserRules {
    /// The excludes outside of all repositories; relative to `at`, if the environment names a
    /// relative path.
    pub(super) fn outside(&self, at: At<'_>) -> Option<Arc<Patterns>> {
        self.excludes(at, b"", &self.whole(at, None))
    }

    /// The excludes in a repository, and whether case is ignored there. `git` returns the absolute
    /// path of its `.git`.
    ///
    /// Price: `openat`, two `read` and `close` of its configuration, and of the user's where that
    /// depends on it; thrice where something depends on the URLs of remotes.
    pub(super) fn of_repository(
        &self,
        at: At<'_>,
        repository: &Repository,
        git: &dyn Fn() -> Option<Vec<u8>>,
    ) -> (Option<Arc<Patterns>>, bool) {
        let head = repository.in_git_dir(b"HEAD");
        let config = self.whole(at, Some((repository, Here { git, head: &head })));
        (self.excludes(at, &repository.top, &config), config.ignore_case)
    }

    /// All settings, here or outside of all repositories.
    fn whole(&self, at: At<'_>, place: Option<(&Repository, Here<'_>)>) -> Config {
        let first = self.read(at, place, Remotes::Unasked);
        if !matches!(first.remotes, Remotes::Asked) {
            return first.config;
        }
        match self.read(at, place, Remotes::Collected(Vec::new())).remotes {
            Remotes::Collected(urls) => self.read(at, place, Remotes::Known(urls)).config,
            _ => first.config,
        }
    }

    fn read<'a>(
        &self,
        at: At<'a>,
        place: Option<(&Repository, Here<'a>)>,
        remotes: Remotes,
    ) -> Reader<'a> {
        let known = self.system_and_user(at);
        let here = place.map(|(_, here)| here);
        let mut reader = Reader { at, here, config: Config::default(), remotes };
        if known.conditional || matches!(reader.remotes, Remotes::Collected(_)) {
            reader.system_and_user();
        } else {
            reader.config = known.clone();
        }
        if let Some((repository, _)) = place {
            reader.file(&repository.in_common_dir(b"config"), 0);
            if reader.config.of_worktree {
                reader.file(&repository.in_git_dir(b"config.worktree"), 0);
            }
        }
        reader.environment();
        reader
    }

    fn system_and_user(&self, at: At<'_>) -> &Config {
        self.config.get_or_init(|| {
            let (config, remotes) = (Config::default(), Remotes::Unasked);
            let mut reader = Reader { at, here: None, config, remotes };
            reader.system_and_user();
            reader.config
        })
    }

    /// A relative path starts at the top of the repository.
    fn excludes(&self, at: At<'_>, top: &[u8], config: &Config) -> Option<Arc<Patterns>> {
        let default = || user_folder().map(|folder| [&folder[..], b"ignore"].concat());
        let path = lexical::below(top, &config.excludes.clone().or_else(default)?);
        let is_known = |known: &&Known| known.0 == path && known.1 == config.ignore_case;
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
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
