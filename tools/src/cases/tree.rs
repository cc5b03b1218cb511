//! Makes the items of a case's `tree`, and does those of its `meanwhile`.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, PermissionsExt, lchown, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::bytes::show;
use super::file_system;
use super::item::{Chain, Content, Item, What};
use crate::checkout;

/// The folder of a running case; unmounted and removed when dropped.
pub(crate) struct Scratch {
    /// Contains the case's folder, and images of file systems beside it.
    outer: PathBuf,
    /// The folder that the paths of the case are relative to.
    pub(crate) here: PathBuf,
    mounts: Vec<PathBuf>,
    pub(crate) keep: bool,
}

impl Scratch {
    /// An empty folder, on a file system of this kind if one is named.
    pub(crate) fn new(outer: PathBuf, on: Option<&str>) -> Result<Scratch, String> {
        let here = outer.join("t");
        fs::create_dir_all(&here).map_err(|why| format!("{}: {why}", here.display()))?;
        let mut scratch = Scratch { outer, here: here.clone(), mounts: Vec::new(), keep: false };
        if let Some(on) = on
            && file_system::kind_of(&here)? != on
        {
            scratch.mount(on, &here)?;
        }
        Ok(scratch)
    }

    /// Makes (or does) the items in order, then sets times, owners and modes from the last to the
    /// first, so that a folder without permissions can be filled.
    ///
    /// `process` is the one that `send` sends its signal to.
    pub(crate) fn make(&mut self, items: &[Item], process: Option<u32>) -> Result<(), String> {
        for item in items {
            self.one(item, process).map_err(|why| format!("{}: {why}", show(&item.path)))?;
        }
        for item in items.iter().rev() {
            let path = self.path(&item.path);
            finish(item, &path).map_err(|why| format!("{}: {why}", show(&item.path)))?;
        }
        Ok(())
    }

    fn path(&self, path: &[u8]) -> PathBuf {
        self.here.join(OsStr::from_bytes(path))
    }

    fn one(&mut self, item: &Item, process: Option<u32>) -> Result<(), String> {
        let path = self.path(&item.path);
        if let What::Send(signal) = item.what {
            let process = process.ok_or("there is no process yet to send a signal to")?;
            return send(signal.number(), process);
        }
        // The folders of a pattern are made with its files.
        if !matches!(item.what, What::Files { .. } | What::Directories(_)) {
            fs::create_dir_all(path.parent().unwrap_or(&self.here)).map_err(text)?;
        }
        match &item.what {
            What::Directory => fs::create_dir_all(&path).map_err(text),
            What::File(content) => file(&path, content).map_err(text),
            What::Link { to } => symlink(OsStr::from_bytes(to), &path).map_err(text),
            What::HardLink { to } => fs::hard_link(self.path(to), &path).map_err(text),
            What::Fifo => command("mkfifo", &[], &path, &[]),
            What::Socket => UnixListener::bind(&path).map(drop).map_err(text),
            What::Device { letter, major, minor } => {
                let numbers = [letter.to_string(), major.to_string(), minor.to_string()];
                command("mknod", &[], &path, &numbers.each_ref().map(String::as_str))
            }
            What::Files { numbers, content } => {
                self.files(&numbers.fill(&item.path), content).map_err(text)
            }
            What::Directories(numbers) => numbers
                .fill(&item.path)
                .iter()
                .try_for_each(|name| fs::create_dir_all(self.path(name)))
                .map_err(text),
            What::Chain(chain) => self.chain(chain, &path).map_err(text),
            What::Mount { fs } => self.mount(fs, &path),
            What::Bind { from } => {
                fs::create_dir_all(&path).map_err(text)?;
                let from = self.path(from);
                command("mount", &[OsStr::new("--bind"), from.as_os_str()], &path, &[])?;
                self.mounts.push(path);
                Ok(())
            }
            What::Subvolume => {
                let words = ["subvolume", "create"].map(OsStr::new);
                command("btrfs", &words, &path, &[])
            }
            What::Remove => {
                command("rm", &["-rf", "--one-file-system", "--"].map(OsStr::new), &path, &[])
            }
            What::Rename { to } => fs::rename(&path, self.path(to)).map_err(text),
            What::Send(_) => Ok(()),
        }
    }

