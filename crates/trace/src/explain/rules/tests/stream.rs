//! Streams written by hand: each call as a program would make it.

use crate::explain::{Explainer, Finding, InsideStart, Thresholds};
use crate::{
    Call, Event, FrameId, Language, Location, Name, PathId, Process, Registry, StackId, Text,
};
use rustc_hash::FxHashMap;

pub(super) const FDCWD: i32 = -100;
pub(super) const ENOENT: i64 = -2;
pub(super) const ENOTTY: i64 = -25;
pub(super) const ENODATA: i64 = -61;
pub(super) const CLOEXEC: u64 = 0o200_0000;

/// A stream that grows.
#[derive(Default)]
pub(super) struct Stream {
    pub(super) events: Vec<Event>,
    paths: FxHashMap<Vec<u8>, PathId>,
    descriptors: FxHashMap<(u32, i32), PathId>,
    program: PathId,
    directory: String,
    /// The descriptor that was opened last.
    pub(super) opened: i32,
    /// The process that makes the calls.
    pub(super) process: u32,
    /// From where they are made.
    pub(super) stack: u32,
    now: u64,
}

impl Stream {
    /// A program in `/w`, written in C.
    pub(super) fn new() -> Stream {
        Stream::of("/bin/prog", Language::C, &["prog"])
    }

    /// What a program in `/w` does so many times; each time with its number, from 0 on.
    pub(super) fn repeated(times: u64, mut round: impl FnMut(&mut Stream, u64)) -> Stream {
        let mut stream = Stream::new();
        (0..times).for_each(|number| round(&mut stream, number));
        stream
    }

    pub(super) fn of(program: &str, language: Language, words: &[&str]) -> Stream {
        let directory = "/w".to_owned();
        let mut stream = Stream { directory, stack: 7, ..Stream::default() };
        stream.program = stream.path(program);
        stream.begin(1, 0, program, words);
        stream.process = 1;
        stream.events.push(Event::Program { path: stream.program, language });
        stream
    }

    pub(super) fn path(&mut self, path: &str) -> PathId {
        let next = PathId(u32::try_from(self.paths.len()).unwrap() + 1);
        let events = &mut self.events;
        *self.paths.entry(path.into()).or_insert_with(|| {
            events.push(Event::Path { id: next, path: Text::from(path) });
            next
        })
    }

    /// A process begins or becomes another program.
    pub(super) fn begin(&mut self, id: u32, parent: u32, program: &str, words: &[&str]) {
        let (program, directory) = (self.path(program), self.path(&self.directory.clone()));
        let arguments = words.iter().map(|word| Text::from(*word)).collect();
        let start = self.now;
        self.events.push(Event::Process(Process {
            id,
            parent,
            start,
            program,
            arguments,
            directory,
        }));
    }

    pub(super) fn end(&mut self, process: u32) {
        self.events.push(Event::Ended { process, at: self.now, status: 0, processor: 0 });
    }

    /// The thread sleeps by a call that is not watched.
    pub(super) fn sleep_unseen(&mut self) {
        let (process, thread) = (self.process, self.process);
        self.events.push(Event::Slept { process, thread, at: self.now });
    }

    /// Any call, on a file by its absolute path ("" for none).
    pub(super) fn call(&mut self, name: &str, file: &str, result: i64) -> &mut Call {
        let file = if file.is_empty() { PathId::NONE } else { self.path(file) };
        self.push(Call { file, result, ..self.blank(name) })
    }

    fn blank(&self, name: &str) -> Call {
        let name = Name::parse(name).unwrap();
        let (process, thread) = (self.process, self.process);
        Call { name, process, thread, stack: StackId(self.stack), ..Call::default() }
    }

    fn push(&mut self, mut call: Call) -> &mut Call {
        self.now += 1000;
        call.start = self.now;
        self.events.push(Event::Call(call));
        self.last()
    }

