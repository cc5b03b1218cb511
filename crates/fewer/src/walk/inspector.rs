//! Shows entries to the visitor, for a worker: keeps the path, completes what the directory's
//! record lacks, and applies the filter.

use std::sync::Arc;

use sys::Kind;

use super::ignored::{Loader, Rules};
use super::listing::{EntryInfo, EntryRecord, Listing, ListingItem};
use super::open_dir::Dir;
use super::output::Output;
use super::shared::Shared;
use super::stack::Stack;
use super::{Answer, Visitor};
use crate::entry::{Entry, Name};
use crate::error::{Action, Errno, Error};
use crate::filter::{Filter, Verdict};
use crate::known::Known;

/// Bytes that a visitor wrote are delivered when there are this many; in a walk since a snapshot,
/// in which they are a good part of all calls, when there are twice as many.
const DELIVER_BYTES: usize = 128 << 10;
const DELIVER_BYTES_SINCE: usize = 2 * DELIVER_BYTES;

/// Shows the entries that one worker reads to its visitor.
pub(crate) struct Inspector<V> {
    pub(crate) shared: Arc<Shared>,
    filter: Option<Filter>,
    pub(crate) visitor: V,
    pub(crate) out: Vec<u8>,
    deliver_bytes: usize,
    pub(crate) stack: Stack,
    pub(crate) stopped: bool,
    /// Whether the directory that is being read was reached through a link.
    pub(crate) below_link: bool,
}

/// The directory that is being read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CurrentDir {
    /// How many bytes of the path are the directory's, with the slash at its end.
    pub(crate) path_length: usize,
    /// The depth of its entries.
    pub(crate) depth: usize,
}

impl<V: Visitor> Inspector<V> {
    pub(crate) fn new(shared: Arc<Shared>, visitor: V) -> Inspector<V> {
        // A copy of its own: expressions keep working memory that threads would contend for.
        let filter = Some(&shared.walk.filter).filter(|filter| !filter.is_trivial()).cloned();
        let (out, stack) = (Vec::new(), Stack::default());
        let is_since = shared.walk.since.is_some();
        let deliver_bytes = if is_since { DELIVER_BYTES_SINCE } else { DELIVER_BYTES };
        let (stopped, below_link) = (false, false);
        Inspector { shared, filter, visitor, out, deliver_bytes, stack, stopped, below_link }
    }

    /// The directory at the current path, which is one level below the deepest frame.
    pub(crate) fn current_dir(&self) -> CurrentDir {
        let path_length = self.stack.path.len();
        CurrentDir {
            path_length,
            depth: self.stack.frames.last().map_or(0, |frame| frame.depth + 1),
        }
    }

    /// Makes the current path that of a name in the deepest directory of the stack.
    pub(crate) fn set_path_to(&mut self, item: ListingItem) {
        let Stack { path, frames, .. } = &mut self.stack;
        if let Some(frame) = frames.last() {
            path.truncate(frame.path_length);
            path.extend_from_slice(frame.listing.name(item));
        }
    }

    /// Puts a slash at the end of the current path, unless there is one.
    pub(crate) fn push_slash(&mut self) {
        if self.stack.path.last() != Some(&b'/') {
            self.stack.path.push(b'/');
        }
    }

    /// The ignore rules that apply in the directory at the current path, if the walk wants any.
    pub(crate) fn rules_in(&mut self, dir: &Dir, names: &Listing) -> Option<Arc<Rules>> {
        let shared = Arc::clone(&self.shared);
        if !shared.walk.gitignore {
            return None;
        }
        let above = self.stack.frames.last();
        let is_root = above.is_some_and(|frame| frame.depth == 0);
        let above = above.and_then(|frame| frame.rules.clone());
        if names.find(b".gitignore").or_else(|| names.find(b".git")).is_some()
            && let Err(errno) = self.open_late(dir, self.stack.path.len())
        {
            self.report_at(self.stack.path.len(), errno, Action::OPEN_DIRECTORY);
            return above;
        }
        loop {
            let path = &self.stack.path;
            let (user, scope) = (&shared.user_rules, &shared.walk.scope);
            let mut loader = Loader { user, scope, errors: Vec::new(), path };
            let rules = loader.enter(above.clone(), is_root, dir, names);
            let errors = loader.errors;
            if errors.iter().any(|error| error.errno() == Errno::MFILE) && self.release_half() {
                continue;
            }
            errors.into_iter().for_each(|error| self.report_error(error));
            return rules;
        }
    }

    /// Takes an entry of the directory that is being read: keeps it for later, or shows it now.
    #[inline]
    pub(crate) fn take(
        &mut self,
        dir: &Dir,
        here: CurrentDir,
        raw: EntryRecord<'_>,
        names: &mut Listing,
        output: &mut impl Output,
    ) {
        match self.shared.walk.holds_names() {
            true => self.keep(dir, here, raw, names),
            false => self.visit_now(dir, here, raw, names, output),
        }
    }

    /// Shows an entry to the visitor as soon as it is read, and adds it to `names` if it is to be
    /// entered.
    #[inline]
    pub(super) fn visit_now(
        &mut self,
        dir: &Dir,
        here: CurrentDir,
        raw: EntryRecord<'_>,
        names: &mut Listing,
        output: &mut impl Output,
    ) {
        if self.stopped {
            return;
        }
        let name = raw.name;
        self.stack.path.truncate(here.path_length);
        self.stack.path.extend_from_slice(name);
        let Some(found) = self.resolve(dir, raw) else { return };
        let place = Name { start: here.path_length, length: name.len() };
        let answer = self.show(dir, place, found, here.depth, output);
        if found.kind == Kind::Directory
            && answer == Answer::Continue
            && here.depth < self.shared.walk.max_depth
        {
            names.push(name, found);
        }
    }

