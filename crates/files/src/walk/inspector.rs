//! Looks at entries on behalf of a worker: keeps the path, asks what the directory did not say,
//! and shows the visitor what it wants to see.

use std::sync::Arc;

use kernel::{Kind, RawEntry};

use super::held::Dir;
use super::ignored::{Loader, Rules};
use super::listing::{Found, Item, Listing};
use super::output::Output;
use super::shared::Shared;
use super::stack::Stack;
use super::{Answer, Visitor};
use crate::entry::{Entry, Name};
use crate::error::{Errno, Error};
use crate::filter::{Filter, Verdict};

/// Bytes that visitors wrote are handed over when there are this many.
const DELIVER_BYTES: usize = 128 << 10;

/// Looks at the entries of one worker.
pub(crate) struct Scout<V> {
    pub(crate) shared: Arc<Shared>,
    filter: Option<Filter>,
    pub(crate) visitor: V,
    pub(crate) out: Vec<u8>,
    pub(crate) stack: Stack,
    pub(crate) stopped: bool,
    /// Whether the directory that is being read was reached through a link.
    pub(crate) below_link: bool,
}

/// The directory that is being read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Here {
    /// How much of the path is its own, the slash included.
    pub(crate) path_length: usize,
    /// The depth of its entries.
    pub(crate) depth: usize,
}

impl<V: Visitor> Scout<V> {
    pub(crate) fn new(shared: Arc<Shared>, visitor: V) -> Scout<V> {
        // A copy of its own: expressions keep working memory that threads would contend for.
        let filter = Some(&shared.walk.filter).filter(|filter| !filter.is_trivial()).cloned();
        let (out, stack) = (Vec::new(), Stack::default());
        Scout { shared, filter, visitor, out, stack, stopped: false, below_link: false }
    }

    /// The directory at the end of the path, one deeper than the deepest frame.
    pub(crate) fn here(&self) -> Here {
        let path_length = self.stack.path.len();
        Here { path_length, depth: self.stack.frames.last().map_or(0, |frame| frame.depth + 1) }
    }

    /// Lets the path end with the name of an item of the deepest frame.
    pub(crate) fn point_at(&mut self, item: Item) {
        let Stack { path, frames, .. } = &mut self.stack;
        if let Some(frame) = frames.last() {
            path.truncate(frame.path_length);
            path.extend_from_slice(frame.listing.name(item));
        }
    }

    /// Makes the path of an entry the path of a directory.
    pub(crate) fn push_slash(&mut self) {
        if self.stack.path.last() != Some(&b'/') {
            self.stack.path.push(b'/');
        }
    }

    /// The ignore rules in force in the directory at the end of the path, if they are asked for.
    pub(crate) fn rules_in(&mut self, dir: &Dir, names: &Listing) -> Option<Arc<Rules>> {
        let shared = Arc::clone(&self.shared);
        if !shared.walk.gitignore {
            return None;
        }
        let above = self.stack.frames.last();
        let is_root = above.is_some_and(|frame| frame.depth == 0);
        let above = above.and_then(|frame| frame.rules.clone());
        loop {
            let path = &self.stack.path;
            let (user, scope) = (&shared.user_rules, &shared.walk.scope);
            let mut loader = Loader { user, scope, errors: Vec::new(), path };
            let rules = loader.enter(above.clone(), is_root, dir, names);
            let errors = loader.errors;
            if errors.iter().any(|error| error.errno() == Errno::MFILE) && self.release_half() {
                continue;
            }
            errors.into_iter().for_each(|error| self.hand_over(error));
            return rules;
        }
    }

