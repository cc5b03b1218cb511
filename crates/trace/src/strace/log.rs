//! Line by line from a log to events.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};

use fewer::Lines;
use fewer::lines::Check;

use super::LONGEST_LINE_BYTES;
use super::interner::Interner;
use super::line::{Line, Time, What, digits};
use super::number::{register, signal};
use super::result::Outcome;
use super::tasks::Tasks;
use super::text::arguments;
use super::translate::CallTranslator;
use crate::{Call, Class, Error, Event, FrameId, Name, Note, Process};

/// Reads a log of strace: the calls in it in the order in which they came back, and all that they
/// refer to. Of the file only a block is in memory.
///
/// Lines that are not strace's own (what the program wrote to the same file) are passed over, and
/// counted in a note at the end, with the id `limit`. A file without any line of strace's is an
/// error.
#[derive(Debug)]
pub struct Log<'f> {
    /// A line that was read to find out what this is.
    first: Option<Vec<u8>>,
    lines: Lines<'f>,
    path: Box<[u8]>,
    interner: Interner,
    tasks: Tasks,
    clock: Clock,
    /// Calls that have not come back, by thread.
    begun: FxHashMap<u32, Begun>,
    /// The last call, to whom the stack in the next lines belongs, and what comes behind it.
    held: Option<(Call, Option<Event>)>,
    frames: Vec<FrameId>,
    unnamed: u64,
    /// Names that no call of this machine has.
    strangers: FxHashSet<Box<str>>,
    number: u64,
    understood: u64,
    /// Lines that are not understood, and the first of them.
    nonsense: (u64, u64),
    is_done: bool,
}

#[derive(Debug)]
struct Begun {
    name: Box<str>,
    text: Vec<u8>,
    start: u64,
}

/// Lines at the beginning of which none is strace's: then it is something else.
const STRANGE_LINES: u64 = 1000;

impl Log<'static> {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// That it cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> Result<Log<'static>, Error> {
        Ok(Log::from_lines(Lines::open(&path)?, path))
    }
}

