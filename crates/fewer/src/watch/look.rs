//! Looks at names and reads directories, each of which is watched before it is read.

use std::collections::{HashMap, HashSet};
use std::os::fd::AsFd;
use std::sync::Arc;

use sys::{At, Buffer, CWD, Descriptor, Fields, FileSystem, Happened, Kind, Time};

use super::ignore_rules::IgnoreRules;
use super::source::Source;
use super::tree::{Child, DirId, ON_DISK, Position, Slot, Tree};
use super::truth::Truth;
use super::{WATCH, Watch};
use crate::compact;
use crate::entry::{Entry, Name};
use crate::error::{Action, Errno, Error};
use crate::known::Known;
use crate::path::{c_string, in_pieces};
use crate::walk::{Dir, FileSystems};

/// From so many names on a directory is read rather than looked at name by name.
const READ_FROM_NAMES: usize = 16;

/// What may mean that a name leads to another directory than before.
const REPLACED: [Happened; 5] = [
    Happened::CREATED,
    Happened::REMOVED,
    Happened::MOVED_AWAY,
    Happened::MOVED_HERE,
    Happened::ITSELF,
];

/// So many directories, one below the other, stay open while what is in them is entered.
const OPEN_LEVELS: usize = 64;

/// An entry as its directory has it: name, kind, inode.
type Found = (Box<[u8]>, Kind, u64);

/// A directory that was seen in another one and not entered yet.
#[derive(Debug)]
struct Waiting {
    slot: Slot,
    inode: u64,
    /// The other one, if it is still open.
    above: Option<Arc<Dir>>,
}

/// A directory that was opened and is watched, and whether it is new.
type Entered = (DirId, Descriptor, bool);

/// Nothing, or another kind of entry, has by now the name of a directory.
struct Vanished;

/// Looks at what has changed on disk.
#[derive(Debug)]
pub(super) struct Looker {
    pub(super) source: Source,
    pub(super) options: Watch,
    block: Buffer,
    pub(super) tree: Tree,
    pub(super) truth: Truth,
    pub(super) ignored: IgnoreRules,
    waiting: Vec<Waiting>,
    pub(super) errors: Vec<Error>,
    /// How many directories are not watched because there are too many.
    pub(super) unwatched: u64,
    /// Roots on file systems that do not tell all changes.
    pub(super) deaf_roots: Vec<Box<[u8]>>,
    /// Whether what is found is told without a word, as it was there from the beginning.
    pub(super) silent: bool,
    /// Whether directories that are known are read again, since events were lost.
    pub(super) again: bool,
    /// What has changed since then may not have been told.
    pub(super) since: Time,
    /// Whether a new directory was read since the last events were taken.
    pub(super) has_read: bool,
    /// Names whose directory was not there when they were to be looked at or entered: it has moved,
    /// which an event tells.
    pub(super) later: Vec<(Slot, Happened)>,
    /// Roots that could not be watched, and why.
    pub(super) failed_roots: Vec<(Box<[u8]>, Errno)>,
    /// What is known of the file systems, if there is to be a snapshot.
    pub(super) file_systems: FileSystems,
}

impl Looker {
    pub(super) fn new(source: Source, options: Watch) -> Looker {
        Looker {
            source,
            options,
            block: Buffer::new(64 << 10),
            tree: Tree::default(),
            truth: Truth::default(),
            ignored: IgnoreRules::default(),
            waiting: Vec::new(),
            errors: Vec::new(),
            unwatched: 0,
            deaf_roots: Vec::new(),
            silent: true,
            again: false,
            since: Time { seconds: 0, nanoseconds: 0 },
            has_read: false,
            later: Vec::new(),
            failed_roots: Vec::new(),
            file_systems: FileSystems::new(false, true),
        }
    }

    /// Watches a tree, and reads it.
    pub(super) fn add_root(&mut self, path: &[u8]) {
        let added = in_pieces(CWD, path, |at, rest| sys::open_dir(at, &c_string(rest)?, true))
            .and_then(|dir| Ok((self.source.watch(&dir, path, true)?, dir)));
        match added {
            Ok((watch, _)) if self.tree.of_watch(watch).is_some() => {
                self.fail_root(Errno::EXIST, path);
            }
            Ok((watch, dir)) => {
                if sys::is_changed_elsewhere(&dir) == Ok(true) {
                    self.deaf_roots.push(path.into());
                }
                let id = self.tree.add(watch, Position::Root(path.into()));
                self.list(id, dir);
                self.enter_waiting();
            }
            Err(errno) => self.fail_root(errno, path),
        }
    }

