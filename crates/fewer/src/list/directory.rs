//! One directory of a tree: opened and listed.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;

use sys::{At, Descriptor, OsStrExt};

use super::fetch::Restraint;
use super::pending::{Ancestor, Pending};
use super::read::Block;
use super::{List, Listing};
use crate::Kinds;
use crate::error::{Action, Errno, Error};
use crate::identity::Identity;
use crate::path::{c_string, in_pieces};
use crate::walk::{Dir, FileSystems, ReachedBy};

/// What the threads of a tree share, besides its directories.
pub(super) struct Tree {
    pub(super) template: List,
    pub(super) file_systems: FileSystems,
}

/// What a thread reads directories with.
pub(super) struct Reader {
    list: List,
    block: Block,
}

/// A directory that was read, and those below it.
type WithBelow = (Listing, Vec<Pending>);

impl Tree {
    /// How much work the list of a directory was: one, and one for each call for a row.
    pub(super) fn items_of(&self, listing: &Result<Listing, Error>) -> u64 {
        let rows = listing.as_ref().map_or(0, Listing::len) as u64;
        1 + if self.template.request().kinds == Kinds::NONE { 0 } else { rows }
    }

    /// How many names a path has behind that of the top directory.
    fn depth(&self, path: &[u8]) -> usize {
        let below = path.get(self.template.path.as_os_str().len()..).unwrap_or_default();
        below.split(|&byte| byte == b'/').filter(|name| !name.is_empty()).count()
    }

    fn open(&self, next: &Pending) -> Result<Dir, Errno> {
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
            return self.found(sys::open_dir(parent.dir.at(), &name, true)?);
        }
        // A whole tree is listed: no file system is left out.
        parent.dir.open(&name, ReachedBy::Name, &self.file_systems)?.ok_or(Errno::XDEV)
    }

    /// A directory that may be anywhere. Where links are followed, its identity matters.
    fn found(&self, descriptor: Descriptor) -> Result<Dir, Errno> {
        if !self.template.request.follow {
            return Ok(Dir::opened(descriptor));
        }
        let identity = Identity::of(&descriptor)?;
        Ok(Dir::with_identity(descriptor, identity, &self.file_systems))
    }
}

impl Reader {
    pub(super) fn new(list: List) -> Reader {
        let block = Block::of(&list);
        Reader { list, block }
    }

    /// Lists a directory. Returns those below it, too, the last one first. `release` closes
    /// directories that are held open; false if there are none.
    pub(super) fn list(
        &mut self,
        tree: &Tree,
        next: &mut Pending,
        restraint: &dyn Restraint,
        release: impl Fn(&mut Pending) -> bool,
    ) -> (Result<Listing, Error>, Vec<Pending>) {
        let dir = loop {
            match tree.open(next) {
                // There are no descriptors left: close some of ours, as long as there are any.
                Err(Errno::MFILE | Errno::NFILE) if release(next) => {}
                done => break done,
            }
        };
        next.parent = None; // it may not be needed any more
        match self.list_opened(tree, next, dir, restraint) {
            Ok((listing, below)) => (Ok(listing), below),
            Err(error) => (Err(error), Vec::new()),
        }
    }

    fn list_opened(
        &mut self,
        tree: &Tree,
        next: &Pending,
        dir: Result<Dir, Errno>,
        restraint: &dyn Restraint,
    ) -> Result<WithBelow, Error> {
        let dir = dir.map_err(|errno| Error::new(errno, Action::OPEN_DIRECTORY, &next.path))?;
        if dir.is_mounted_below_itself(&self.list.scope, &next.path, tree.depth(&next.path)) {
            return Err(Error::new(Errno::LOOP, Action::LIST_MOUNT_LOOP, &next.path));
        }
        let above = match self.list.request.follow {
            true => Some(Arc::new(step(&dir, next)?)),
            false => None,
        };
        self.list.path = PathBuf::from(OsStr::from_bytes(&next.path));
        let Some(descriptor) = dir.descriptor() else { return Ok(WithBelow::default()) };
        let on = dir.file_system();
        let listing = self.list.read_on(descriptor, on, &mut self.block, restraint);
        let below = Pending::below(&next.path, &listing, dir, above.as_ref());
        Ok((listing, below))
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
