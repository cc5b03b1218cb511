//! A tree that changes at random, also on a file system of its own.

use std::fs::FileTimes;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use super::skip;
use super::tree::{Dice, directory};

/// A tree that changes at random.
pub(crate) struct Changing {
    pub(crate) root: PathBuf,
    pub(crate) dice: Dice,
    mounts: Vec<PathBuf>,
    may_mount: bool,
}

impl Changing {
    /// A tree of some directories at a path where nothing is.
    pub(crate) fn new(root: PathBuf, seed: u64, may_mount: bool) -> Changing {
        std::fs::create_dir(&root).unwrap();
        let mut tree = Changing { root, dice: Dice(seed), mounts: Vec::new(), may_mount };
        for _ in 0..60 {
            let path = tree.path();
            let _ = std::fs::create_dir_all(path);
        }
        tree
    }

    /// The path of something that may be there, up to four levels down.
    fn path(&mut self) -> PathBuf {
        let mut path = self.root.clone();
        for _ in 0..=self.dice.roll(4) {
            path.push(["a", "b", "c", "d.o", ".e"][self.dice.roll(5)]);
        }
        path
    }

    /// Does something, if it can be done.
    pub(crate) fn change(&mut self) {
        let (path, other) = (self.path(), self.path());
        match self.dice.roll(16) {
            0..=2 => drop(std::fs::create_dir_all(&path)),
            3 | 4 => drop(std::fs::write(&path, "text")),
            5 => drop(std::fs::remove_file(&path)),
            6 => drop(std::fs::remove_dir(&path)),
            7 | 8 => drop(std::fs::rename(&path, &other)),
            9 => exchange(&path, &other),
            10 => drop(std::fs::hard_link(&path, &other)),
            11 => drop(std::os::unix::fs::symlink("a", &path)),
            12 => self.hide(&path),
            13 => self.step(&path),
            // Seldom, so that the tree has a size that it keeps, however many rounds there are.
            14 if self.dice.roll(4) == 0 => drop(std::fs::remove_dir_all(&path)),
            _ if self.may_mount && self.dice.roll(4) == 0 => self.mount(&path, &other),
            _ => drop(std::fs::write(path.join(".gitignore"), "*.o\n")),
        }
    }

    /// A change behind which all times that can be set are those of before.
    fn hide(&mut self, path: &Path) {
        let Some(folder) = path.parent().filter(|folder| folder.is_dir()) else { return };
        let (before, of_file) = (folder.metadata().unwrap(), path.symlink_metadata().ok());
        if of_file.as_ref().is_none_or(|file| file.is_file()) {
            let _ = std::fs::remove_file(path);
            if self.dice.roll(2) == 0 {
                std::fs::write(path, "text").unwrap();
            }
        }
        let _ = std::fs::set_permissions(folder, PermissionsExt::from_mode(before.mode() ^ 0o001));
        let modified = before.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let folder = std::fs::File::open(folder).unwrap();
        folder.set_modified(modified).unwrap();
    }

    /// Gives a directory the times that it would have after the clock was set forwards or back. The
    /// clock itself is not touched: there is one for all processes, whatever their namespaces.
    fn step(&mut self, path: &Path) {
        const DAY: Duration = Duration::from_secs(86_400);
        let now = SystemTime::now();
        let time = [SystemTime::UNIX_EPOCH, now - DAY, now, now + DAY][self.dice.roll(4)];
        // A FIFO would wait; there are none.
        if let Ok(file) = std::fs::File::open(path) {
            let _ = file.set_times(FileTimes::new().set_accessed(time).set_modified(time));
        }
    }

    fn mount(&mut self, from: &Path, to: &Path) {
        let run = |program: &str, words: &[&Path]| {
            let done = Command::new(program).args(words).output();
            done.is_ok_and(|output| output.status.success())
        };
        if let Some(mounted) = self.mounts.pop() {
            // Its path may have changed, or something else may be there.
            if !run("umount", &[&mounted]) {
                self.mounts.push(mounted);
            }
            return;
        }
        let apart = !to.starts_with(from) && !from.starts_with(to);
        if from.is_dir() && to.is_dir() && apart && run("mount", &[Path::new("--bind"), from, to]) {
            self.mounts.push(to.to_owned());
        }
    }

    /// Unmounts what was mounted.
    pub(crate) fn unmount_all(&mut self) {
        // What was mounted later may be below. What has another path by now goes with its file
        // system.
        while let Some(mounted) = self.mounts.pop() {
            let _ = Command::new("umount").arg("-l").arg(mounted).output();
        }
    }
}

/// Exchanges two names, if there is something at both.
pub(crate) fn exchange(one: &Path, other: &Path) {
    const RENAMEAT2: &str = if cfg!(target_arch = "x86_64") { "316" } else { "276" };
    let call = "syscall(shift, -100, shift, -100, shift, 2)";
    let mut perl = Command::new("perl");
    let _ = perl.args(["-e", call, RENAMEAT2]).args([one, other]).output().unwrap();
}

/// A file system made for a test, in a mount namespace of its own.
pub(crate) struct Mounted {
    pub(crate) point: PathBuf,
    image: PathBuf,
    kind: &'static str,
}

impl Mounted {
    /// A new file system of that kind; says why if there cannot be one here.
    pub(crate) fn fresh(place: &Path, kind: &'static str) -> Option<Mounted> {
        let (point, image) = (directory(place, kind), place.join(format!("{kind}.image")));
        let mounted = Mounted { point, image, kind };
        let script = match kind {
            "tmpfs" => "mount -t tmpfs tmpfs \"$1\"",
            _ => "truncate -s 400M \"$2\" && mkfs.$3 -q \"$2\" && mount -o loop \"$2\" \"$1\"",
        };
        match mounted.run(script) {
            Ok(()) => Some(mounted),
            Err(why) => {
                skip(&format!("{kind}: {why}"));
                None
            }
        }
    }

    /// Mounts it anew, so that the kernel has nothing of it in its caches. Of tmpfs, which is
    /// nothing but these, only the options are set anew.
    pub(crate) fn again(&self) {
        let script = match self.kind {
            "tmpfs" => "mount -o remount \"$1\"",
            _ => "umount -R \"$1\" && mount -o loop \"$2\" \"$1\"",
        };
        self.run(script).unwrap();
    }

    fn run(&self, script: &str) -> Result<(), String> {
        let mut shell = Command::new("sh");
        let shell = shell.args(["-c", script, "sh"]).args([&self.point, &self.image]);
        let output = shell.arg(self.kind).output().map_err(|error| error.to_string())?;
        let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        if output.status.success() { Ok(()) } else { Err(why) }
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.point).status();
    }
}