    fn fail_root(&mut self, errno: Errno, path: &[u8]) {
        self.failed_roots.push((path.into(), errno));
        self.fail(errno, path);
    }

    fn fail(&mut self, errno: Errno, path: &[u8]) {
        if errno == Errno::NOSPC {
            self.unwatched += 1;
            if self.unwatched > 1 {
                return;
            }
        }
        self.errors.push(Error::new(errno, WATCH, path));
    }

    /// Opens a directory where it is as far as is known; `ESTALE` if another one is there.
    pub(super) fn open(&mut self, id: DirId) -> Result<Descriptor, Errno> {
        let node = self.tree.get(id).ok_or(Errno::STALE)?;
        let (is_root, known) = (matches!(node.place, Position::Root(_)), node.watch);
        let (path, _) = self.tree.path(id, ON_DISK).ok_or(Errno::STALE)?;
        let open = |at: At<'_>, rest: &[u8]| sys::open_dir(at, &c_string(rest)?, is_root);
        let dir = in_pieces(CWD, &path, open)?;
        let watch = self.source.watch(&dir, &path, is_root)?;
        if watch == known {
            return Ok(dir);
        }
        if self.tree.of_watch(watch).is_none() {
            self.source.unwatch(watch); // it is no directory of the trees yet
        }
        Err(Errno::STALE)
    }

    /// Whether a root is not at its path any more.
    pub(super) fn is_root_gone(&mut self, id: DirId) -> bool {
        matches!(self.open(id), Err(Errno::NOENT | Errno::NOTDIR | Errno::STALE))
    }

    /// Reads a directory and all below it again, as events were lost.
    pub(super) fn read_again(&mut self, id: DirId) {
        let Ok(dir) = self.open(id) else { return };
        self.again = true;
        self.list(id, dir);
        self.enter_waiting();
        self.again = false;
    }

    /// Looks at all names that something has happened to.
    pub(super) fn look(&mut self) {
        // Directories that are not where their own names were last seen: an event will tell.
        let mut moved: HashSet<DirId> = HashSet::new();
        loop {
            let mut by_dir: Vec<(DirId, Vec<Slot>)> = Vec::new();
            let mut places: HashMap<DirId, Option<usize>> = HashMap::new();
            for slot in self.truth.to_look_at() {
                if self.is_below(slot.dir, &moved) {
                    self.put_off(slot);
                    continue;
                }
                let place = *places.entry(slot.dir).or_insert_with(|| {
                    let certain = self.is_certain(slot.dir);
                    certain.then(|| {
                        by_dir.push((slot.dir, Vec::new()));
                        by_dir.len() - 1
                    })
                });
                if let Some(place) = place {
                    by_dir[place].1.push(slot);
                }
            }
            if by_dir.is_empty() {
                return;
            }
            for (dir, slots) in by_dir {
                if !self.look_in(dir, slots) {
                    moved.insert(dir);
                }
            }
        }
    }

    /// Whether a directory is one of these, or below one.
    fn is_below(&self, dir: DirId, of: &HashSet<DirId>) -> bool {
        let above = || self.tree.upwards(dir, ON_DISK);
        !of.is_empty() && above().is_some_and(|above| above.iter().any(|id| of.contains(id)))
    }

    /// Whether nothing has happened to a directory or those above it that was not looked at.
    fn is_certain(&self, dir: DirId) -> bool {
        let Some(above) = self.tree.upwards(dir, ON_DISK) else { return false };
        above.iter().all(|&id| match self.tree.get(id).map(|node| &node.place) {
            Some(Position::Below(slot)) => self.truth.get(slot).is_none_or(|seen| seen.looked),
            _ => true,
        })
    }

    /// Looks at names in a directory; false if it is not where its own name was last seen.
    fn look_in(&mut self, id: DirId, slots: Vec<Slot>) -> bool {
        let dir = match self.open(id) {
            Ok(dir) => dir,
            Err(errno) => return self.cannot_look(id, slots, errno),
        };
        let known = self.tree.get(id).map_or(0, |node| node.children.len());
        if slots.len() >= READ_FROM_NAMES && slots.len() > known / 8 {
            self.read_names(id, &dir, slots);
            return true;
        }
        for slot in slots {
            let fields = Fields::KIND | Fields::INODE;
            let name = c_string(&slot.name).unwrap_or_default();
            match sys::stat(dir.as_fd(), &name, false, fields) {
                Ok(stat) => self.found(&slot, stat.kind(), stat.inode(), Some(dir.as_fd())),
                Err(Errno::NOENT | Errno::NOTDIR) => self.absent(&slot),
                Err(errno) => {
                    let path = self.tree.path_of(&slot, ON_DISK).unwrap_or_default().0;
                    self.errors.push(Error::new(errno, Action::STAT, &path));
                    self.postpone(&slot);
                }
            }
            self.enter_waiting();
        }
        true
    }

