//! From addresses to functions and lines; what a program is written in.
//!
//! | module | what is in it |
//! |---|---|
//! | `elf` | functions and lines of mapped files, through blazesym |
//! | `separate` | what a file says about debug information that is not in it |
//! | `debuginfod` | debug information from servers |
//! | `pool` | functions that do what an asynchronous task has asked for |
//! | `jit` | functions that a running program has compiled: /tmp/perf-PID.map |
//! | `script` | what an interpreter calls its functions there |
//! | `language`, `sections` | what an executable is written in, or interprets |
//! | `executable` | an open executable |
//! | `source_files` | the source text around a line, where it can be had |
//! | `answer_use` | what a source text does with the answer of `stat` |

mod answer_use;
mod debuginfod;
mod elf;
mod executable;
mod jit;
mod language;
mod pool;
mod script;
mod sections;
mod separate;
mod source_files;

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use self::debuginfod::Client;
use self::elf::Elf;
pub use self::language::language;
use self::separate::{Separate, by_build_id};
pub(crate) use self::source_files::SourceFiles;
use crate::own_frame::is_runtime;
use crate::{Event, FrameId, Location, Note};

/// Where distributions install separate debug files.
const DEBUG_FOLDERS: [&str; 2] = ["/usr/lib/debug", "/lib/debug"];

/// Looks up where in the source text frames are. Every file is read once.
#[derive(Debug)]
pub struct Symbols {
    elf: Elf,
    folders: Vec<PathBuf>,
    client: Option<Client>,
    /// What was said of the pools of which processes.
    pools: BTreeSet<(&'static str, u32)>,
}

impl Default for Symbols {
    fn default() -> Symbols {
        Symbols::new()
    }
}

impl Symbols {
    /// Nothing has been read yet. Servers for debug information are those of the environment.
    #[must_use]
    pub fn new() -> Symbols {
        Symbols::with(DEBUG_FOLDERS.map(PathBuf::from).into(), Client::from_environment())
    }

    /// The same without servers.
    pub(crate) fn local() -> Symbols {
        Symbols::with(DEBUG_FOLDERS.map(PathBuf::from).into(), None)
    }

    fn with(folders: Vec<PathBuf>, client: Option<Client>) -> Symbols {
        let cached = client.as_ref().map(Client::folder);
        let elf = Elf::new(&folders.iter().cloned().chain(cached).collect::<Vec<_>>());
        Symbols { elf, folders, client, pools: BTreeSet::new() }
    }

    /// The locations of frames: number, module, address in it, and a process that has it mapped, as
    /// [`Event::Frame`] has them. One [`Event::Locations`] for each frame of which anything is
    /// known, in the order of the frames; then an [`Event::Note`] for each
    /// pool of threads whose tasks are not known, and for each server that failed.
    ///
    /// A file that has gone, or that another one has replaced, is not asked. Where a file has no
    /// lines of its own they are looked for in separate debug files, then on the servers of
    /// `DEBUGINFOD_URLS`, and the names at least in its `.gnu_debugdata`.
    pub fn resolve(&mut self, frames: &[(FrameId, &[u8], u64, u32)]) -> Vec<Event> {
        let mut groups: BTreeMap<(&[u8], u32), Vec<usize>> = BTreeMap::new();
        for (at, &(_, module, _, process)) in frames.iter().enumerate() {
            // Only what lies in no file depends on the process.
            let owner = if module == jit::MODULE { process } else { 0 };
            groups.entry((module, owner)).or_default().push(at);
        }
        let mut locations: Vec<Vec<Location>> = vec![Vec::new(); frames.len()];
        for ((module, process), members) in groups {
            let addresses: Vec<u64> = members.iter().map(|&at| frames[at].2).collect();
            let found = match module {
                jit::MODULE => jit::locations(process, &addresses),
                b"[vdso]" => self.elf.vdso_locations(&addresses),
                _ => self.of_file(module, &addresses),
            };
            for (at, found) in members.into_iter().zip(found) {
                locations[at] = found;
            }
        }
        let mut notes = Vec::new();
        for (&(.., process), locations) in frames.iter().zip(&locations) {
            let pool = locations.iter().find_map(|location| pool::of(&location.function));
            if let Some(pool) = pool
                && self.pools.insert((pool, process))
            {
                notes.push(pool::note(pool, process));
            }
        }
        let named = frames.iter().zip(locations).filter(|(_, locations)| !locations.is_empty());
        let named = named.map(|(&(frame, ..), locations)| Event::Locations { frame, locations });
        let failures = self.client.as_mut().map(Client::take_failures).unwrap_or_default();
        let failures = failures
            .into_iter()
            .map(|text| Event::Note(Note { id: "debuginfod".to_owned(), process: 0, text }));
        named.chain(notes).chain(failures).collect()
    }

