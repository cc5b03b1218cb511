//! From a source to event sinks. The source has a thread of its own, so that a traced program does
//! not wait for a sink; a queue of bounded length lies between the two.

use std::ffi::OsString;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;

use crate::source::scratch::{self, Outcome, Scratch, Variant};
use crate::source::{self, Ended, Options, Subject};
use crate::symbols::{SourceFiles, Symbols, language};
use crate::{Class, Error, Event, FrameId, PathId, Registry, StackId, Text, own_frame};

/// Batches that may lie in the queue: about a quarter of a million calls.
const QUEUE: usize = 64;

/// Receives what a program does, event by event.
pub trait EventSink: Send {
    /// Receives an event. `registry` has taken it in already.
    fn event(&mut self, event: &Event, registry: &Registry);

    /// An [interval](Options::interval) is over. Returns the stacks that it is about to show.
    fn interval_ended(&mut self, _registry: &Registry) -> Vec<StackId> {
        Vec::new()
    }

    /// The functions and lines of these stacks are known, as far as no server has to be asked.
    fn show(&mut self, _registry: &Registry) {}
}

/// Runs a command, or attaches to a process, and hands all events to all sinks, to the end. Names
/// of functions and the languages of programs are looked up when the program has ended.
///
/// # Errors
///
/// The command cannot be run, or the process not be traced.
pub fn watch(
    subject: &Subject,
    options: &Options,
    sinks: &mut [&mut dyn EventSink],
) -> Result<(Registry, Ended), Error> {
    let run = |sink: &mut dyn FnMut(Vec<Event>), reader| {
        source::trace(subject, &Options { reader, ..*options }, sink)
    };
    let (registry, ended) = watch_run(options.interval, sinks, run)?;
    Ok((registry, ended?))
}

/// Runs a command in a scratch copy, and hands all events to all sinks.
///
/// # Errors
///
/// See [`scratch::Failure`].
pub fn watch_in_scratch(
    scratch: &Scratch,
    variant: &Variant,
    options: &Options,
    sinks: &mut [&mut dyn EventSink],
) -> Result<(Registry, Ended, Outcome), scratch::Failure> {
    let run = |sink: &mut dyn FnMut(Vec<Event>), reader| {
        scratch.watch(variant, &Options { reader, ..*options }, sink)
    };
    let (registry, ended) =
        watch_run(options.interval, sinks, run).map_err(scratch::Failure::Failed)?;
    let (ended, outcome) = ended?;
    Ok((registry, ended, outcome))
}

/// Hands the events of a run to all sinks. The run takes place in this thread; it gets the number
/// of the one that takes its events.
fn watch_run<T>(
    interval: Option<Duration>,
    sinks: &mut [&mut dyn EventSink],
    run: impl FnOnce(&mut dyn FnMut(Vec<Event>), Option<i32>) -> T,
) -> Result<(Registry, T), Error> {
    let (send, receive) = sync_channel(QUEUE);
    // Of the thread that takes the events: 0 until it runs.
    let number = AtomicI32::new(0);
    thread::scope(|scope| {
        // Ctrl-C and its like are for the thread that traces.
        let held = sys::hold_signals();
        let (number, this) = (&number, thread::current());
        let dispatching = thread::Builder::new()
            .spawn_scoped(scope, move || {
                number.store(source::this_thread(), Ordering::Release);
                this.unpark();
                dispatch(&receive, interval, sinks)
            })
            .map_err(|error| no_thread(&error))?;
        drop(held);
        let mut sink = |events: Vec<Event>| drop(send.send(events));
        while number.load(Ordering::Acquire) == 0 {
            thread::park();
        }
        let ended = run(&mut sink, Some(number.load(Ordering::Acquire)));
        drop(send);
        let mut dispatcher =
            dispatching.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        // Here, because what is started for it is to be ended by Ctrl-C.
        dispatcher.look_up_names();
        Ok((dispatcher.registry, ended))
    })
}

fn no_thread(error: &std::io::Error) -> Error {
    let errno = fewer::Errno::from_raw_os_error(error.raw_os_error().unwrap_or_default());
    Error::new(errno, "start", b"a thread")
}

fn dispatch<'a, 'b>(
    receive: &Receiver<Vec<Event>>,
    interval: Option<Duration>,
    sinks: &'a mut [&'b mut dyn EventSink],
) -> Dispatcher<'a, 'b> {
    let mut dispatcher = Dispatcher::new(sinks);
    if let Some(interval) = interval {
        dispatch_and_show(receive, interval, &mut dispatcher);
    }
    for events in receive {
        events.iter().for_each(|event| dispatcher.event(event));
    }
    dispatcher
}

/// Dispatches all events, and lets the sinks show what they know after each interval. One that was
/// too short for that is followed by a whole one.
fn dispatch_and_show(
    receive: &Receiver<Vec<Event>>,
    interval: Duration,
    dispatcher: &mut Dispatcher,
) {
    let mut symbols = Symbols::local();
    let mut end = Instant::now() + interval;
    loop {
        match receive.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(events) => events.iter().for_each(|event| dispatcher.event(event)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        if Instant::now() >= end {
            dispatcher.show(&mut symbols);
            end = Instant::now().max(end + interval);
        }
    }
}

/// Hands the events of a recording, or of a log, to all sinks.
///
/// # Errors
///
/// The first one among the events. What came before it has been handed over.
pub fn replay(
    events: impl Iterator<Item = Result<Event, Error>>,
    sinks: &mut [&mut dyn EventSink],
) -> Result<Registry, Error> {
    let mut dispatcher = Dispatcher::new(sinks);
    for event in events {
        dispatcher.event(&event?);
    }
    dispatcher.look_up_languages();
    Ok(dispatcher.registry)
}

struct Dispatcher<'a, 'b> {
    registry: Registry,
    sinks: &'a mut [&'b mut dyn EventSink],
    frames: Vec<(FrameId, PathId, u64, u32)>,
    programs: Vec<(PathId, Vec<Text>)>,
    known: FxHashSet<PathId>,
    /// From where metadata was asked for.
    asked: FxHashSet<StackId>,
    shown: Shown,
    latest: u64,
}

