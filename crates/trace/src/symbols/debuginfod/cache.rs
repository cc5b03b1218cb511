//! What servers have answered: `BUILD_ID/debuginfo`, which is empty where no server had it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use fewer::{Fields, Scope, Time};

use crate::symbols::separate::by_build_id;

/// How long it is believed that no server has a file, in seconds; the file `cache_miss_s` in the
/// cache can say otherwise.
const MISS_SECONDS: i64 = 600;

/// A folder on this machine.
#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
    files: Scope,
}

/// What is known of a build id.
pub(super) enum Kept {
    /// Its file.
    File(PathBuf),
    /// No server had it a while ago.
    Nothing,
    /// Servers have to be asked.
    Unknown,
}

impl Cache {
    /// In the order of elfutils: `DEBUGINFOD_CACHE_PATH`, `~/.debuginfod_client_cache` if that is
    /// there, `XDG_CACHE_HOME`, `~/.cache`. `None` if no variable says where.
    pub(super) fn from_environment() -> Option<Cache> {
        let files = Scope::start();
        let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let home = of("HOME").map(PathBuf::from);
        let old = home.as_ref().map(|home| home.join(".debuginfod_client_cache"));
        let old = old.filter(|old| files.stat_target(old, Fields::KIND).is_ok());
        let usual = || {
            let caches = of("XDG_CACHE_HOME").map(PathBuf::from);
            caches.or_else(|| Some(home?.join(".cache"))).map(|it| it.join("debuginfod_client"))
        };
        let folder = of("DEBUGINFOD_CACHE_PATH").map(PathBuf::from).or(old).or_else(usual)?;
        Some(Cache { folder, files })
    }

    pub(super) fn folder(&self) -> PathBuf {
        self.folder.clone()
    }

    fn path(&self, build_id: &str) -> PathBuf {
        self.folder.join(build_id).join("debuginfo")
    }

    /// Price: two `statx` at most; `openat`, `read`, `close` for an answer that there is nothing.
    pub(super) fn look_up(&self, build_id: &str) -> Kept {
        let path = self.path(build_id);
        let fields = Fields::SIZE | Fields::MODIFIED;
        let Ok(stat) = self.files.stat_target(&path, fields) else { return Kept::Unknown };
        if stat.size() > 0 {
            return Kept::File(path);
        }
        let age = Time::now().seconds - stat.modified().seconds;
        if age < self.miss_seconds() { Kept::Nothing } else { Kept::Unknown }
    }

    fn miss_seconds(&self) -> i64 {
        let said = crate::read_file(&self.folder.join("cache_miss_s")).unwrap_or_default();
        String::from_utf8_lossy(&said).trim().parse().unwrap_or(MISS_SECONDS)
    }

    /// Makes the folder of a build id, and names a file in it to write to.
    pub(super) fn make_room(&self, build_id: &str) -> Result<PathBuf, fewer::Error> {
        let path = self.path(build_id);
        self.make_folders_of(&path)?;
        let mut name = OsString::from(path);
        name.push(format!(".{}", sys::own_number()));
        Ok(name.into())
    }

    fn make_folders_of(&self, path: &Path) -> Result<(), fewer::Error> {
        let above: Vec<&Path> = path.ancestors().skip(1).collect();
        for folder in above.into_iter().rev().filter(|folder| !folder.as_os_str().is_empty()) {
            match self.files.make_directory(folder, 0o700) {
                Err(error) if error.errno() != fewer::Errno::EXIST => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// Puts what was written in its place.
    pub(super) fn keep(&self, build_id: &str, part: &Path) -> Option<PathBuf> {
        let path = self.path(build_id);
        self.files.rename(part, &path).ok()?;
        Some(path)
    }

    /// Removes what was written in vain, if anything was.
    pub(super) fn discard(&self, part: &Path) {
        let _ = self.files.remove_file(part);
    }

    /// Remembers that no server has it. If that cannot be written, they are asked again.
    pub(super) fn keep_nothing(&self, build_id: &str) {
        let path = self.path(build_id);
        let _ = self.files.remove_file(&path); // an older answer
        let _ = self.files.create(&path, 0o600);
    }

    /// A link where programs look that know build ids: `.build-id/ab/cdef.debug`.
    pub(super) fn link(&self, build_id: &str) {
        let Some(link) = by_build_id(&self.folder, build_id) else { return };
        if self.make_folders_of(&link).is_ok() {
            let target = Path::new("../..").join(build_id).join("debuginfo");
            let _ = self.files.make_symlink(&link, &target); // it may be there
        }
    }
}
