//! Which steps make a scratch copy of everything that is mounted here.
//!
//! A directory without mounts in it becomes one copy-on-write view. The kernel makes none of what
//! other mounts lie in, so such a directory is made anew, and each of its entries by itself.

use std::collections::BTreeSet;
use std::ffi::{CString, OsStr};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::steps::{Looks, Step};

/// More steps than this are refused.
const MOST: usize = 4096;

/// Devices that harm nothing.
const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];

/// Links that every `/dev` has.
const LINKS: [(&str, &str); 4] = [
    ("fd", "/proc/self/fd"),
    ("stdin", "/proc/self/fd/0"),
    ("stdout", "/proc/self/fd/1"),
    ("stderr", "/proc/self/fd/2"),
];

/// A file that the command finds in `/etc` beside those that are there.
pub(super) struct Addition {
    pub(super) name: &'static str,
    pub(super) bytes: Arc<[u8]>,
}

/// A file that the command finds in `/dev`.
pub(super) type Device = Addition;

/// The steps, and the directories below which something that was written can be found.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub(super) steps: Vec<Step>,
    /// What each view is of; the layer that it writes to is `/layers/NUMBER/upper`.
    pub(super) views: Vec<PathBuf>,
    /// What was made anew.
    pub(super) skeleton: BTreeSet<PathBuf>,
}

/// Plans it. `read_only`: directories that are there themselves.
///
/// # Errors
/// What lies at the top cannot be listed, or too much is mounted.
pub(super) fn layout(
    etc: Option<&Addition>,
    dev: Option<&Device>,
    read_only: &[PathBuf],
) -> io::Result<Layout> {
    let mounts =
        sys::mount_table().map_err(|errno| io::Error::from_raw_os_error(errno.raw_os_error()))?;
    let points = mounts.into_iter().map(|mount| PathBuf::from(OsStr::from_bytes(&mount.point)));
    let points = points.collect();
    let mut plan = Plan { points, layout: Layout::default(), etc, dev, read_only };
    plan.anew(Path::new("/"))?;
    Ok(plan.layout)
}

struct Plan<'a> {
    points: BTreeSet<PathBuf>,
    layout: Layout,
    etc: Option<&'a Addition>,
    dev: Option<&'a Device>,
    read_only: &'a [PathBuf],
}

