//! Directories that a snapshot knows: taken from it if they did not change. What is read is written
//! down for the next snapshot.
//!
//! A directory that was read has a `Stamp`. If it has the same one now, its entries are those of
//! the snapshot, and it is not opened unless something needs it (a filter that stats, an ignore
//! file): then what is opened must be the directory of the stamp, whatever its path leads to by
//! then.

use std::ffi::CStr;
use std::sync::Arc;

use sys::{At, Descriptor, Fields, FileSystem, Kind, RawEntry, RecordMetadata, Stat, Time};

use super::Visitor;
use super::ignored::Rules;
use super::inspector::Inspector;
use super::listing::{EntryInfo, EntryRecord, Listing, ListingItem};
use super::open_dir::Dir;
use super::output::Output;
use super::recording::{FoundRoot, Recording};
use super::shared::Shared;
use super::since::Since;
use crate::error::Errno;
use crate::path::{PIECE_BYTES, c_string};
use crate::snapshot::{
    ChildDirectories, Directory, DirectoryId, DirectoryRecord, Entries, EntryBuffer, EntryStat,
    Level, Lines, Records, SnapshotEntry, Stamp,
};

/// What one worker takes from a snapshot, and writes down for one.
pub(crate) struct Snapshots {
    shared: Arc<Shared>,
    pub(super) since: Option<Arc<Since>>,
    /// The last device whose file system was looked up, and the file system if the times of its
    /// directories prove something.
    device: Option<(u64, Option<FileSystem>)>,
    unchanged: usize,
    unproven: usize,
    recorder: Option<Recorder>,
    /// The directory that is being read, and those that the snapshot knows in it.
    known: Option<DirectoryId>,
    children: ChildDirectories,
    /// Whether only directories are taken from the snapshot, as nothing else is wanted.
    only_directories: bool,
    /// Memory for a path with its NUL, and for entries.
    path: Vec<u8>,
    buffer: EntryBuffer,
}

/// An unchanged directory is opened if that spares so many directories looked up on the way to
/// those below. It takes 1.5 us, and each that is spared 40 ns, on ext4.
const SPARED_LOOKUPS: usize = 800;

/// What one worker writes down.
struct Recorder {
    to: Arc<Recording>,
    records: Records,
    roots: Vec<FoundRoot>,
    /// Whether unchanged directories are taken over from the snapshot before as they are.
    keeps: bool,
    /// Paths that the walk leaves out, in directories that were read.
    left_out: Vec<Vec<u8>>,
    /// The directory that is being read.
    directory: Option<DirectoryRecord>,
}

/// A directory as the snapshot has it, and has it still.
pub(super) struct Unchanged<'s> {
    pub(super) id: DirectoryId,
    pub(super) stamp: Stamp,
    pub(super) entries: Taken<'s>,
}

/// What was taken from a snapshot of the entries of a directory.
pub(super) enum Taken<'s> {
    /// Each entry, to be shown.
    Entries(Entries<'s>),
    /// All of them as a visitor would print them.
    Lines(Lines),
}

impl Snapshots {
    /// `None` if the walk has to do with no snapshot.
    pub(super) fn new(shared: &Arc<Shared>) -> Option<Box<Snapshots>> {
        let walk = &shared.walk;
        if walk.since.is_none() && walk.recording.is_none() {
            return None;
        }
        let since = walk.since.clone();
        let recorder = walk.recording.as_ref().map(|to| Recorder {
            to: Arc::clone(to),
            records: Records::new(to.level()),
            roots: Vec::new(),
            keeps: to.begin(&walk.roots, since.as_deref().map(Since::snapshot)),
            left_out: Vec::new(),
            directory: None,
        });
        let keeps = recorder.as_ref().is_none_or(|recorder| recorder.keeps);
        Some(Box::new(Snapshots {
            shared: Arc::clone(shared),
            only_directories: walk.errors_only && !walk.gitignore && !walk.follow && keeps,
            since,
            device: None,
            unchanged: 0,
            unproven: 0,
            recorder,
            known: None,
            children: ChildDirectories::default(),
            path: Vec::new(),
            buffer: EntryBuffer::default(),
        }))
    }

