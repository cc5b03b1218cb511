//! Which seeks of an open file did nothing for what was read and written.

use crate::Call;
use crate::explain::tally::Tally;

/// Seeks in a row that are kept; of further ones the first is counted as idle.
const LONGEST_RUN: usize = 8;

/// The seeks of a descriptor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seeks {
    /// Those that left the position where it was, or that another one followed right away.
    pub(crate) idle: Tally,
    /// Those to another place where there was one read or write and no more.
    pub(crate) paired: Tally,
    /// Where the next read or write begins, if that is known.
    pub(super) position: Option<u64>,
    /// The seeks since the last transfer, and where the first of them began.
    run: Vec<Call>,
    from: Option<u64>,
    /// The last seek that changed the position, and the transfers since.
    needed: Option<Box<Call>>,
    transfers: u64,
    /// Whether the size was asked for: `SEEK_END` and back.
    has_size: bool,
}

impl Seeks {
    /// A seek.
    pub(super) fn add(&mut self, call: &Call) {
        if self.run.is_empty() {
            self.end_pair();
            self.from = self.position;
        } else if self.run.len() == LONGEST_RUN {
            self.idle.add(&self.run.remove(0));
        }
        self.run.push(call.clone());
    }

    /// Something is read or written, which moves the position by so many bytes, if that is known.
    pub(super) fn transfer(&mut self, moved: Option<u64>) {
        self.end_run();
        self.transfers += 1;
        self.position = self.position.zip(moved).map(|(position, moved)| position + moved);
    }

    /// The descriptor is closed.
    pub(super) fn end(&mut self) {
        self.end_run();
        self.end_pair();
    }

    fn end_run(&mut self) {
        const SEEK_CUR: i32 = 1;
        const SEEK_END: i32 = 2;
        if self.run.is_empty() {
            return;
        }
        // What asks for data and holes, asks for more than a position.
        let is_search = self.run.iter().any(|call| call.int(2) > SEEK_END);
        let asks_size = self.run.iter().any(|call| call.int(2) == SEEK_END);
        let is_first_size = asks_size && !std::mem::replace(&mut self.has_size, asks_size);
        let moves = self.from.is_none() || self.from != self.position;
        self.transfers = 0;
        // One that asks sets nothing that a read could say itself.
        let asks = |call: &&Call| call.int(2) == SEEK_CUR && call.arguments[1] == 0;
        let last = self.run.iter().rev().find(|call| !asks(call));
        self.needed = last.filter(|_| moves).map(|call| Box::new(call.clone()));
        let run = std::mem::take(&mut self.run);
        if is_search || is_first_size {
            self.needed = None;
            return;
        }
        let idle = run.len() - usize::from(moves);
        run[..idle].iter().for_each(|call| self.idle.add(call));
    }

    fn end_pair(&mut self) {
        if let Some(call) = self.needed.take().filter(|_| self.transfers == 1) {
            self.paired.add(&call);
        }
    }
}
