//! What a directory's record says of an entry, beside its name.

use crate::{Fields, Kind, Stat};

/// The metadata that a directory's record has of an entry: what was asked for when the directory
/// was read, as far as the file system says it.
#[derive(Clone, Copy, Debug)]
pub struct RecordMetadata {
    pub(crate) stat: Stat,
    /// The fields that `stat` would not know better: those that are filled, and the time of
    /// creation where it was asked for.
    pub(crate) settled: Fields,
}

impl RecordMetadata {
    /// Nothing is known.
    pub const UNKNOWN: RecordMetadata = RecordMetadata { stat: NOTHING, settled: Fields::NONE };

    /// These fields, if the record has them. Free.
    #[must_use]
    pub fn stat(&self, fields: Fields) -> Option<Stat> {
        let is_known = self.settled.0 != 0;
        (is_known && self.settled.contains(fields)).then_some(self.stat)
    }

    pub(crate) fn set_kind(&mut self, kind: Kind) {
        self.stat.mode = self.stat.mode & 0o7777 | kind.type_bits();
        self.fill(Fields::KIND);
    }

    pub(crate) fn fill(&mut self, field: Fields) {
        self.stat.filled = self.stat.filled | field;
        self.settled = self.settled | field;
    }
}

const NOTHING: Stat = Stat {
    mode: 0,
    is_mount_root: false,
    filled: Fields::NONE,
    links: 0,
    user: 0,
    group: 0,
    inode: 0,
    size: 0,
    sectors: 0,
    device: (0, 0),
    special: (0, 0),
    seconds: [0; 4],
    nanoseconds: [0; 4],
};