    /// A name is cheaper than an inode: many files share one inode by the thousand.
    fn files(&self, paths: &[Vec<u8>], content: &Content) -> io::Result<()> {
        const MANY: usize = 5000;
        const NAMES_PER_INODE: usize = 1000;
        let mut above_last = PathBuf::new();
        let mut inode = PathBuf::new();
        for (number, path) in paths.iter().enumerate() {
            let path = self.path(path);
            let above = path.parent().unwrap_or(&self.here);
            if above != above_last {
                fs::create_dir_all(above)?;
                above_last = above.to_owned();
            }
            if paths.len() > MANY && number % NAMES_PER_INODE > 0 {
                fs::hard_link(&inode, &path)?;
            } else {
                file(&path, content)?;
                inode = path;
            }
        }
        Ok(())
    }

    /// Paths end at 4,096 bytes, chains do not: it is made from the bottom up, in pieces that fit a
    /// path, each moved below the next.
    fn chain(&self, chain: &Chain, top: &Path) -> io::Result<()> {
        const PIECE_BYTES: usize = 3000;
        let piece = (PIECE_BYTES / (chain.name.len() + 1)).max(1);
        let name = OsStr::from_bytes(&chain.name);
        let (done, next) = (self.outer.join("done"), self.outer.join("next"));
        // The pieces are moved, so they have to be on the file system where they end up.
        let (done, next) = match self.mounts.is_empty() {
            true => (done, next),
            false => (self.here.join(".done"), self.here.join(".next")),
        };
        fs::create_dir(&done)?;
        if let Some(leaf) = &chain.leaf {
            File::create(done.join(OsStr::from_bytes(leaf)))?;
        }
        let mut left = chain.depth;
        while left > 0 {
            let depth = left.min(piece);
            let above: PathBuf = std::iter::repeat_n(name, depth - 1).collect();
            fs::create_dir_all(next.join(&above))?;
            fs::rename(&done, next.join(&above).join(name))?;
            fs::rename(&next, &done)?;
            left -= depth;
        }
        // The top may exist already, with other things in it.
        fs::create_dir_all(top)?;
        for entry in fs::read_dir(&done)? {
            let entry = entry?;
            fs::rename(entry.path(), top.join(entry.file_name()))?;
        }
        fs::remove_dir(&done)
    }

    fn mount(&mut self, fs: &str, at: &Path) -> Result<(), String> {
        fs::create_dir_all(at).map_err(text)?;
        file_system::find(fs)?.mount(&self.outer, at)?;
        self.mounts.push(at.to_owned());
        Ok(())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if self.keep {
            return;
        }
        for mount in self.mounts.iter().rev() {
            // Lazily: whatever still uses it is about to end, and the namespace with it.
            let _ = command("umount", &[OsStr::new("-l")], mount, &[]);
        }
        if !checkout::is_root() {
            let _ = command("chmod", &["-R", "u+rwx", "--"].map(OsStr::new), &self.outer, &[]);
        }
        let options = ["-rf", "--one-file-system", "--"].map(OsStr::new);
        let _ = command("rm", &options, &self.outer, &[]);
    }
}

fn text(error: io::Error) -> String {
    error.to_string()
}

fn command(program: &str, before: &[&OsStr], path: &Path, after: &[&str]) -> Result<(), String> {
    checkout::output(Command::new(program).args(before).arg(path).args(after)).map(drop)
}

fn file(path: &Path, content: &Content) -> io::Result<()> {
    match content {
        Content::Bytes(bytes, 0) => fs::write(path, bytes),
        Content::Bytes(bytes, hole) => File::create(path)?.write_all_at(bytes, *hole),
        Content::Size(0) => File::create(path).map(drop),
        Content::Size(size) => File::create(path)?.set_len(*size),
    }
}

/// Time, owner and mode, in an order in which each can still be set.
fn finish(item: &Item, path: &Path) -> Result<(), String> {
    if let Some(seconds) = item.mtime {
        match item.what {
            What::Directory | What::File(_) => {
                File::open(path).and_then(|file| file.set_modified(time(seconds))).map_err(text)?;
            }
            _ => {
                let date = format!("@{seconds}");
                command("touch", &["-h", "-d", &date, "--"].map(OsStr::new), path, &[])?;
            }
        }
    }
    if let Some((user, group)) = item.owner {
        lchown(path, Some(user), Some(group)).map_err(text)?;
    }
    if let Some(mode) = item.mode {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(text)?;
    }
    Ok(())
}

fn time(seconds: i64) -> SystemTime {
    let distance = Duration::from_secs(seconds.unsigned_abs());
    if seconds < 0 { UNIX_EPOCH - distance } else { UNIX_EPOCH + distance }
}

/// By a shell, whose `kill` is everywhere.
pub(crate) fn send(signal: i32, process: u32) -> Result<(), String> {
    let kill = format!("kill -{signal} {process}");
    checkout::output(Command::new("sh").args(["-c", &kill])).map(drop)
}
