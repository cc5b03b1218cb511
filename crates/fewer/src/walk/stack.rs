//! The stack of a walk: the directories from the root to the current one, what is left to do in
//! each, and how to split it in two.

use std::sync::Arc;

use super::ignored::Rules;
use super::listing::{Listing, ListingItem};
use super::open_dir::Dir;
use crate::identity::Identity;

/// A directory of the stack, and what is left to do in it.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) dir: Arc<Dir>,
    pub(crate) listing: Arc<Listing>,
    /// The items of the listing that are still to be done.
    pub(crate) next: usize,
    pub(crate) end: usize,
    /// How many of them are work that another thread can take: those that may have to be entered,
    /// and where looking at an item takes long, all that were not visited.
    pub(crate) work: usize,
    /// The position of the entries that were not read yet, if there may be any.
    pub(crate) more: Option<i64>,
    /// The items before this one were visited already and are only to be entered.
    pub(crate) first_unvisited: usize,
    /// Whether looking at an item takes long.
    pub(crate) is_slow: bool,
    /// The depth of the items.
    pub(crate) depth: usize,
    /// How much of the path is this directory's, the slash behind it included.
    pub(crate) path_length: usize,
    /// Whether a link was followed to it or to a directory above it.
    pub(crate) through_link: bool,
    pub(crate) rules: Option<Arc<Rules>>,
}

impl Frame {
    /// Whether its descriptor was closed. The starting directory never had one.
    pub(crate) fn is_released(&self) -> bool {
        self.depth > 0 && self.dir.late.is_closed()
    }

    pub(crate) fn has_work(&self) -> bool {
        self.next < self.end || self.more.is_some()
    }

    /// Drops what is left to do.
    pub(crate) fn give_up(&mut self) {
        self.next = self.end;
        self.work = 0;
        self.more = None;
    }

    /// Whether the next item was visited already.
    pub(crate) fn is_next_visited(&self) -> bool {
        self.next < self.first_unvisited
    }

    fn is_work(&self, index: usize) -> bool {
        (self.is_slow && index >= self.first_unvisited) || self.listing.get(index).may_be_entered()
    }

    /// Counts how many of the items are work that another thread can take.
    pub(crate) fn count_work(&mut self) {
        self.work = self.work_from(self.next);
    }

    fn work_from(&self, index: usize) -> usize {
        (index..self.end).filter(|&index| self.is_work(index)).count()
    }

    /// Says that looking at an item takes long.
    pub(crate) fn set_slow(&mut self) {
        if !self.is_slow {
            self.is_slow = true;
            self.count_work();
        }
    }

    /// Takes the next item.
    pub(crate) fn take(&mut self) -> Option<ListingItem> {
        if self.next == self.end {
            return None;
        }
        let item = self.listing.get(self.next);
        self.work -= usize::from(self.is_work(self.next));
        self.next += 1;
        Some(item)
    }

    /// Does not hand out the directory of that name; false if there is none to be handed out. For a
    /// frame of which there is no other part.
    pub(crate) fn forget(&mut self, name: &[u8]) -> bool {
        let Some(listing) = Arc::get_mut(&mut self.listing) else { return false };
        let forgotten = listing.forget(self.next..self.end, name);
        if forgotten {
            self.count_work();
        }
        forgotten
    }

    /// The index at which its remaining work is split into halves, the larger one first.
    fn middle(&self) -> usize {
        let mut to_pass = self.work.div_ceil(2);
        (self.next..self.end)
            .find(|&index| {
                to_pass -= usize::from(self.is_work(index));
                to_pass == 0
            })
            .map_or(self.end, |last| last + 1)
    }

    /// Splits off what is left from the item `at` on.
    fn split(&mut self, at: usize) -> Frame {
        let work = self.work_from(at);
        let rear = Frame {
            dir: Arc::clone(&self.dir),
            listing: Arc::clone(&self.listing),
            next: at,
            end: self.end,
            work,
            more: self.more,
            rules: self.rules.clone(),
            ..*self
        };
        self.end = at;
        self.work -= work;
        self.more = None;
        rear
    }
}