    /// Looks at many names by reading their directory once.
    fn read_names(&mut self, id: DirId, dir: &Descriptor, slots: Vec<Slot>) {
        let there: HashMap<Box<[u8]>, (Kind, u64)> = self
            .read(id, dir)
            .into_iter()
            .map(|(name, kind, inode)| (name, (kind, inode)))
            .collect();
        for slot in slots {
            match there.get(&slot.name) {
                Some(&(kind, inode)) => self.found(&slot, kind, inode, Some(dir.as_fd())),
                None => self.absent(&slot),
            }
            self.enter_waiting();
        }
    }

    /// A directory is not where it was: its own name is looked at first, and if that was done
    /// already, an event is still to come: false.
    fn cannot_look(&mut self, id: DirId, slots: Vec<Slot>, errno: Errno) -> bool {
        let place = self.tree.get(id).map(|node| node.place.clone());
        let moved = matches!(errno, Errno::NOENT | Errno::NOTDIR | Errno::STALE | Errno::LOOP);
        match place {
            Some(Position::Below(at))
                if moved && self.truth.get(&at).is_none_or(|it| !it.looked) =>
            {
                self.truth.happened(&at, Happened::ITSELF);
                true
            }
            _ if moved => {
                slots.into_iter().for_each(|slot| self.put_off(slot));
                false
            }
            _ => {
                let path = self.tree.path(id, ON_DISK).unwrap_or_default().0;
                self.errors.push(Error::new(errno, Action::OPEN_DIRECTORY, &path));
                for slot in slots {
                    self.postpone(&slot);
                }
                true
            }
        }
    }

    /// Leaves a name as it was before until the next events, of which one tells where it is.
    fn put_off(&mut self, slot: Slot) {
        let happened = self.postpone(&slot);
        self.later.push((slot, happened));
    }

    /// Leaves a name as it was before.
    fn postpone(&mut self, slot: &Slot) -> Happened {
        self.tree.set_partial(slot.dir, true);
        self.truth.postpone(slot)
    }

    /// Nothing has this name.
    fn absent(&mut self, slot: &Slot) {
        self.tree.vacate(slot, None);
        self.truth.found(slot, None);
    }

    /// Something has this name, in a directory that is perhaps still open. A directory that is new
    /// is read.
    fn found(&mut self, slot: &Slot, kind: Kind, inode: u64, above: Option<At<'_>>) {
        let Some((path, depth)) = self.tree.path_of(slot, ON_DISK) else { return };
        if self.is_left_out(slot, &path, kind, depth) {
            self.tree.set_partial(slot.dir, true);
            return self.absent(slot);
        }
        let mut child = Child { kind, inode, dir: None };
        let mut opened = None;
        if kind == Kind::Directory && depth < self.options.max_depth {
            child.dir = self.known_at(slot);
            if child.dir.is_none() {
                let Ok(entered) = self.enter(slot, &path, above) else {
                    return self.put_off(slot.clone());
                };
                opened = entered;
                child.dir = opened.as_ref().map(|(id, ..)| *id);
            }
        }
        self.tree.vacate(slot, child.dir);
        if self.silent {
            self.tree.tell_at_first(slot, child);
        } else {
            self.truth.found(slot, Some(child));
        }
        if let Some((id, dir, is_new)) = opened
            && (is_new || self.again)
        {
            self.has_read |= is_new;
            self.list(id, dir);
        }
    }

    /// The directory that is known at this name, if nothing says that it may be another one.
    fn known_at(&self, slot: &Slot) -> Option<DirId> {
        let seen = self.truth.get(slot).copied().unwrap_or_default();
        if self.again || REPLACED.iter().any(|what| seen.happened.any_of(*what)) {
            return None;
        }
        let told = self.tree.reported(slot)?.dir?;
        let node = self.tree.get(told)?;
        matches!(&node.place, Position::Below(at) if at == slot).then_some(told)
    }