    /// Writes down a root, which `path` leads to.
    pub(super) fn found_root(&mut self, path: &[u8], item: ListingItem) {
        let Some(recorder) = &mut self.recorder else { return };
        let at = self.shared.walk.scope.at();
        let stat = |fields| sys::stat(at, &c_string(path)?, false, fields);
        let (kind, inode, stat) = (item.info.kind, item.info.inode, recorder.stat(stat));
        recorder.roots.push(FoundRoot { path: path.to_vec(), kind, inode, stat });
    }

    /// The file system on a device if the times of its directories prove something: known from a
    /// directory on it that was opened, and the same as when the snapshot was made.
    fn proves(&mut self, since: &Since, device: u64) -> Option<FileSystem> {
        if let Some((known, on)) = self.device
            && known == device
        {
            return on;
        }
        let mounted = self.shared.file_systems.known(device)?;
        let same_id = since.snapshot().file_system(device) == Some(mounted.id);
        let on = (mounted.on.stamps_changes() && same_id).then_some(mounted.on);
        self.device = Some((device, on));
        on
    }

    /// The directory at the current path as the snapshot has it, if it did not change.
    ///
    /// Price: one `statx`; and an `openat` if much lies below.
    pub(super) fn unchanged<'s, V: Visitor>(
        &mut self,
        since: &'s Since,
        item: ListingItem,
        inspector: &mut Inspector<V>,
    ) -> Option<(Dir, Unchanged<'s>)> {
        // A root is opened, so that paths can start there; what a link leads to is not known.
        let id = item.info.known.filter(|_| item.info.link_target.is_none())?;
        let directory = since.snapshot().directory(id)?;
        let stamp = *directory.stamp();
        let Some(on) = self.proves(since, stamp.device) else {
            let known = self.shared.file_systems.known(stamp.device);
            self.unproven += usize::from(known.is_some_and(|it| !it.on.stamps_changes()));
            return None;
        };
        if directory.is_racy() {
            return None;
        }
        let below = directory.directories_below() as usize;
        let (found, descriptor) = self.stamp_at_path(since, below, inspector).ok()?;
        if found != stamp {
            return None;
        }
        let entries = self.lines_or_entries(&directory, inspector)?;
        let frame = inspector.stack.frames.last()?;
        let name = frame.listing.c_name(item);
        let (identity, file_systems) = (stamp.identity(), &self.shared.file_systems);
        let dir = frame.dir.known(name, identity, descriptor, on, file_systems)?;
        Some((dir, Unchanged { id, stamp, entries }))
    }

    /// What is wanted of the entries of a directory.
    fn entries<'s>(&mut self, directory: &Directory<'s>) -> Option<Taken<'s>> {
        let buffer = std::mem::take(&mut self.buffer);
        directory.entries_in(buffer, self.only_directories).map(Taken::Entries).ok()
    }

    /// The same of the directory at the current path, as lines if these suffice.
    fn lines_or_entries<'s, V: Visitor>(
        &mut self,
        directory: &Directory<'s>,
        inspector: &mut Inspector<V>,
    ) -> Option<Taken<'s>> {
        let keeps = self.recorder.as_ref().is_none_or(|recorder| recorder.keeps);
        let Some(end) = inspector.line_end().filter(|_| keeps) else {
            return self.entries(directory);
        };
        let length = inspector.stack.path.len();
        inspector.push_slash();
        let buffer = std::mem::take(&mut self.buffer);
        let lines = directory.lines_in(buffer, &inspector.stack.path, end);
        inspector.stack.path.truncate(length);
        match lines {
            Ok(lines) => Some(Taken::Lines(lines)),
            Err(buffer) => {
                self.buffer = buffer;
                self.entries(directory)
            }
        }
    }

    /// Takes back the memory of entries that were shown.
    pub(super) fn reclaim(&mut self, buffer: EntryBuffer) {
        self.buffer = buffer;
    }

    /// The stamp of the directory at the current path, which is looked up from the deepest
    /// directory above that is open. It is opened if so many directories are `below` it that their
    /// way from there is worth it.
    fn stamp_at_path<V: Visitor>(
        &mut self,
        since: &Since,
        below: usize,
        inspector: &mut Inspector<V>,
    ) -> Result<(Stamp, Option<Descriptor>), Errno> {
        let length = inspector.stack.path.len();
        let start = inspector.stack.deepest_open().map_or(0, |(_, start)| start);
        if length - start > PIECE_BYTES {
            inspector.open_deepest()?;
        }
        let Inspector { stack, shared, .. } = inspector;
        let open = stack.deepest_open().map(|(dir, start)| (dir.at(), start));
        let (at, start) = open.unwrap_or((shared.walk.scope.at(), 0));
        self.path.clear();
        self.path.extend_from_slice(&stack.path[start..]);
        self.path.push(0);
        let path = CStr::from_bytes_with_nul(&self.path).map_err(|_| Errno::INVAL)?;
        let levels = || 1 + path.to_bytes().iter().filter(|&&byte| byte == b'/').count();
        let is_worth_it = below > 0 && below.saturating_mul(levels()) >= SPARED_LOOKUPS;
        if is_worth_it
            && since.may_open()
            && let Ok(descriptor) = sys::open_dir(at, path, false)
        {
            let stat = sys::stat_descriptor(&descriptor, Stamp::fields())?;
            return Ok((Stamp::of(&stat), Some(descriptor)));
        }
        let stat = sys::stat(at, path, false, Stamp::fields())?;
        Ok((Stamp::of(&stat), None))
    }

    /// Prepares for reading a directory that was opened, at the current path. Returns what the
    /// snapshot has of it, if it is a root and did not change: then it is not read.
    ///
    /// Price: one `statx` for a root that the snapshot knows, and for what is written down.
    pub(super) fn opened<'s, V: Visitor>(
        &mut self,
        since: Option<&'s Since>,
        item: ListingItem,
        dir: &Dir,
        inspector: &Inspector<V>,
    ) -> Option<Unchanged<'s>> {
        let path = &inspector.stack.path;
        let is_root = inspector.stack.frames.last().is_some_and(|frame| frame.depth == 0);
        let known = since.and_then(|since| match is_root {
            true => since.snapshot().roots().find(|root| root.path == path)?.directory,
            false => item.info.known,
        });
        self.known = known;
        let directory = since.zip(known).and_then(|(since, id)| since.snapshot().directory(id));
        let on_new_device = |stamp: &Stamp| self.shared.file_systems.known(stamp.device).is_none();
        let is_asked = self.recorder.is_some()
            || directory.is_some_and(|known| is_root || on_new_device(known.stamp()));
        self.children = ChildDirectories::default();
        if is_asked && let Some((stamp, racy, on)) = self.stamp(dir) {
            if let (Some(since), Some(known), true) = (since, directory, is_root) {
                self.unproven += usize::from(!on.stamps_changes());
                if *known.stamp() == stamp
                    && !known.is_racy()
                    && self.proves(since, stamp.device).is_some()
                    && let Some(entries) = self.entries(&known)
                {
                    return Some(Unchanged { id: known.id(), stamp, entries });
                }
            }
            if let Some(recorder) = &mut self.recorder {
                recorder.directory = Some(DirectoryRecord::new(path, stamp, racy));
            }
        }
        self.children = directory.and_then(|it| it.directories().ok()).unwrap_or_default();
        None
    }

    /// The stamp of a directory that is open and will be read, whether it is racy, and its file
    /// system.
    fn stamp(&self, dir: &Dir) -> Option<(Stamp, bool, FileSystem)> {
        let descriptor = dir.descriptor()?;
        let now = Time::now();
        let stamp = Stamp::of(&sys::stat_descriptor(descriptor, Stamp::fields()).ok()?);
        let on = match self.device {
            Some((device, Some(on))) if device == stamp.device => on,
            _ => self.shared.file_systems.on_device(stamp.device, descriptor).on,
        };
        Some((stamp, !on.stamps_changes() || stamp.is_racy(now), on))
    }

    /// Notes an entry that was read. Returns which directory of the snapshot it was.
    #[inline]
    pub(super) fn read(&mut self, at: At<'_>, raw: &RawEntry<'_>) -> Option<DirectoryId> {
        if let Some(recorder) = &mut self.recorder {
            recorder.push_read(at, raw);
        }
        match raw.kind {
            Kind::Directory => self.children.find(raw.name()),
            _ => None,
        }
    }

    /// The directory that was opened is read; in part only, if it is not `whole`.
    pub(super) fn done(&mut self, whole: bool) {
        let Some(recorder) = &mut self.recorder else { return };
        if let Some(mut directory) = recorder.directory.take() {
            if !whole {
                directory.set_racy();
            }
            recorder.records.add(directory);
        }
    }

    /// Notes that a directory is taken from the snapshot. Returns whether its entries are to be
    /// [written down](Snapshots::taken) again.
    pub(super) fn take(&mut self, path: &[u8], unchanged: &Unchanged<'_>) -> bool {
        self.unchanged += 1;
        match &mut self.recorder {
            Some(recorder) if recorder.keeps => recorder.records.keep(unchanged.id),
            Some(recorder) => {
                let record = DirectoryRecord::new(path, unchanged.stamp, false);
                recorder.directory = Some(record);
                return true;
            }
            None => {}
        }
        false
    }

    /// Writes down an entry that was taken from the snapshot, with its stat of now.
    pub(super) fn taken(&mut self, entry: &SnapshotEntry<'_>, at: Result<At<'_>, Errno>) {
        let Some(recorder) = &mut self.recorder else { return };
        let stat = |fields| sys::stat(at?, &c_string(entry.name)?, false, fields);
        let stat = recorder.stat(stat);
        if let Some(directory) = &mut recorder.directory {
            directory.push(entry.name, entry.kind, entry.inode, stat);
        }
    }
}