/// Which part of the work is given away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Share {
    /// The shallowest: it is likely the largest.
    Largest,
    /// The deepest: it comes next in the order of the walk.
    Nearest,
}

/// The directories from a root to the current one, as one value that can be passed to another
/// worker.
#[derive(Debug, Default)]
pub(crate) struct Stack {
    /// The path of the deepest directory, with spare capacity for a name behind it.
    pub(crate) path: Vec<u8>,
    pub(crate) frames: Vec<Frame>,
    /// How many names the frames hold, done or not.
    pub(crate) names: usize,
    /// The directories above the first frame; only known where links are followed.
    pub(crate) ancestors: Vec<Identity>,
    /// The frames before this one are closed.
    pub(crate) first_held: usize,
    /// A directory above the frames that another part of the walk holds open, and how much of the
    /// path is its; only looked at where a snapshot spares opening the frames' own.
    pub(crate) base: Option<(Arc<Dir>, usize)>,
}

impl Stack {
    /// Splits off everything from some point in the order of the walk on: the rear of one
    /// directory's items and all directories above it. `None` if that would leave one of the two
    /// without work. Where links are followed, each part knows which directories
    /// lie above it.
    pub(crate) fn split(&mut self, share: Share, follows: bool) -> Option<Stack> {
        let (index, at) = self.split_point(share)?;
        let rear = self.frames[index].split(at);
        let kept = self.frames.split_off(index);
        let mut offered = std::mem::replace(&mut self.frames, kept);
        offered.push(rear);
        let count = |frames: &[Frame]| frames.iter().map(|frame| frame.listing.len()).sum();
        self.names = count(&self.frames);
        let names = count(&offered);
        let ancestors = self.ancestors.clone();
        if follows {
            self.ancestors.extend(offered[..index].iter().filter_map(|frame| frame.dir.identity()));
        }
        let path = self.path[..offered[index].path_length].to_vec();
        let first_held = std::mem::take(&mut self.first_held);
        let base = self.base.clone();
        let open = offered[..index].iter().rev().find(|frame| frame.dir.descriptor().is_some());
        if let Some(frame) = open {
            self.base = Some((Arc::clone(&frame.dir), frame.path_length));
        }
        Some(Stack { path, frames: offered, names, ancestors, first_held, base })
    }

    /// The deepest open directory on the way to the current path, and how much of the path is its.
    pub(crate) fn deepest_open(&self) -> Option<(&Dir, usize)> {
        let frames = self.frames.iter().rev().map(|frame| (&*frame.dir, frame.path_length));
        let base = self.base.iter().map(|(dir, length)| (&**dir, *length));
        frames.chain(base).find(|(dir, _)| dir.descriptor().is_some())
    }

    fn split_point(&self, share: Share) -> Option<(usize, usize)> {
        let total: usize = self.frames.iter().map(|frame| frame.work).sum();
        if total < 2 {
            return None;
        }
        let held = self.first_held..self.frames.len();
        let index = match share {
            Share::Largest => held.into_iter().find(|&i| self.frames[i].work > 0)?,
            Share::Nearest => {
                let mut passed = 0;
                held.into_iter().rev().find(|&i| {
                    passed += self.frames[i].work;
                    passed >= 2
                })?
            }
        };
        let frame = &self.frames[index];
        // Deeper work stays with the owner; if there is none, half of this directory does.
        let deeper = self.frames[index + 1..].iter().any(|frame| frame.work > 0);
        match frame.work {
            1 if deeper => Some((index, frame.next)),
            0 | 1 => None,
            _ => Some((index, frame.middle())),
        }
    }

    /// Enters a directory.
    pub(crate) fn push(&mut self, frame: Frame) {
        self.names += frame.listing.len();
        self.frames.push(frame);
    }

    /// Leaves the deepest directory.
    pub(crate) fn pop(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        self.names -= frame.listing.len();
        Some(frame)
    }

    /// Whether there may be work for another thread: a directory that is still to be entered, or
    /// an entry that looking at takes long.
    pub(crate) fn has_work_to_share(&self) -> bool {
        self.frames.iter().rev().any(|frame| frame.work > 0 || frame.more.is_some())
    }