    /// The locations of addresses in a file, from wherever they can be had.
    fn of_file(&mut self, file: &[u8], addresses: &[u64]) -> Vec<Vec<Location>> {
        let mut found = self.elf.locations(file, addresses);
        let has_lines = found.iter().flatten().any(|location| location.line > 0);
        let is_named = found.iter().all(|locations| !locations.is_empty());
        // No user mends a line of the C library.
        if has_lines || is_runtime(file) && is_named {
            return found;
        }
        let Some(separate) = Separate::of(file) else { return found };
        if !separate.has_debug_info && !is_runtime(file) {
            let debug_file = self.debug_file(&separate.build_id, file);
            if let Some(path) = debug_file {
                prefer(&mut found, self.of_debug_file(path.as_os_str().as_bytes(), addresses));
            }
        }
        if found.iter().any(Vec::is_empty) {
            let named = separate.packed_functions(addresses);
            let unnamed = found.iter_mut().zip(named).filter(|(found, _)| found.is_empty());
            unnamed.for_each(|(found, named)| *found = named);
        }
        found
    }

    /// The locations of addresses in a debug file. Where the file with what programs share is
    /// missing, a line may have no name: the table of functions has it.
    fn of_debug_file(&self, file: &[u8], addresses: &[u64]) -> Vec<Vec<Location>> {
        let mut found = self.elf.locations(file, addresses);
        if found.iter().flatten().any(|location| location.function.is_empty()) {
            for (found, named) in found.iter_mut().zip(self.elf.names(file, addresses)) {
                // The outermost is the function of the table; what is inlined into it has no place.
                if let (Some(outermost), Some(named)) = (found.last_mut(), named.into_iter().last())
                    && outermost.function.is_empty()
                {
                    outermost.function = named.function;
                }
            }
        }
        found
    }

    /// The debug file of a build id: installed here, or from a server.
    fn debug_file(&mut self, build_id: &str, subject: &[u8]) -> Option<PathBuf> {
        let of = |path: &Path| Separate::of(path.as_os_str().as_bytes());
        let candidates = self.folders.iter().filter_map(|folder| by_build_id(folder, build_id));
        let is_it = |path: &PathBuf| of(path).is_some_and(|file| file.build_id == build_id);
        if let Some(installed) = candidates.into_iter().find(is_it) {
            return Some(installed);
        }
        let client = self.client.as_mut().filter(|_| !build_id.is_empty())?;
        let path = client.debug_file(build_id, subject)?;
        let shared = of(&path).map(|file| file.shared).unwrap_or_default();
        if !shared.is_empty() {
            client.shared_file(&shared, subject);
        }
        Some(path)
    }
}

/// Takes what another file says where it says anything.
fn prefer(found: &mut [Vec<Location>], better: Vec<Vec<Location>>) {
    let better = found.iter_mut().zip(better).filter(|(_, better)| !better.is_empty());
    better.for_each(|(found, better)| *found = better);
}

#[cfg(test)]
mod tests;
