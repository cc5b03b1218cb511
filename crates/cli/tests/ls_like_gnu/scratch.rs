//! The folders for trees, and the programs that list them.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::line::Programs;
use crate::program::copy_program;
use crate::tree::Tree;

/// A worker's own folder, removed when it ends.
pub(crate) struct Scratch {
    outer: PathBuf,
}

impl Scratch {
    pub(crate) fn new(worker: usize) -> Scratch {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("like-ls-{}-{worker}-{number}", std::process::id());
        let outer = memory().join(name);
        fs::create_dir_all(&outer).unwrap();
        Scratch { outer }
    }

    /// Replaces the last tree by this one. It is two levels down, so that its `..` and the entries
    /// there are the same for both programs.
    pub(crate) fn make(&self, tree: &Tree) -> PathBuf {
        let here = self.outer.join("x/t");
        self.clear();
        fs::create_dir_all(&here).unwrap();
        tree.make(&here);
        here
    }

    fn clear(&self) {
        let inside = self.outer.join("x");
        if !is_root() && inside.exists() {
            let _ = Command::new("chmod").args(["-R", "u+rwx", "--"]).arg(&inside).output();
        }
        let _ = fs::remove_dir_all(inside);
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.clear();
        let _ = fs::remove_dir_all(&self.outer);
    }
}

/// A file system in memory takes files of any size, and is fast.
fn memory() -> PathBuf {
    let memory = Path::new("/dev/shm");
    let probe = memory.join(format!("like-ls-{}-probe", std::process::id()));
    match fs::create_dir_all(&probe).and_then(|()| fs::remove_dir(&probe)) {
        Ok(()) => memory.to_owned(),
        Err(_) => std::env::temp_dir(),
    }
}

pub(crate) fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

/// GNU ls, and the program that is compared with it.
pub(crate) fn programs() -> Programs {
    let gnu = PathBuf::from("/bin/ls");
    if let Ok(words) = std::env::var("LIKE_LS_PROGRAM") {
        return Programs { gnu, ours: words.split(' ').map(OsString::from).collect() };
    }
    let fewer = crate::released::released();
    // Copied to where every user may run it, under the same name each time: a running file cannot
    // be written to. Another user's copy may be of another version.
    let user = fs::metadata("/proc/self").unwrap().uid();
    let copy = std::env::temp_dir().join(format!("like-ls-fewer-{user}"));
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let new = copy.with_extension(std::process::id().to_string());
        copy_program(&fewer, &new).unwrap();
        fs::rename(&new, &copy).unwrap();
    });
    Programs { gnu, ours: vec![copy.into(), "ls".into()] }
}
