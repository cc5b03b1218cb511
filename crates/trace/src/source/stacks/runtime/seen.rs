//! The locations that were seen before, by what identifies them, with their frames.

use super::Frames;
use crate::{FrameId, Location};
use rustc_hash::FxHashMap;

/// So many are kept. When there are more, all are forgotten.
const KEPT: usize = 1 << 14;

/// Which location it is: the addresses of a function and of an instruction, mostly.
pub(super) type Key = (u64, u64);

/// Locations that were seen.
#[derive(Debug, Default)]
pub(super) struct Seen {
    known: FxHashMap<Key, Known>,
}

/// A location that was seen. Memory is used again: it is the same as long as what lies at its
/// addresses is the same.
#[derive(Debug)]
struct Known {
    content: Vec<u8>,
    frame: FrameId,
}

impl Seen {
    /// The frame of a location. `locate` reads a new one; `None` if it cannot.
    pub(super) fn frame(
        &mut self,
        key: Key,
        content: &[u8],
        frames: Frames,
        locate: impl FnOnce() -> Option<Location>,
    ) -> Option<FrameId> {
        if let Some(known) = self.known.get(&key)
            && known.content == content
        {
            return Some(known.frame);
        }
        let frame = frames(locate()?);
        if self.known.len() >= KEPT {
            self.known.clear();
        }
        self.known.insert(key, Known { content: content.to_vec(), frame });
        Some(frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_location_is_read_once_until_its_content_changes() {
        let (mut seen, mut read) = (Seen::default(), 0);
        let mut frames = |location: Location| FrameId(location.line);
        for (content, frame, reads) in [(b"a", 1, 1), (b"a", 1, 1), (b"b", 2, 2), (b"b", 2, 2)] {
            let found = seen.frame((1, 2), content, &mut frames, || {
                read += 1;
                Some(Location { line: read, ..Location::default() })
            });
            assert_eq!((found, read), (Some(FrameId(frame)), reads));
        }
        assert_eq!(seen.frame((3, 4), b"a", &mut frames, || None), None);
    }
}
