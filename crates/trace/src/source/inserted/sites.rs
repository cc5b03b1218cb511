//! What is known of the places that an address space makes calls from.

use std::ops::Range;

use ::agent::layout;
use rustc_hash::FxHashMap;

use super::misses::{Misses, STOPS};
use super::patch::{Patch, STUB, SYSCALL, stub_of};
use super::rings::Shared;
use crate::source::Tier;

/// What was in vain so often is in vain for long.
const MOST_DELAYS: u32 = 16;

/// So many handlers of signals are waited for; if there are more, no code is patched any more.
const MOST_INTERRUPTED: usize = 256;

/// So many stops cost a program about as much as to have the agent brought in. Programs that make
/// fewer calls never pay for it.
const STOPS_BEFORE: u32 = 100;

/// Room for stubs is asked for in pieces of this size.
pub(crate) const ISLAND: u64 = 64 << 10;

/// A place that calls are made from, by the address behind its `syscall`.
#[derive(Clone, Debug, Default)]
struct Site {
    stops: u32,
    /// How often its code was to be changed while other threads ran, or was changed back: each time
    /// it takes twice as many stops until it is changed.
    delays: u32,
    /// Stops although it is patched.
    misses: Misses,
    /// It cannot be patched.
    is_refused: bool,
    /// How it can be, and where the `syscall` of its stub is.
    stub: Option<(Patch, u64)>,
    /// Whether the jump stands there.
    is_patched: bool,
}

impl Site {
    /// Whether it has stopped often enough to be patched.
    fn is_due(&self) -> bool {
        self.stops >= self.misses.stops().max(STOPS << self.delays)
    }
}

/// Room for stubs.
#[derive(Clone, Debug)]
struct Island {
    start: u64,
    used: u64,
}

impl Island {
    /// Whether it has capacity for one more stub, and lies within reach.
    fn has_capacity(&self, reach: &Range<u64>) -> bool {
        let end = self.start + ISLAND;
        self.used + STUB as u64 <= ISLAND && reach.contains(&self.start) && reach.contains(&end)
    }
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
    /// Where threads go on when the handlers of signals return, if that is behind a `syscall`, and
    /// their stack pointers there.
    interrupted: Vec<(u64, u64)>,
    /// What is shared with it.
    pub(crate) shared: Option<Shared>,
    /// Whether the memory has an agent in it: another process's, of which this one is a copy.
    pub(crate) is_copy: bool,
    /// It is not used any more.
    pub(crate) is_off: bool,
    /// No more code is patched.
    pub(crate) is_full: bool,
}

/// Where in a stub, or in the agent, a thread is, as the program's own code has it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Original {
    /// Before the site's call.
    Before(u64),
    /// At an address behind the `syscall` of a site.
    Behind(u64, u64),
}

impl SpaceAgent {
    /// A thread has stopped at so many calls that the agent could have made: whether it is worth a
    /// ring of its own by now. That costs little, but there may be more threads than rings.
    pub(crate) fn is_worth_a_ring(&self, stops: u32, tier: Tier) -> bool {
        let Some(shared) = self.shared.as_ref().filter(|_| stops >= STOPS) else { return false };
        let is_easy = tier == Tier::Agent || shared.rings_taken() < layout::SLOTS / 2;
        (is_easy || stops >= STOPS_BEFORE) && shared.has_free_ring()
    }