    /// One entry, straight from the kernel's block: visited at once, and noted in `names` if it
    /// is to be entered.
    #[inline]
    pub(crate) fn meet(
        &mut self,
        dir: &Dir,
        here: Here,
        raw: RawEntry<'_>,
        names: &mut Listing,
        output: &mut impl Output,
    ) {
        if self.stopped {
            return;
        }
        let name = raw.name();
        self.stack.path.truncate(here.path_length);
        self.stack.path.extend_from_slice(name);
        let Some(found) = self.find_out(dir, raw) else { return };
        let place = Name { start: here.path_length, length: name.len() };
        let answer = self.look(dir, place, found, here.depth, output);
        if found.kind == Kind::Directory
            && answer == Answer::Continue
            && here.depth < self.shared.walk.max_depth
        {
            names.push(name, found);
        }
    }

    /// One entry, straight from the kernel's block: noted in `names` for later.
    #[inline]
    pub(crate) fn hold(&mut self, dir: &Dir, here: Here, raw: RawEntry<'_>, names: &mut Listing) {
        if self.shared.walk.follow || raw.kind == Kind::Unknown {
            self.stack.path.truncate(here.path_length);
            self.stack.path.extend_from_slice(raw.name());
        }
        if let Some(found) = self.find_out(dir, raw) {
            names.push(raw.name(), found);
        }
    }

    /// One entry of a held listing, that the path points at: true if it is to be entered, should
    /// it be a directory.
    pub(crate) fn look_at_item(&mut self, item: &mut Item, output: &mut impl Output) -> bool {
        let Some(frame) = self.stack.frames.last() else { return false };
        let dir = Arc::clone(&frame.dir);
        let (depth, start) = (frame.depth, frame.path_length);
        let name = if dir.descriptor().is_some() {
            Name { start, length: self.stack.path.len() - start }
        } else {
            match self.find_root(frame.listing.c_name(*item)) {
                Ok(found) => item.found = found,
                Err(errno) => {
                    self.report(errno, "access");
                    return false;
                }
            }
            Name::of_root(&self.stack.path)
        };
        if self.shared.walk.gitignore && depth > 0 {
            let is_directory = item.found.kind == Kind::Directory;
            if Rules::ignore(frame.rules.as_deref(), &self.stack.path, start, is_directory) {
                return false;
            }
        }
        let answer = self.look(&dir, name, item.found, depth, output);
        answer == Answer::Continue && depth < self.shared.walk.max_depth
    }

    /// Shows the visitor the entry that the path points at.
    #[inline]
    fn look(
        &mut self,
        dir: &Dir,
        name: Name,
        found: Found,
        depth: usize,
        output: &mut impl Output,
    ) -> Answer {
        let follow = found.elsewhere.is_some() && self.shared.walk.follow;
        let entry = Entry {
            path: &self.stack.path,
            name,
            kind: found.kind,
            inode: found.inode,
            depth,
            at: dir.at(),
            scope: &self.shared.walk.scope,
            follow,
        };
        if let Some(filter) = &self.filter {
            match filter.judge(&entry) {
                Ok(Verdict::Show) => {}
                Ok(Verdict::Hide) => return Answer::Continue,
                Ok(Verdict::Prune) => return Answer::Prune,
                Err(error) => {
                    self.hand_over(error);
                    return Answer::Continue;
                }
            }
        }
        let answer = self.visitor.visit(Ok(entry), &mut self.out);
        self.stopped |= answer == Answer::Stop;
        if self.out.len() >= DELIVER_BYTES {
            self.stopped |= !output.deliver(&mut self.out);
        }
        answer
    }

    /// Hands over an error of the entry that the path points at.
    #[cold]
    pub(crate) fn report(&mut self, errno: Errno, action: &'static str) {
        self.hand_over(Error::new(errno, action, &self.stack.path));
    }

    /// Hands over an error of the directory that the first `length` bytes of the path are, the
    /// slash included.
    #[cold]
    pub(crate) fn report_at(&mut self, length: usize, errno: Errno, action: &'static str) {
        let path = &self.stack.path[..length];
        let path = path.strip_suffix(b"/").filter(|path| !path.is_empty()).unwrap_or(path);
        self.hand_over(Error::new(errno, action, path));
    }

    fn hand_over(&mut self, error: Error) {
        self.stopped |= self.visitor.visit(Err(error), &mut self.out) == Answer::Stop;
    }
}