/// What was looked up to be shown before the end. At the end it is looked up again, also where that
/// takes long.
#[derive(Default)]
struct Shown {
    frames: FxHashSet<FrameId>,
    programs: FxHashSet<PathId>,
}

impl<'a, 'b> Dispatcher<'a, 'b> {
    fn new(sinks: &'a mut [&'b mut dyn EventSink]) -> Dispatcher<'a, 'b> {
        let registry = Registry::default();
        let (frames, programs) = (Vec::new(), Vec::new());
        let (known, shown) = (FxHashSet::default(), Shown::default());
        let asked = FxHashSet::default();
        Dispatcher { registry, sinks, frames, programs, known, asked, shown, latest: 0 }
    }

    fn event(&mut self, event: &Event) {
        self.note(event);
        self.registry.take(event);
        for sink in &mut *self.sinks {
            sink.event(event, &self.registry);
        }
    }

    /// Remembers what there is to look up in the end.
    fn note(&mut self, event: &Event) {
        match event {
            Event::Call(call) => {
                self.latest = self.latest.max(call.start + call.spent);
                if call.name.class() == Class::Stat {
                    self.asked.insert(call.stack);
                }
            }
            Event::Ended { at, .. } => self.latest = self.latest.max(*at),
            Event::Frame { id, module, address, process } => {
                self.frames.push((*id, *module, *address, *process));
            }
            Event::Process(process) if self.known.insert(process.program) => {
                self.programs.push((process.program, process.arguments.clone()));
            }
            Event::Program { path, .. } => self.programs.retain(|(program, _)| program != path),
            _ => {}
        }
    }

    /// Lets the sinks show what they know of the last interval.
    fn show(&mut self, symbols: &mut Symbols) {
        for (path, arguments) in &self.programs {
            if self.shown.programs.insert(*path) {
                let language = language(self.registry.path(*path), arguments);
                self.registry.take(&Event::Program { path: *path, language });
            }
        }
        let registry = &self.registry;
        let stacks: Vec<StackId> =
            self.sinks.iter_mut().flat_map(|sink| sink.interval_ended(registry)).collect();
        let wanted: FxHashSet<(PathId, u64)> = stacks
            .iter()
            .flat_map(|stack| registry.stack(*stack))
            .filter(|frame| frame.locations.is_empty())
            .map(|frame| (frame.module, frame.address))
            .collect();
        let mut frames = Vec::new();
        for (id, module, address, process) in &self.frames {
            let is_wanted = wanted.contains(&(*module, *address))
                && registry.frame(*id).locations.is_empty()
                && self.shown.frames.insert(*id);
            if is_wanted {
                frames.push((*id, registry.path(*module), *address, *process));
            }
        }
        for event in symbols.resolve(&frames) {
            self.registry.take(&event);
        }
        for sink in &mut *self.sinks {
            sink.show(&self.registry);
        }
    }

    fn look_up_names(&mut self) {
        let (registry, shown) = (&self.registry, &self.shown.frames);
        let unnamed = self
            .frames
            .iter()
            .filter(|(id, ..)| registry.frame(*id).locations.is_empty() || shown.contains(id));
        let frames: Vec<_> = unnamed
            .map(|(id, module, address, process)| (*id, registry.path(*module), *address, *process))
            .collect();
        let locations = Symbols::new().resolve(&frames);
        for event in locations {
            self.event(&event);
        }
        self.look_up_uses();
        self.look_up_languages();
        self.event(&Event::End { at: self.latest });
    }

    /// What the source text wants of answers: only where it says so.
    fn look_up_uses(&mut self) {
        let mut files = SourceFiles::default();
        let own = |stack: StackId| {
            let own = own_frame(&self.registry, stack)?;
            self.registry.stack_frames(stack).get(own.depth).copied()
        };
        let asking: FxHashSet<FrameId> =
            self.asked.iter().filter_map(|stack| own(*stack)).collect();
        let frames = std::mem::take(&mut self.frames).into_iter();
        for (frame, .., process) in frames.filter(|(frame, ..)| asking.contains(frame)) {
            let registry = &self.registry;
            let directory = registry.process(process).map_or(PathId::NONE, |it| it.directory);
            let directory = registry.path(directory);
            let mut locations = registry.frame(frame).locations.iter();
            let only_kind = locations.find_map(|it| files.only_kind(it, directory));
            if let Some(only_kind) = only_kind {
                self.event(&Event::Wanted { frame, only_kind });
            }
        }
    }

    /// A log of strace does not say them.
    fn look_up_languages(&mut self) {
        for (path, arguments) in std::mem::take(&mut self.programs) {
            let language = language(self.registry.path(path), &arguments);
            self.event(&Event::Program { path, language });
        }
    }
}

/// The words of a command as text.
#[must_use]
pub fn words(command: &[OsString]) -> Vec<Text> {
    use std::os::unix::ffi::OsStrExt;
    command.iter().map(|word| Text::from(word.as_bytes())).collect()
}
