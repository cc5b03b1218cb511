//! Where to split a range of keys, by what was observed in it.
//!
//! All of it only says where a split is likely to be worth it. Whatever it answers, the two parts
//! of a split range have no key in common and leave none out.
//!
//! Keys are names in folders, and folders differ in size by orders of magnitude, so that the
//! density of what was listed says little of what was not. There are two choices, and the one with
//! more keys left wins. While whole pages come from one folder, a split is at its end: behind it
//! are the other folders, whatever their names, and in it may be as much as has come from it.
//! Otherwise the split is at a name: one that other folders of the level have, or where there was
//! no other, one made of the characters that were seen, as if names were numbers. It is in the
//! middle of those that are left, but not further ahead than their density makes worth it.

use std::collections::BTreeSet;

use crate::alphabet::{Alphabet, Digits};
use crate::density::Density;
use crate::names::Names;

/// The characters of a split key behind the first that differs.
const DETAIL: usize = 2;

/// So many digits behind what two keys have in common are compared.
const PRECISION: usize = 6;

/// How many keys a split lies ahead at most, or this part of all that were listed.
const REACH_KEYS: f64 = 32_000.0;
const REACH_PART: f64 = 16.0;

/// What is assumed to be left in a folder: as many keys as came from it, and at least these.
const FEWEST_BEHIND: f64 = 4_000.0;

/// What was observed in a range.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Observed<'k> {
    /// What all keys begin with.
    pub(crate) prefix: &'k [u8],
    /// The first key of the last page, or of several.
    pub(crate) piece: &'k [u8],
    /// The last key that was listed.
    pub(crate) last: &'k [u8],
    /// The greatest key that the range may have; `None` if there is no bound but the prefix.
    pub(crate) end: Option<&'k [u8]>,
    /// The characters of names at their level in all ranges.
    pub(crate) names: &'k Names,
    /// What was listed of all ranges.
    pub(crate) density: &'k Density,
}

/// Where to split a range, and how many keys are left in it, by estimate.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Split {
    pub(crate) key: Vec<u8>,
    pub(crate) left: f64,
}

/// The best split of a range; `None` if there is no key between.
pub(crate) fn best(observed: &Observed<'_>) -> Option<Split> {
    let last = observed.last;
    // Where the last key and all that follow may differ.
    let from = match observed.end {
        Some(end) => char_boundary(last, end),
        None => observed.prefix.len(),
    };
    let parent = &last[..from + usize::from(last.get(from) == Some(&b'/'))];
    let folder = observed.folder(name_end(last, parent.len()));
    let names = match observed.known_names(parent) {
        Some(known) => known,
        None => observed.unknown_names(parent, from),
    };
    match (folder, names) {
        (Some(folder), Some(names)) if names.left < folder.left => Some(folder),
        (folder, names) => names.or(folder),
    }
}