    /// Adds an entry to `names` when it is read, to be visited later.
    #[inline]
    pub(super) fn keep(
        &mut self,
        dir: &Dir,
        here: CurrentDir,
        raw: EntryRecord<'_>,
        names: &mut Listing,
    ) {
        if self.shared.walk.follow || raw.kind == Kind::Unknown {
            self.stack.path.truncate(here.path_length);
            self.stack.path.extend_from_slice(raw.name);
        }
        if let Some(found) = self.resolve(dir, raw) {
            names.push(raw.name, found);
        }
    }

    /// Shows the visitor an entry of a held listing, at the current path: true if it is to be
    /// entered, provided that it is a directory.
    pub(crate) fn visit_item(&mut self, item: &mut ListingItem, output: &mut impl Output) -> bool {
        let Some(frame) = self.stack.frames.last() else { return false };
        let dir = Arc::clone(&frame.dir);
        let (depth, start) = (frame.depth, frame.path_length);
        let name = if depth > 0 {
            Name { start, length: self.stack.path.len() - start }
        } else {
            match self.resolve_root(frame.listing.c_name(*item)) {
                Ok(found) => item.info = found,
                Err(errno) => {
                    self.report(errno, Action::ACCESS);
                    return false;
                }
            }
            Name::of_root(&self.stack.path)
        };
        if self.shared.walk.gitignore && depth > 0 {
            let is_directory = item.info.kind == Kind::Directory;
            if Rules::ignore(frame.rules.as_deref(), &self.stack.path, start, is_directory) {
                return false;
            }
        }
        let answer = self.show(&dir, name, item.info, depth, output);
        answer == Answer::Continue && depth < self.shared.walk.max_depth
    }

    /// Whether the walk leaves out the entry at the current path, by ignore rules or the filter.
    pub(super) fn is_left_out(
        &self,
        dir: &Dir,
        here: CurrentDir,
        rules: Option<&Rules>,
        kind: Kind,
    ) -> bool {
        let start = here.path_length;
        let name = Name { start, length: self.stack.path.len() - start };
        let entry = EntryInfo::of_kind(kind);
        let entry = entry_of(&self.stack.path, &self.shared, dir, name, entry, here.depth);
        let is_directory = kind == Kind::Directory;
        (self.shared.walk.gitignore && Rules::ignore(rules, &self.stack.path, start, is_directory))
            || self.filter.as_ref().is_some_and(|filter| filter.prunes(&entry))
    }

    /// Shows the visitor the entry at the current path, if the filter accepts it.
    #[inline]
    fn show(
        &mut self,
        dir: &Dir,
        name: Name,
        found: EntryInfo,
        depth: usize,
        output: &mut impl Output,
    ) -> Answer {
        let entry = entry_of(&self.stack.path, &self.shared, dir, name, found, depth);
        if let Some(filter) = &self.filter {
            match filter.judge(&entry) {
                Ok(Verdict::Show) => {}
                Ok(Verdict::Hide) => return Answer::Continue,
                Ok(Verdict::Prune) => return Answer::Prune,
                Err(error) => {
                    self.report_error(error);
                    return Answer::Continue;
                }
            }
        }
        if self.shared.walk.errors_only {
            return Answer::Continue;
        }
        let (wanted, last) = self.shared.count_result();
        self.stopped |= last;
        if !wanted {
            return Answer::Stop;
        }
        let answer = self.visitor.visit(Ok(entry), &mut self.out);
        self.stopped |= answer == Answer::Stop;
        self.deliver_if_full(output);
        answer
    }

    #[inline]
    pub(super) fn deliver_if_full(&mut self, output: &mut impl Output) {
        if self.out.len() >= self.deliver_bytes {
            self.stopped |= !output.deliver(&mut self.out);
        }
    }

    /// The byte that ends each line, if all that is done with entries is to write their paths in
    /// lines as soon as they are read.
    pub(super) fn line_end(&self) -> Option<u8> {
        let walk = &self.shared.walk;
        let shows_all = self.filter.is_none()
            && walk.max_results.is_none()
            && !(walk.follow || walk.errors_only || walk.holds_names());
        self.visitor.line_end().filter(|_| shows_all)
    }

    /// Shows the visitor an error of the entry at the current path.
    #[cold]
    pub(crate) fn report(&mut self, errno: Errno, action: Action) {
        self.report_error(Error::new(errno, action, &self.stack.path));
    }

    /// Shows the visitor an error of the directory whose path is the first `length` bytes of the
    /// current path, with the slash.
    #[cold]
    pub(crate) fn report_at(&mut self, length: usize, errno: Errno, action: Action) {
        let path = &self.stack.path[..length];
        let path = path.strip_suffix(b"/").filter(|path| !path.is_empty()).unwrap_or(path);
        self.report_error(Error::new(errno, action, path));
    }

    fn report_error(&mut self, error: Error) {
        self.stopped |= self.visitor.visit(Err(error), &mut self.out) == Answer::Stop;
    }
}

/// The entry at a path.
#[inline]
fn entry_of<'e>(
    path: &'e [u8],
    shared: &'e Shared,
    dir: &'e Dir,
    name: Name,
    found: EntryInfo,
    depth: usize,
) -> Entry<'e> {
    Entry {
        path,
        name,
        kind: found.kind,
        inode: found.inode,
        known: Known::of_record(found.metadata),
        depth,
        dir: &dir.late,
        scope: &shared.walk.scope,
        follow: found.link_target.is_some() && shared.walk.follow,
    }
}
