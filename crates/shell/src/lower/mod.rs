//! From the syntax tree to what is run: names become slots, constant words texts, arithmetic is
//! parsed, builtins are found, and what runs in a subshell is looked through for what needs a
//! process.
//!
//! What is not supported is found here, before the first command runs.

mod analysis;
mod calls;
mod commands;
mod numbers;
mod parameters;
mod words;

use crate::Dialect;
use crate::arithmetic::Slot;
use crate::names::Names;
use crate::program::{Block, Traits, Word};
use crate::syntax::tree;

/// Something that is not run here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unsupported {
    pub(crate) line: u32,
    pub(crate) what: String,
}

/// Lowers the lists of one text.
pub(crate) struct Lowerer<'n> {
    names: &'n mut Names,
    dialect: Dialect,
    /// What is known of the body that is being lowered, the innermost last.
    traits: Vec<Traits>,
    /// Commands that are not supported, unless functions have their names.
    doubtful: Vec<(Slot, Unsupported)>,
    /// The names of the commands in this text.
    called: Vec<Slot>,
    /// The files that it reads with `.`, as far as they are known, with the lines.
    files: Vec<(u32, Vec<u8>)>,
    /// The aliases that it defines.
    aliases: Vec<(Slot, Unsupported)>,
    /// The functions that are defined in this text, with what is known of them.
    functions: Vec<(Slot, Traits)>,
    /// The first thing that is not supported.
    unsupported: Option<Unsupported>,
    /// How many `@(…)` are around.
    patterns_deep: u32,
    /// Where the command begins that is being lowered.
    line: u32,
}

/// A text that was lowered.
#[derive(Debug)]
pub(crate) struct Lowered {
    pub(crate) block: Block,
    /// The line on which each command of the block begins.
    pub(crate) lines: Vec<u32>,
    /// What is known of the functions in it.
    pub(crate) functions: Vec<(Slot, Traits)>,
    /// The names of the commands in it.
    pub(crate) called: Vec<Slot>,
    /// The files that it reads with `.`, as far as they are known, with the lines.
    pub(crate) files: Vec<(u32, Vec<u8>)>,
}

impl Lowerer<'_> {
    /// Lowers a text.
    pub(crate) fn lower(
        list: &tree::List,
        names: &mut Names,
        dialect: Dialect,
        is_function: &dyn Fn(Slot) -> bool,
    ) -> Result<Lowered, Unsupported> {
        let mut lowerer = Lowerer {
            names,
            dialect,
            traits: vec![Traits { bounded: true, bounded_by_input: true, ..Traits::default() }],
            doubtful: Vec::new(),
            called: Vec::new(),
            files: Vec::new(),
            aliases: Vec::new(),
            functions: Vec::new(),
            unsupported: None,
            patterns_deep: 0,
            line: 0,
        };
        let block = lowerer.block(list);
        let line = |item: &tree::Item| item.first.commands.first().map_or(0, |first| first.line);
        let lines = list.items.iter().map(line).collect();
        let Lowerer { doubtful, functions, mut unsupported, called, files, aliases, .. } = lowerer;
        if unsupported.is_none() {
            let used = |(slot, _): &(Slot, Unsupported)| called.contains(slot);
            unsupported = aliases.into_iter().find(used).map(|(_, unsupported)| unsupported);
        }
        let defined =
            |slot: Slot| is_function(slot) || functions.iter().any(|(name, _)| *name == slot);
        let doubtful = doubtful.into_iter().find(|(slot, _)| !defined(*slot));
        match unsupported.or(doubtful.map(|(_, unsupported)| unsupported)) {
            Some(unsupported) => Err(unsupported),
            None => Ok(Lowered { block, lines, functions, called, files }),
        }
    }

    /// Lowers a lone word.
    pub(crate) fn word_of(word: &tree::Word, names: &mut Names, dialect: Dialect) -> Word {
        let mut lowerer = Lowerer {
            names,
            dialect,
            traits: vec![Traits::default()],
            doubtful: Vec::new(),
            called: Vec::new(),
            files: Vec::new(),
            aliases: Vec::new(),
            functions: Vec::new(),
            unsupported: None,
            patterns_deep: 0,
            line: 0,
        };
        lowerer.quoted(&word.pieces)
    }

    fn slot(&mut self, name: &[u8]) -> Slot {
        self.names.slot(name)
    }

    fn refuse(&mut self, line: u32, what: impl Into<String>) {
        self.unsupported.get_or_insert_with(|| Unsupported { line, what: what.into() });
    }
}
