//! The price of calls that cannot be made again on the files of the program, by kind: measured on
//! other files of this machine.

use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::time::Duration;

use rustc_hash::FxHashMap;

use sys::{CWD, Descriptor, How, Start, Stream};

mod rewriting;

use super::estimate::Estimate;
use super::operation::Operation;
use super::replay::{TimedAct, replay};
use super::sample::SampledAct;
use super::stopwatch::{Lap, done, measure};
use crate::bytes;

/// Prices of kinds, each measured once.
#[derive(Debug, Default)]
pub(super) struct Calibration {
    prices: FxHashMap<(Operation, bool, usize, Target), Estimate>,
}

/// What is written to.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
enum Target {
    /// A regular file, or what is not written to.
    File,
    /// /dev/null.
    Nothing,
    /// A pipe, a socket, a terminal: another process reads it.
    Reader,
}

impl Target {
    fn of(one: &SampledAct) -> Target {
        match one.file.as_deref().map(CStr::to_bytes) {
            Some(b"/dev/null") => Target::Nothing,
            Some(path) if path.starts_with(b"/dev/pts/") || path == b"/dev/tty" => Target::Reader,
            Some(_) => Target::File,
            None => Target::Reader,
        }
    }
}

impl Calibration {
    /// The nanoseconds of acts of a kind like these.
    pub(super) fn price(
        &mut self,
        kind: Operation,
        sequence: &[SampledAct],
        limit: Duration,
    ) -> Estimate {
        let Some(one) = sequence.get(sequence.len() / 2) else { return Estimate::default() };
        let target = if kind == Operation::Write { Target::of(one) } else { Target::File };
        let key = (kind, one.failed, one.moved.next_power_of_two(), target);
        if let Some(price) = self.prices.get(&key) {
            return *price;
        }
        let price = stand_in(kind, one, target).and_then(|mut acts| measure(limit, &mut *acts));
        // Where no other file will do, it costs as much as the cheapest call.
        let cheap = || replay(Operation::Seek, &[at(program(), one.moved)]);
        let price = price.or_else(|| cheap().and_then(|mut acts| measure(limit, &mut *acts)));
        let price = price.unwrap_or_default();
        self.prices.insert(key, price);
        price
    }
}

fn at(file: CString, moved: usize) -> SampledAct {
    SampledAct { file: Some(file), moved, failed: false }
}

/// A regular file that is always there: this program.
fn program() -> CString {
    let path = std::env::current_exe().unwrap_or_default();
    CString::new(path.as_os_str().as_bytes()).unwrap_or_default()
}

fn stand_in(kind: Operation, one: &SampledAct, target: Target) -> Option<TimedAct<'static>> {
    let missing = || SampledAct { file: Some(c"/usr/no such file".into()), moved: 0, failed: true };
    let root = || at(c"/usr".into(), 0);
    match kind {
        Operation::Stat | Operation::StatLink | Operation::Access | Operation::Open
            if one.failed =>
        {
            replay(kind, &[missing()])
        }
        Operation::Stat
        | Operation::StatLink
        | Operation::StatOpen
        | Operation::Access
        | Operation::Open
        | Operation::Close
        | Operation::Seek
        | Operation::Terminal
        | Operation::Attribute
        | Operation::AttributeOfLink
        | Operation::AttributeNames
        | Operation::AttributeNamesOfLink => replay(kind, &times(at(program(), 0))),
        Operation::Read => replay(kind, &[at(program(), one.moved)]),
        Operation::Whole => replay(kind, &[at(c"/etc/passwd".into(), 0)]),
        Operation::Entries | Operation::EntriesEnd => replay(kind, &[root()]),
        Operation::Link => replay(kind, &times(at(c"/proc/self/exe".into(), 0))),
        Operation::Directory | Operation::Owner => replay(kind, &[]),
        // The way to the directory is most of it, and permission to enter it is asked for too.
        Operation::Enter => {
            replay(Operation::Access, &times(one.file.clone().map_or(root(), |f| at(f, 0))))
        }
        Operation::EnterOpen => replay(Operation::StatOpen, &[root()]),
        // Each is a look at the table of descriptors and little else.
        Operation::Control => replay(Operation::Seek, &[at(program(), 0)]),
        Operation::Duplicate => duplicating(),
        Operation::Write => writing(one, target),
        Operation::WriteWhole | Operation::Replace => {
            rewriting::rewriting(one, kind == Operation::Replace)
        }
        Operation::Sync => syncing(one),
        Operation::Spawn => spawning(),
        Operation::Other => None,
    }
}

