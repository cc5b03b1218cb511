//! What is known of the places that an address space makes calls from.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::patch::{Patch, SYSCALL, STUB};
use super::shared::Shared;
use crate::source::ptrace::Pid;

/// After so many stops a site is patched.
const STOPS: u32 = 8;

/// So many stops cost a program about as much as to have the agent brought in. Programs that make
/// fewer calls never pay for it.
const STOPS_BEFORE: u32 = 100;

/// Room for stubs is asked for in pieces of this size.
pub(super) const ISLAND: u64 = 64 << 10;

/// A place that calls are made from, by the address behind its `syscall`.
#[derive(Clone, Debug, Default)]
struct Site {
    stops: u32,
    /// It cannot be patched.
    is_refused: bool,
    /// How it can be, and where the `syscall` of its stub is.
    stub: Option<(Patch, u64)>,
    /// Whether the jump stands there.
    is_patched: bool,
}

/// Room for stubs.
#[derive(Clone, Debug)]
struct Island {
    start: u64,
    used: u64,
}

/// The agent in an address space.
#[derive(Debug, Default)]
pub(crate) struct SpaceAgent {
    /// Stops at calls that the agent could have made, as long as it is not there.
    stops: u32,
    sites: FxHashMap<u64, Site>,
    /// By the address behind a stub's `syscall`: the site.
    stubs: FxHashMap<u64, u64>,
    islands: Vec<Island>,
    /// What is shared with it, and the thread that has the ring.
    pub(super) shared: Option<(Shared, Pid)>,
    /// Whether the memory has an agent in it: another process's, of which this one is a copy.
    pub(super) is_copy: bool,
    /// It is not used any more.
    pub(super) is_off: bool,
}

/// Where in a stub, or in the agent, a thread is, as the program's own code has it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Original {
    /// Before the site's call.
    Before(u64),
    /// At an address behind the `syscall` of a site.
    Behind(u64, u64),
}

impl SpaceAgent {
    /// That of a new process, whose memory is a copy of this one's.
    pub(crate) fn copy(&self) -> SpaceAgent {
        SpaceAgent {
            stops: 0,
            sites: self.sites.iter().map(|(at, site)| (*at, Site { stops: 0, ..site.clone() })).collect(),
            stubs: self.stubs.clone(),
            islands: self.islands.clone(),
            shared: None,
            is_copy: self.is_copy || self.shared.is_some(),
            is_off: self.is_off,
        }
    }

    /// Whether something of the agent is in the memory.
    pub(crate) fn is_there(&self) -> bool {
        self.is_copy || self.shared.is_some()
    }

    /// The address behind the site's `syscall`, for one behind a stub's.
    pub(crate) fn site(&self, ip: u64) -> u64 {
        self.stubs.get(&ip).copied().unwrap_or(ip)
    }

    /// The same for the address of a stub's `syscall` itself.
    pub(super) fn site_at(&self, traced: u64) -> Option<u64> {
        self.stubs.get(&traced.wrapping_add(SYSCALL)).copied()
    }

    /// A call stopped that was made from here: whether it is worth a patch by now.
    pub(super) fn stop(&mut self, ip: u64) -> bool {
        self.stops = self.stops.saturating_add(1);
        let is_worth_it = self.shared.is_some() || self.stops >= STOPS_BEFORE;
        let site = self.sites.entry(ip).or_default();
        site.stops = site.stops.saturating_add(1);
        let needs_it = !site.is_patched || self.shared.is_none();
        is_worth_it && needs_it && !site.is_refused && site.stops >= STOPS
    }

    /// Whether a jump stands at a site.
    pub(super) fn is_patched(&self, ip: u64) -> bool {
        self.sites.get(&ip).is_some_and(|site| site.is_patched)
    }

    /// A site's patch and the address of its stub's `syscall`, if it has ever had one.
    pub(super) fn stub(&self, ip: u64) -> Option<(Patch, u64)> {
        self.sites.get(&ip)?.stub.clone()
    }