    /// Opens and watches the directory at a name: which it is, and whether it is new; `None` if
    /// that fails, which is an error to be told. A directory keeps its watch when it moves, so it
    /// is known again at another name. It is opened in the directory above it, never by its path:
    /// what has moved meanwhile, or has become a link, would lead to another one.
    ///
    /// # Errors
    /// It is gone again, or the directory above it has moved: an event tells which.
    fn enter(
        &mut self,
        slot: &Slot,
        path: &[u8],
        above: Option<At<'_>>,
    ) -> Result<Option<Entered>, Vanished> {
        let open = |at: At<'_>| sys::open_dir(at, &c_string(&slot.name)?, false);
        let opened = match above {
            Some(above) => open(above),
            None => self.open(slot.dir).and_then(|above| open(above.as_fd())),
        };
        let watched = opened.and_then(|dir| {
            let is_elsewhere = self.options.one_file_system && self.is_elsewhere(&dir, slot.dir)?;
            Ok(if is_elsewhere { None } else { Some((self.source.watch(&dir, path, false)?, dir)) })
        });
        let (watch, dir) = match watched {
            Ok(Some(watched)) => watched,
            Ok(None) => return Ok(None),
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::STALE) => return Err(Vanished),
            Err(errno) => {
                self.fail(errno, path);
                return Ok(None);
            }
        };
        let here = Position::Below(slot.clone());
        let Some(id) = self.tree.of_watch(watch) else {
            return Ok(Some((self.tree.add(watch, here), dir, true)));
        };
        let Some(place) = self.tree.get(id).map(|node| node.place.clone()) else {
            return Ok(None);
        };
        // Mounted at two places, or named twice: it is told at one of them.
        if place != here && place != Position::Nowhere && self.open(id).is_ok() {
            self.fail(Errno::EXIST, path);
            return Ok(None);
        }
        if place != here
            && let Position::Below(old) = place
        {
            self.truth.happened(&old, Happened::NOTHING);
        }
        if self.options.gitignore && self.tree.get(id).is_some_and(|node| node.place != here) {
            return Ok(self.enter_anew(id, dir, path, here));
        }
        self.tree.set_place(id, here);
        Ok(Some((id, dir, false)))
    }

    /// Makes a directory that has moved a new one, as other rules are in force in its new place.
    fn enter_anew(
        &mut self,
        id: DirId,
        dir: Descriptor,
        path: &[u8],
        here: Position,
    ) -> Option<Entered> {
        if let Some(watch) = self.tree.get(id).map(|node| node.watch) {
            self.source.unwatch(watch);
            self.tree.end_watch(watch);
        }
        self.tree.set_place(id, Position::Nowhere);
        let watch =
            self.source.watch(&dir, path, false).map_err(|errno| self.fail(errno, path)).ok()?;
        Some((self.tree.add(watch, here), dir, true))
    }

    /// Notes all entries of a directory. Directories wait to be entered.
    fn list(&mut self, id: DirId, dir: Descriptor) {
        self.mark(id, &dir);
        self.tree.set_partial(id, false);
        let names = self.read(id, &dir);
        let dir = Arc::new(Dir::of_scope(&self.options.scope).reopened(dir));
        if self.options.gitignore {
            self.load_rules(id, &dir, &names);
        }
        let known: Vec<Slot> = match self.tree.get(id) {
            Some(node) if self.again => {
                node.children.keys().map(|name| Slot { dir: id, name: name.clone() }).collect()
            }
            _ => Vec::new(),
        };
        let there: HashSet<&[u8]> = names.iter().map(|it| &*it.0).collect();
        let gone = known.into_iter().filter(|slot| !there.contains(&*slot.name));
        gone.collect::<Vec<_>>().iter().for_each(|slot| self.absent(slot));
        let stays_open = self.tree.upwards(id, ON_DISK).is_some_and(|it| it.len() < OPEN_LEVELS);
        for (name, kind, inode) in names {
            let slot = Slot { dir: id, name };
            if kind == Kind::Directory {
                let above = stays_open.then(|| Arc::clone(&dir));
                self.waiting.push(Waiting { slot, inode, above });
                continue;
            }
            if self.again
                && self.tree.reported(&slot).is_some()
                && self.has_changed(dir.at(), &slot)
            {
                self.truth.happened(&slot, Happened::METADATA);
            }
            self.found(&slot, kind, inode, Some(dir.at()));
        }
    }

    /// Loads what git would ignore in a directory.
    fn load_rules(&mut self, id: DirId, dir: &Dir, names: &[Found]) {
        let Some((mut path, _)) = self.tree.path(id, ON_DISK) else { return };
        if !path.ends_with(b"/") {
            path.push(b'/');
        }
        let above = match self.tree.get(id).map(|node| &node.place) {
            Some(Position::Below(slot)) => Some(slot.dir),
            _ => None,
        };
        let names = names.iter().map(|(name, kind, _)| (&**name, *kind));
        let place = (dir, &path[..], &self.options.scope);
        let errors = self.ignored.load(id, above, place, names);
        self.errors.extend(errors);
    }

    /// Enters the directories that wait, and those below them.
    fn enter_waiting(&mut self) {
        while let Some(Waiting { slot, inode, above }) = self.waiting.pop() {
            self.found(&slot, Kind::Directory, inode, above.as_ref().map(|dir| dir.at()));
        }
    }

    /// Whether a file has changed since events were lost.
    fn has_changed(&self, dir: At<'_>, slot: &Slot) -> bool {
        let name = c_string(&slot.name).unwrap_or_default();
        let stat = sys::stat(dir, &name, false, Fields::CHANGED);
        stat.is_ok_and(|stat| stat.changed() >= self.since)
    }

    /// The entries of a directory: the names in order, directories in reverse, as those that wait
    /// are entered from the end.
    fn read(&mut self, id: DirId, dir: &Descriptor) -> Vec<Found> {
        let mut names: Vec<Found> = Vec::new();
        let failed = loop {
            match sys::read_entries(dir, &mut self.block, FileSystem::OTHER) {
                Ok(mut entries) => {
                    let own = |raw: sys::RawEntry<'_>| (raw.name().into(), raw.kind, raw.inode);
                    names.extend(entries.by_ref().map(own));
                    if entries.is_malformed() {
                        break Some(Errno::IO);
                    }
                    if entries.ended() {
                        break None;
                    }
                }
                Err(errno) => break Some(errno),
            }
        };
        if let Some(errno) = failed {
            self.tree.set_partial(id, true);
            let path = self.tree.path(id, ON_DISK).unwrap_or_default().0;
            self.errors.push(Error::new(errno, Action::READ_DIRECTORY, &path));
        }
        for (name, kind, _) in names.iter_mut().filter(|(_, kind, _)| *kind == Kind::Unknown) {
            let name = c_string(name).unwrap_or_default();
            if let Ok(stat) = sys::stat(dir.as_fd(), &name, false, Fields::KIND) {
                *kind = stat.kind();
            }
        }
        let (mut names, mut directories): (Vec<_>, Vec<_>) =
            names.into_iter().partition(|(_, kind, _)| *kind != Kind::Directory);
        compact::sort_by(&mut names, Ord::cmp);
        compact::sort_by(&mut directories, |one, other| other.cmp(one));
        names.append(&mut directories);
        names
    }

    /// Whether an entry is neither told nor watched.
    pub(super) fn is_left_out(&self, slot: &Slot, path: &[u8], kind: Kind, depth: usize) -> bool {
        let length = slot.name.len();
        let child = Child { kind, inode: 0, dir: None };
        depth > self.options.max_depth
            || self.options.filter.prunes(&entry(&self.options, path, length, child, depth))
            || (self.options.gitignore && self.ignored.ignores(slot.dir, path, length, kind))
    }
}