impl Recorder {
    /// What is kept of an entry besides its record.
    fn stat(&self, stat: impl FnOnce(Fields) -> Result<Stat, Errno>) -> Option<EntryStat> {
        if self.to.level() == Level::Names {
            return None;
        }
        let times = Fields::MODIFIED | Fields::CHANGED;
        let stat = stat(Fields::SIZE | Fields::PERMISSIONS | times).ok()?;
        let (size, permissions) = (stat.size(), stat.permissions());
        Some(EntryStat { size, permissions, modified: stat.modified(), changed: stat.changed() })
    }

    #[inline]
    fn push_read(&mut self, at: At<'_>, raw: &RawEntry<'_>) {
        if self.directory.is_none() {
            return;
        }
        let ask = |fields| sys::stat(at, raw.c_name().ok_or(Errno::INVAL)?, false, fields);
        let kind = match raw.kind {
            Kind::Unknown => ask(Fields::KIND).map_or(Kind::Unknown, |stat| stat.kind()),
            kind => kind,
        };
        let stat = self.stat(ask);
        if let Some(directory) = &mut self.directory {
            directory.push(raw.name(), kind, raw.inode, stat);
        }
    }
}

impl Drop for Snapshots {
    fn drop(&mut self) {
        if let Some(since) = &self.since {
            since.count(self.unchanged, self.unproven);
        }
        if let Some(Recorder { to, records, roots, left_out, .. }) = self.recorder.take() {
            to.add(records, roots, left_out, &self.shared.file_systems);
        }
    }
}

