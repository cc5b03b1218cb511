//! What a step needs seldom: kinds that the directory did not tell, links that are followed and
//! the loops they make, and more directories on the way down than there are descriptors.

use std::ffi::{CStr, CString};
use std::sync::Arc;

use kernel::{At, Descriptor, Fields, Kind, RawEntry, Stat};

use super::Visitor;
use super::held::Dir;
use super::listing::Found;
use super::scout::Scout;
use super::stack::{Frame, Stack};
use crate::error::Errno;
use crate::identity::Identity;
use crate::path::{c_string, in_pieces};

impl<V: Visitor> Scout<V> {
    /// What an entry is: from the directory's record where that tells, else from one `statx`; of no
    /// known kind where that fails. `None` for what leads round, or cannot be followed. Errors have
    /// been handed over.
    #[inline]
    pub(crate) fn find_out(&mut self, dir: &Dir, raw: RawEntry<'_>) -> Option<Found> {
        let told = Found { kind: raw.kind, inode: raw.inode, elsewhere: None };
        match raw.kind {
            Kind::Unknown => self.ask(dir, raw, told),
            Kind::Symlink if self.shared.walk.follow => self.ask(dir, raw, told),
            Kind::Directory if self.below_link => self.ask(dir, raw, told),
            _ => Some(told),
        }
    }

    #[cold]
    fn ask(&mut self, dir: &Dir, raw: RawEntry<'_>, told: Found) -> Option<Found> {
        let name = raw.c_name()?;
        let mut asked = told;
        if raw.kind == Kind::Unknown {
            match kernel::stat(dir.at(), name, false, Fields::KIND) {
                Ok(stat) => asked.kind = stat.kind(),
                // The name is there, whatever it is the name of.
                Err(errno) => {
                    self.report(errno, "stat");
                    return Some(told);
                }
            }
        }
        let asked = match asked.kind {
            Kind::Symlink if self.shared.walk.follow => match follow(dir, name, asked) {
                // It leads through a file: it is a link, and that is worth telling.
                Err(Errno::NOTDIR) => {
                    self.report(Errno::NOTDIR, "stat");
                    Ok(asked)
                }
                other => other,
            },
            _ => Ok(asked),
        };
        match asked {
            Ok(found) if self.is_loop(dir, name, found) => {
                self.report(Errno::LOOP, "enter");
                None
            }
            Ok(found) => Some(found),
            Err(errno) => {
                self.report(errno, "stat");
                None
            }
        }
    }

    /// What a name is that the directory did not have when it was read; `None` for a link that is
    /// not followed. What is none is found out when it is opened.
    ///
    /// Price: one `statx`.
    pub(crate) fn added(&self, dir: &Dir, name: &[u8]) -> Option<Found> {
        let follow = self.shared.walk.follow;
        let missing = Found { kind: Kind::Directory, inode: 0, elsewhere: None };
        let Ok(name) = CString::new(name) else { return Some(missing) };
        match kernel::stat(dir.at(), &name, follow, Fields::KIND | Fields::INODE) {
            Ok(stat) if stat.kind() == Kind::Directory => Some(found_elsewhere(&stat)),
            Ok(stat) if stat.kind() == Kind::Symlink => None,
            _ => Some(missing),
        }
    }

    /// What a root is.
    pub(crate) fn find_root(&self, path: &CStr) -> Result<Found, Errno> {
        let stat =
            kernel::stat(self.shared.walk.scope.at(), path, false, Fields::KIND | Fields::INODE)?;
        if stat.kind() == Kind::Symlink {
            let link = Found { kind: Kind::Symlink, inode: stat.inode(), elsewhere: None };
            return match self.shared.walk.follow {
                true => follow(&Dir::start(&self.shared.walk.scope), path, link),
                false => Ok(link),
            };
        }
        Ok(found_elsewhere(&stat))
    }

    /// Whether what was found is a directory that the way down goes through already. It can only
    /// be reached again through a link, or as an entry of what a link has led to.
    ///
    /// Price: one `statx` for each directory on the way down, once.
    fn is_loop(&mut self, dir: &Dir, name: &CStr, found: Found) -> bool {
        if found.kind != Kind::Directory || !(self.below_link || found.elsewhere.is_some()) {
            return false;
        }
        let frames = self.stack.frames.iter().filter_map(|frame| frame.dir.identity());
        let mut above = frames.chain(dir.identity()).chain(self.stack.ancestors.iter().copied());
        match found.elsewhere {
            Some(there) => above.any(|identity| identity == there),
            // The device is only asked for if the inode is that of a directory above.
            None => above.any(|identity| {
                identity.inode == found.inode
                    && kernel::stat(dir.at(), name, false, Fields::INODE)
                        .is_ok_and(|stat| stat.device() == identity.device)
            }),
        }
    }

