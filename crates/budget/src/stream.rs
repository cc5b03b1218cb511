//! Streams made by hand, for tests.

use crate::base::Base;
use crate::measured::{CallCounter, Measured};
use trace::watch::EventSink;
use trace::{Call, Event, FrameId, Location, Name, PathId, Process, Registry, StackId, Text};

/// A stream that grows call by call.
pub(crate) struct Stream {
    counter: CallCounter,
    registry: Registry,
    next: u32,
}

impl Stream {
    /// The stream of a program, which is process 1.
    pub(crate) fn new(program: &str) -> Stream {
        let mut stream =
            Stream { counter: CallCounter::default(), registry: Registry::default(), next: 0 };
        stream.process(1, 0, program);
        stream
    }

    fn see(&mut self, event: &Event) {
        self.registry.take(event);
        self.counter.event(event, &self.registry);
    }

    fn path(&mut self, path: &str) -> PathId {
        // Numbers of paths stand for texts one to one.
        let id = PathId(path.bytes().fold(7, |sum, byte| (sum * 31 + u32::from(byte)) % 60_000));
        if path.is_empty() {
            return PathId::NONE;
        }
        self.see(&Event::Path { id, path: Text::from(path) });
        id
    }

    pub(crate) fn process(&mut self, id: u32, parent: u32, program: &str) {
        let program = self.path(program);
        self.see(&Event::Process(Process { id, parent, program, ..Process::default() }));
    }

    pub(crate) fn call(&mut self, name: &str, file: &str, stack: &[&str]) {
        self.call_of(1, name, file, stack);
    }

    /// A call; frames are `MODULE`, `MODULE FUNCTION` or `MODULE FUNCTION FILE:LINE`.
    pub(crate) fn call_of(&mut self, process: u32, name: &str, file: &str, stack: &[&str]) {
        let file = self.path(file);
        let frames: Vec<FrameId> = stack.iter().map(|frame| self.frame(frame)).collect();
        let mut id = StackId::NONE;
        if !frames.is_empty() {
            self.next += 1;
            id = StackId(self.next);
            self.see(&Event::Stack { id, frames, truncated: false });
        }
        let name = Name::parse(name).unwrap();
        self.see(&Event::Call(Call { process, name, file, stack: id, ..Call::default() }));
    }

    fn frame(&mut self, text: &str) -> FrameId {
        let mut words = text.split(' ');
        let module = self.path(words.next().unwrap());
        self.next += 1;
        let id = FrameId(self.next);
        self.see(&Event::Frame { id, module, address: 1, process: 1 });
        if let Some(function) = words.next() {
            let (file, line) =
                words.next().map_or(("", "0"), |place| place.split_once(':').unwrap());
            let (function, file) = (function.to_owned(), file.to_owned());
            let locations = vec![Location { function, file, line: line.parse().unwrap() }];
            self.see(&Event::Locations { frame: id, locations });
        }
        id
    }

    /// What the stream has, of a program that runs in `/home/a` and writes to `/tmp`.
    pub(crate) fn measured(self) -> Measured {
        self.counter.finish(&self.registry, &Base::new(b"/home/a", b"/root"))
    }
}

/// A run of `/home/a/prog`: calls of a name, on a file, from `FUNCTION FILE:LINE`, so many times.
pub(crate) fn run(calls: &[(&str, &str, &str, u64)]) -> Measured {
    let mut stream = Stream::new("/home/a/prog");
    for (name, file, caller, count) in calls {
        for _ in 0..*count {
            stream.call(name, file, &[&format!("/home/a/prog {caller}")]);
        }
    }
    stream.measured()
}