    /// How many directories of the stack are held open.
    pub(crate) fn held(&self) -> usize {
        self.frames.len() - self.first_held
    }
}

#[cfg(test)]
mod tests {
    use super::super::listing::EntryInfo;
    use super::*;
    use sys::Kind;

    fn frame(names: &[&str]) -> Frame {
        let mut listing = Listing::default();
        for name in names {
            let kind = if name.ends_with('/') { Kind::Directory } else { Kind::File };
            listing.push(name.as_bytes(), EntryInfo { inode: 1, ..EntryInfo::of_kind(kind) });
        }
        listing.sort();
        let mut frame = Frame {
            dir: Arc::new(Dir::of_scope(&crate::scope::Scope::start())),
            next: 0,
            end: listing.len(),
            work: 0,
            listing: Arc::new(listing),
            more: None,
            first_unvisited: 0,
            is_slow: false,
            depth: 1,
            path_length: 0,
            through_link: false,
            rules: None,
        };
        frame.count_work();
        frame
    }

    fn rest(stack: &Stack) -> Vec<String> {
        let names = |frame: &Frame| {
            (frame.next..frame.end)
                .map(|i| String::from_utf8_lossy(frame.listing.name(frame.listing.get(i))).into())
                .collect::<Vec<String>>()
        };
        stack.frames.iter().rev().flat_map(names).collect()
    }

    fn stack() -> Stack {
        let frames = vec![frame(&["x", "y/", "z/"]), frame(&[]), frame(&["a/", "b", "c/", "d"])];
        Stack { frames, ..Stack::default() }
    }

    #[test]
    fn a_split_keeps_the_order_and_loses_nothing() {
        for (share, kept, offered) in
            [(Share::Largest, "a/ b c/ d x y/", "z/"), (Share::Nearest, "a/", "b c/ d x y/ z/")]
        {
            let mut stack = stack();
            let split = stack.split(share, false).unwrap();
            assert_eq!(rest(&stack).join(" "), kept);
            assert_eq!(rest(&split).join(" "), offered);
            assert_eq!(split.frames.iter().map(|f| f.work).sum::<usize>(), split_count(offered));
        }
    }

    fn split_count(names: &str) -> usize {
        names.split(' ').filter(|name| name.ends_with('/')).count()
    }

    #[test]
    fn where_looking_takes_long_files_are_split_as_well() {
        let mut slow = frame(&["a", "b", "c", "d", "e"]);
        assert_eq!(slow.work, 0);
        slow.set_slow();
        let mut stack = Stack { frames: vec![slow], ..Stack::default() };
        let split = stack.split(Share::Largest, false).unwrap();
        assert_eq!(
            (rest(&stack).join(" "), rest(&split).join(" ")),
            ("a b c".into(), "d e".into())
        );
        assert_eq!((stack.frames[0].work, split.frames[0].work), (3, 2));
        // What was visited is not.
        let mut visited = frame(&["a", "b", "c/", "d", "e"]);
        visited.first_unvisited = 4;
        visited.set_slow();
        assert_eq!(visited.work, 2);
    }

    #[test]
    fn one_directory_is_not_split() {
        let mut stack = Stack { frames: vec![frame(&["a", "b/"])], ..Stack::default() };
        assert!(
            [Share::Largest, Share::Nearest]
                .iter()
                .all(|share| stack.split(*share, false).is_none())
        );
    }

    #[test]
    fn names_sort_by_bytes_beyond_the_first_eight_too() {
        let mut listing = Listing::default();
        let found = EntryInfo::of_kind(Kind::File);
        let names =
            ["ab", "a", "abcdefgh", "abcdefghz", "abcdefgh\u{1}", "b", "\u{ff}", "B", "a-b"];
        names.iter().for_each(|name| listing.push(name.as_bytes(), found));
        listing.sort();
        let sorted: Vec<_> = (0..listing.len()).map(|i| listing.name(listing.get(i))).collect();
        let mut expected: Vec<_> = names.iter().map(|name| name.as_bytes()).collect();
        expected.sort_unstable();
        assert_eq!(sorted, expected);
    }
}
