//! A run made by hand: events as a source would tell them.

use std::collections::HashMap;

use fewer_trace::count::Counts;
use fewer_trace::explain::Finding;
use fewer_trace::report::Timeline;
use fewer_trace::watch::EventSink;
use fewer_trace::{Call, Event, FrameId, Location, Name, PathId, Process, Registry, StackId, Text};

/// A frame: module, function, file, line.
pub(crate) type Spot<'s> = (&'s str, &'s str, &'s str, u32);

/// What the sinks know of a run.
#[derive(Default)]
pub(crate) struct Made {
    pub(crate) registry: Registry,
    pub(crate) counts: Counts,
    pub(crate) timeline: Timeline,
    pub(crate) findings: Vec<Finding>,
    paths: HashMap<Vec<u8>, PathId>,
    frames: HashMap<(String, String, String, u32), FrameId>,
    stacks: u32,
    last: Vec<Call>,
}

impl Made {
    /// A program with its words.
    pub(crate) fn new(program: &str, arguments: &[&str]) -> Made {
        let mut made = Made::default();
        let (program, directory) = (made.path(program.as_bytes()), made.path(b"/home/ada"));
        let arguments = arguments.iter().map(|word| Text::from(*word)).collect();
        made.see(Event::Process(Process {
            id: 1,
            program,
            arguments,
            directory,
            ..Process::default()
        }));
        made
    }

    pub(crate) fn see(&mut self, event: Event) {
        self.registry.take(&event);
        self.counts.event(&event, &self.registry);
        self.timeline.event(&event, &self.registry);
    }

    pub(crate) fn path(&mut self, bytes: &[u8]) -> PathId {
        if let Some(id) = self.paths.get(bytes) {
            return *id;
        }
        let id = PathId(u32::try_from(self.paths.len() + 1).unwrap_or(u32::MAX));
        self.paths.insert(bytes.to_vec(), id);
        self.see(Event::Path { id, path: Text::from(bytes) });
        id
    }

    /// A stack, innermost first.
    pub(crate) fn stack(&mut self, spots: &[Spot]) -> StackId {
        self.some_stack(spots, false)
    }

    /// A stack whose outer part could not be read.
    pub(crate) fn cut_stack(&mut self, spots: &[Spot]) -> StackId {
        self.some_stack(spots, true)
    }

    fn some_stack(&mut self, spots: &[Spot], truncated: bool) -> StackId {
        let frames = spots.iter().map(|spot| self.frame(spot)).collect();
        self.stacks += 1;
        let id = StackId(self.stacks);
        self.see(Event::Stack { id, frames, truncated });
        id
    }

    fn frame(&mut self, (module, function, file, line): &Spot) -> FrameId {
        let key = ((*module).to_owned(), (*function).to_owned(), (*file).to_owned(), *line);
        if let Some(id) = self.frames.get(&key) {
            return *id;
        }
        let id = FrameId(u32::try_from(self.frames.len() + 1).unwrap_or(u32::MAX));
        let module = self.path(module.as_bytes());
        self.see(Event::Frame { id, module, address: u64::from(id.0) * 16, process: 1 });
        let location = Location { function: key.1.clone(), file: key.2.clone(), line: *line };
        let locations = if function.is_empty() { Vec::new() } else { vec![location] };
        self.see(Event::Locations { frame: id, locations });
        self.frames.insert(key, id);
        id
    }

    pub(crate) fn call(
        &mut self,
        start: u64,
        name: Name,
        file: PathId,
        result: i64,
        stack: StackId,
    ) {
        let moved = match name {
            Name::Read | Name::Write if result > 0 => result.unsigned_abs(),
            _ => 0,
        };
        // AT_FDCWD, or descriptor 3.
        let first = if name == Name::Read || name == Name::Write || name == Name::Close {
            3
        } else {
            (-100_i64).cast_unsigned()
        };
        let arguments = [first, 0, moved, 0, 0, 0];
        let (process, thread, path) = (1, 1, file);
        let call = Call {
            start,
            process,
            thread,
            name,
            arguments,
            path,
            file,
            result,
            moved,
            stack,
            ..Call::default()
        };
        self.last.push(call.clone());
        if self.last.len() > 3 {
            self.last.remove(0);
        }
        self.see(Event::Call(call));
    }

    pub(crate) fn last_calls(&self, count: usize) -> Vec<Call> {
        self.last.iter().rev().take(count).cloned().collect()
    }

    pub(crate) fn end(&mut self, at: u64, status: i32) {
        self.see(Event::Ended { process: 1, at, status, processor: 0 });
        self.see(Event::End { at });
    }
}
