//! A run made by hand, for tests: a lister that calls `localtime()` for each of 10,000 files.

use std::time::Duration;

use super::{Report, Timeline, Timing, Untraced};
use crate::count::Counts;
use crate::explain::{Act, Basis, Finding, InsideStart, Remedy, Saved, Spared};
use crate::served::Served;
use crate::watch::EventSink;
use crate::{
    Call, Event, FrameId, Language, Location, Name, PathId, Process, Registry, StackId, Text,
};

const PATHS: &[&[u8]] = &[
    b"/home/a/lister", b"/usr/lib/x86_64-linux-gnu/libc.so.6", b"/etc/localtime", b"/srv/files",
    b"</script><img src=x onerror=alert(1)>\x1b[31m\xff;\n\xe2\x80\xae",
];

/// Frames: module, function, file, line.
const FRAMES: &[(u32, &str, &str, u32)] = &[
    (2, "__xstat64", "", 0),
    (2, "__tzfile_read", "", 0),
    (2, "tzset_internal", "", 0),
    (2, "__tz_convert", "", 0),
    (2, "localtime", "", 0),
    (1, "show_entry", "/home/a/src/lister.c", 42),
    (1, "list", "/home/a/src/lister.c", 77),
    (1, "main", "/home/a/src/lister.c", 101),
    (2, "__libc_start_call_main", "", 0),
    (2, "__libc_start_main", "", 0),
    (1, "_start", "", 0),
];

/// What a run leaves behind.
#[derive(Default)]
pub(super) struct Run {
    pub(super) registry: Registry,
    pub(super) counts: Counts,
    pub(super) timeline: Timeline,
    pub(super) served: Served,
    pub(super) findings: Vec<Finding>,
    pub(super) inside_start: Vec<InsideStart>,
}

impl Run {
    pub(super) fn see(&mut self, event: Event) {
        self.registry.take(&event);
        self.counts.event(&event, &self.registry);
        self.timeline.event(&event, &self.registry);
    }

    pub(super) fn report(&self) -> Report<'_> {
        let ms = Duration::from_millis;
        Report {
            findings: &self.findings,
            inside_start: &self.inside_start,
            reason: "no kind of waste reached 100 calls and 2 % of all",
            registry: &self.registry,
            counts: &self.counts,
            timeline: &self.timeline,
            untraced: Ok(Untraced {
                wall: ms(31),
                basis: Timing::Measured { user: ms(11), system: ms(20) },
            }),
            watched_for: None,

            by_agent: 0,
            served: &self.served,
        }
    }
}

/// The calls of the run: 10,002 looks at the zone, 11 at a hostile name that is missing, 10,201
/// reads.
pub(super) fn run() -> Run {
    let mut run = Run::default();
    for (id, path) in (1..).zip(PATHS) {
        run.see(Event::Path { id: PathId(id), path: Text::from(*path) });
    }
    let arguments = vec![Text::from("lister"), Text::from("/srv/files")];
    let (program, directory) = (PathId(1), PathId(4));
    run.see(Event::Process(Process { id: 9, program, arguments, directory, ..Process::default() }));
    for (id, (module, ..)) in (1..).zip(FRAMES) {
        let (module, address) = (PathId(*module), u64::from(id) * 16);
        run.see(Event::Frame { id: FrameId(id), module, address, process: 9 });
    }
    let frames = |range: std::ops::RangeInclusive<u32>| range.map(FrameId).collect();
    run.see(Event::Stack { id: StackId(1), frames: frames(1..=11), truncated: false });
    run.see(Event::Stack { id: StackId(2), frames: frames(6..=8), truncated: true });
    for at in 0..20_214 {
        run.see(Event::Call(match at {
            0..10_002 => look(at, false),
            10_002..10_013 => look(at, true),
            _ => Call {
                name: Name::Read,
                moved: 4_096,
                result: 4_096,
                path: PathId::NONE,
                file: PathId(2),
                ..look(at, false)
            },
        }));
    }
    run.see(Event::Ended { process: 9, at: 90_000_000, status: 0, processor: 0 });
    for (id, (_, function, file, line)) in (1..).zip(FRAMES) {
        let (function, file) = ((*function).to_owned(), (*file).to_owned());
        let locations = vec![Location { function, file, line: *line }];
        run.see(Event::Locations { frame: FrameId(id), locations });
    }
    run.see(Event::End { at: 90_000_000 });
    run
}

fn look(at: u64, hostile: bool) -> Call {
    let file = PathId(if hostile { 5 } else { 3 });
    let arguments = [(-100_i64).cast_unsigned(), 0, 0, 0, 0, 0];
    Call {
        start: at * 4_000,
        process: 9,
        thread: 9,
        name: Name::Newfstatat,
        arguments,
        path: file,
        file,
        result: if hostile { -2 } else { 0 },
        stack: StackId(if hostile { 2 } else { 1 }),
        ..Call::default()
    }
}

/// What is found in it. The figures are those of the lister of 10,000 files.
pub(super) fn finding() -> Finding {
    let act = Act::Call { name: Name::Newfstatat, file: PathId(3), moved: 0, failed: false };
    Finding {
        id: "same-stat",
        verdict: "`/etc/localtime` was looked at 10,002 times and never changed".into(),
        program: PathId(1),
        language: Language::C,
        wasted: 10_001,
        made: 20_214,
        callers: vec![(StackId(1), 9_990), (StackId(2), 11)],
        examples: vec![look(0, false), look(1, false), look(10_012, true)],
        spared: vec![Spared { act, count: 10_001 }],
        replaces: Vec::new(),
        children: Default::default(),
        saved: Some(Saved::exactly(9_840_000, Basis::Replayed)),
        remedy: Remedy {
            text:
                "Set TZ in the environment, or call tzset() once and localtime_r() for each time."
                    .into(),
            snippet: "tzset();\nstruct tm tm;\nlocaltime_r(&seconds, &tm);".into(),
        },
        careful: "a file that changes between the looks is being watched on purpose".into(),
    }
}
