//! Which directories need not be copied for a command that only looks at what is in them.
//!
//! A socket or a pipe leads out of the scratch, also where nothing can be written to. So there must
//! be none of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{Scratch, Variant};

/// So long it is looked for such in each directory. What has not been looked through by then is
/// copied.
const PATIENCE: Duration = Duration::from_secs(1);

impl Scratch {
    /// Those of the directories which are copied whole that the command does not write to, and in
    /// which there is nothing but files, links and directories.
    pub(crate) fn untouched(&self, is_written_to: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
        let Ok(layout) = self.plan(&Variant::default()) else { return Vec::new() };
        let mut directories = layout.views;
        directories
            .retain(|directory| !is_written_to(directory) && has_only_files(directory.clone()));
        directories
    }
}

fn has_only_files(directory: PathBuf) -> bool {
    let (begin, mut left) = (Instant::now(), vec![directory]);
    while let Some(directory) = left.pop() {
        let Ok(entries) = fs::read_dir(&directory) else {
            // What cannot be entered, either, is out of the command's reach.
            if directory.join(".").symlink_metadata().is_ok() {
                return false;
            }
            continue;
        };
        for entry in entries {
            match entry.and_then(|entry| Ok((entry.file_type()?, entry))) {
                Ok((kind, entry)) if kind.is_dir() => left.push(entry.path()),
                Ok((kind, _)) if kind.is_file() || kind.is_symlink() => {}
                _ => return false,
            }
        }
        if begin.elapsed() > PATIENCE {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn a_directory_with_a_socket_in_it_has_not_only_files() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a/b");
        fs::create_dir_all(&inner).unwrap();
        fs::write(inner.join("file"), "text").unwrap();
        let has_only_files = || has_only_files(folder.path().to_owned());
        assert!(has_only_files());
        let _listener = UnixListener::bind(inner.join("socket")).unwrap();
        assert!(!has_only_files());
    }
}
