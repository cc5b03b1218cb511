//! One list after the other, down a tree.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::rc::Rc;

use sys::{At, Descriptor, Kind};

use super::read::Block;
use super::{List, Listing};
use crate::error::{Action, Errno, Error};
use crate::identity::Identity;
use crate::path::{c_string, in_pieces};
use crate::walk::{Dir, FileSystems, ReachedBy};

/// How many directories are held open for pending ones below them; of more, those that are needed
/// last are closed, and the pending ones below them are opened by their path.
const MOST_HELD: usize = 128;

/// The lists of a directory and of all directories below it: each one before those below it, those
/// of one directory in the order of its list. Made by [`List::below`].
///
/// Links are followed only if the list follows them; then a directory that is its own ancestor is
/// an error (`ELOOP`), and is not listed.
///
/// Price: that of each list, but where the file system marks the end of a directory just 3 calls
/// (`openat`, `getdents64`, `close`); once one `fstatfs` and the mount table (about 5 calls).
/// Following links costs one `statx` more for each directory, and a `fstatfs` for each device. Each
/// directory below a closed one costs one `fstatfs` more.
pub struct Lists {
    template: List,
    file_systems: FileSystems,
    /// The next one is at the end.
    pending: Vec<Pending>,
    /// How many directories are held open for those that are pending.
    held: usize,
    block: Block,
}

/// A directory to be listed.
struct Pending {
    path: Vec<u8>,
    /// The offset of its name in the path.
    name: usize,
    /// Its parent, if that is held open.
    parent: Option<Rc<Dir>>,
    above: Option<Rc<Ancestor>>,
}

/// The directories above the current one; only kept if links are followed.
struct Ancestor {
    identity: Identity,
    above: Option<Rc<Ancestor>>,
}

impl Pending {
    fn is_root(&self) -> bool {
        self.name == 0
    }
}

impl Drop for Ancestor {
    /// One after the other: a path of any length must not be a recursion of that depth.
    fn drop(&mut self) {
        let mut rest = self.above.take();
        while let Some(mut above) = rest.and_then(Rc::into_inner) {
            rest = above.above.take();
        }
    }
}

impl List {
    /// Lists this directory and all below it, one after the other.
    #[must_use]
    pub fn below(mut self) -> Lists {
        self.request.unknown = true;
        let path = self.path.as_os_str().as_bytes().to_vec();
        let first = Pending { path, name: 0, parent: None, above: None };
        Lists {
            file_systems: FileSystems::new(false, false),
            pending: vec![first],
            held: 0,
            block: Block::new(),
            template: self,
        }
    }
}

impl Iterator for Lists {
    type Item = (PathBuf, Result<Listing, Error>);

    fn next(&mut self) -> Option<Self::Item> {
        let mut next = self.pending.pop()?;
        let listing = self.list(&mut next);
        Some((PathBuf::from(OsString::from_vec(next.path)), listing))
    }
}

impl Lists {
    fn list(&mut self, next: &mut Pending) -> Result<Listing, Error> {
        let dir = self.open(next);
        // Whether it could be opened or not, its parent may not be needed any more.
        if next.parent.take().is_some_and(|parent| Rc::strong_count(&parent) == 1) {
            self.held -= 1;
        }
        let dir = dir.map_err(|errno| Error::new(errno, Action::OPEN_DIRECTORY, &next.path))?;
        if dir.is_mounted_below_itself(&self.template.scope, &next.path, self.depth(&next.path)) {
            return Err(Error::new(Errno::LOOP, Action::LIST_MOUNT_LOOP, &next.path));
        }
        let above = match self.template.request.follow {
            true => Some(Rc::new(step(&dir, next)?)),
            false => None,
        };
        let mut list = self.template.clone();
        list.path = PathBuf::from(OsStr::from_bytes(&next.path));
        let Some(descriptor) = dir.descriptor() else { return Ok(Listing::default()) };
        let listing = list.read_on(descriptor, dir.file_system(), &mut self.block);
        self.add_below(&next.path, &listing, dir, above);
        Ok(listing)
    }

    /// How many names a path has behind that of the top directory.
    fn depth(&self, path: &[u8]) -> usize {
        let below = path.get(self.template.path.as_os_str().len()..).unwrap_or_default();
        below.split(|&byte| byte == b'/').filter(|name| !name.is_empty()).count()
    }

