//! A cache for ids that are not in the files, with the answer of the name services.

use std::sync::OnceLock;

const CHAINS: usize = 1024;

/// A cache that only grows. A lookup of an id that is in it takes no lock; of two threads that look
/// for the same new id one asks the name services and the other waits for the answer.
#[derive(Default)]
pub(super) struct Misses {
    /// By the last bits of the id; allocated at the first miss.
    chains: OnceLock<Box<[Chain]>>,
}

type Chain = OnceLock<Box<Miss>>;

struct Miss {
    id: u32,
    name: OnceLock<Option<Box<[u8]>>>,
    next: Chain,
}

impl Misses {
    pub(super) fn name(&self, id: u32, ask: impl FnOnce() -> Option<Box<[u8]>>) -> Option<&[u8]> {
        let chains = self.chains.get_or_init(|| (0..CHAINS).map(|_| Chain::new()).collect());
        let mut chain = &chains[id as usize % CHAINS];
        loop {
            let new = || Box::new(Miss { id, name: OnceLock::new(), next: Chain::new() });
            let miss = chain.get_or_init(new);
            if miss.id == id {
                return miss.name.get_or_init(ask).as_deref();
            }
            chain = &miss.next;
        }
    }
}

impl Drop for Misses {
    /// One after the other: a chain of millions must not be a recursion of millions.
    fn drop(&mut self) {
        for chain in self.chains.get_mut().into_iter().flat_map(|chains| chains.iter_mut()) {
            let mut rest = chain.take();
            while let Some(mut miss) = rest {
                rest = miss.next.take();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::*;

    #[test]
    fn each_id_is_asked_for_once_on_however_many_threads() {
        let misses = Misses::default();
        let asked = AtomicUsize::new(0);
        let ask = |id: u32| {
            asked.fetch_add(1, Relaxed);
            id.is_multiple_of(3).then(|| id.to_string().into_bytes().into())
        };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for id in (0..5000).map(|step| step * 1024 / 2) {
                        let name = misses.name(id, || ask(id));
                        let expected = id.is_multiple_of(3).then(|| id.to_string());
                        assert_eq!(name, expected.as_deref().map(str::as_bytes));
                    }
                });
            }
        });
        assert_eq!(asked.into_inner(), 5000);
    }

    #[test]
    fn a_chain_of_a_million_ends_without_recursion() {
        let misses = Misses::default();
        let mut chain =
            &misses.chains.get_or_init(|| (0..CHAINS).map(|_| Chain::new()).collect())[0];
        for id in 0..1_000_000 {
            chain = &chain
                .get_or_init(|| Box::new(Miss { id, name: OnceLock::new(), next: Chain::new() }))
                .next;
        }
        drop(misses);
    }
}
