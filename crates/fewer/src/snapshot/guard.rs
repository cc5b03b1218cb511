//! When the times of a directory prove that its names are still the same.
//!
//! Every change of a directory's names gives it a new time of change, which the kernel takes from a
//! clock that advances in steps. A change right after the stamp was taken could fall into the same
//! step as the last one before it, and leave the times as they are. So a stamp proves something
//! only if its times were older than the longest step, the guard, when it was taken: whatever
//! happens later gets a later time. That covers changes while the directory is read as well,
//! without a second look at its times: the stamp is taken before, so they differ from it then.

use std::time::Duration;

use sys::{Fields, Stat, Time};

use super::Stamp;
use crate::identity::Identity;

/// Linux takes times from a clock that advances with the timer, every 1 to 10 ms, and since 6.13 on
/// ext4, xfs, btrfs and tmpfs from a finer one if the time was looked at since the last change. Two
/// steps of the coarsest timer.
const GUARD: Duration = Duration::from_millis(20);
/// Where times have no nanoseconds (ext3, and ext4 with small inodes) they advance by the second.
const GUARD_OF_WHOLE_SECONDS: Duration = Duration::from_secs(2);

impl Stamp {
    /// The fields that a stamp needs.
    pub(crate) fn fields() -> Fields {
        Fields::INODE | Fields::CHANGED | Fields::MODIFIED | Fields::CREATED
    }

    /// The stamp in a `Stat` that was requested with [`Stamp::fields`].
    #[inline]
    pub(crate) fn of(stat: &Stat) -> Stamp {
        Stamp {
            device: stat.device(),
            inode: stat.inode(),
            is_mount_root: stat.is_mount_root(),
            created: stat.created(),
            changed: stat.changed(),
            modified: stat.modified(),
        }
    }

    /// Which directory it is of.
    pub(crate) fn identity(&self) -> Identity {
        Identity { device: self.device, inode: self.inode }
    }

    /// Whether the directory could still change without a change of its times, if they were looked
    /// at `now`. Times in the future, as after the clock was set back, prove nothing either.
    pub(crate) fn is_racy(&self, now: Time) -> bool {
        let whole_seconds = self.changed.nanoseconds == 0 && self.modified.nanoseconds == 0;
        let guard = if whole_seconds { GUARD_OF_WHOLE_SECONDS } else { GUARD };
        let latest = nanoseconds(self.changed.max(self.modified));
        latest + guard.as_nanos() as i128 > nanoseconds(now)
    }
}

fn nanoseconds(time: Time) -> i128 {
    i128::from(time.seconds) * 1_000_000_000 + i128::from(time.nanoseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_proves_something_once_its_times_are_older_than_the_guard() {
        let time =
            |seconds, milliseconds: u32| Time { seconds, nanoseconds: milliseconds * 1_000_000 };
        let odd = |seconds, milliseconds| {
            let Time { seconds, nanoseconds } = time(seconds, milliseconds);
            Time { seconds, nanoseconds: nanoseconds + 1 }
        };
        for (changed, modified, now, racy, what) in [
            (odd(100, 0), odd(100, 0), time(100, 0), true, "at the same time"),
            (odd(100, 0), odd(100, 0), time(100, 20), true, "a nanosecond too early"),
            (odd(100, 0), odd(100, 0), time(100, 21), false, "older"),
            (odd(100, 0), odd(50, 0), time(100, 5), true, "its mode was changed just now"),
            (odd(50, 0), odd(100, 0), time(100, 5), true, "contents"),
            (odd(100, 0), odd(50, 0), time(100, 30), false, "both older"),
            (odd(100, 999), odd(100, 999), time(101, 10), true, "across a second"),
            (odd(100, 999), odd(100, 999), time(101, 20), false, "older across a second"),
            (time(100, 0), time(100, 0), time(101, 999), true, "whole seconds"),
            (time(100, 0), time(100, 0), time(102, 0), false, "older whole seconds"),
            (time(100, 0), odd(90, 7), time(100, 21), false, "one time has nanoseconds"),
            (odd(100, 0), odd(100, 0), time(40, 0), true, "the clock was set back"),
            (odd(50, 0), odd(9_000_000_000, 0), time(100, 0), true, "a time of the future"),
            (odd(-5, 0), odd(-7, 0), time(-4, 0), false, "before 1970"),
            (time(i64::MAX, 0), time(i64::MAX, 0), time(100, 0), true, "no overflow"),
            (time(i64::MIN, 0), time(i64::MIN, 0), time(i64::MAX, 0), false, "none either"),
        ] {
            let stamp = Stamp {
                device: 1,
                inode: 2,
                is_mount_root: false,
                created: None,
                changed,
                modified,
            };
            assert_eq!(stamp.is_racy(now), racy, "{what}");
        }
    }
}
