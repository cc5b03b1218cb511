//! The kernel's program: loaded, attached, and what it says. It ends with this process.

use std::fs;
use std::os::fd::AsRawFd;

use aya::maps::{Array, HashMap, Map, MapData, PerCpuArray, RingBuf};
use aya::programs::RawTracePoint;
use aya::{Ebpf, EbpfLoader, Pod};

use super::plans;
use crate::Error;
use crate::source::ptrace::Pid;

/// What clang makes of `calls.bpf.c`.
#[repr(C, align(8))]
struct Aligned<T: ?Sized>(T);
static OBJECT: &Aligned<[u8]> = &Aligned(*include_bytes!("calls.bpf.o"));

/// Where in the kernel each of its functions is called.
const PLACES: [(&str, &str); 6] = [
    ("on_fork", "sched_process_fork"),
    ("on_exec", "sched_process_exec"),
    ("on_end", "sched_process_exit"),
    ("on_signal", "signal_deliver"),
    ("on_exit", "sys_exit"),
    ("on_enter", "sys_enter"),
];

/// How much room there is for records, if nothing else was said.
const RING_BYTES: u32 = 64 << 20;

/// The least: a record has to fit in.
const LEAST_RING_BYTES: u32 = 32 << 10;

/// What is recorded.
pub(super) struct Settings {
    /// Of all processes.
    pub(super) everything: bool,
    /// Every call.
    pub(super) every_call: bool,
    pub(super) stacks: bool,
    pub(super) ring: Option<u32>,
}

/// `struct settings` in `calls.bpf.c`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Words {
    own: u32,
    everything: u32,
    every_call: u32,
    stacks: u32,
    is_aarch64: u32,
    wakes_at: u32,
}

// SAFETY: numbers without gaps between them; any bytes are such a value.
unsafe impl Pod for Words {}

/// It runs as long as this lives.
pub(crate) struct Program {
    ring: RingBuf<MapData>,
    processes: HashMap<MapData, u32, u32>,
    lost: PerCpuArray<MapData, u64>,
    _loaded: Ebpf,
}

impl Program {
    /// Loads and attaches it. No process is watched yet, or all are.
    pub(super) fn load(settings: &Settings) -> Result<Program, Error> {
        check_privilege()?;
        let size = settings.ring.unwrap_or(RING_BYTES).max(LEAST_RING_BYTES);
        let size = size.checked_next_power_of_two().unwrap_or(1 << 31);
        let mut loaded = EbpfLoader::new()
            .map_max_entries("RING", size)
            .load(&OBJECT.0)
            .map_err(|error| refused(&error))?;
        let words = Words {
            own: std::process::id(),
            everything: settings.everything.into(),
            every_call: settings.every_call.into(),
            stacks: settings.stacks.into(),
            is_aarch64: cfg!(target_arch = "aarch64").into(),
            wakes_at: size / 8,
        };
        let mut array =
            Array::try_from(map(&mut loaded, "SETTINGS")?).map_err(|it| refused(&it))?;
        array.set(0, words, 0).map_err(|it| refused(&it))?;
        let mut array = Array::try_from(map(&mut loaded, "PLANS")?).map_err(|it| refused(&it))?;
        for (number, plan) in plans::words() {
            array.set(number, plan, 0).map_err(|it| refused(&it))?;
        }
        let ring = RingBuf::try_from(map(&mut loaded, "RING")?).map_err(|it| refused(&it))?;
        let processes =
            HashMap::try_from(map(&mut loaded, "PROCESSES")?).map_err(|it| refused(&it))?;
        let lost = PerCpuArray::try_from(map(&mut loaded, "LOST")?).map_err(|it| refused(&it))?;
        for (name, place) in PLACES {
            attach(&mut loaded, name, place)?;
        }
        Ok(Program { ring, processes, lost, _loaded: loaded })
    }

    /// Begins to record the calls of a process, and of its children from now on.
    pub(super) fn watch(&mut self, process: Pid) -> Result<(), Error> {
        self.processes.insert(process.cast_unsigned(), 1, 0).map_err(|error| refused(&error))
    }

    /// Takes the next record; whether there was one.
    pub(super) fn next(&mut self, bytes: &mut Vec<u8>) -> bool {
        let Some(item) = self.ring.next() else { return false };
        bytes.clear();
        bytes.extend_from_slice(&item);
        true
    }

    /// How many records found no room.
    pub(super) fn lost(&self) -> u64 {
        self.lost.get(&0, 0).map_or(0, |counts| counts.iter().sum())
    }

    /// Waits until there is something to do at once, for at most so many milliseconds.
    pub(super) fn wait(&self, milliseconds: i32) {
        let (fd, events) = (self.ring.as_raw_fd(), libc::POLLIN);
        let mut poll = libc::pollfd { fd, events, revents: 0 };
        // SAFETY: the kernel writes one `pollfd`. Whatever ends the wait, the ring is looked at.
        unsafe { libc::poll(&raw mut poll, 1, milliseconds) };
    }
}

fn map(loaded: &mut Ebpf, name: &str) -> Result<Map, Error> {
    loaded.take_map(name).ok_or_else(|| unsupported(format!("its program has no {name}")))
}

fn attach(loaded: &mut Ebpf, name: &str, place: &str) -> Result<(), Error> {
    let program = loaded.program_mut(name);
    let program = program.ok_or_else(|| unsupported(format!("its program has no {name}")))?;
    let program: &mut RawTracePoint = program.try_into().map_err(|it| refused(&it))?;
    program.load().map_err(|it| refused(&it))?;
    program.attach(place).map_err(|it| refused(&it))?;
    Ok(())
}

fn unsupported(why: String) -> Error {
    Error::Unsupported { what: "by the kernel", why }
}

/// What went wrong and the innermost reason, in one line: what a verifier says has many.
fn refused(error: &dyn std::error::Error) -> Error {
    let line = |error: &dyn std::error::Error| {
        error.to_string().lines().next().unwrap_or_default().trim().to_owned()
    };
    let mut innermost = error;
    while let Some(inner) = innermost.source() {
        innermost = inner;
    }
    let (what, why) = (line(error), line(innermost));
    unsupported(if what.contains(&why) { what } else { format!("{what}: {why}") })
}

/// The capabilities that it takes.
const CAPABILITIES: [(u32, &str); 3] =
    [(39, "CAP_BPF"), (38, "CAP_PERFMON"), (19, "CAP_SYS_PTRACE")];

/// Older kernels have this one for the first two.
const CAP_SYS_ADMIN: u32 = 21;

/// The first pid namespace has always this number.
const FIRST_NAMESPACE: &[u8] = b"pid:[4026531836]";

fn check_privilege() -> Result<(), Error> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let effective = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    let effective = effective.and_then(|text| u64::from_str_radix(text.trim(), 16).ok());
    let has = |number: u32| effective.unwrap_or(0) & 1 << number != 0;
    let missing: Vec<&str> = CAPABILITIES
        .iter()
        .filter(|(number, _)| !(has(*number) || *number > 30 && has(CAP_SYS_ADMIN)))
        .map(|(_, name)| *name)
        .collect();
    if !missing.is_empty() {
        return Err(unsupported(format!(
            "only root can, or what has {} and has not got {}",
            CAPABILITIES.map(|(_, name)| name).join(", "),
            missing.join(", ")
        )));
    }
    let own = crate::source::proc::pid_namespace(std::process::id().cast_signed());
    if own.is_some_and(|own| own != FIRST_NAMESPACE) {
        return Err(unsupported(
            "its processes have other numbers than here, in a pid namespace of its own".to_owned(),
        ));
    }
    Ok(())
}