    fn open(&mut self, next: &mut Pending) -> Result<Dir, Errno> {
        loop {
            match self.try_to_open(next) {
                // There are no descriptors left: close some of ours, as long as there are any.
                Err(Errno::MFILE | Errno::NFILE) if self.release_one(next) => {}
                done => return done,
            }
        }
    }

    /// Closes a directory that is held open; false if there is none.
    fn release_one(&mut self, next: &mut Pending) -> bool {
        let Some(last) = self.pending.iter().find_map(|pending| pending.parent.as_ref()) else {
            let held = next.parent.take().is_some();
            self.held -= usize::from(held);
            return held;
        };
        if next.parent.as_ref().is_some_and(|parent| Rc::ptr_eq(parent, last)) {
            next.parent = None;
        }
        self.close_last();
        true
    }

    fn try_to_open(&self, next: &Pending) -> Result<Dir, Errno> {
        let follow = self.template.request.follow;
        let Some(parent) = &next.parent else {
            let open = |at: At<'_>, rest: &[u8]| {
                let rest = c_string(rest)?;
                sys::open_dir(at, &rest, follow || next.is_root())
            };
            let descriptor = in_pieces(self.template.scope.at(), &next.path, open)?;
            return self.found(descriptor);
        };
        let name = c_string(&next.path[next.name..])?;
        if follow {
            return self.found(sys::open_dir(parent.at(), &name, true)?);
        }
        // A whole tree is listed: no file system is left out.
        parent.open(&name, ReachedBy::Name, &self.file_systems)?.ok_or(Errno::XDEV)
    }

    /// A directory that may be anywhere. Where links are followed, its identity matters.
    fn found(&self, descriptor: Descriptor) -> Result<Dir, Errno> {
        if !self.template.request.follow {
            return Ok(Dir::opened(descriptor));
        }
        let identity = Identity::of(&descriptor)?;
        Ok(Dir::with_identity(descriptor, identity, &self.file_systems))
    }

    /// Puts the directories of a list before the pending ones.
    fn add_below(&mut self, path: &[u8], listing: &Listing, dir: Dir, above: Option<Rc<Ancestor>>) {
        let before = self.pending.len();
        let dir = Rc::new(dir);
        for place in (0..listing.len()).rev() {
            let row = listing.row(place);
            if row.kind() == Kind::Directory && !matches!(row.name_bytes(), b"." | b"..") {
                let (path, name) = joined(path, row.name_bytes());
                let (parent, above) = (Some(Rc::clone(&dir)), above.clone());
                self.pending.push(Pending { path, name, parent, above });
            }
        }
        if self.pending.len() > before {
            self.held += 1;
            if self.held > MOST_HELD {
                self.close_last();
            }
        }
    }

    /// Closes the directory that will be needed last.
    fn close_last(&mut self) {
        let mut held = self.pending.iter_mut().filter(|pending| pending.parent.is_some());
        let last = held.next().and_then(|pending| pending.parent.take());
        for pending in held {
            match (&pending.parent, &last) {
                (Some(parent), Some(last)) if Rc::ptr_eq(parent, last) => pending.parent = None,
                _ => break,
            }
        }
        self.held -= 1;
    }
}

/// One step down, unless it leads to an ancestor.
fn step(dir: &Dir, next: &Pending) -> Result<Ancestor, Error> {
    let error = |errno| Error::new(errno, Action::LIST, &next.path);
    let identity = dir.identity().ok_or_else(|| error(Errno::BADF))?;
    let mut above = next.above.as_ref();
    while let Some(seen) = above {
        if seen.identity == identity {
            return Err(error(Errno::LOOP));
        }
        above = seen.above.as_ref();
    }
    Ok(Ancestor { identity, above: next.above.clone() })
}

/// The path of `name` in the directory at `path`, and where in it the name begins.
fn joined(path: &[u8], name: &[u8]) -> (Vec<u8>, usize) {
    let mut joined = Vec::with_capacity(path.len() + 1 + name.len());
    let end = path.iter().rposition(|&byte| byte != b'/').map_or(0, |last| last + 1);
    joined.extend_from_slice(&path[..end]);
    joined.push(b'/');
    let start = joined.len();
    joined.extend_from_slice(name);
    (joined, start)
}
