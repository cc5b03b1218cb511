//! What is walked, and how.

use std::num::NonZero;
use std::time::Duration;

use tokio::runtime::Builder;

use super::address::Address;
use super::found::Visitor;
use super::options::{Options, Outcome};
use super::walk::Walk;
use crate::error::{Error, Reason};

/// A tree to walk, and how.
#[derive(Clone, Debug)]
pub struct Tree {
    options: Options,
}

impl Tree {
    /// All that is below an address, and what it names itself, in no particular order.
    #[must_use]
    pub fn new(address: Address) -> Tree {
        Tree { options: Options::new(address) }
    }

    /// A directory before what is in it, names in the order of their bytes. Directories that come
    /// early are kept, up to 64 MiB; beyond that only what comes next is listed. Of the directories
    /// down to the current one all names are held.
    #[must_use]
    pub fn sorted(self, sorted: bool) -> Tree {
        Tree { options: Options { sorted, ..self.options } }
    }

    /// Nothing deeper than so many steps below the root; what is deeper is not listed.
    #[must_use]
    pub fn max_depth(self, max_depth: usize) -> Tree {
        Tree { options: Options { max_depth, ..self.options } }
    }

    /// At most so many calls at once; by default 16.
    #[must_use]
    pub fn calls(self, most: NonZero<usize>) -> Tree {
        Tree { options: Options { calls: most.get(), ..self.options } }
    }

    /// How long a call may take, with failing over to another NameNode; by default 30 seconds.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Tree {
        Tree { options: Options { timeout, ..self.options } }
    }

    /// Walks; the visitor is called on this thread. What could not be listed is shown to it as an
    /// error, and the rest is walked, unless the NameNode itself is gone.
    ///
    /// Price: one `getFileInfo`, and for each directory one `getListing`, and one more for each
    /// further 1,000 entries in it.
    ///
    /// It waits for the NameNode, and is not for asynchronous code: there it belongs on a thread of
    /// its own.
    pub fn run(&self, visitor: &mut impl Visitor) -> Outcome {
        // One thread is as fast as a NameNode, and sees which steps wait for it: `Server::block`.
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = match runtime {
            Ok(runtime) => runtime,
            Err(error) => {
                let reason = Reason::Setting(format!("no runtime: {error}"));
                visitor.visit(Err(Error::new(self.options.address.as_str(), reason)));
                return Outcome { is_lost: true, ..Outcome::default() };
            }
        };
        let outcome = runtime.block_on(Walk::run(&self.options, visitor, runtime.handle()));
        // Calls that are under way are not waited for.
        runtime.shutdown_background();
        outcome
    }
}