    /// That of a new process, whose memory is a copy of this one's.
    pub(crate) fn copy(&self) -> SpaceAgent {
        SpaceAgent {
            stops: 0,
            sites: self
                .sites
                .iter()
                .map(|(at, site)| {
                    (*at, Site { stops: 0, misses: Misses::default(), ..site.clone() })
                })
                .collect(),
            stubs: self.stubs.clone(),
            islands: self.islands.clone(),
            interrupted: self.interrupted.clone(),
            shared: None,
            is_copy: self.is_copy || self.shared.is_some(),
            is_off: self.is_off,
            is_full: self.is_full,
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
    pub(crate) fn site_at(&self, traced: u64) -> Option<u64> {
        self.stubs.get(&traced.wrapping_add(SYSCALL)).copied()
    }

    /// A call stopped that was made from here: whether it is worth a patch by now, or a ring.
    pub(crate) fn stop(&mut self, ip: u64, tier: Tier, wants_ring: bool) -> bool {
        self.stops = self.stops.saturating_add(1);
        let is_wanted = self.shared.is_some() || tier == Tier::Agent;
        let is_worth_it = is_wanted || self.stops >= STOPS_BEFORE;
        let site = self.sites.entry(ip).or_default();
        site.stops = site.stops.saturating_add(1);
        let needs_it = !site.is_patched || self.shared.is_none() || wants_ring;
        is_worth_it && needs_it && !site.is_refused && site.is_due()
    }

    /// A signal interrupts a thread behind a `syscall`: that must not be patched until its handler
    /// has returned.
    pub(crate) fn interrupt(&mut self, ip: u64, sp: u64) {
        if !self.interrupted.contains(&(ip, sp)) {
            self.interrupted.push((ip, sp));
        }
        self.is_full |= self.interrupted.len() > MOST_INTERRUPTED;
    }

    /// A thread has this stack pointer: handlers for which it was interrupted with the same one
    /// have returned, or never will. As long as they run it is another.
    pub(crate) fn has_returned(&mut self, sp: u64) {
        self.interrupted.retain(|(_, at)| *at != sp);
    }

    /// Whether a handler may return into the midst of this.
    pub(crate) fn is_interrupted(&self, patch: &Patch) -> bool {
        self.interrupted.iter().any(|(ip, _)| (patch.site + 1..patch.end()).contains(ip))
    }

    /// Whether a jump stands at a site.
    pub(crate) fn is_patched(&self, ip: u64) -> bool {
        self.sites.get(&ip).is_some_and(|site| site.is_patched)
    }

    /// A site's patch and the address of its stub's `syscall`, if it has ever had one.
    pub(crate) fn stub(&self, ip: u64) -> Option<(Patch, u64)> {
        self.sites.get(&ip)?.stub.clone()
    }

    /// Whether any stub goes on at one of these addresses.
    pub(crate) fn jumps_into(&self, range: &Range<u64>) -> bool {
        let mut patches = self.sites.values().filter_map(|site| site.stub.as_ref());
        patches.any(|(patch, _)| range.contains(&patch.next))
    }

    /// A site cannot be patched.
    pub(crate) fn refuse(&mut self, ip: u64) {
        self.sites.entry(ip).or_default().is_refused = true;
    }

    /// At this address is other code by now.
    pub(crate) fn forget(&mut self, ip: u64) {
        self.sites.remove(&ip);
    }

    /// There is a stub.
    pub(crate) fn has_stub(&mut self, ip: u64, patch: Patch, traced: u64) {
        self.sites.entry(ip).or_default().stub = Some((patch, traced));
        self.stubs.insert(traced + SYSCALL, ip);
    }

    /// The jump stands there now.
    pub(crate) fn patched(&mut self, ip: u64) {
        self.sites.entry(ip).or_default().is_patched = true;
    }

    /// The original stands there again, or still. `delays`: it takes longer until that changes.
    pub(crate) fn restored(&mut self, ip: u64, delays: bool) {
        if let Some(site) = self.sites.get_mut(&ip) {
            (site.is_patched, site.stops) = (false, 0);
            site.delays = (site.delays + u32::from(delays)).min(MOST_DELAYS);
        }
    }

    /// A call from a site stopped because its stack was not known, and the agent has recorded so
    /// many calls. Whether the site is to get its own code back.
    pub(crate) fn missed(&mut self, ip: u64, recorded: u64) -> bool {
        let site = self.sites.get_mut(&ip).filter(|site| site.is_patched);
        site.is_some_and(|site| site.misses.one_more(recorded))
    }

    /// All sites at which a jump stands.
    pub(crate) fn all_patched(&self) -> Vec<u64> {
        self.sites.iter().filter(|(_, site)| site.is_patched).map(|(ip, _)| *ip).collect()
    }

    /// Where a new stub goes that is within reach, if there is capacity for it.
    pub(crate) fn new_stub(&mut self, reach: &Range<u64>) -> Option<u64> {
        let island = self.islands.iter_mut().find(|island| island.has_capacity(reach))?;
        let at = island.start + island.used;
        island.used += STUB as u64;
        Some(at)
    }

    /// Whether there is capacity for a stub within reach.
    pub(crate) fn has_capacity(&self, reach: &Range<u64>) -> bool {
        self.islands.iter().any(|island| island.has_capacity(reach))
    }

    /// There is one more island.
    pub(crate) fn add_island(&mut self, start: u64) {
        self.islands.push(Island { start, used: 0 });
    }

    /// What the address of a thread in a stub, or in front of the jump to one, stands for. `None`:
    /// it is at neither.
    pub(crate) fn original(&self, ip: u64) -> Option<Original> {
        let site = ip.wrapping_add(SYSCALL);
        if self.is_patched(site) {
            return Some(Original::Before(site));
        }
        self.islands.iter().find(|it| (it.start..it.start + it.used).contains(&ip))?;
        let (site, patch, traced) = self.sites.iter().find_map(|(site, known)| {
            let (patch, traced) = known.stub.as_ref()?;
            (stub_of(*traced) == stub_of(ip)).then_some((*site, patch, *traced))
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
    fn while_few_threads_have_rings_another_one_soon_gets_one() {
        let mut agent = SpaceAgent { shared: Some(Shared::of_test()), ..SpaceAgent::default() };
        for thread in 1..=64 {
            let is_easy = thread <= 32;
            let is_worth_it = |stops| agent.is_worth_a_ring(stops, Tier::Auto);
            assert_eq!([7, 8, 99, 100].map(is_worth_it), [false, is_easy, is_easy, true]);
            agent.shared.as_mut().unwrap().take_ring(thread).unwrap();
        }
        assert!(!agent.is_worth_a_ring(100, Tier::Auto) && !agent.is_worth_a_ring(8, Tier::Agent));
    }

    #[test]
    fn an_address_in_a_stub_is_one_of_the_program() {
        let mut agent = SpaceAgent::default();
        agent.add_island(0x10_0000);
        let reach = 0..u64::MAX;
        assert_eq!(agent.new_stub(&reach), Some(0x10_0000));
        let stub = agent.new_stub(&reach).unwrap();
        assert_eq!(stub, 0x10_0040);
        let (moved, next) = (8, 0x100d);
        let patch = Patch { site: 0x1005, original: vec![0x90; 8], moved, next };
        agent.has_stub(0x1007, patch, stub + 19);
        assert_eq!(agent.site(stub + 21), 0x1007);
        assert_eq!(agent.original(stub), Some(Original::Before(0x1007)));
        assert_eq!(agent.original(stub + 19), Some(Original::Before(0x1007)));
        assert_eq!(agent.original(stub + 21), Some(Original::Behind(0x1007, 0x1007)));
        assert_eq!(agent.original(stub + 24), Some(Original::Behind(0x1007, 0x100a)));
        // At the jump back.
        assert_eq!(agent.original(stub + 27), Some(Original::Behind(0x1007, 0x100d)));
        assert_eq!(agent.original(stub + 0x40), None);
        assert_eq!(agent.original(0x1007), None);
        // In front of the jump, as long as that stands there.
        agent.patched(0x1007);
        assert_eq!(agent.original(0x1005), Some(Original::Before(0x1007)));
        agent.restored(0x1007, false);
        assert_eq!(agent.original(0x1005), None);
    }
}
