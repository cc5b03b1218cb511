//! What a variable holds.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use crate::Text;

/// A variable: its value and its attributes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Variable {
    pub(crate) value: Value,
    pub(crate) flags: Flags,
    /// The subshell in which it was last saved for the undo log.
    pub(crate) saved_in: u32,
}

/// A value.
#[derive(Clone, Debug, Default)]
pub(crate) enum Value {
    #[default]
    Unset,
    Text(Text),
    Indexed(Box<Indexed>),
    Associative(Box<IndexMap<Text, Text>>),
}

/// Attributes, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flags(pub(crate) u16);

impl Flags {
    pub(crate) const EXPORT: Flags = Flags(1);
    pub(crate) const READONLY: Flags = Flags(2);
    pub(crate) const INTEGER: Flags = Flags(4);
    pub(crate) const UPPER: Flags = Flags(8);
    pub(crate) const LOWER: Flags = Flags(16);
    /// Its value is the name of the variable that is meant.
    pub(crate) const REFERENCE: Flags = Flags(32);
    /// Its value is made when it is asked for.
    pub(crate) const COMPUTED: Flags = Flags(64);
    /// The shell has to know when it changes.
    pub(crate) const WATCHED: Flags = Flags(128);
    /// `declare -a` or `-A` without a value yet.
    pub(crate) const ARRAY: Flags = Flags(256);
    pub(crate) const ASSOCIATIVE: Flags = Flags(512);
    /// Declared in a function without a value: unset, but local.
    pub(crate) const DECLARED: Flags = Flags(1024);

    /// The first letter large, the others small.
    pub(crate) const CAPITAL: Flags = Flags(2048);

    /// `declare -t`, which means something for functions only.
    pub(crate) const TRACED: Flags = Flags(4096);

    pub(crate) const fn has(self, other: Flags) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) const fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    pub(crate) const fn without(self, other: Flags) -> Flags {
        Flags(self.0 & !other.0)
    }

    /// Whether a text can be assigned as it is.
    pub(crate) const fn is_simple(self) -> bool {
        self.0 & !(Flags::DECLARED.0 | Flags::TRACED.0) == 0
    }

    /// Whether an element can be assigned as it is.
    pub(crate) const fn is_plain(self) -> bool {
        self.0 & !(Flags::DECLARED.0 | Flags::ARRAY.0 | Flags::ASSOCIATIVE.0) == 0
    }
}

/// How far beyond its end an array still grows as a row.
const GAP: usize = 4096;

/// An indexed array. As a row while it has few gaps, as a tree otherwise.
#[derive(Clone, Debug)]
pub(crate) enum Indexed {
    /// The element of each index, and how many there are.
    Row(Vec<Option<Text>>, usize),
    Tree(BTreeMap<u64, Text>),
}

impl Default for Indexed {
    fn default() -> Indexed {
        Indexed::Row(Vec::new(), 0)
    }
}

impl Indexed {
    pub(crate) fn of(words: impl IntoIterator<Item = Text>) -> Indexed {
        let row: Vec<_> = words.into_iter().map(Some).collect();
        let count = row.len();
        Indexed::Row(row, count)
    }

    pub(crate) fn get(&self, index: u64) -> Option<&Text> {
        match self {
            Indexed::Row(row, _) => row.get(usize::try_from(index).ok()?)?.as_ref(),
            Indexed::Tree(tree) => tree.get(&index),
        }
    }

    pub(crate) fn count(&self) -> usize {
        match self {
            Indexed::Row(_, count) => *count,
            Indexed::Tree(tree) => tree.len(),
        }
    }

    /// One more than the last index.
    pub(crate) fn end(&self) -> u64 {
        match self {
            Indexed::Row(row, _) => row.len() as u64,
            Indexed::Tree(tree) => tree.last_key_value().map_or(0, |(last, _)| last + 1),
        }
    }

    /// Puts an element there, and gives the one that was there.
    pub(crate) fn put(&mut self, index: u64, value: Option<Text>) -> Option<Text> {
        match self {
            Indexed::Row(row, count) => {
                let Some(at) = usize::try_from(index).ok().filter(|at| *at <= row.len() + GAP)
                else {
                    value.as_ref()?;
                    *self = Indexed::Tree(take_row(row));
                    return self.put(index, value);
                };
                if at >= row.len() {
                    value.as_ref()?;
                    row.resize(at + 1, None);
                }
                let is_some = value.is_some();
                let old = std::mem::replace(&mut row[at], value);
                *count = *count + usize::from(is_some) - usize::from(old.is_some());
                if !is_some {
                    while row.last().is_some_and(Option::is_none) {
                        row.pop();
                    }
                }
                old
            }
            Indexed::Tree(tree) => match value {
                Some(value) => tree.insert(index, value),
                None => tree.remove(&index),
            },
        }
    }

    /// All elements with their indices, in order.
    pub(crate) fn iter(&self) -> Box<dyn Iterator<Item = (u64, &Text)> + '_> {
        match self {
            Indexed::Row(row, _) => {
                Box::new((0..).zip(row).filter_map(|(index, value)| Some((index, value.as_ref()?))))
            }
            Indexed::Tree(tree) => Box::new(tree.iter().map(|(index, value)| (*index, value))),
        }
    }
}

fn take_row(row: &mut Vec<Option<Text>>) -> BTreeMap<u64, Text> {
    let row = std::mem::take(row);
    (0..).zip(row).filter_map(|(index, value)| Some((index, value?))).collect()
}