impl<V: Visitor> Inspector<V> {
    /// Takes all entries of a directory that a snapshot knows, which are sorted. `snapshots` is to
    /// write them down again. Returns the memory that they were decoded in.
    pub(super) fn take_unchanged(
        &mut self,
        dir: &Dir,
        taken: Taken<'_>,
        snapshots: Option<&mut Snapshots>,
        names: &mut Listing,
        output: &mut impl Output,
    ) -> EntryBuffer {
        match taken {
            Taken::Entries(entries) => self.show_unchanged(dir, entries, snapshots, names, output),
            Taken::Lines(lines) => self.print_unchanged(lines, names, output),
        }
    }

    /// Writes all entries of a directory for the visitor.
    fn print_unchanged(
        &mut self,
        lines: Lines,
        names: &mut Listing,
        output: &mut impl Output,
    ) -> EntryBuffer {
        self.out.extend_from_slice(lines.bytes());
        self.visitor.printed(lines.entries, lines.directories().len());
        if self.current_dir().depth < self.shared.walk.max_depth {
            for SnapshotEntry { name, kind, inode, directory: known, .. } in lines.directories() {
                names.push(name, EntryInfo { inode, known, ..EntryInfo::of_kind(kind) });
            }
        }
        self.deliver_if_full(output);
        lines.into_buffer()
    }