impl Plan<'_> {
    fn step(&mut self, step: Step) -> io::Result<()> {
        self.layout.steps.push(step);
        match self.layout.steps.len() > MOST {
            true => Err(io::Error::other("too much is mounted here")),
            false => Ok(()),
        }
    }

    /// Makes a directory anew, and what is in it.
    fn anew(&mut self, directory: &Path) -> io::Result<()> {
        self.layout.skeleton.insert(directory.to_owned());
        if directory != Path::new("/") {
            self.step(Step::Directory(new(directory)?))?;
        }
        let mut names: Vec<_> =
            fs::read_dir(directory)?.flatten().map(|entry| entry.path()).collect();
        names.sort();
        for path in names {
            self.entry(&path)?;
        }
        if let Some(addition) = self.etc.filter(|_| directory == Path::new("/etc")) {
            let place = new(&directory.join(addition.name))?;
            self.step(Step::File { place, bytes: addition.bytes.clone() })?;
        }
        self.looks(directory, new(directory)?)
    }

    fn entry(&mut self, path: &Path) -> io::Result<()> {
        // What cannot be looked at cannot be used by the command, either.
        let Ok(about) = path.symlink_metadata() else { return Ok(()) };
        if about.is_symlink() {
            let target = terminated(fs::read_link(path)?.as_os_str())?;
            return self.step(Step::Link { target, place: new(path)? });
        }
        if about.is_file() {
            self.step(Step::File { place: new(path)?, bytes: Arc::new([]) })?;
            return self.step(Step::ReadOnly { source: old(path)?, place: new(path)? });
        }
        if !about.is_dir() {
            return Ok(());
        }
        match path.to_str() {
            Some("/proc") => {
                self.step(Step::Directory(new(path)?))?;
                self.step(Step::Processes(new(path)?))
            }
            Some("/sys") => {
                self.step(Step::Directory(new(path)?))?;
                self.step(Step::ReadOnly { source: old(path)?, place: new(path)? })
            }
            Some("/dev") => self.devices(path),
            _ if self.has_mounts_in(path) && fs::read_dir(path).is_ok() => self.anew(path),
            _ => self.view(path),
        }
    }

    fn has_mounts_in(&self, path: &Path) -> bool {
        self.points.iter().any(|point| point != path && point.starts_with(path))
    }

    /// `/dev`, with nothing that could do harm.
    fn devices(&mut self, path: &Path) -> io::Result<()> {
        self.layout.skeleton.insert(path.to_owned());
        self.step(Step::Directory(new(path)?))?;
        for name in DEVICES {
            let path = path.join(name);
            if path.symlink_metadata().is_ok() {
                self.step(Step::Device { source: old(&path)?, place: new(&path)? })?;
            }
        }
        for (name, target) in LINKS {
            let target = terminated(OsStr::new(target))?;
            self.step(Step::Link { target, place: new(&path.join(name))? })?;
        }
        if let Some(addition) = self.dev {
            let place = new(&path.join(addition.name))?;
            self.step(Step::File { place, bytes: addition.bytes.clone() })?;
        }
        let shared = path.join("shm");
        if shared.is_dir() {
            self.view(&shared)?;
        }
        self.looks(path, new(path)?)
    }

    /// A copy-on-write view of a directory; or itself.
    fn view(&mut self, path: &Path) -> io::Result<()> {
        let has_addition = self.etc.is_some() && path == Path::new("/etc");
        if !has_addition && self.read_only.iter().any(|it| it == path) {
            self.step(Step::Directory(new(path)?))?;
            return self.step(Step::ReadOnly { source: old(path)?, place: new(path)? });
        }
        let number = self.layout.views.len();
        let layer = format!("/layers/{number}");
        let at = |name: &str| CString::new(format!("{layer}/{name}")).map_err(io::Error::other);
        for directory in ["", "upper", "work"] {
            self.step(Step::Directory(at(directory)?))?;
        }
        let mut lower = Vec::new();
        if let Some(addition) = self.etc.filter(|_| path == Path::new("/etc")) {
            self.step(Step::Directory(at("more")?))?;
            let place = at(&format!("more/{}", addition.name))?;
            self.step(Step::File { place, bytes: addition.bytes.clone() })?;
            lower = format!("{layer}/more:").into_bytes();
        }
        lower.extend(escaped(&Path::new("/old").join(below(path))));
        let mut options = b"userxattr,lowerdir=".to_vec();
        options.extend(lower);
        options.extend(format!(",upperdir={layer}/upper,workdir={layer}/work").bytes());
        self.looks(path, at("upper")?)?;
        let options = CString::new(options).map_err(io::Error::other)?;
        self.step(Step::Directory(new(path)?))?;
        self.step(Step::View { options, place: new(path)? })?;
        self.layout.views.push(path.to_owned());
        Ok(())
    }

    fn looks(&mut self, of: &Path, place: CString) -> io::Result<()> {
        let about = fs::metadata(of)?;
        let looks = Looks {
            mode: about.mode() & 0o7777,
            user: about.uid(),
            group: about.gid(),
            changed: (about.mtime(), about.mtime_nsec()),
        };
        self.step(Step::Looks { place, looks })
    }
}

/// A path without the slash that it begins with.
fn below(path: &Path) -> &Path {
    path.strip_prefix("/").unwrap_or(path)
}

fn old(path: &Path) -> io::Result<CString> {
    terminated(Path::new("/old").join(below(path)).as_os_str())
}

fn new(path: &Path) -> io::Result<CString> {
    terminated(Path::new("/new").join(below(path)).as_os_str())
}

fn terminated(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(io::Error::other)
}

/// A path among the options of a mount, which are taken apart at commas and colons.
fn escaped(path: &Path) -> Vec<u8> {
    let mut out = Vec::new();
    for byte in path.as_os_str().as_bytes() {
        if b",:\\".contains(byte) {
            out.push(b'\\');
        }
        out.push(*byte);
    }
    out
}
