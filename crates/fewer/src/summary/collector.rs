//! What one worker of the walk has found.

use std::cmp::Reverse;
use std::collections::HashMap;

use sys::{Fields, Kind, Time};

use super::extremes::{Extreme, Largest, offer};
use super::{Extension, Summary};
use crate::compact;
use crate::disk_usage::{Event, Links, Space};
use crate::entry::Entry;
use crate::identity::Identity;
use crate::path::extension;
use crate::walk::{Answer, Item};

/// The files of further extensions are counted together: so memory is bounded.
const MOST_EXTENSIONS: usize = 1 << 16;

/// What each entry is asked for.
const FIELDS: [Fields; 5] =
    [Fields::SIZE, Fields::ALLOCATED, Fields::LINKS, Fields::INODE, Fields::MODIFIED];

/// The kinds that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Directories,
    Files,
    Links,
    Other,
}

#[derive(Debug, Default)]
struct Extremes {
    largest: Largest,
    deepest: Option<Extreme<usize>>,
    longest: Option<Extreme<usize>>,
    newest: Option<Extreme<Time>>,
    oldest: Option<Extreme<Reverse<Time>>>,
}

/// What a worker has found.
pub(super) struct Collector<'s> {
    watch: &'s (dyn Fn(Event) -> Answer + Sync),
    fields: Fields,
    groups: [Space; 4],
    by_extension: HashMap<Box<[u8]>, Space>,
    other_extensions: Space,
    /// Files with several names, with their extension.
    links: Links<(Group, Box<[u8]>)>,
    extremes: Extremes,
    unreported: (usize, usize),
}

impl<'s> Collector<'s> {
    pub(super) fn new(watch: &'s (dyn Fn(Event) -> Answer + Sync)) -> Collector<'s> {
        Collector {
            watch,
            fields: FIELDS.into_iter().collect(),
            groups: [Space::default(); 4],
            by_extension: HashMap::new(),
            other_extensions: Space::default(),
            links: Links::default(),
            extremes: Extremes::default(),
            unreported: (0, 0),
        }
    }

    /// Counts an entry, or reports an error.
    pub(super) fn add(&mut self, item: Item<'_>) -> Answer {
        match item.and_then(|entry| self.add_entry(&entry).map(|()| entry)) {
            Ok(entry) => match Event::counted(&mut self.unreported, entry.is_dir()) {
                Some(event) => (self.watch)(event),
                None => Answer::Continue,
            },
            Err(error) => (self.watch)(Event::Failed(error)),
        }
    }

    fn add_entry(&mut self, entry: &Entry<'_>) -> Result<(), crate::Error> {
        let stat = entry.stat(self.fields)?;
        let (group, file) = (Group::of(entry.kind()), Identity::in_stat(&stat));
        let mut space = Space::of(&stat);
        let extension = match group {
            Group::Files => extension(entry.name_bytes()),
            _ => b"",
        };
        if let Some(shared) = Identity::of_shared_space(&stat) {
            self.links.add(shared, (group, extension.into()), Space { entries: 0, ..space });
            space = Space { entries: 1, ..Space::default() };
        }
        self.count(group, extension, space);
        let (path, extremes) = (entry.path_bytes(), &mut self.extremes);
        offer(&mut extremes.deepest, entry.depth(), path);
        offer(&mut extremes.longest, path.len(), path);
        if group == Group::Files {
            extremes.largest.offer(stat.size(), path, file);
            offer(&mut extremes.newest, stat.modified(), path);
            offer(&mut extremes.oldest, Reverse(stat.modified()), path);
        }
        Ok(())
    }

    fn count(&mut self, group: Group, extension: &[u8], space: Space) {
        self.groups[group as usize] += space;
        if group == Group::Files {
            self.count_extension(extension, space);
        }
    }

    fn count_extension(&mut self, extension: &[u8], space: Space) {
        if let Some(known) = self.by_extension.get_mut(extension) {
            *known += space;
        } else if self.by_extension.len() >= MOST_EXTENSIONS {
            self.other_extensions += space;
        } else {
            self.by_extension.insert(extension.into(), space);
        }
    }

    /// What two workers have found.
    pub(super) fn plus(mut self, more: Self) -> Self {
        for (space, more) in self.groups.iter_mut().zip(more.groups) {
            *space += more;
        }
        for (extension, space) in more.by_extension {
            self.count_extension(&extension, space);
        }
        self.other_extensions += more.other_extensions;
        self.links.merge(more.links);
        self.extremes.merge(more.extremes);
        self
    }

    pub(super) fn summary(mut self) -> Summary {
        for ((group, extension), space) in std::mem::take(&mut self.links).into_first_names() {
            self.count(group, &extension, space);
        }
        let named = self.by_extension.into_iter().map(|(name, space)| (Some(name), space));
        let others = Some((None, self.other_extensions)).filter(|(_, space)| space.entries > 0);
        let mut extensions: Vec<_> =
            named.chain(others).map(|(name, space)| Extension { name, space }).collect();
        compact::sort_by(&mut extensions, |a, b| {
            b.space.size.cmp(&a.space.size).then_with(|| a.name.cmp(&b.name))
        });
        let [directories, files, links, other] = self.groups;
        let Extremes { largest, deepest, longest, newest, oldest } = self.extremes;
        let oldest = oldest.map(|Extreme { value, path }| Extreme { value: value.0, path });
        let largest = largest.into_extremes();
        Summary {
            directories,
            files,
            links,
            other,
            extensions,
            largest,
            deepest,
            longest,
            newest,
            oldest,
        }
    }
}

impl Extremes {
    fn merge(&mut self, more: Extremes) {
        fn merge<T: Ord>(best: &mut Option<Extreme<T>>, other: Option<Extreme<T>>) {
            if let Some(other) = other {
                offer(best, other.value, &other.path);
            }
        }
        self.largest.merge(more.largest);
        merge(&mut self.deepest, more.deepest);
        merge(&mut self.longest, more.longest);
        merge(&mut self.newest, more.newest);
        merge(&mut self.oldest, more.oldest);
    }
}

impl Group {
    fn of(kind: Kind) -> Group {
        match kind {
            Kind::Directory => Group::Directories,
            Kind::File => Group::Files,
            Kind::Symlink => Group::Links,
            _ => Group::Other,
        }
    }
}
