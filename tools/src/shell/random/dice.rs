//! Random numbers that are the same for the same seed: the SplitMix64 generator.

pub(super) struct Dice(u64);

impl Dice {
    /// Neighbouring seeds start far from each other.
    pub(super) fn new(seed: u64) -> Dice {
        Dice(mixed(seed ^ 0x0005_ea5e_11f0_57a7))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// From 0 up to, but not including, `limit`.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    /// True once in so many times.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(super) fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    /// From `least` to `most`, both included.
    pub(super) fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most - least + 1)
    }
}

fn mixed(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_says_the_same() {
        let throw = |seed| (0..20).map(|_| Dice::new(seed).below(1000)).collect::<Vec<_>>();
        assert_eq!(throw(7), throw(7));
        let mut dice = Dice::new(1);
        let thrown: Vec<usize> = (0..1000).map(|_| dice.between(3, 5)).collect();
        assert!((3..=5).all(|face| thrown.contains(&face)));
        assert!(thrown.iter().all(|face| (3..=5).contains(face)));
    }
}
