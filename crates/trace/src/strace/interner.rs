//! Numbers for paths, frames and stacks, and the events that define them.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::line::Frame;
use crate::{Event, FrameId, Location, PathId, StackId, Text};

/// What has a number so far. Grows with what is distinct.
#[derive(Debug, Default)]
pub(super) struct Interner {
    paths: FxHashMap<Rc<[u8]>, PathId>,
    bytes: Vec<Rc<[u8]>>,
    frames: FxHashMap<(PathId, u64, Location), FrameId>,
    stacks: FxHashMap<Box<[FrameId]>, StackId>,
    /// What is to be handed over, in order.
    pub(super) events: VecDeque<Event>,
}

impl Interner {
    /// The number of a path; `NONE` for an empty one.
    pub(super) fn path(&mut self, path: &[u8]) -> PathId {
        if path.is_empty() {
            return PathId::NONE;
        }
        if let Some(id) = self.paths.get(path) {
            return *id;
        }
        let id = PathId(number(self.paths.len() + 1));
        let kept: Rc<[u8]> = path.into();
        self.paths.insert(kept.clone(), id);
        self.bytes.push(kept);
        self.events.push_back(Event::Path { id, path: Text::from(path) });
        id
    }

    /// The bytes of a path that has a number.
    pub(super) fn bytes(&self, id: PathId) -> Option<&[u8]> {
        let index = usize::try_from(id.0).ok()?.checked_sub(1)?;
        self.bytes.get(index).map(|path| &**path)
    }

    /// The number of a frame. What strace says about it becomes an event at once.
    pub(super) fn frame(&mut self, frame: &Frame<'_>, process: u32) -> FrameId {
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let (function, file) = (text(frame.function), text(frame.file));
        let location = Location { function, file, line: frame.line };
        let module = self.path(frame.module);
        let (address, new) = (frame.address, FrameId(number(self.frames.len() + 1)));
        let id = *self.frames.entry((module, address, location.clone())).or_insert(new);
        if id == new {
            self.events.push_back(Event::Frame { id, module, address, process });
            let is_known = !location.function.is_empty() || !location.file.is_empty();
            let locations = if is_known { vec![location] } else { Vec::new() };
            self.events.push_back(Event::Locations { frame: id, locations });
        }
        id
    }

    /// The number of a stack; `NONE` for an empty one.
    pub(super) fn stack(&mut self, frames: &[FrameId]) -> StackId {
        if frames.is_empty() {
            return StackId::NONE;
        }
        if let Some(id) = self.stacks.get(frames) {
            return *id;
        }
        let id = StackId(number(self.stacks.len() + 1));
        self.stacks.insert(frames.into(), id);
        let frames = frames.to_vec();
        self.events.push_back(Event::Stack { id, frames, truncated: false });
        id
    }
}

/// A log of four thousand million different paths does not fit into memory.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
