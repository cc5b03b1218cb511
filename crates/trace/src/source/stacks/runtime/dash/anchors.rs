//! Where dash keeps the line that it is at. Distributions strip it, but its complaints begin with
//! script, line and command: the code that prints them loads these from where they are kept.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::super::maps;
use crate::source::memory;

/// How a complaint begins (`error.c`): `$0`, the line in the file, the builtin.
const COMPLAINT: &[u8] = b"%s: %d: %s: \0";

/// So near to the use of that text the code loads what it prints.
const NEAR: usize = 64;

/// A program with more code is no dash.
const LARGEST: u64 = 4 << 20;

/// Places in memory.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Anchors {
    /// The line in the file: `errlinno`.
    pub(super) line: u64,
    /// Where the function begins that is under way, or 0: `funcline`.
    pub(super) function: Option<u64>,
    /// `$0`, and the name of the builtin or sourced file.
    pub(super) zero: u64,
    pub(super) command: u64,
}

/// Machine code, and where it lies.
struct Code<'c> {
    bytes: &'c [u8],
    start: u64,
}

/// An access to a place that the instruction itself names.
struct Access {
    /// The first byte behind the instruction's prefix.
    at: usize,
    /// The operation, and whether it is on eight bytes.
    operation: u8,
    is_wide: bool,
    register: u8,
    target: u64,
}

const LOAD: u8 = 0x8b;
const STORE: u8 = 0x89;
const ADDRESS: u8 = 0x8d;

impl Code<'_> {
    /// All accesses in a part of the code, also what only looks like one.
    fn accesses(&self, part: Range<usize>) -> impl Iterator<Item = Access> + '_ {
        part.filter_map(|at| {
            let &[operation, mode, a, b, c, d] = self.bytes.get(at..at + 6)? else { return None };
            // An address relative to the next instruction.
            if !matches!(operation, LOAD | STORE | ADDRESS) || mode & 0xc7 != 5 {
                return None;
            }
            let prefix = at.checked_sub(1).map_or(0, |before| self.bytes[before]);
            let prefix = if prefix & 0xf0 == 0x40 { prefix } else { 0 };
            let distance = i64::from(i32::from_le_bytes([a, b, c, d]));
            Some(Access {
                at,
                operation,
                is_wide: prefix & 8 != 0,
                register: mode >> 3 & 7 | (prefix & 4) << 1,
                target: (self.start + at as u64 + 6).wrapping_add_signed(distance),
            })
        })
    }
}

/// Looks for them in a process that has the file mapped. `None` if it is no dash that is known.
pub(super) fn find(process: libc::pid_t, path: &[u8]) -> Option<Anchors> {
    let table = std::fs::read(format!("/proc/{process}/maps")).ok()?;
    let parts: Vec<maps::Mapping> = maps::parse(&table).collect();
    let fetch = |part: &maps::Mapping| {
        let length = part.end.checked_sub(part.start).filter(|length| *length <= LARGEST)?;
        let mut bytes = Vec::new();
        memory::ranges(process, &[(part.start, usize::try_from(length).ok()?)], &mut bytes);
        Some(bytes)
    };
    let of_file = || parts.iter().filter(|part| part.name == path);
    let text = of_file().find_map(|part| {
        let found = memchr::memmem::find(&fetch(part)?, COMPLAINT)?;
        Some(part.start + found as u64)
    })?;
    let code = of_file().find(|part| part.executable)?;
    let bytes = fetch(code)?;
    // Variables lie behind the code, the last ones where the kernel has put empty memory.
    let variables = code.end..parts.iter().rfind(|part| part.name == path)?.end + LARGEST;
    in_code(&Code { bytes: &bytes, start: code.start }, text, &variables)
}

fn in_code(code: &Code, text: u64, variables: &Range<u64>) -> Option<Anchors> {
    let all = 0..code.bytes.len();
    let used = code.accesses(all.clone()).find(|access| {
        (access.operation, access.is_wide, access.target) == (ADDRESS, true, text)
    })?;
    let near = used.at.saturating_sub(NEAR)..used.at + NEAR;
    let loads = || {
        let loads = code.accesses(near.clone()).filter(|access| access.operation == LOAD);
        loads.filter(|access| variables.contains(&access.target))
    };
    let stores = |target: u64| {
        let is = move |it: &Access| (it.operation, it.is_wide, it.target) == (STORE, false, target);
        code.accesses(all.clone()).filter(is)
    };
    // Each kind of command stores its line.
    let line = loads().filter(|load| !load.is_wide).find(|load| stores(load.target).count() > 2)?;
    // The third and the fifth argument of the function that prints.
    let argument = |register: u8| {
        let load = loads().find(|load| load.is_wide && load.register == register)?;
        Some(load.target)
    };
    // To count the line from the beginning of the function, that is loaded right before.
    let mut votes: FxHashMap<u64, u32> = FxHashMap::default();
    for store in stores(line.target) {
        let before = store.at.saturating_sub(NEAR)..store.at;
        let loaded = code.accesses(before).filter(|access| {
            (access.operation, access.is_wide) == (LOAD, false)
                && access.target != line.target
                && variables.contains(&access.target)
        });
        for target in loaded.map(|access| access.target).collect::<FxHashSet<u64>>() {
            *votes.entry(target).or_default() += 1;
        }
    }
    let function = votes.into_iter().filter(|vote| vote.1 > 2).max_by_key(|vote| vote.1);
    Some(Anchors {
        line: line.target,
        function: function.map(|vote| vote.0),
        zero: argument(2)?,
        command: argument(8)?,
    })
}