/// An entry as filters take it.
pub(super) fn entry<'e>(
    options: &'e Watch,
    path: &'e [u8],
    name_length: usize,
    child: Child,
    depth: usize,
) -> Entry<'e> {
    let name = Name { start: path.len() - name_length, length: name_length };
    let (kind, inode, scope) = (child.kind, child.inode, &options.scope);
    let known = Known::of_record(sys::RecordMetadata::UNKNOWN);
    Entry { path, name, kind, inode, known, depth, dir: &options.top, scope, follow: false }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::fs;

    use super::*;

    /// A directory moves when its own name has been looked at, and before something in a directory
    /// below it is.
    #[test]
    fn what_is_below_a_directory_that_has_moved_waits_for_the_event_of_that() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().join("t");
        fs::create_dir_all(top.join("a/q")).unwrap();
        let mut looker = Watch::new(&top).start().unwrap().looker;
        let at = |looker: &Looker, end: &str| {
            let is_it = |id: &DirId| {
                looker
                    .tree
                    .path(*id, ON_DISK)
                    .is_some_and(|(path, _)| path.ends_with(end.as_bytes()))
            };
            looker.tree.ids().into_iter().find(is_it).unwrap()
        };
        let a = Slot { dir: at(&looker, "/t"), name: b"a"[..].into() };
        let new = Slot { dir: at(&looker, "/a/q"), name: b"new"[..].into() };
        fs::write(top.join("a/q/new"), "").unwrap();
        fs::rename(top.join("a"), folder.path().join("out")).unwrap();
        let same = looker.tree.reported(&a);
        looker.truth.found(&a, same);
        looker.truth.happened(&new, Happened::CREATED);
        looker.look();
        assert!(looker.truth.to_look_at().is_empty());
        // `q`, to see whether it has moved itself, and what is new in it.
        let later: Vec<&[u8]> = looker.later.iter().map(|(slot, _)| &*slot.name).collect();
        assert_eq!(later, [&b"q"[..], b"new"]);
    }
}
