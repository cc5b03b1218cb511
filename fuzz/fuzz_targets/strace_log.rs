//! Any bytes as a log of strace: no panic, at most one call for each line, and what a number stands
//! for is told before it is used.
#![no_main]

use std::collections::HashSet;
use std::io::{Seek, Write};

use fewer::Lines;
use libfuzzer_sys::fuzz_target;
use trace::strace::Log;
use trace::{Event, FrameId, PathId, StackId};

fuzz_target!(|text: &[u8]| {
    let log = Log::from_lines(Lines::from_owned(file(text), "log"), "log");
    let lines = text.split(|&byte| byte == b'\n').count();
    let mut known = Known::default();
    let mut calls = 0;
    let mut is_ended = false;
    for event in log {
        assert!(!is_ended, "something came behind the end");
        let Ok(event) = event else {
            is_ended = true;
            continue;
        };
        known.check(&event);
        calls += usize::from(matches!(event, Event::Call(_)));
        is_ended = matches!(event, Event::End { .. });
    }
    assert!(is_ended && calls <= lines, "{calls} calls in {lines} lines");
});

#[derive(Default)]
struct Known {
    paths: HashSet<PathId>,
    frames: HashSet<FrameId>,
    stacks: HashSet<StackId>,
    processes: HashSet<u32>,
}

impl Known {
    fn path(&self, id: PathId) {
        assert!(id == PathId::NONE || self.paths.contains(&id));
    }

    fn check(&mut self, event: &Event) {
        match event {
            Event::Path { id, path } => {
                assert!(!path.0.is_empty() && self.paths.insert(*id));
            }
            Event::Frame { id, module, .. } => {
                self.path(*module);
                assert!(self.frames.insert(*id));
            }
            Event::Stack { id, frames, .. } => {
                assert!(frames.iter().all(|frame| self.frames.contains(frame)));
                assert!(!frames.is_empty() && self.stacks.insert(*id));
            }
            Event::Locations { frame, .. } => assert!(self.frames.contains(frame)),
            Event::Process(process) => {
                self.path(process.program);
                self.path(process.directory);
                self.processes.insert(process.id);
            }
            Event::Ended { process, .. } => assert!(self.processes.contains(process)),
            Event::Call(call) => {
                [call.path, call.file, call.second].into_iter().for_each(|id| self.path(id));
                assert!(call.stack == StackId::NONE || self.stacks.contains(&call.stack));
                assert!(self.processes.contains(&call.process));
            }
            Event::Program { path, .. } => self.path(*path),
            Event::Request(_) => panic!("strace shows no requests of io_uring"),
            Event::Slept { .. } => panic!("strace shows calls, also those that sleep"),
            Event::Wanted { .. } => panic!("no source text is read for a log"),
            Event::Note(_) | Event::End { .. } => {}
        }
    }
}

/// A file without a name that holds the text.
fn file(text: &[u8]) -> std::fs::File {
    let path = format!("/dev/shm/fewer-fuzz-log-{}", std::process::id());
    let mut options = std::fs::OpenOptions::new();
    let file = options.read(true).write(true).create(true).truncate(true).open(&path);
    let _ = std::fs::remove_file(path);
    let mut file = file.expect("cannot make a file");
    file.write_all(text).and_then(|()| file.rewind()).expect("cannot write the text");
    file
}