    fn show_unchanged(
        &mut self,
        dir: &Dir,
        mut entries: Entries<'_>,
        mut snapshots: Option<&mut Snapshots>,
        names: &mut Listing,
        output: &mut impl Output,
    ) -> EntryBuffer {
        let here = self.current_dir();
        while let Some(entry) = entries.next() {
            if let Some(snapshots) = snapshots.as_deref_mut() {
                let path = &self.stack.path[..here.path_length];
                snapshots.taken(&entry, dir.late.at_in(&self.shared.walk.scope, path));
            }
            let SnapshotEntry { name, kind, inode, directory: known, .. } = entry;
            self.take(
                dir,
                here,
                EntryRecord { name, kind, inode, metadata: RecordMetadata::UNKNOWN, known },
                names,
                output,
            );
            if self.stopped {
                break;
            }
        }
        if let Some(snapshots) = snapshots {
            snapshots.done(!self.stopped);
        }
        self.stack.path.truncate(here.path_length);
        entries.into_buffer()
    }

    /// Notes which names of a directory that was read the walk leaves out: those that are there
    /// now, and those that the snapshot has.
    pub(super) fn note_left_out(
        &mut self,
        snapshots: &mut Snapshots,
        since: &Since,
        (dir, listing): (&Dir, &Listing),
        rules: Option<&Rules>,
    ) {
        let Snapshots { recorder, known, .. } = snapshots;
        let Some(recorder) = recorder.as_mut().filter(|_| self.shared.walk.leaves_out()) else {
            return;
        };
        let here = self.current_dir();
        let mut note = |inspector: &mut Self, name: &[u8], kind: Kind| {
            inspector.stack.path.truncate(here.path_length);
            inspector.stack.path.extend_from_slice(name);
            if inspector.is_left_out(dir, here, rules, kind) {
                recorder.left_out.push(inspector.stack.path.clone());
            }
        };
        for index in 0..listing.len() {
            let item = listing.get(index);
            note(self, listing.name(item), item.info.kind);
        }
        let before = known.and_then(|id| since.snapshot().directory(id));
        if let Some(Ok(mut entries)) = before.map(|before| before.entries()) {
            while let Some(entry) = entries.next() {
                note(self, entry.name, entry.kind);
            }
        }
        self.stack.path.truncate(here.path_length);
    }

    /// Opens the deepest directory of the stack, if it was not opened so far.
    ///
    /// # Errors
    /// The kernel's number; `ENOENT` if another directory is there now.
    pub(super) fn open_deepest(&mut self) -> Result<(), Errno> {
        match self.stack.frames.last() {
            Some(frame) if frame.dir.late.is_unopened() => {
                let (dir, length) = (Arc::clone(&frame.dir), frame.path_length);
                self.open_late(&dir, length)
            }
            _ => Ok(()),
        }
    }

    /// Opens a directory that was not opened so far, whose path is the first `length` bytes of the
    /// current one.
    ///
    /// # Errors
    /// As [`open_deepest`](Inspector::open_deepest).
    pub(super) fn open_late(&mut self, dir: &Dir, length: usize) -> Result<(), Errno> {
        loop {
            match dir.late.at_in(&self.shared.walk.scope, &self.stack.path[..length]) {
                Err(Errno::MFILE | Errno::NFILE) if self.release_half() => {}
                done => return done.map(drop),
            }
        }
    }
}
