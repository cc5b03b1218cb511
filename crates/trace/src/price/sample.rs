//! Which of many equal acts are done again: on as many different files as there is time for, each
//! as often as its share of the acts.

use std::ffi::CString;
use std::time::Duration;

use crate::Registry;
use crate::explain::Act;

/// Something to do again: on which file, how many bytes, whether it failed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct SampledAct {
    /// An absolute path; `None` where what was meant has none: a pipe, a relative path of a log.
    pub(super) file: Option<CString>,
    pub(super) moved: usize,
    pub(super) failed: bool,
}

/// More different files than that change nothing: their entries are out of the processor's caches.
const MOST: u128 = 2048;

/// How long an act takes at most, and how often it is done on each file.
const LOOK: Duration = Duration::from_micros(12);

/// A single file is asked for this often in a lap.
const REPEATED: u64 = 256;

/// A sequence that stands for all: as many different acts as there is time for, at most `MOST`, and
/// those that were made more often come more often.
pub(super) fn sample(
    registry: &Registry,
    spared: &[(&Act, u64)],
    limit: Duration,
) -> Vec<SampledAct> {
    let most = (limit.as_nanos() / LOOK.as_nanos()).clamp(16, MOST);
    let step = spared.len().div_ceil(usize::try_from(most).unwrap_or(1)).max(1);
    let chosen: Vec<_> = spared.iter().step_by(step).collect();
    let total = chosen.iter().map(|(_, count)| count).sum::<u64>().max(1);
    let length = REPEATED.max(chosen.len() as u64);
    let mut sequence = Vec::new();
    for (act, count) in chosen {
        let share = u128::from(*count) * u128::from(length) / u128::from(total);
        let times = usize::try_from(share).unwrap_or(0).max(1);
        sequence.extend(std::iter::repeat_n(one(registry, act), times));
    }
    sequence
}

fn one(registry: &Registry, act: &Act) -> SampledAct {
    let (file, moved, failed) = match act {
        Act::Call { file, moved, failed, .. } => (registry.path(*file), *moved, *failed),
        Act::ReadWhole { file } => (registry.path(*file), 0, false),
        Act::WriteWhole { file, moved, .. } => (registry.path(*file), *moved, false),
        Act::Spawn { program } => (registry.path(*program), 0, false),
        Act::LookUpOwner => (&b""[..], 0, false),
    };
    let file = file.starts_with(b"/").then(|| CString::new(file).ok()).flatten();
    SampledAct { file, moved: usize::try_from(moved).unwrap_or(usize::MAX), failed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Event, Name, PathId, Text};

    const ENOUGH: Duration = Duration::from_secs(1);

    fn registry(paths: u32) -> Registry {
        let mut registry = Registry::default();
        for id in 1..=paths {
            let path = Text::from(&*format!("/f{id}"));
            registry.take(&Event::Path { id: PathId(id), path });
        }
        registry
    }

    fn act(file: u32) -> Act {
        Act::Call { name: Name::Stat, file: PathId(file), moved: 7, failed: true }
    }

    #[test]
    fn what_was_done_more_often_is_done_more_often() {
        let (one, other) = (act(1), act(2));
        let sequence = sample(&registry(2), &[(&one, 30_000), (&other, 10_000)], ENOUGH);
        let first = sequence.iter().filter(|one| one.file.as_deref() == Some(c"/f1")).count();
        assert_eq!((first, sequence.len()), (192, 256));
        assert!(sequence.iter().all(|one| one.moved == 7 && one.failed));
    }

    #[test]
    fn of_many_files_some_are_taken_from_everywhere() {
        let acts: Vec<Act> = (1..=10_000).map(act).collect();
        let spared: Vec<_> = acts.iter().map(|act| (act, 1)).collect();
        let sequence = sample(&registry(10_000), &spared, ENOUGH);
        assert!((1000..=2048).contains(&sequence.len()));
        assert!(sequence.iter().any(|one| one.file.as_deref() == Some(c"/f9996")));
        let short = Duration::from_millis(3);
        assert!((240..=256).contains(&sample(&registry(10_000), &spared, short).len()));
    }

    #[test]
    fn what_has_no_absolute_path_has_no_file() {
        let mut registry = Registry::default();
        for (id, path) in [(1, &b"pipe:[7]"[..]), (2, b"a/b"), (3, b"/a\0b")] {
            registry.take(&Event::Path { id: PathId(id), path: Text::from(path) });
        }
        for id in 0..=3 {
            assert_eq!(sample(&registry, &[(&act(id), 1)], ENOUGH)[0].file, None);
        }
    }
}
