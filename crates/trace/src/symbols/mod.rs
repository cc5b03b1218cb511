//! From addresses to functions and lines; what a program is written in.
//!
//! | module | what is in it |
//! |---|---|
//! | `elf` | functions and lines of mapped files, through blazesym |
//! | `jit` | functions that a running program has compiled: /tmp/perf-PID.map |
//! | `script` | what an interpreter calls its functions there |
//! | `language`, `sections` | what an executable is written in, or interprets |
//! | `executable` | an open executable |

mod elf;
mod executable;
mod jit;
mod language;
mod script;
mod sections;

use std::collections::BTreeMap;

use self::elf::Elf;
pub use self::language::language;
use crate::{Event, FrameId, Location};

/// Looks up where in the source text frames are. Every file is read once.
#[derive(Debug, Default)]
pub struct Symbols {
    elf: Elf,
}

impl Symbols {
    /// Nothing has been read yet.
    #[must_use]
    pub fn new() -> Symbols {
        Symbols::default()
    }

    /// The locations of frames: number, module, address in it, and a process that has it mapped, as
    /// [`Event::Frame`] has them. One [`Event::Locations`] for each frame of which anything is
    /// known, in the order of the frames.
    ///
    /// A file that has gone, or that another one has replaced, is not asked.
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
                _ => self.elf.locations(module, &addresses),
            };
            for (at, found) in members.into_iter().zip(found) {
                locations[at] = found;
            }
        }
        let named = frames.iter().zip(locations).filter(|(_, locations)| !locations.is_empty());
        named.map(|(&(frame, ..), locations)| Event::Locations { frame, locations }).collect()
    }
}
