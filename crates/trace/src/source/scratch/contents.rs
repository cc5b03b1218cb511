//! What a command left in its scratch: everything that it wrote, made, changed or removed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::layout::Layout;
use super::steps::Step;

/// What became of a file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Left {
    /// It is gone.
    Removed,
    /// It has this kind and mode, owner, and contents: a hash, or the target of a link.
    There {
        /// Kind and permissions, as `stat` has them.
        mode: u32,
        /// User and group.
        owner: (u32, u32),
        /// The contents' hash, or the target of a link.
        contents: Vec<u8>,
    },
}

/// Everything that was left, by path.
pub type Contents = BTreeMap<PathBuf, Left>;

/// More than this, in files, is not compared.
const MOST: usize = 1 << 20;

/// What the folders are called in which a Java machine keeps figures about itself while it runs. It
/// also removes what others have left there, so that it depends on these what becomes of them.
const OF_A_JVM: &[u8] = b"hsperfdata_";

/// What the directories look like that the scratch itself made, views first. Which ones those are
/// depends on what is mounted, which others may change from run to run.
///
/// # Errors
/// Something cannot be read.
pub(super) fn made(top: &File, layout: &Layout) -> io::Result<Vec<Left>> {
    let top = outside(top);
    let mut made = Vec::new();
    for place in (0..layout.views.len()).map(|number| upper(&top, number)) {
        made.push(one(&place, &place.symlink_metadata()?)?);
    }
    for place in layout.skeleton.iter().map(|directory| anew(&top, directory)) {
        made.push(one(&place, &place.symlink_metadata()?)?);
    }
    Ok(made)
}

/// Reads what was left. `top` is the scratch seen from outside, `before` what was [made] before the
/// command began.
///
/// # Errors
/// Something cannot be read, or it is too much.
pub(super) fn contents(top: &File, layout: &Layout, before: &[Left]) -> io::Result<Contents> {
    let mut left = Contents::new();
    let paths = layout.views.iter().chain(&layout.skeleton);
    for (path, (now, before)) in paths.zip(made(top, layout)?.into_iter().zip(before)) {
        if now != *before && !is_of_a_jvm(path) {
            left.insert(path.clone(), now);
        }
    }
    let top = outside(top);
    for (number, view) in (0..).zip(&layout.views).filter(|(_, view)| !is_of_a_jvm(view)) {
        let upper = upper(&top, number);
        match take_entries(&upper, view, &mut left, &BTreeSet::new()) {
            // A directory that this user may not list the command cannot write to.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                may_not_list(&upper, error)?;
            }
            taken => taken?,
        }
    }
    let known: BTreeSet<PathBuf> = layout.steps.iter().filter_map(made_by).collect();
    for directory in &layout.skeleton {
        take_entries(&anew(&top, directory), directory, &mut left, &known)?;
    }
    Ok(left)
}

/// Whether this is such a folder, or in one: it is a view of its own where something is mounted
/// beside it.
fn is_of_a_jvm(path: &Path) -> bool {
    path.iter().any(|name| name.as_bytes().starts_with(OF_A_JVM))
}

fn outside(top: &File) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", top.as_raw_fd()))
}

/// The layer that a view writes to.
fn upper(top: &Path, number: usize) -> PathBuf {
    top.join(format!("layers/{number}/upper"))
}

/// A directory that was made anew.
fn anew(top: &Path, directory: &Path) -> PathBuf {
    top.join("new").join(directory.strip_prefix("/").unwrap_or(directory))
}

/// Hands on the error, unless the directory itself is what may not be listed.
fn may_not_list(directory: &Path, error: io::Error) -> io::Result<()> {
    match directory.symlink_metadata()?.mode() & 0o700 {
        0 => Ok(()),
        _ => Err(error),
    }
}

/// The path of what a step made, as the command sees it.
fn made_by(step: &Step) -> Option<PathBuf> {
    let place = match step {
        Step::Directory(place)
        | Step::Link { place, .. }
        | Step::File { place, .. }
        | Step::Device { place, .. } => place,
        _ => return None,
    };
    let path = Path::new(std::ffi::OsStr::from_bytes(place.as_bytes()));
    Some(Path::new("/").join(path.strip_prefix("/new").ok()?))
}

/// Takes in a file, and what is in it if it is a directory.
fn take(
    place: &Path,
    path: &Path,
    left: &mut Contents,
    known: &BTreeSet<PathBuf>,
) -> io::Result<()> {
    let about = place.symlink_metadata()?;
    let kind = about.file_type();
    if left.len() >= MOST {
        return Err(io::Error::other("it wrote to too many files"));
    }
    left.insert(path.to_owned(), one(place, &about)?);
    if kind.is_dir() {
        take_entries(place, path, left, known)?;
    }
    Ok(())
}

fn take_entries(
    place: &Path,
    path: &Path,
    left: &mut Contents,
    known: &BTreeSet<PathBuf>,
) -> io::Result<()> {
    for entry in fs::read_dir(place)? {
        let entry = entry?;
        let path = path.join(entry.file_name());
        if !known.contains(&path) && !is_of_a_jvm(&path) {
            take(&entry.path(), &path, left, known)?;
        }
    }
    Ok(())
}

fn one(place: &Path, about: &Metadata) -> io::Result<Left> {
    let kind = about.file_type();
    if kind.is_char_device() && about.rdev() == 0 {
        return Ok(Left::Removed);
    }
    let contents = match () {
        () if kind.is_symlink() => fs::read_link(place)?.as_os_str().as_bytes().to_vec(),
        () if kind.is_file() => hash(place)?,
        () => Vec::new(),
    };
    Ok(Left::There { mode: about.mode(), owner: (about.uid(), about.gid()), contents })
}

fn hash(place: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(place)?;
    let mut hash = hmac_sha256::Hash::new();
    let mut block = vec![0; 1 << 16];
    loop {
        match file.read(&mut block)? {
            0 => return Ok(hash.finalize().to_vec()),
            size => hash.update(&block[..size]),
        }
    }
}