    /// Whether the directory that the path points at is one on the way down, mounted below itself.
    pub(crate) fn leads_round(&self, dir: &Dir) -> bool {
        let depth = self.stack.frames.last().map_or(0, |frame| frame.depth);
        dir.is_mounted_below_itself(&self.shared.walk.scope, &self.stack.path, depth)
    }

    /// Gives up half of the descriptors of the way down; false if there are too few.
    pub(crate) fn release_half(&mut self) -> bool {
        let held = self.stack.held();
        if held <= 2 {
            return false;
        }
        self.release_down_to((held / 2).max(2));
        true
    }

    /// Gives up the shallowest descriptors of the way down until `limit` are left.
    pub(crate) fn release_down_to(&mut self, limit: usize) {
        while self.stack.held() > limit.max(1) {
            let frame = &mut self.stack.frames[self.stack.first_held];
            if frame.depth > 0 {
                frame.dir.identity(); // it cannot be asked for any more when it is away
                frame.dir = Arc::new(frame.dir.away());
            }
            self.stack.first_held += 1;
        }
    }

    /// Takes the deepest directory off the way down, and makes sure that the one above it can be
    /// gone on with.
    pub(crate) fn leave(&mut self) -> Option<Frame> {
        let done = self.stack.pop()?;
        let Some(above) = self.stack.frames.len().checked_sub(1) else { return Some(done) };
        if self.stack.first_held <= above {
            return Some(done);
        }
        self.stack.first_held = above;
        if !self.stack.frames.iter().rev().any(Frame::has_work) {
            self.stack = Stack::default();
        } else if self.stack.frames[above].is_away() {
            self.come_back(&done, above);
        }
        Some(done)
    }

    /// Opens the directory `above` again, which `below` was reached from: through `..`, and if that
    /// leads elsewhere by now, by its path. It must be the same directory.
    ///
    /// Price: one `openat` and one `statx`, more by path.
    fn come_back(&mut self, below: &Frame, above: usize) {
        let frame = &self.stack.frames[above];
        let same = |descriptor: Descriptor| match Identity::of(&descriptor) {
            Ok(found) if Some(found) == frame.dir.identity() => Ok(descriptor),
            Ok(_) => Err(Errno::NOENT), // something else is there now
            Err(errno) => Err(errno),
        };
        let parent = below.dir.descriptor().ok_or(Errno::BADF);
        let path = &self.stack.path[..frame.path_length];
        let back = parent
            .and_then(kernel::open_parent)
            .and_then(same)
            .or_else(|_| open_path(self.shared.walk.scope.at(), path).and_then(same))
            .and_then(|descriptor| match frame.more {
                Some(position) => kernel::seek(&descriptor, position).map(|()| descriptor),
                None => Ok(descriptor),
            });
        let length = frame.path_length;
        match back {
            Ok(descriptor) => {
                let dir = frame.dir.back(descriptor);
                self.stack.frames[above].dir = Arc::new(dir);
            }
            Err(errno) => {
                self.report_at(length, errno, "return to directory");
                self.stack.frames[above].give_up();
            }
        }
    }
}

/// Opens a directory by a path of any length.
fn open_path(at: At<'_>, path: &[u8]) -> Result<Descriptor, Errno> {
    in_pieces(at, path, |at, rest| {
        let name = c_string(rest)?;
        kernel::open_dir(at, &name, true)
    })
}

fn found_elsewhere(stat: &Stat) -> Found {
    Found { kind: stat.kind(), inode: stat.inode(), elsewhere: Some(Identity::in_stat(stat)) }
}

/// What a link leads to; the link itself if it leads nowhere.
fn follow(dir: &Dir, name: &CStr, link: Found) -> Result<Found, Errno> {
    match kernel::stat(dir.at(), name, true, Fields::KIND | Fields::INODE) {
        Ok(stat) => Ok(found_elsewhere(&stat)),
        Err(Errno::NOENT) => Ok(link),
        Err(errno) => Err(errno),
    }
}
