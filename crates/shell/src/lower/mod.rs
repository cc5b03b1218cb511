//! From the syntax tree to what is run: names become slots, constant words texts, arithmetic is
//! parsed, builtins are found, and what runs in a subshell is looked through for what needs a
//! process.
//!
//! What is not supported is found here, before the first command runs.
//!
//! | module | what is in it |
//! |---|---|
//! | here | a text: what comes of it, and the first thing in it that is not supported |
//! | `commands` | compound commands |
//! | `calls` | simple commands, redirections; what is not run here |
//! | `words`, `parameters`, `numbers` | what is expanded, and arithmetic in it |
//! | `together` | what is refused only where two things come together |
//! | `analysis` | what a body needs: a process of its own, an end of what it reads |

pub(crate) mod analysis;
mod calls;
mod commands;
mod numbers;
mod parameters;
mod together;
mod words;

use fewer::compact;

use crate::Dialect;
use crate::arithmetic::Slot;
use crate::names::Names;
use crate::program::{Block, Traits, Word};
use crate::syntax::{self, tree};

use self::together::Together;

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
    /// The same for the texts that `eval` and `trap` are given.
    texts: Vec<(u32, Vec<u8>)>,
    /// What is refused only where two things come together.
    together: Together,
    /// The aliases that it defines.
    aliases: Vec<(Slot, Unsupported)>,
    /// The functions that it shows, if they are functions.
    shown: Vec<(Slot, Unsupported)>,
    /// The functions that are defined in this text, with what is known of them.
    functions: Vec<(Slot, Traits)>,
    /// What is not supported, in the order of the text.
    unsupported: Vec<Unsupported>,
    /// How many `@(…)` are around.
    patterns_deep: u32,
    /// Where the command begins that is being lowered.
    line: u32,
    /// How many words braces have come to.
    of_braces: usize,
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

/// How deep the texts of `eval` and `trap` inside each other are looked into.
const TEXTS_DEEP: u32 = 4;

impl<'n> Lowerer<'n> {
    fn new(names: &'n mut Names, dialect: Dialect) -> Lowerer<'n> {
        Lowerer {
            names,
            dialect,
            line: 0,
            of_braces: 0,
            together: Together::default(),
            traits: vec![Traits::default()],
            doubtful: Vec::new(),
            called: Vec::new(),
            files: Vec::new(),
            texts: Vec::new(),
            aliases: Vec::new(),
            shown: Vec::new(),
            functions: Vec::new(),
            unsupported: Vec::new(),
            patterns_deep: 0,
        }
    }

    /// Lowers a text.
    pub(crate) fn lower(
        list: &tree::List,
        names: &mut Names,
        dialect: Dialect,
        is_function: &dyn Fn(Slot) -> bool,
    ) -> Result<Lowered, Unsupported> {
        let (lowered, unsupported) = Self::lower_all(list, names, dialect, is_function);
        unsupported.into_iter().next().map_or(Ok(lowered), Err)
    }

    /// The same with all that is not supported, which may be nothing.
    pub(crate) fn lower_all(
        list: &tree::List,
        names: &mut Names,
        dialect: Dialect,
        is_function: &dyn Fn(Slot) -> bool,
    ) -> (Lowered, Vec<Unsupported>) {
        Self::lower_deep(list, names, dialect, is_function, TEXTS_DEEP)
    }

    fn lower_deep(
        list: &tree::List,
        names: &mut Names,
        dialect: Dialect,
        is_function: &dyn Fn(Slot) -> bool,
        deep: u32,
    ) -> (Lowered, Vec<Unsupported>) {
        let mut lowerer = Lowerer::new(names, dialect);
        lowerer.traits =
            vec![Traits { bounded: true, bounded_by_input: true, ..Traits::default() }];
        let block = lowerer.block(list);
        lowerer.unsupported.extend(lowerer.together.refused());
        let line = |item: &tree::Item| item.first.commands.first().map_or(0, |first| first.line);
        let lines = list.items.iter().map(line).collect();
        let Lowerer {
            doubtful,
            functions,
            mut unsupported,
            called,
            files,
            texts,
            aliases,
            mut shown,
            ..
        } = lowerer;
        let defined =
            |slot: Slot| is_function(slot) || functions.iter().any(|(name, _)| *name == slot);
        let used = |(slot, _): &(Slot, Unsupported)| called.contains(slot);
        shown.retain(|(slot, _)| functions.iter().any(|(name, _)| name == slot));
        compact::sort_by_key(&mut shown, |(_, one)| one.line);
        let doubtful = doubtful.into_iter().filter(|(slot, _)| !defined(*slot));
        let later = aliases.into_iter().filter(used).chain(shown).chain(doubtful);
        unsupported.extend(later.map(|(_, unsupported)| unsupported));
        if deep > 0 {
            unsupported.extend(look_into_texts(&texts, names, dialect, &defined, deep - 1));
        }
        (Lowered { block, lines, functions, called, files }, unsupported)
    }

    /// Lowers a lone word.
    pub(crate) fn word_of(word: &tree::Word, names: &mut Names, dialect: Dialect) -> Word {
        Lowerer::new(names, dialect).quoted(&word.pieces)
    }

    fn slot(&mut self, name: &[u8]) -> Slot {
        self.names.slot(name)
    }

    /// Looks for a number with a point in text of the script.
    fn look_for_point(&mut self, text: &[u8]) {
        let floating_point = self.dialect.profile().arithmetic.floating_point;
        if floating_point && self.together.point.is_none() && has_point(text) {
            self.together.point = Some(self.line);
        }
    }

    /// Notes that the command that is being lowered is not run here.
    fn refuse(&mut self, what: impl Into<String>) {
        let line = self.line;
        self.unsupported.push(Unsupported { line, what: what.into() });
    }
}

/// Whether a text has a number with a point in it: `1.5`, `.5`, `1.`, but not `1.2.3` or `a.5`.
fn has_point(text: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_./".contains(byte);
    memchr::memchr_iter(b'.', text).any(|at| {
        let before = text[..at].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let behind = text[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let end = text.get(at + 1 + behind);
        before + behind > 0
            && !text[..at - before].last().is_some_and(is_part)
            && !end.is_some_and(|byte| is_part(byte) && !b"eE".contains(byte))
    })
}

/// What cannot be run here of what `eval` or `trap` is given as it stands: that is for another
/// shell, and the script with it. What cannot be read at all is left for the script to find.
fn look_into_texts(
    texts: &[(u32, Vec<u8>)],
    names: &mut Names,
    dialect: Dialect,
    is_function: &dyn Fn(Slot) -> bool,
    deep: u32,
) -> Vec<Unsupported> {
    let mut found = Vec::new();
    for (line, text) in texts {
        let whats = match syntax::parse(text, dialect) {
            Ok(list) => Lowerer::lower_deep(&list, names, dialect, is_function, deep).1,
            Err(error) if error.kind == syntax::ErrorKind::Unsupported => {
                vec![Unsupported { line: *line, what: error.message }]
            }
            Err(_) => Vec::new(),
        };
        found.extend(whats.into_iter().map(|one| Unsupported { line: *line, ..one }));
    }
    found
}
