//! What a stream has defined so far: paths, frames, stacks, programs. It grows with what is
//! distinct, not with the number of calls.

use crate::{Event, FrameId, Language, Location, Note, PathId, Process, StackId};
use rustc_hash::FxHashMap;

/// What the numbers in calls stand for.
#[derive(Debug, Default)]
pub struct Registry {
    paths: Texts,
    frames: Vec<Frame>,
    stacks: Vec<Stack>,
    processes: FxHashMap<u32, Process>,
    first: Option<u32>,
    languages: FxHashMap<PathId, Language>,
    notes: Vec<Note>,
    end: Option<u64>,
}

/// A frame of a stack.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The mapped file.
    pub module: PathId,
    /// The address in it.
    pub address: u64,
    /// The function, and what was inlined into it, innermost first. Empty until looked up.
    pub locations: Vec<Location>,
    /// Whether the source text wants nothing but the kind of metadata that is asked for from here;
    /// `None` if that is not known.
    pub only_kind: Option<bool>,
}

#[derive(Debug, Default)]
struct Stack {
    frames: Box<[FrameId]>,
    truncated: bool,
}

impl Registry {
    /// Takes in what an event defines. Calls define nothing.
    pub fn take(&mut self, event: &Event) {
        match event {
            Event::Path { id, path } => self.paths.put(id.0, &path.0),
            Event::Frame { id, module, address, .. } => {
                let frame = Frame { module: *module, address: *address, ..Frame::default() };
                *at(&mut self.frames, id.0) = frame;
            }
            Event::Stack { id, frames, truncated } => {
                let frames = frames.as_slice().into();
                *at(&mut self.stacks, id.0) = Stack { frames, truncated: *truncated };
            }
            Event::Process(process) => {
                self.first.get_or_insert(process.id);
                self.processes.insert(process.id, process.clone());
            }
            Event::Locations { frame, locations } => {
                at(&mut self.frames, frame.0).locations.clone_from(locations);
            }
            Event::Wanted { frame, only_kind } => {
                at(&mut self.frames, frame.0).only_kind = Some(*only_kind);
            }
            Event::Program { path, language } => drop(self.languages.insert(*path, *language)),
            Event::Note(note) => self.notes.push(note.clone()),
            Event::End { at } => self.end = Some(*at),
            Event::Ended { .. } | Event::Slept { .. } | Event::Call(_) | Event::Request(_) => {}
        }
    }

    /// The bytes of a path; empty for `PathId::NONE` and for numbers that were never defined.
    #[must_use]
    pub fn path(&self, id: PathId) -> &[u8] {
        self.paths.get(id.0)
    }

    /// The frames of a stack, innermost first.
    pub fn stack(&self, id: StackId) -> impl DoubleEndedIterator<Item = &Frame> + Clone {
        self.stack_frames(id).iter().filter_map(|frame| self.frames.get(frame.0 as usize))
    }

    /// The numbers of these frames.
    pub(crate) fn stack_frames(&self, id: StackId) -> &[FrameId] {
        self.stacks.get(id.0 as usize).map_or(&[], |stack| &stack.frames)
    }

    /// A frame; an empty one if its number was never defined.
    #[must_use]
    pub fn frame(&self, id: FrameId) -> &Frame {
        const NONE: &Frame =
            &Frame { module: PathId::NONE, address: 0, locations: Vec::new(), only_kind: None };
        self.frames.get(id.0 as usize).unwrap_or(NONE)
    }

    /// Whether a stack goes on where it could not be read.
    #[must_use]
    pub fn is_truncated(&self, id: StackId) -> bool {
        self.stacks.get(id.0 as usize).is_some_and(|stack| stack.truncated)
    }

    /// What a process runs now (or ran when it ended).
    #[must_use]
    pub fn process(&self, id: u32) -> Option<&Process> {
        self.processes.get(&id)
    }

    /// The first process: the command that is traced.
    #[must_use]
    pub fn first(&self) -> Option<&Process> {
        self.processes.get(&self.first?)
    }

    /// Whether a process ran this file.
    #[must_use]
    pub fn is_program(&self, path: PathId) -> bool {
        self.languages.contains_key(&path)
            || self.processes.values().any(|process| process.program == path)
    }

    /// The program, if all processes ran the same.
    #[must_use]
    pub fn only_program(&self) -> Option<PathId> {
        let of_processes = self.processes.values().map(|process| process.program);
        let mut programs = of_processes.chain(self.languages.keys().copied());
        let first = programs.next()?;
        programs.all(|program| program == first).then_some(first)
    }

    /// Whether a function of this name was on any stack.
    pub(crate) fn has_function(&self, name: &str) -> bool {
        let mut locations = self.frames.iter().flat_map(|frame| &frame.locations);
        locations.any(|location| location.function == name)
    }

    /// What an executable is written in.
    #[must_use]
    pub fn language(&self, program: PathId) -> Language {
        self.languages.get(&program).copied().unwrap_or_default()
    }

    /// What could not be seen.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// When the stream ended, in nanoseconds since its beginning; `None` if it was cut off.
    #[must_use]
    pub fn end(&self) -> Option<u64> {
        self.end
    }
}

/// Texts by number, one behind the other: there are as many as files.
#[derive(Debug, Default)]
struct Texts {
    bytes: Vec<u8>,
    /// Where each begins and ends.
    spans: Vec<(usize, usize)>,
}

impl Texts {
    fn put(&mut self, id: u32, text: &[u8]) {
        let begin = self.bytes.len();
        self.bytes.extend_from_slice(text);
        *at(&mut self.spans, id) = (begin, self.bytes.len());
    }

    /// Empty if there is none.
    fn get(&self, id: u32) -> &[u8] {
        self.spans.get(id as usize).map_or(&[], |(begin, end)| &self.bytes[*begin..*end])
    }
}

/// The place of a number, made if need be. Sources count up one by one; a number far beyond what
/// was defined so far (a damaged recording) gets a place that is never looked at.
fn at<T: Default>(list: &mut Vec<T>, id: u32) -> &mut T {
    const FARTHEST: usize = 1 << 16;
    let id = id as usize;
    let id = if id > list.len() + FARTHEST { list.len() } else { id };
    if list.len() <= id {
        list.resize_with(id + 1, T::default);
    }
    &mut list[id]
}
