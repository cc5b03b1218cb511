//! Counts of entries by kind.

use fewer::Kind;

/// The number of entries of each kind.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    directories: u64,
    files: u64,
    links: u64,
    other: u64,
}

impl Tally {
    #[inline]
    pub(super) fn add(&mut self, kind: Kind) {
        match kind {
            Kind::Directory => self.directories += 1,
            Kind::File => self.files += 1,
            Kind::Symlink => self.links += 1,
            _ => self.other += 1,
        }
    }

    pub(super) fn plus(self, more: &Tally) -> Tally {
        Tally {
            directories: self.directories + more.directories,
            files: self.files + more.files,
            links: self.links + more.links,
            other: self.other + more.other,
        }
    }

    /// Directories and files, of which alone there is something in a store.
    #[cfg(feature = "stores")]
    pub(super) fn counts(&self) -> [u64; 2] {
        [self.directories, self.files]
    }

    /// The tally that has these counts.
    #[cfg(feature = "stores")]
    pub(super) fn of_counts(counts: &[u64]) -> Tally {
        let [directories, files] = *counts else { return Tally::default() };
        Tally { directories, files, ..Tally::default() }
    }

    /// The line that is printed.
    pub(super) fn line(&self, json: bool) -> String {
        let Tally { directories, files, links, other } = self;
        let entries = directories + files + links + other;
        if json {
            return format!(
                "{{\"v\":1,\"entries\":{entries},\"directories\":{directories},\
                 \"files\":{files},\"links\":{links},\"other\":{other}}}\n"
            );
        }
        format!(
            "{entries} entries, {directories} directories, {files} files, {links} links, \
             {other} other\n"
        )
    }
}