    /// The call that was made last.
    pub(super) fn last(&mut self) -> &mut Call {
        match self.events.last_mut() {
            Some(Event::Call(call)) => call,
            _ => unreachable!(),
        }
    }

    fn by_path(&mut self, name: &str, at: i32, given: &str, arguments: [u64; 4]) -> &mut Call {
        let above = match self.descriptors.get(&(self.process, at)) {
            Some(id) => self.paths.iter().find(|(_, other)| *other == id).unwrap().0.clone(),
            None => self.directory.clone().into_bytes(),
        };
        let above = String::from_utf8(above).unwrap();
        let absolute = match given.starts_with('/') {
            true => given.to_owned(),
            false => format!("{above}/{given}"),
        };
        let (path, file) = (self.path(given), self.path(&absolute));
        let [_, _, two, three] = arguments;
        let arguments = [i64::from(at).cast_unsigned(), 1, two, three, 0, 0];
        self.push(Call { path, file, arguments, ..self.blank(name) })
    }

    /// `newfstatat`, following links.
    pub(super) fn stat(&mut self, path: &str, answer: u64) -> &mut Call {
        let call = self.by_path("newfstatat", FDCWD, path, [0; 4]);
        call.answer = answer;
        call
    }

    /// `newfstatat` without following links, relative to `at`.
    pub(super) fn lstat_at(&mut self, at: i32, path: &str, answer: u64) -> &mut Call {
        let call = self.by_path("newfstatat", at, path, [0, 0, 0, 0x100]);
        call.answer = answer;
        call
    }

    pub(super) fn lstat(&mut self, path: &str, answer: u64) -> &mut Call {
        self.lstat_at(FDCWD, path, answer)
    }

    /// `newfstatat` of what is not there.
    pub(super) fn miss(&mut self, path: &str) -> &mut Call {
        let call = self.by_path("newfstatat", FDCWD, path, [0; 4]);
        call.result = ENOENT;
        call
    }

    pub(super) fn access(&mut self, path: &str) -> &mut Call {
        let call = self.by_path("faccessat", FDCWD, path, [0; 4]);
        call.answer = 1;
        call
    }

    pub(super) fn readlink(&mut self, path: &str) -> &mut Call {
        let call = self.call("readlink", path, -22);
        call.path = call.file;
        call
    }

    /// `openat` of a path; `flags` beside O_CLOEXEC. Gives the descriptor.
    pub(super) fn open_at(&mut self, at: i32, path: &str, flags: u64) -> i32 {
        let process = self.process;
        let free = (3..).find(|fd| !self.descriptors.contains_key(&(process, *fd))).unwrap();
        let call = self.by_path("openat", at, path, [0, 0, flags | CLOEXEC, 0]);
        call.result = i64::from(free);
        let file = call.file;
        self.descriptors.insert((process, free), file);
        self.opened = free;
        free
    }

    pub(super) fn open(&mut self, path: &str) -> i32 {
        self.open_at(FDCWD, path, 0)
    }

    pub(super) fn open_miss(&mut self, path: &str) -> &mut Call {
        let call = self.by_path("openat", FDCWD, path, [0, 0, CLOEXEC, 0]);
        call.result = ENOENT;
        call
    }

    /// What a descriptor stands for that was there before.
    pub(super) fn have(&mut self, fd: i32, path: &str) {
        let id = self.path(path);
        self.descriptors.insert((self.process, fd), id);
    }

    /// A call on a descriptor.
    pub(super) fn on(
        &mut self,
        name: &str,
        fd: i32,
        arguments: [u64; 2],
        result: i64,
    ) -> &mut Call {
        let file = self.descriptors.get(&(self.process, fd)).copied().unwrap_or_default();
        let [one, two] = arguments;
        let arguments = [i64::from(fd).cast_unsigned(), one, two, 0, 0, 0];
        self.push(Call { file, arguments, result, ..self.blank(name) })
    }

    pub(super) fn close(&mut self, fd: i32) {
        self.on("close", fd, [0; 2], 0);
        self.descriptors.remove(&(self.process, fd));
    }