impl<'f> Log<'f> {
    /// Reads from lines of which none has been read yet. `path` is what errors call them.
    pub fn from_lines(lines: Lines<'f>, path: impl AsRef<Path>) -> Log<'f> {
        let lines = lines.check(Check::Nothing).longest_bytes(LONGEST_LINE_BYTES);
        Log::behind(None, lines, path.as_ref())
    }

    /// Goes on behind the first line, which has been read.
    pub(crate) fn behind(first: Option<Vec<u8>>, lines: Lines<'f>, path: &Path) -> Log<'f> {
        Log {
            first,
            lines,
            path: path.as_os_str().as_bytes().into(),
            interner: Interner::default(),
            tasks: Tasks::default(),
            clock: Clock::default(),
            begun: FxHashMap::default(),
            held: None,
            frames: Vec::new(),
            unnamed: 0,
            strangers: FxHashSet::default(),
            number: 0,
            understood: 0,
            nonsense: (0, 0),
            is_done: false,
        }
    }

    /// Reads a line, or ends.
    fn step(&mut self) -> Result<(), Error> {
        // Lent by what is changed below, so it is copied; most lines are short.
        let line = match self.first.take() {
            Some(line) => Some(line),
            None => self.lines.next()?.map(|line| line.bytes().to_vec()),
        };
        let Some(line) = line else { return self.end() };
        self.number += 1;
        let Line { thread, time, what } = Line::parse(&line);
        if !matches!(what, What::Frame(_)) {
            self.flush();
        }
        let is_understood = match what {
            What::Nonsense => false,
            // An empty line or a frame can be in any text.
            What::Other | What::Frame(_) => {
                self.take(thread, time, what);
                return Ok(());
            }
            what => self.take(thread, time, what),
        };
        match is_understood {
            true => self.understood += 1,
            false if self.nonsense.0 == 0 => self.nonsense = (1, self.number),
            false => self.nonsense.0 += 1,
        }
        if self.understood == 0 && self.number >= STRANGE_LINES {
            return Err(self.strange());
        }
        Ok(())
    }

    fn strange(&self) -> Error {
        let why = "neither a recording nor a log of strace: no line of it is a system call";
        Error::Format { path: self.path.clone(), line: 1, why: why.to_owned() }
    }

    /// Takes in what happened; false if it makes no sense.
    fn take(&mut self, written: Option<u32>, time: Option<Time>, what: What<'_>) -> bool {
        if let What::Frame(frame) = &what {
            if let Some((call, _)) = &self.held {
                self.frames.push(self.interner.frame(frame, call.process));
            }
            return true;
        }
        if let What::Other = what {
            return true;
        }
        let now = self.clock.read(time);
        let thread = self.tasks.thread(written);
        match what {
            What::Call(name, text) => {
                self.interrupt(thread, now);
                self.complete(thread, now, now, name, text)
            }
            What::Unfinished(name, text) => {
                self.interrupt(thread, now);
                self.appear(thread, now);
                if let Some(flags) = maker(name, text) {
                    self.tasks.making(thread, flags);
                }
                let text = text.trim_ascii_end().to_vec();
                self.begun.insert(thread, Begun { name: name.into(), text, start: now });
                true
            }
            What::Resumed(name, text) => {
                let begun = self.begun.remove(&thread).filter(|begun| *begun.name == *name);
                let begun = begun.unwrap_or_else(|| Begun {
                    name: name.into(),
                    text: Vec::new(),
                    start: now,
                });
                let whole = [&begun.text[..], text].concat();
                self.complete(thread, begun.start, now, name, &whole)
            }
            What::Exited(status) => self.ended(thread, now, (status & 0xff) << 8),
            What::Killed(name, is_dumped) => {
                let core = if is_dumped { 0x80 } else { 0 };
                self.ended(thread, now, signal(name) | core)
            }
            What::Superseded(by) => {
                if let Some(begun) = self.begun.remove(&by) {
                    self.begun.insert(thread, begun);
                }
                self.tasks.ended(by);
                true
            }
            What::Foreign(process) => {
                let text = "a process of another machine (32 bit): its calls are not understood";
                self.note("foreign", process, text.to_owned());
                true
            }
            What::Frame(_) | What::Other | What::Nonsense => true,
        }
    }

    /// Makes sure that a thread has a process, with an event if it is new.
    fn appear(&mut self, thread: u32, now: u64) -> u32 {
        let (process, is_new) = self.tasks.process(thread);
        if is_new {
            let event = self.process(process, now);
            self.interner.events.push_back(event);
        }
        process
    }

    fn process(&mut self, process: u32, now: u64) -> Event {
        let task = self.tasks.task(process);
        let directory = self.interner.path(task.directory.as_deref().unwrap_or_default());
        Event::Process(Process {
            id: process,
            parent: task.parent,
            start: now,
            program: task.program,
            arguments: task.arguments.clone(),
            directory,
        })
    }

    /// A call that came back.
    fn complete(&mut self, thread: u32, start: u64, now: u64, name: &str, text: &[u8]) -> bool {
        let (words, rest) = arguments(text);
        let Some(outcome) = rest.and_then(Outcome::parse) else { return false };
        let (process, is_new) = self.tasks.process(thread);
        let name_here = self.name(name, process);
        let mut call = Call { start, process, thread, name: name_here, ..Call::default() };
        let (interner, unnamed) = (&mut self.interner, &mut self.unnamed);
        let task = self.tasks.task(process);
        CallTranslator { interner, task, unnamed }.translate(&words, &outcome, &mut call);
        let is_run = call.name.class() == Class::Execute && call.succeeded();
        if is_new {
            let event = self.process(process, start);
            self.interner.events.push_back(event);
        }
        // A log mostly begins with the start of the program: that has its event already.
        let mut behind = (is_run && !is_new).then(|| self.process(process, now));
        if let Some(flags) = maker(name, text) {
            let child = call.succeeded().then(|| child(rest.unwrap_or_default(), call.result));
            let child = child.and_then(|child| u32::try_from(child).ok().filter(|id| *id > 0));
            let made = self.tasks.made(thread, flags, child);
            behind = made.map(|process| self.process(process, now));
        }
        self.held = Some((call, behind));
        true
    }

    /// The name of a call; those of other machines are not known.
    fn name(&mut self, text: &str, process: u32) -> Name {
        if let Some(name) = Name::parse(text) {
            return name;
        }
        const MOST: usize = 1000;
        if self.strangers.len() < MOST && self.strangers.insert(text.into()) {
            let text = format!("no system call is known by the name of '{text}'");
            self.note("foreign", process, text);
        }
        Name::Foreign(u32::MAX)
    }

    fn note(&mut self, id: &str, process: u32, text: String) {
        let note = Note { id: id.to_owned(), process, text };
        self.interner.events.push_back(Event::Note(note));
    }

    /// Hands over the last call, now that its stack is known.
    fn flush(&mut self) {
        let Some((mut call, behind)) = self.held.take() else { return };
        call.stack = self.interner.stack(&self.frames);
        self.frames.clear();
        self.interner.events.push_back(Event::Call(call));
        self.interner.events.extend(behind);
    }

    /// Hands over a call of a thread that began and never came back: it has no result but that it
    /// was interrupted.
    fn interrupt(&mut self, thread: u32, now: u64) {
        const INTERRUPTED: &[u8] = b") = ? ERESTARTSYS";
        if let Some(begun) = self.begun.remove(&thread) {
            let whole = [&begun.text[..], INTERRUPTED].concat();
            self.complete(thread, begun.start, now, &begun.name, &whole);
            self.flush();
        }
    }

    /// A thread ended.
    fn ended(&mut self, thread: u32, at: u64, status: i32) -> bool {
        let process = self.appear(thread, at);
        self.interrupt(thread, at);
        if self.tasks.ended(thread) {
            self.interner.events.push_back(Event::Ended { process, at, status, processor: 0 });
        }
        true
    }

    /// The end of the log.
    fn end(&mut self) -> Result<(), Error> {
        self.is_done = true;
        if self.understood == 0 {
            return Err(self.strange());
        }
        self.flush();
        let at = self.clock.now;
        let mut threads: Vec<u32> = self.begun.keys().copied().collect();
        threads.sort_unstable();
        threads.into_iter().for_each(|thread| self.interrupt(thread, at));
        let (count, first) = self.nonsense;
        if count > 0 {
            let lines = if count == 1 { "line of the log is" } else { "lines of the log are" };
            let text = format!("{count} {lines} not strace's, the first is line {first}");
            self.note("limit", 0, text);
        }
        self.interner.events.push_back(Event::End { at });
        Ok(())
    }
}

impl Iterator for Log<'_> {
    type Item = Result<Event, Error>;

    fn next(&mut self) -> Option<Result<Event, Error>> {
        loop {
            if let Some(event) = self.interner.events.pop_front() {
                return Some(Ok(event));
            }
            if self.is_done {
                return None;
            }
            if let Err(error) = self.step() {
                self.is_done = true;
                self.interner.events.clear();
                return Some(Err(error));
            }
        }
    }
}

/// The flags of a call that makes a process or a thread; `None` for others.
fn maker(name: &str, text: &[u8]) -> Option<u64> {
    match name {
        "fork" | "vfork" => Some(0),
        "clone" | "clone3" => {
            let Some(at) = memchr::memmem::find(text, b"flags=") else { return Some(0) };
            let flags = &text[at + b"flags=".len()..];
            let end = flags.iter().position(|byte| matches!(byte, b',' | b'}' | b')' | b' '));
            Some(register(&flags[..end.unwrap_or(flags.len())]))
        }
        _ => None,
    }
}

/// The number of a new process: in a name space of its own it has another one outside.
fn child(rest: &[u8], result: i64) -> i64 {
    let outside = memchr::memmem::find(rest, b"/* ").and_then(|at| {
        let (number, behind) = digits(&rest[at + b"/* ".len()..]);
        behind.starts_with(b" in strace's PID NS").then_some(number).flatten()
    });
    outside.and_then(|number| i64::try_from(number).ok()).unwrap_or(result)
}

/// What time it is, in nanoseconds since the log began.
#[derive(Debug, Default)]
struct Clock {
    first: Option<u64>,
    now: u64,
}

const DAY: u64 = 86_400_000_000_000;

impl Clock {
    /// The time of a line; that of the line before if it has none.
    fn read(&mut self, time: Option<Time>) -> u64 {
        let passed = match time {
            None => self.now,
            Some(Time::SinceLast(passed)) if self.first.is_none() => {
                self.first = Some(passed);
                0
            }
            Some(Time::SinceLast(passed)) => self.now.saturating_add(passed),
            Some(Time::Since1970(time)) => time.saturating_sub(*self.first.get_or_insert(time)),
            Some(Time::SinceMidnight(time)) => {
                let first = *self.first.get_or_insert(time);
                let now = self.now.saturating_add(first);
                let time = (now / DAY * DAY).saturating_add(time);
                // A clock that goes back by half a day has passed midnight.
                let is_tomorrow = time.saturating_add(DAY / 2) < now;
                let time = if is_tomorrow { time.saturating_add(DAY) } else { time };
                time.saturating_sub(first)
            }
        };
        // Lines of several threads may come a little out of turn.
        self.now = self.now.max(passed);
        passed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_count_from_the_first_line() {
        let second = 1_000_000_000;
        let mut clock = Clock::default();
        let times =
            [86_399, 86_399, 1, 2, 80_000, 3].map(|s| Some(Time::SinceMidnight(s * second)));
        let read = times.map(|time| clock.read(time) / second);
        assert_eq!(read, [0, 0, 2, 3, 80_001, 86_404]);
        let mut clock = Clock::default();
        let times = [5, 6, 4, 9].map(|s| Some(Time::Since1970((1_700_000_000 + s) * second)));
        assert_eq!(times.map(|time| clock.read(time) / second), [0, 1, 0, 4]);
        let mut clock = Clock::default();
        let times = [7, 1, 2].map(|s| Some(Time::SinceLast(s * second)));
        assert_eq!(times.map(|time| clock.read(time) / second), [0, 1, 3]);
        assert_eq!(clock.read(None), 3 * second);
    }
}
