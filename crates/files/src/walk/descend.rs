//! What a step needs seldom: kinds that the directory did not tell, links that are followed and
//! the loops they make, and more directories on the way down than there are descriptors.

use std::ffi::{CStr, CString};
use std::os::fd::AsFd;
use std::sync::Arc;

use kernel::{CWD, Descriptor, Fields, Kind, RawEntry, Stat};

use super::Visitor;
use super::held::{Dir, Identity};
use super::scout::Scout;
use super::stack::{Found, Frame, Stack};
use crate::error::Errno;

impl<V: Visitor> Scout<V> {
    /// What an entry is: from the directory's record where that tells, else from one `statx`.
    /// `None` after an error, which has been handed over.
    #[inline]
    pub(crate) fn find_out(&mut self, dir: &Dir, raw: RawEntry<'_>) -> Option<Found> {
        let told = Found { kind: raw.kind, inode: raw.inode, elsewhere: None };
        match raw.kind {
            Kind::Unknown => self.ask(dir, raw, told),
            Kind::Symlink if self.shared.walk.follow => self.ask(dir, raw, told),
            _ => Some(told),
        }
    }

    #[cold]
    fn ask(&mut self, dir: &Dir, raw: RawEntry<'_>, told: Found) -> Option<Found> {
        let name = raw.c_name()?;
        let asked = match raw.kind {
            Kind::Unknown => kernel::stat(dir.at(), name, false, Fields::KIND)
                .map(|stat| Found { kind: stat.kind(), ..told }),
            _ => Ok(told),
        };
        let asked = match asked {
            Ok(found) if found.kind == Kind::Symlink && self.shared.walk.follow => {
                follow(dir, name, found)
            }
            other => other,
        };
        asked.map_err(|errno| self.report(errno, "access")).ok()
    }

    /// What a root is.
    pub(crate) fn find_root(&self, path: &CStr) -> Result<Found, Errno> {
        let fields = Fields::KIND | Fields::INODE;
        let stat = kernel::stat(CWD, path, false, fields)?;
        let found = found_elsewhere(&stat);
        match stat.kind() {
            Kind::Symlink if self.shared.walk.follow => follow(&Dir::start(), path, found),
            _ => Ok(found),
        }
    }

    /// Whether what was found, through a link, is a directory that the way down goes through.
    pub(crate) fn is_loop(&mut self, found: Found) -> bool {
        self.identify_frames();
        let Some(device) = found.elsewhere else { return false };
        let there = Some(Identity { device, inode: found.inode });
        self.stack.ancestors.iter().any(|&above| Some(above) == there)
            || self.stack.frames.iter().any(|frame| frame.identity == there)
    }

    /// Finds out which directories the way down goes through: one `statx` each, once.
    pub(crate) fn identify_frames(&mut self) {
        for frame in &mut self.stack.frames {
            frame.identify();
        }
    }

    /// Gives up the shallowest descriptors of the way down until `limit` are left.
    pub(crate) fn release_down_to(&mut self, limit: usize) {
        while self.stack.held() > limit.max(1) {
            let frame = &mut self.stack.frames[self.stack.first_held];
            frame.identify();
            if frame.depth > 0 {
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
            Ok(found) if Some(found) == frame.identity => Ok(descriptor),
            Ok(_) => Err(Errno::NOENT), // something else is there now
            Err(errno) => Err(errno),
        };
        let parent = below.dir.descriptor().ok_or(Errno::BADF);
        let path = &self.stack.path[..frame.path_length];
        let back = parent
            .and_then(kernel::open_parent)
            .and_then(same)
            .or_else(|_| open_path(path).and_then(same));
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

/// Opens a directory by a path of any length, a piece of at most PATH_MAX at a time.
fn open_path(mut path: &[u8]) -> Result<Descriptor, Errno> {
    let mut at: Option<Descriptor> = None;
    loop {
        let piece = match path.get(..PIECE_BYTES) {
            Some(start) => start.iter().rposition(|&b| b == b'/').ok_or(Errno::NAMETOOLONG)? + 1,
            None => path.len(),
        };
        let name = CString::new(&path[..piece]).map_err(|_| Errno::INVAL)?;
        let next = kernel::open_dir(at.as_ref().map_or(CWD, AsFd::as_fd), &name, true)?;
        path = &path[piece..];
        if path.is_empty() {
            return Ok(next);
        }
        at = Some(next);
    }
}

/// Less than PATH_MAX (4096 with the NUL).
const PIECE_BYTES: usize = 4000;

impl Frame {
    /// Finds out which directory it is, unless that is known or it is none.
    fn identify(&mut self) {
        if self.identity.is_none() {
            self.identity = self.dir.identity().and_then(Result::ok);
        }
    }
}

fn found_elsewhere(stat: &Stat) -> Found {
    Found { kind: stat.kind(), inode: stat.inode(), elsewhere: Some(stat.device()) }
}

/// What a link leads to; the link itself if it leads nowhere.
fn follow(dir: &Dir, name: &CStr, link: Found) -> Result<Found, Errno> {
    match kernel::stat(dir.at(), name, true, Fields::KIND | Fields::INODE) {
        Ok(stat) => Ok(found_elsewhere(&stat)),
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(link),
        Err(errno) => Err(errno),
    }
}
