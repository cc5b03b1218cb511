//! Closes directories above the one that is being read where there are too few descriptors, and
//! opens them again on the way back.

use std::sync::Arc;

use sys::Descriptor;

use super::Visitor;
use super::inspector::Inspector;
use super::stack::{Frame, Stack};
use crate::error::{Action, Errno};
use crate::identity::Identity;
use crate::late_dir::open_path;

impl<V: Visitor> Inspector<V> {
    /// Closes half of the directories that are held open, the shallowest ones; false if there are
    /// too few.
    pub(crate) fn release_half(&mut self) -> bool {
        let held = self.stack.held();
        if held <= 2 {
            return false;
        }
        self.release_down_to((held / 2).max(2));
        true
    }

    /// Closes the shallowest directories until `limit` are left open.
    pub(crate) fn release_down_to(&mut self, limit: usize) {
        if limit <= 1 {
            self.stack.base = None;
        }
        while self.stack.held() > limit.max(1) {
            let frame = &mut self.stack.frames[self.stack.first_held];
            if frame.depth > 0 {
                frame.dir.identity(); // it cannot be asked for without a descriptor
                frame.dir = Arc::new(frame.dir.without_descriptor());
            }
            self.stack.first_held += 1;
        }
    }

    /// Takes the deepest directory off the stack, and makes sure that the one above it is open if
    /// there is something left to do in it.
    pub(crate) fn leave(&mut self) -> Option<Frame> {
        let done = self.stack.pop()?;
        let Some(above) = self.stack.frames.len().checked_sub(1) else { return Some(done) };
        if self.stack.first_held <= above {
            return Some(done);
        }
        self.stack.first_held = above;
        if !self.stack.frames.iter().rev().any(Frame::has_work) {
            self.stack = Stack::default();
        } else if self.stack.frames[above].is_released() {
            self.reopen(&done, above);
        }
        Some(done)
    }

    /// Opens the directory `above` again, from which `below` was entered: through `..`, and if that
    /// is another directory by now, by its path. It must be the same directory as before.
    ///
    /// Price: one `openat` and one `statx`, more by path.
    fn reopen(&mut self, below: &Frame, above: usize) {
        let frame = &self.stack.frames[above];
        let same = |descriptor: Descriptor| match Identity::of(&descriptor) {
            Ok(found) if Some(found) == frame.dir.identity() => Ok(descriptor),
            Ok(_) => Err(Errno::NOENT), // something else is there now
            Err(errno) => Err(errno),
        };
        let parent = below.dir.descriptor().ok_or(Errno::BADF);
        let path = &self.stack.path[..frame.path_length];
        let back = parent
            .and_then(sys::open_parent)
            .and_then(same)
            .or_else(|_| open_path(self.shared.walk.scope.at(), path).and_then(same))
            .and_then(|descriptor| match frame.more {
                Some(position) => sys::seek(&descriptor, position).map(|()| descriptor),
                None => Ok(descriptor),
            });
        let length = frame.path_length;
        match back {
            Ok(descriptor) => {
                let dir = frame.dir.reopened(descriptor);
                self.stack.frames[above].dir = Arc::new(dir);
            }
            Err(errno) => {
                self.report_at(length, errno, Action::RETURN_TO_DIRECTORY);
                self.stack.frames[above].give_up();
            }
        }
    }
}
