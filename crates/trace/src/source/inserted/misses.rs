//! Whether the calls of a site stop although it has a stub, because their stacks are not
//! recognised.

/// After so many stops a site is patched.
pub(super) const STOPS: u32 = 8;

/// After so many of such calls it is looked at whether the agent is worth it.
const MISSES: u32 = 1000;

/// It is, if not so many times fewer are recorded meanwhile, from all sites. What is compared in
/// vain, and learned, takes a part of the time that a stop takes.
const WORTH: u64 = 8;

/// How often the time that a site has its own code becomes twice as long, at most.
const DOUBLED: u32 = 10;

/// Of a site.
#[derive(Clone, Debug, Default)]
pub(super) struct Misses {
    count: u32,
    /// How many calls had been recorded by the agent at the first of them.
    recorded: u64,
    /// How often it was not worth it.
    rests: u32,
}

impl Misses {
    /// One more, now that the agent has recorded so many calls. Whether the site is to get its own
    /// code back.
    pub(super) fn one_more(&mut self, recorded: u64) -> bool {
        if self.count == 0 {
            self.recorded = recorded;
        }
        self.count += 1;
        if self.count < MISSES {
            return false;
        }
        self.count = 0;
        let is_bad = WORTH * (recorded - self.recorded) < u64::from(MISSES);
        self.rests = if is_bad { self.rests + 1 } else { 0 };
        is_bad
    }

    /// How many stops it takes until the site is patched, the next time.
    pub(super) fn stops(&self) -> u32 {
        if self.rests == 0 { STOPS } else { MISSES << self.rests.min(DOUBLED) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_whose_stacks_are_never_known_gets_its_code_back_for_longer_and_longer() {
        let mut misses = Misses::default();
        assert_eq!(misses.stops(), STOPS);
        let all = |misses: &mut Misses, recorded: u64| {
            (1..=MISSES).filter(|at| misses.one_more(recorded * u64::from(*at))).count()
        };
        assert_eq!((all(&mut misses, 2), misses.stops()), (0, STOPS));
        assert_eq!((all(&mut misses, 0), misses.stops()), (1, 2 * MISSES));
        assert_eq!((all(&mut misses, 0), misses.stops()), (1, 4 * MISSES));
        assert_eq!((all(&mut misses, 2), misses.stops()), (0, STOPS));
    }

    #[test]
    fn a_call_that_does_not_stop_is_worth_some_that_do() {
        for (stops, rests) in [(7, false), (9, true)] {
            let mut misses = Misses::default();
            let rested = (1..=MISSES).any(|at| misses.one_more(u64::from(at / stops)));
            assert_eq!(rested, rests, "{stops} stops for each call that does not");
        }
    }
}