    /// A site cannot be patched.
    pub(super) fn refuse(&mut self, ip: u64) {
        self.sites.entry(ip).or_default().is_refused = true;
    }

    /// At this address is other code by now.
    pub(super) fn forget(&mut self, ip: u64) {
        self.sites.remove(&ip);
    }

    /// The jump stands there now.
    pub(super) fn patched(&mut self, ip: u64, patch: Patch, traced: u64) {
        let site = self.sites.entry(ip).or_default();
        (site.stub, site.is_patched) = (Some((patch, traced)), true);
        self.stubs.insert(traced + SYSCALL, ip);
    }

    /// The original stands there again.
    pub(super) fn restored(&mut self, ip: u64) {
        if let Some(site) = self.sites.get_mut(&ip) {
            (site.is_patched, site.stops) = (false, 0);
        }
    }

    /// All sites at which a jump stands.
    pub(super) fn all_patched(&self) -> Vec<u64> {
        self.sites.iter().filter(|(_, site)| site.is_patched).map(|(ip, _)| *ip).collect()
    }

    /// Room for a stub within reach, if there is some.
    pub(super) fn room(&mut self, reach: &Range<u64>) -> Option<u64> {
        let island = self.islands.iter_mut().find(|island| {
            island.used + STUB as u64 <= ISLAND
                && reach.contains(&island.start)
                && reach.contains(&(island.start + ISLAND))
        })?;
        let at = island.start + island.used;
        island.used += STUB as u64;
        Some(at)
    }

    /// The last room that was given is not needed.
    pub(super) fn give_back(&mut self, at: u64) {
        let island = self.islands.iter_mut().find(|it| it.start + it.used == at + STUB as u64);
        if let Some(island) = island {
            island.used -= STUB as u64;
        }
    }

    /// There is more room.
    pub(super) fn add_island(&mut self, start: u64) {
        self.islands.push(Island { start, used: 0 });
    }

    /// What the address of a thread in a stub stands for. `None`: it is in none.
    pub(super) fn original(&self, ip: u64) -> Option<Original> {
        let island = self.islands.iter().find(|it| (it.start..it.start + it.used).contains(&ip))?;
        let start = ip - (ip - island.start) % STUB as u64;
        let (site, patch, traced) = self.sites.iter().find_map(|(site, known)| {
            let (patch, traced) = known.stub.as_ref()?;
            (start..start + STUB as u64).contains(traced).then_some((*site, patch, *traced))
        })?;
        if ip <= traced {
            return Some(Original::Before(site));
        }
        let behind = ip - (traced + SYSCALL);
        Some(Original::Behind(site, (site + behind).min(patch.end())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_in_a_stub_is_one_of_the_program() {
        let mut agent = SpaceAgent::default();
        agent.add_island(0x10_0000);
        let reach = 0..u64::MAX;
        assert_eq!(agent.room(&reach), Some(0x10_0000));
        let stub = agent.room(&reach).unwrap();
        assert_eq!(stub, 0x10_0040);
        let patch = Patch { site: 0x1005, original: vec![0x90; 8] };
        agent.patched(0x1007, patch, stub + 19);
        assert_eq!(agent.site(stub + 21), 0x1007);
        assert_eq!(agent.original(stub), Some(Original::Before(0x1007)));
        assert_eq!(agent.original(stub + 19), Some(Original::Before(0x1007)));
        assert_eq!(agent.original(stub + 21), Some(Original::Behind(0x1007, 0x1007)));
        assert_eq!(agent.original(stub + 24), Some(Original::Behind(0x1007, 0x100a)));
        // At the jump back.
        assert_eq!(agent.original(stub + 27), Some(Original::Behind(0x1007, 0x100d)));
        assert_eq!(agent.original(stub + 0x40), None);
        assert_eq!(agent.original(0x1007), None);
    }
}
