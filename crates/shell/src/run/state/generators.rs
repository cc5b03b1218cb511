//! What RANDOM, SRANDOM and SECONDS are made of.

use std::time::Instant;

use fewer::Time;

/// The sequence of random numbers, and the clock of SECONDS.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Generators {
    started: Instant,
    seconds: f64,
    random: u64,
    last_random: i64,
    /// The subshell whose sequence it is, by its number and that of processes inside each other:
    /// another begins its own.
    random_of: (u32, u32),
}

impl Generators {
    pub(crate) fn new(seed: u64) -> Generators {
        Generators {
            started: Instant::now(),
            seconds: 0.0,
            random: seed | 1,
            last_random: -1,
            random_of: (0, 0),
        }
    }

    /// When the shell was started, in seconds since 1970.
    pub(crate) fn started_at(&self) -> i64 {
        Time::now().seconds - i64::try_from(self.started.elapsed().as_secs()).unwrap_or(0)
    }

    /// SECONDS
    pub(crate) fn seconds(&self) -> i64 {
        (self.started.elapsed().as_secs_f64() + self.seconds) as i64
    }

    /// SECONDS is that from now on.
    pub(crate) fn set_seconds(&mut self, seconds: f64) {
        self.seconds = seconds;
        self.started = Instant::now();
    }

    /// A subshell does not go on with the numbers of the shell around it.
    pub(crate) fn seed_in(&mut self, subshell: (u32, u32)) {
        if self.random_of != subshell {
            self.random = seed(sys::own_number());
            self.random_of = subshell;
        }
    }

    /// bash: RANDOM was given a value, which the sequence begins with.
    pub(crate) fn seed_as_bash(&mut self, seed: u64) {
        self.random = seed & 0xffff_ffff;
        self.last_random = 0;
    }

    /// RANDOM was given a value, which says what the sequence is.
    pub(crate) fn seed_with(&mut self, seed: u64) {
        self.random = u64::wrapping_mul(seed, 0x9e37_79b9_7f4a_7c15) | 1;
    }

    /// The sequence is this subshell's own.
    pub(crate) fn belongs_to(&mut self, subshell: (u32, u32)) {
        self.random_of = subshell;
    }

    /// The next of bash's own sequence of numbers from 0 to 32,767, never twice the same.
    pub(crate) fn random_of_bash(&mut self) -> i64 {
        loop {
            // Park and Miller's, without overflow, as the C library of a VAX had it.
            let seed = match i64::try_from(self.random & 0xffff_ffff).unwrap_or(0) {
                0 => 123_459_876,
                seed => seed,
            };
            let next = 16_807 * (seed % 127_773) - 2_836 * (seed / 127_773);
            let next = if next < 0 { next + 0x7fff_ffff } else { next };
            self.random = next.unsigned_abs();
            let number = ((next >> 16) ^ (next & 0xffff)) & 0x7fff;
            if number != self.last_random {
                self.last_random = number;
                return number;
            }
        }
    }

    /// The next of a sequence of numbers from 0 to 32,767.
    pub(crate) fn random(&mut self) -> i64 {
        // xorshift64*
        self.random ^= self.random >> 12;
        self.random ^= self.random << 25;
        self.random ^= self.random >> 27;
        let number = self.random.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 49;
        i64::try_from(number & 0x7fff).unwrap_or(0)
    }
}

/// What RANDOM begins with: another number for each shell.
pub(crate) fn seed(process: i32) -> u64 {
    u64::from(process.unsigned_abs()) << 32 ^ u64::from(Time::now().nanoseconds) | 1
}