/// Often enough that the time of reading the clock does not count.
fn times(one: SampledAct) -> Vec<SampledAct> {
    vec![one; 64]
}

fn duplicating() -> Option<TimedAct<'static>> {
    const TIMES: usize = 32;
    let file = sys::open_at_once(CWD, &program()).ok()?;
    Some(Box::new(move || {
        let mut held = Vec::with_capacity(TIMES);
        let copies = (0..TIMES).map(|_| sys::duplicate(file.as_fd()));
        Lap::of(TIMES, || held.extend(copies))
    }))
}

/// A file without a name, in the directory of that one or for temporary files: on the same file
/// system if that can be written to, and gone when it is closed.
fn nameless(one: &SampledAct) -> Option<Descriptor> {
    let beside = one.file.as_deref().and_then(|file| bytes::parent(file.to_bytes()));
    let temporary = std::env::temp_dir().into_os_string().into_vec();
    let directories = beside.map(<[u8]>::to_vec).into_iter().chain([temporary]);
    let mut names = directories.filter_map(|directory| CString::new(directory).ok());
    names.find_map(|name| sys::create_nameless(CWD, &name).ok())
}

/// Writes as many bytes at a time as the program did.
fn writing(one: &SampledAct, target: Target) -> Option<TimedAct<'static>> {
    const WRITES: usize = 32;
    const LARGEST: usize = 1 << 20;
    let block = vec![b'x'; one.moved.clamp(1, LARGEST)];
    match target {
        Target::Reader => through_pipe(block),
        Target::File | Target::Nothing => {
            let file = match target {
                Target::Nothing => sys::open_how(CWD, c"/dev/null", How::Existing).ok()?,
                _ => nameless(one)?,
            };
            Some(Box::new(move || {
                let write = |_| done(sys::write(file.as_fd(), &block));
                let lap = Lap::of(WRITES, || (0..WRITES).for_each(write));
                // Over and over the same pages: the disk does not fill.
                let _ = sys::set_position(&file, 0);
                lap
            }))
        }
    }
}

/// No process waits at the other end, so waking one is not in the price.
fn through_pipe(mut block: Vec<u8>) -> Option<TimedAct<'static>> {
    const PIPE_BYTES: usize = 32 << 10;
    block.truncate(PIPE_BYTES);
    let (reader, writer) = sys::pipe().ok()?;
    let writes = (PIPE_BYTES / block.len()).clamp(1, 16);
    let mut drain = vec![0; PIPE_BYTES];
    Some(Box::new(move || {
        let write = |_| done(sys::write(writer.as_fd(), &block));
        let lap = Lap::of(writes, || (0..writes).for_each(write));
        let mut left = writes * block.len();
        while left > 0 {
            match sys::read(&reader, &mut drain) {
                Ok(got) if got > 0 => left = left.saturating_sub(got),
                _ => break,
            }
        }
        lap
    }))
}

fn syncing(one: &SampledAct) -> Option<TimedAct<'static>> {
    let file = nameless(one)?;
    Some(Box::new(move || {
        let _ = sys::set_position(&file, 0);
        let _ = sys::write(file.as_fd(), b"something new");
        Lap::waiting(|| done(sys::sync_data(&file)))
    }))
}

/// Starts the smallest program there is. Which one the traced program started does not matter: it
/// may do anything, so it is not started again.
fn spawning() -> Option<TimedAct<'static>> {
    let name = [c"/bin/true", c"/usr/bin/true"];
    let name = name.into_iter().find(|name| sys::access(CWD, name).is_ok())?;
    Some(Box::new(move || Lap::waiting(|| done(spawn(name)))))
}

fn spawn(program: &CStr) -> Result<(), sys::Errno> {
    let child = sys::start(&Start {
        program,
        search: false,
        arguments: &[program.to_owned()],
        environment: &[],
        directory: None::<BorrowedFd>,
        streams: [Stream::Null; 3],
        mask: None,
    })?;
    sys::wait(&child, true).map(drop)
}
