//! How many keys there are between which, as far as they were listed.

use std::collections::BTreeMap;
use std::ops::Bound;

/// About so many pieces are told apart.
const PIECES: u64 = 512;

/// What lies between two keys that were listed: no key in between is missing.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) last: Vec<u8>,
    pub(crate) keys: u64,
    pages: u64,
}

/// What was listed, in pieces that do not overlap, by their first keys.
#[derive(Debug, Default)]
pub(crate) struct Density {
    pieces: BTreeMap<Vec<u8>, Piece>,
    pages: u64,
    keys: u64,
}

impl Density {
    /// How many keys were listed.
    pub(crate) fn keys(&self) -> u64 {
        self.keys
    }

    /// Adds a page, behind what was listed of its range, whose last piece begins there. Returns
    /// where the last piece begins now.
    pub(crate) fn add(
        &mut self,
        before: Option<Vec<u8>>,
        first: &[u8],
        last: &[u8],
        keys: u64,
    ) -> Vec<u8> {
        self.pages += 1;
        self.keys += keys;
        let most = self.pages / PIECES;
        if let Some(before) = before
            && let Some(piece) = self.pieces.get_mut(&before).filter(|it| it.pages < most)
        {
            piece.last = last.to_owned();
            piece.keys += keys;
            piece.pages += 1;
            return before;
        }
        self.pieces.insert(first.to_owned(), Piece { last: last.to_owned(), keys, pages: 1 });
        first.to_owned()
    }

    /// The pieces of which all keys begin with some bytes, with their first keys.
    pub(crate) fn below<'d>(
        &'d self,
        parent: &'d [u8],
    ) -> impl Iterator<Item = (&'d [u8], &'d Piece)> {
        let from = (Bound::Included(parent), Bound::Unbounded);
        let pieces = self.pieces.range::<[u8], _>(from);
        let pieces = pieces.take_while(move |(first, _)| first.starts_with(parent));
        let pieces = pieces.filter(move |(_, piece)| piece.last.starts_with(parent));
        pieces.map(|(first, piece)| (first.as_slice(), piece))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_grow_as_there_are_more_pages() {
        let mut density = Density::default();
        let mut piece = None;
        for page in 0..3 * PIECES {
            let key = |at: u64| format!("{:06}", page * 10 + at).into_bytes();
            piece = Some(density.add(piece, &key(0), &key(9), 10));
        }
        let pieces = density.below(b"").count() as u64;
        // One page each for the first two times as many, and then one for two.
        assert!((2 * PIECES..3 * PIECES).contains(&pieces), "{pieces}");
        assert_eq!(density.below(b"").map(|(_, piece)| piece.keys).sum::<u64>(), 30 * PIECES);
        assert_eq!(density.keys(), 30 * PIECES);
    }

    #[test]
    fn a_piece_is_below_what_all_its_keys_begin_with() {
        let mut density = Density::default();
        density.add(None, b"a/1", b"b/1", 10);
        density.add(None, b"b/2", b"b/9", 10);
        let first = |parent: &'static [u8]| {
            density.below(parent).map(|(first, _)| first.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(first(b"b/"), [b"b/2"]);
        assert_eq!(first(b"").len(), 2);
        assert!(first(b"c").is_empty());
    }
}
