//! What a long listing shows of a file: size, permissions, times and owner, drawn from a seed.

use std::io;
use std::os::fd::OwnedFd;

use fewer::Time;
use rustix::fs::{
    AtFlags, FileType, Gid, Mode, OFlags, Timespec, Timestamps, Uid, chownat, ftruncate, mknodat,
    openat, utimensat,
};
use rustix::io::write;

use super::random::Random;
use crate::people;

const DAY_S: i64 = 86_400;
/// 2001-09-09: nothing is older.
const OLDEST_S: i64 = 1_000_000_000;

/// Makes files, each one different.
pub(crate) struct Dresser {
    random: Random,
    /// How many of the fifty people own files; 0 leaves the files to the user who makes them.
    owners: u32,
    now_s: i64,
}

impl Dresser {
    pub(crate) fn new(seed: u64, owners: u32) -> Self {
        Dresser { random: Random::new(seed), owners, now_s: Time::now().seconds }
    }

    /// Makes a file that does not exist.
    pub(crate) fn file(&mut self, at: &OwnedFd, name: &str) -> io::Result<()> {
        let mode = [0o644, 0o644, 0o644, 0o600, 0o755, 0o444][self.random.below(6) as usize];
        mknodat(at, name, FileType::RegularFile, Mode::from(mode), 0)?;
        self.size(at, name)?;
        if self.owners > 0 {
            let id = people::id(self.random.below(self.owners));
            let (owner, group) = (Uid::from_raw(id), Gid::from_raw(id));
            chownat(at, name, Some(owner), Some(group), AtFlags::SYMLINK_NOFOLLOW)?;
        }
        let modified = self.time();
        let times = Timestamps { last_access: modified, last_modification: modified };
        Ok(utimensat(at, name, &times, AtFlags::SYMLINK_NOFOLLOW)?)
    }

    /// From nothing to 8 GiB, all lengths of the number alike. One in 16 has its bytes on disk, so
    /// that the sum of blocks is not 0; the rest is holes.
    fn size(&mut self, at: &OwnedFd, name: &str) -> io::Result<()> {
        let file = openat(at, name, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
        if self.random.once_in(16) {
            let bytes = self.random.between(1, 12_000) as usize;
            write(&file, &vec![b'.'; bytes])?;
        } else {
            let bits = self.random.below(34);
            ftruncate(&file, self.random.next() >> (63 - bits) >> 1)?;
        }
        Ok(())
    }

    /// Half of them of the last 150 days, which ls shows with the time of day; half older, shown
    /// with the year; one in 50 in the future.
    fn time(&mut self) -> Timespec {
        let random = &mut self.random;
        let (recent, long_ago) = (self.now_s - 150 * DAY_S, self.now_s - 200 * DAY_S);
        let (from, span) = match random.below(50) {
            0 => (self.now_s + DAY_S, 3_000 * DAY_S),
            1..25 => (OLDEST_S, long_ago - OLDEST_S),
            _ => (recent, 149 * DAY_S),
        };
        let seconds = random.below(u32::try_from(span).unwrap_or(u32::MAX));
        Timespec { tv_sec: from + i64::from(seconds), tv_nsec: random.below(1_000_000_000).into() }
    }
}
