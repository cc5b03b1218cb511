//! A walk under way: which directory is listed next.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fewer::Answer;
use tokio::runtime::Handle;
use tokio::task::JoinSet;

use super::found::{Directory, Entry, Visitor};
use super::options::{NotListed, Options, Outcome};
use super::order::{Position, join};
use super::server::{Block, Failure, Listing, Server};
use super::sorted::{Kept, Sorted};
use crate::error::{Error, Reason};
use crate::pace::Pace;
use crate::patience::Patience;
use crate::visit::TICK;

/// Directories that are kept until their turn in a sorted walk.
const KEPT_BYTES: usize = 64 << 20;

/// A directory, or what is left of it. It waits at the position behind its last entry, so that the
/// directories before that are listed first: few have to be remembered.
struct Wanted {
    directory: Arc<Directory>,
    /// Without one it was not begun.
    listing: Option<Listing>,
    /// Entries of it were visited.
    is_begun: bool,
    patience: Patience,
}

/// The answer to a call, and which it was.
type Answered = (Wanted, Block);

/// The address of the root, and what is appended to it for an entry.
struct Spelling {
    address: Vec<u8>,
    root_length: usize,
}

/// Reasons to end.
enum End {
    Stopped,
    /// The server fails.
    Failed(Reason),
}

/// A walk under way.
pub(super) struct Walk<'w, V> {
    options: &'w Options,
    server: Arc<Server>,
    spelling: Spelling,
    wanted: BTreeMap<(Position, bool), Wanted>,
    under_way: JoinSet<Answered>,
    pace: Pace,
    /// Nothing is called before this.
    resume: Instant,
    sorted: Sorted,
    outcome: Outcome,
    visitor: &'w mut V,
}

impl<'w, V: Visitor> Walk<'w, V> {
    /// Walks as the options say.
    pub(super) async fn run(options: &'w Options, visitor: &'w mut V, handle: &Handle) -> Outcome {
        let server = match Server::new(&options.address, options.timeout, handle) {
            Ok(server) => Arc::new(server),
            Err(reason) => {
                visitor.visit(Err(Error::new(options.address.as_str(), reason)));
                return Outcome { is_lost: true, ..Outcome::default() };
            }
        };
        let now = Instant::now();
        let mut walk = Walk {
            options,
            server,
            spelling: Spelling::new(options.address.as_str()),
            wanted: BTreeMap::new(),
            under_way: JoinSet::new(),
            pace: Pace::new(options.calls, now),
            resume: now,
            sorted: Sorted::default(),
            outcome: Outcome::default(),
            visitor,
        };
        let ended = match walk.root().await {
            Ok(()) => walk.directories().await,
            ended => ended,
        };
        if let Err(End::Failed(reason)) = ended {
            walk.outcome.is_lost = true;
            walk.visitor.visit(Err(Error::new(options.address.as_str(), reason)));
        }
        walk.outcome
    }

    /// Visits what the address names.
    async fn root(&mut self) -> Result<(), End> {
        let mut patience = Patience::default();
        let root = loop {
            self.outcome.calls += 1;
            let entry = self.server.entry(self.options.address.path());
            match unless_stopped(self.visitor, entry).await? {
                Ok(root) => break root,
                Err(Failure::Path(reason)) => {
                    let error = Error::new(self.options.address.as_str(), reason);
                    self.visitor.visit(Err(error));
                    return Err(End::Stopped);
                }
                Err(Failure::Server(reason)) => return Err(End::Failed(reason)),
                Err(Failure::Again(why)) => return Err(End::Failed(Reason::Connection(why))),
                Err(Failure::SlowDown(why)) => {
                    let pause = patience.refused(why, None).map_err(End::Failed)?;
                    self.outcome.repeated += 1;
                    self.outcome.slowed += 1;
                    unless_stopped(self.visitor, tokio::time::sleep(pause)).await?;
                }
            }
        };
        let top = Directory { path: String::new(), depth: 0 };
        let found = root.at(self.spelling.of(""), 0);
        let enters =
            found.is_directory && self.options.max_depth > 0 && self.visitor.enters(&found);
        self.outcome.entries += 1;
        if self.visitor.visit(Ok(found)) == Answer::Stop {
            return Err(End::Stopped);
        }
        if enters {
            self.sorted.wait_for(&top.path);
            self.want(top);
        }
        Ok(())
    }