    pub(super) fn fstat(&mut self, fd: i32, answer: u64) {
        self.on("fstat", fd, [0; 2], 0).answer = answer;
    }

    pub(super) fn read(&mut self, fd: i32, asked: u64, moved: u64, answer: u64) {
        let call = self.on("read", fd, [1, asked], moved.cast_signed());
        call.moved = moved;
        call.answer = answer;
    }

    pub(super) fn write(&mut self, fd: i32, moved: u64) {
        self.on("write", fd, [1, moved], moved.cast_signed()).moved = moved;
    }

    /// `dup`, or `fcntl` with F_DUPFD.
    pub(super) fn duplicate(&mut self, name: &str, fd: i32, new: i32) {
        self.on(name, fd, [0, 0], i64::from(new));
        let file = self.descriptors[&(self.process, fd)];
        self.descriptors.insert((self.process, new), file);
    }

    /// A directory is opened, listed with one call, and closed. `names` are its entries.
    pub(super) fn list(&mut self, path: &str, names: &[String]) {
        let fd = self.open_at(FDCWD, path, 0o20_0000);
        let bytes: usize = names.iter().map(|name| (20 + name.len()).next_multiple_of(8)).sum();
        let result = i64::try_from(bytes).unwrap() + 48;
        self.on("getdents64", fd, [1, 32768], result);
        self.close(fd);
    }

    /// A stack of functions of a script, innermost first, each in its file.
    pub(super) fn frames(&mut self, stack: u32, functions: &[(&str, &str)]) {
        let mut frames = Vec::new();
        for (at, (function, file)) in (1..).zip(functions) {
            let (id, module) = (FrameId(100 * stack + at), self.path(file));
            let location = Location { function: (*function).into(), file: (*file).into(), line: 3 };
            let address = u64::from(id.0);
            self.events.push(Event::Frame { id, module, address, process: 1 });
            self.events.push(Event::Locations { frame: id, locations: vec![location] });
            frames.push(id);
        }
        self.events.push(Event::Stack { id: StackId(stack), frames, truncated: false });
    }

    /// What is found without thresholds.
    pub(super) fn findings(&self) -> Vec<Finding> {
        self.findings_beyond(&Thresholds::nothing())
    }

    pub(super) fn findings_beyond(&self, thresholds: &Thresholds) -> Vec<Finding> {
        self.explained(thresholds).0
    }

    /// What is found, and what lies inside the start of runtimes.
    pub(super) fn explained(&self, thresholds: &Thresholds) -> (Vec<Finding>, Vec<InsideStart>) {
        let (mut registry, mut explainer) = (Registry::default(), Explainer::default());
        for event in &self.events {
            registry.take(event);
            explainer.see(event, &registry);
        }
        let findings = explainer.findings(&registry, thresholds);
        (findings, explainer.inside_start().to_vec())
    }

    /// The ids found, with what was wasted.
    pub(super) fn wastes(&self) -> Vec<(&'static str, u64)> {
        self.findings().iter().map(|finding| (finding.id, finding.wasted)).collect()
    }

    /// The one finding, which is of this rule and says this; ` …` stands for the rest of it.
    pub(super) fn found(&self, id: &str, wasted: u64, verdict: &str) -> Finding {
        let finding = self.only();
        assert_eq!((finding.id, finding.wasted), (id, wasted));
        match verdict.strip_suffix(" …") {
            Some(start) => assert!(finding.verdict.starts_with(start), "{}", finding.verdict),
            None => assert_eq!(finding.verdict, verdict),
        }
        finding
    }

    /// The one finding.
    pub(super) fn only(&self) -> Finding {
        let findings = self.findings();
        assert_eq!(findings.len(), 1, "{findings:#?}");
        findings.into_iter().next().unwrap()
    }
}

/// Names of entries.
pub(super) fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("entry-{number}")).collect()
}