impl Observed<'_> {
    fn is_between(&self, key: &[u8]) -> bool {
        key > self.last && key.starts_with(self.prefix) && self.end.is_none_or(|end| key < end)
    }

    /// A split behind the folder that the last key is in, whose name ends there, if all of the last
    /// page came from it.
    fn folder(&self, name: usize) -> Option<Split> {
        let folder = self.last.get(..=name).filter(|folder| folder.ends_with(b"/"))?;
        // The character behind the slash is greater than all names in the folder.
        let key = [&folder[..name], b"0"].concat();
        let keys: u64 = self.density.below(folder).map(|(_, piece)| piece.keys).sum();
        let came_from_it = self.piece.starts_with(folder);
        let left = FEWEST_BEHIND.max(keys as f64);
        (came_from_it && self.is_between(&key)).then_some(Split { key, left })
    }

    /// A split at a name that other folders of this level have, as many of them ahead as their
    /// average size makes worth it; `None` if there were no other folders, `Some(None)` if none of
    /// their names is left.
    fn known_names(&self, parent: &[u8]) -> Option<Option<Split>> {
        let folder = parent.iter().rposition(|&byte| byte == b'/').map_or(0, |at| at + 1);
        let (folder, name) = self.last.split_at(folder);
        let name = name.split(|&byte| byte == b'/').next().unwrap_or_default();
        let before = self.end.and_then(|end| end.strip_prefix(folder));
        let ahead = self.names.expected(self.last, folder.len(), name, before)?;
        let behind = self.names.expected(self.last, folder.len(), b"", Some(name))?.len() + 1;
        let keys: u64 = self.density.below(folder).map(|(_, piece)| piece.keys).sum();
        let each = keys.max(1) as f64 / behind as f64;
        let worth = (self.reach() / each).clamp(1.0, 1e9) as usize;
        let index = worth.min(ahead.len() / 2).saturating_sub(1);
        let key = ahead.get(index).map(|name| [folder, name].concat());
        let key = key.filter(|key| self.is_between(key));
        Some(key.map(|key| Split { key, left: each * ahead.len() as f64 }))
    }

    /// How many keys a split lies ahead at most.
    fn reach(&self) -> f64 {
        REACH_KEYS.max(self.density.keys() as f64 / REACH_PART)
    }

    /// A split between names of one level, if several were seen.
    fn unknown_names(&self, parent: &[u8], from: usize) -> Option<Split> {
        let name = self.last.get(..name_end(self.last, parent.len()))?;
        let is_another = |key: &[u8]| !key.starts_with(name);
        let mut pieces = self.density.below(parent);
        if !pieces.any(|(key, piece)| is_another(key) || is_another(&piece.last)) {
            return None;
        }
        let alphabet = self.names.alphabet(self.last, from);
        let pieces = || self.density.below(parent);
        let shared = pieces().map(|(first, piece)| in_common(first, &piece.last)).max();
        let length = shared.unwrap_or(0).saturating_sub(from) + PRECISION;
        let digits = |key: &[u8]| alphabet.digits(key, from, length);
        let is_in_one = self.last.get(name.len()) == Some(&b'/') && self.piece.starts_with(name);
        let width = match is_in_one {
            true => self.width_of_folders(parent, &alphabet, digits),
            false => pieces().fold(vec![0; length], |sum, (first, piece)| {
                alphabet.plus(&sum, &alphabet.minus(&digits(&piece.last), &digits(first)))
            }),
        };
        let keys = pieces().map(|(_, piece)| piece.keys).sum::<u64>().max(1) as f64;
        let end = self.end.map_or_else(|| alphabet.greatest(length), digits);
        let rest = alphabet.minus(&end, &digits(self.last));
        let half = alphabet.halved(&rest);
        let reach = self.reach() / keys;
        let step = match alphabet.scaled(&width, reach) {
            Some(reach) if reach < half && reach.iter().any(|&digit| digit > 0) => reach,
            _ => half,
        };
        let key = self.key(&alphabet, &alphabet.plus(&digits(self.last), &step), from)?;
        Some(Split { key, left: alphabet.ratio(&rest, &width) * keys })
    }

    /// How much of the names below a folder was listed, where whole pages came from one of them: a
    /// folder counts as much as two that are neighbours differ.
    fn width_of_folders(
        &self,
        parent: &[u8],
        alphabet: &Alphabet,
        digits: impl Fn(&[u8]) -> Digits,
    ) -> Digits {
        let name = |key: &[u8]| digits(&key[..name_end(key, parent.len())]);
        let pieces = || self.density.below(parent);
        let begun: BTreeSet<Digits> = pieces().map(|(first, _)| name(first)).collect();
        let neighbours = begun.iter().zip(begun.iter().skip(1));
        let distance = neighbours.map(|(one, other)| alphabet.minus(other, one)).min();
        let distance = distance.unwrap_or_else(|| name(self.last));
        let listed = pieces().fold(digits(b""), |sum, (first, piece)| {
            alphabet.plus(&sum, &alphabet.minus(&name(&piece.last), &name(first)))
        });
        begun.iter().fold(listed, |sum, _| alphabet.plus(&sum, &distance))
    }

    /// The shortest key of these digits that lies between, and a little more.
    fn key(&self, alphabet: &Alphabet, digits: &Digits, from: usize) -> Option<Vec<u8>> {
        let characters = alphabet.characters(digits);
        let key = |length: usize| {
            let text: String = characters[..length].iter().collect();
            [&self.last[..from], text.as_bytes()].concat()
        };
        let mut lengths = 1..=characters.len();
        let shortest = lengths.find(|&length| self.is_between(&key(length)))?;
        let detailed = key((shortest + DETAIL).min(characters.len()));
        let fits = self.is_between(&detailed);
        Some(if fits { detailed } else { key(shortest) })
    }
}

/// The end of the name that is at a position.
fn name_end(key: &[u8], from: usize) -> usize {
    let rest = key.get(from..).unwrap_or_default();
    from + rest.iter().position(|&byte| byte == b'/').unwrap_or(rest.len())
}

/// How many bytes two keys have in common.
fn in_common(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// The same, without a part of a character.
fn char_boundary(a: &[u8], b: &[u8]) -> usize {
    let is_inside = |at: &usize| a.get(*at).is_some_and(|byte| byte & 0xc0 == 0x80);
    let common = in_common(a, b);
    (0..=common).rev().find(|at| !is_inside(at)).unwrap_or(0)
}

#[cfg(test)]
#[path = "split_tests.rs"]
mod tests;