    /// Lists what is wanted until nothing is.
    async fn directories(&mut self) -> Result<(), End> {
        loop {
            if self.visitor.has_enough() {
                self.set_aside();
            }
            let pause = self.resume.saturating_duration_since(Instant::now());
            if pause.is_zero() {
                self.call();
            }
            let next = self.under_way.join_next();
            let answered = match unless_stopped(self.visitor, next).await? {
                Some(answered) => answered,
                None if self.wanted.is_empty() => return Ok(()),
                None => {
                    unless_stopped(self.visitor, tokio::time::sleep(pause)).await?;
                    continue;
                }
            };
            let lost =
                |error: tokio::task::JoinError| End::Failed(Reason::Answer(error.to_string()));
            let (wanted, block) = answered.map_err(lost)?;
            self.outcome.calls += block.calls;
            self.pace.page(Instant::now(), self.under_way.len() + 1);
            self.answered(wanted, block)?;
        }
    }

    /// Leaves what was not begun.
    fn set_aside(&mut self) {
        let (begun, others): (BTreeMap<_, _>, BTreeMap<_, _>) =
            std::mem::take(&mut self.wanted).into_iter().partition(|(_, it)| it.is_begun);
        self.wanted = begun;
        for Wanted { directory, .. } in others.into_values() {
            let address = self.spelling.of(&directory.path).to_vec();
            self.outcome.left.push(NotListed { address, depth: directory.depth });
        }
    }

    /// Makes as many calls as may be under way, for what comes first.
    fn call(&mut self) {
        while self.under_way.len() < self.pace.limit() {
            let Some(first) = self.wanted.first_entry() else { return };
            let is_next = self.sorted.waits_for(&first.key().0.0);
            if self.sorted.early_bytes() > KEPT_BYTES && !is_next {
                return;
            }
            let mut wanted = first.remove();
            let server = self.server.clone();
            let path = join(self.options.address.path(), &wanted.directory.path);
            let is_sorted = self.options.sorted;
            self.under_way.spawn(async move {
                if is_sorted {
                    let block = server.sorted(path).await;
                    return (wanted, block);
                }
                let listing = wanted.listing.get_or_insert_with(|| server.list(path));
                let block = server.block(listing).await;
                (wanted, block)
            });
        }
    }

    fn answered(&mut self, mut wanted: Wanted, mut block: Block) -> Result<(), End> {
        // What was visited cannot be listed again.
        let is_new = !wanted.is_begun && block.entries.is_empty();
        let may_repeat = self.options.sorted || is_new;
        let error = match block.failure.take() {
            None => None,
            Some(Failure::Path(reason)) => Some(reason),
            Some(Failure::Server(reason)) => return Err(End::Failed(reason)),
            Some(Failure::Again(why) | Failure::SlowDown(why)) if !may_repeat => {
                Some(Reason::Connection(why))
            }
            Some(Failure::Again(why)) => {
                let pause = wanted.patience.failed(why, false).map_err(End::Failed)?;
                return self.again(wanted, pause);
            }
            Some(Failure::SlowDown(why)) => {
                let pause = wanted.patience.refused(why, None).map_err(End::Failed)?;
                self.outcome.slowed += 1;
                self.pace.slow_down(Instant::now());
                return self.again(wanted, pause);
            }
        };
        let directory = &wanted.directory;
        let entered = self.note_directories(directory, &block.entries);
        if self.options.sorted {
            let kept = Kept::new(directory.clone(), block.entries, entered, error);
            self.sorted.add(kept);
            return self.hand_on();
        }
        for entry in &block.entries {
            self.visit(directory, entry)?;
        }
        if let Some(reason) = error {
            return self.complain(directory, reason);
        }
        if let Some(last) = block.entries.last().filter(|_| !block.is_last) {
            let position = Position(join(&directory.path, &last.name));
            self.wanted.insert((position, true), Wanted { is_begun: true, ..wanted });
        }
        Ok(())
    }

    /// Lists a directory from its beginning, and nothing before a pause has passed.
    fn again(&mut self, mut wanted: Wanted, pause: Duration) -> Result<(), End> {
        self.outcome.repeated += 1;
        self.resume = self.resume.max(Instant::now() + pause);
        wanted.listing = None;
        self.wanted.insert((Position(wanted.directory.path.clone()), false), wanted);
        Ok(())
    }

    /// Which of the entries are directories to enter; they are wanted from now on.
    fn note_directories(&mut self, directory: &Directory, entries: &[Entry]) -> Vec<bool> {
        let depth = directory.depth + 1;
        let mut entered = vec![false; entries.len()];
        if depth >= self.options.max_depth {
            return entered;
        }
        for (entry, enters) in entries.iter().zip(&mut entered).filter(|(it, _)| it.is_directory) {
            let path = join(&directory.path, &entry.name);
            *enters = self.visitor.enters(&entry.at(self.spelling.of(&path), depth));
            if *enters {
                self.want(Directory { path, depth });
            }
        }
        entered
    }

    fn want(&mut self, directory: Directory) {
        let position = Position(directory.path.clone());
        let directory = Arc::new(directory);
        let wanted =
            Wanted { directory, listing: None, is_begun: false, patience: Patience::default() };
        self.wanted.insert((position, false), wanted);
    }

    /// Visits what may be in a sorted walk.
    fn hand_on(&mut self) -> Result<(), End> {
        while let Some(next) = self.sorted.next() {
            match next {
                (directory, Ok(entry)) => self.visit(&directory, &entry)?,
                (directory, Err(reason)) => self.complain(&directory, reason)?,
            }
        }
        Ok(())
    }

    fn visit(&mut self, directory: &Directory, entry: &Entry) -> Result<(), End> {
        let address = self.spelling.of_entry(&directory.path, &entry.name);
        self.outcome.entries += 1;
        match self.visitor.visit(Ok(entry.at(address, directory.depth + 1))) {
            Answer::Stop => Err(End::Stopped),
            Answer::Continue | Answer::Prune => Ok(()),
        }
    }

    fn complain(&mut self, directory: &Directory, reason: Reason) -> Result<(), End> {
        let address = String::from_utf8_lossy(self.spelling.of(&directory.path));
        match self.visitor.visit(Err(Error::new(&address, reason))) {
            Answer::Stop => Err(End::Stopped),
            Answer::Continue | Answer::Prune => Ok(()),
        }
    }
}

/// Waits for something, unless the visitor wants no more of it.
async fn unless_stopped<T>(
    visitor: &mut impl Visitor,
    wanted: impl Future<Output = T>,
) -> Result<T, End> {
    let mut wanted = pin!(wanted);
    loop {
        match tokio::time::timeout(TICK, wanted.as_mut()).await {
            Ok(came) => return Ok(came),
            Err(_) if visitor.between_calls() == Answer::Stop => return Err(End::Stopped),
            Err(_) => {}
        }
    }
}

impl Spelling {
    fn new(root: &str) -> Spelling {
        Spelling { address: root.as_bytes().to_vec(), root_length: root.len() }
    }

    /// The address of a path below the root.
    fn of(&mut self, path: &str) -> &[u8] {
        self.address.truncate(self.root_length);
        self.push(path);
        &self.address
    }

    fn of_entry(&mut self, directory: &str, name: &str) -> &[u8] {
        self.of(directory);
        self.push(name);
        &self.address
    }

    fn push(&mut self, path: &str) {
        if !path.is_empty() {
            if self.address.last() != Some(&b'/') {
                self.address.push(b'/');
            }
            self.address.extend_from_slice(path.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_is_spelled_as_it_was_written() {
        for (root, path, address) in [
            ("hdfs://nn", "", "hdfs://nn"),
            ("hdfs://nn", "a/b", "hdfs://nn/a/b"),
            ("hdfs://nn/", "a", "hdfs://nn/a"),
            ("hdfs://nn/x//", "a", "hdfs://nn/x//a"),
            ("hdfs://nn/x", "a", "hdfs://nn/x/a"),
        ] {
            assert_eq!(Spelling::new(root).of(path), address.as_bytes());
        }
    }
}
