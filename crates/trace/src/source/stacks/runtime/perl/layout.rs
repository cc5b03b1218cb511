//! How perl's structures are laid out. Facts from the headers of perl 5.30 to 5.40 (`intrpvar.h`,
//! `cop.h`, `cv.h`, `gv.h`, `hv.h`, 64 bits), in which most of them are the same. What differs is
//! found out by what lies there: an interpreter's fields point to each other, its outermost stack
//! says that it is that, and its outermost package is `main`.

use super::super::copies::word;
use super::names;
use crate::source::memory;

/// In an interpreter, from its current statement on: the stack, and what is known of the stack; the
/// outermost stack; before them the outermost package.
const STACK: usize = 8;
pub(super) const STACK_INFO: usize = 16;
const OUTERMOST: usize = 24;
const PACKAGE_BEFORE: usize = 16;

/// So much of an interpreter is needed from its current statement on.
pub(super) const FIELDS: usize = 32;

/// The current statement is looked for in so many bytes of an interpreter.
const SEARCHED: usize = 640;

/// In what is known of a stack (`PERL_SI`): the stack, its contexts, the outer one, the number of
/// the innermost context, and how many there is room for. Why there is a new stack differs.
pub(super) mod stack_info {
    pub(in super::super) const STACK: usize = 0;
    pub(in super::super) const CONTEXTS: usize = 8;
    pub(in super::super) const OUTER: usize = 16;
    pub(in super::super) const INNERMOST: usize = 32;
    pub(in super::super) const ROOM: usize = 36;
    pub(in super::super) const SIZE: usize = 48;
    /// The reason of the outermost stack.
    pub(in super::super) const IS_OUTERMOST: i32 = 1;
    /// Reasons are not larger.
    pub(in super::super) const REASONS: i32 = 16;
}

/// In a context (`PERL_CONTEXT`): what it is, and the statement that led to it.
pub(super) mod context {
    pub(in super::super) const KIND: usize = 0;
    pub(in super::super) const STATEMENT: usize = 16;
    /// The bits of the kind that say what it is.
    pub(in super::super) const KINDS: u8 = 15;
    pub(in super::super) const IS_FUNCTION: u8 = 9;
    pub(in super::super) const IS_FORMAT: u8 = 10;
    pub(in super::super) const IS_EVAL: u8 = 11;
    /// With a function: not really one, but code in a regular expression.
    pub(in super::super) const IS_IN_EXPRESSION: u8 = 0x80;
    /// With an eval: of a block, not of a text or file.
    pub(in super::super) const IS_BLOCK: u8 = 0x40;
}

/// What became longer in 5.32.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Contexts {
    /// In what is known of a stack: why there is a new one.
    pub(super) reason: usize,
    /// In a context: the function.
    pub(super) function: usize,
    /// The size of a context.
    pub(super) size: usize,
}

const CONTEXTS_5_32: Contexts = Contexts { reason: 44, function: 72, size: 104 };
const CONTEXTS_5_24: Contexts = Contexts { reason: 40, function: 64, size: 96 };

/// How an interpreter is reached.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Reach {
    /// There is one, whose fields have symbols: current statement, what is known of its stack.
    Symbols { statement: u64, stack_info: u64 },
    /// There may be several; in each the current statement lies so far behind its beginning.
    Fields { statement: u64 },
}

/// What differs from version to version.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Layout {
    pub(super) reach: Reach,
    pub(super) contexts: Contexts,
    /// Whether a package has its name in its own structure (5.36 and later), or behind its table.
    pub(super) is_name_inside: bool,
}

impl Layout {
    /// Whether the file of a statement is a text: in a perl that is built for threads.
    pub(super) fn has_texts(self) -> bool {
        matches!(self.reach, Reach::Fields { .. })
    }

    /// The layout of the interpreter at an address, by what lies there.
    pub(super) fn of_interpreter(process: libc::pid_t, interpreter: u64) -> Option<Layout> {
        let mut bytes = Vec::new();
        memory::ranges(process, &[(interpreter, SEARCHED)], &mut bytes);
        let mut starts = (0..SEARCHED - FIELDS).step_by(8);
        let (at, contexts) =
            starts.find_map(|at| Some((at, contexts(process, bytes.get(at..at + FIELDS)?)?)))?;
        let package = word(&bytes, at.checked_sub(PACKAGE_BEFORE)?)?;
        let reach = Reach::Fields { statement: at as u64 };
        Some(Layout { reach, contexts, is_name_inside: is_name_inside(process, package)? })
    }

    /// The layout of the only interpreter, the addresses of whose fields are known: in the order
    /// of `FIELDS`, and the outermost package.
    pub(super) fn of_fields(process: libc::pid_t, fields: [u64; 5]) -> Option<Layout> {
        let [statement, _, stack_info, ..] = fields;
        let mut bytes = Vec::new();
        memory::ranges(process, &fields.map(|at| (at, 8)), &mut bytes);
        let contexts = contexts(process, bytes.get(..FIELDS)?)?;
        let package = word(&bytes, FIELDS)?;
        let reach = Reach::Symbols { statement, stack_info };
        Some(Layout { reach, contexts, is_name_inside: is_name_inside(process, package)? })
    }
}

/// How contexts are laid out, if these are an interpreter's fields from its current statement on.
fn contexts(process: libc::pid_t, fields: &[u8]) -> Option<Contexts> {
    let is = |contexts: &Contexts| is_interpreter(process, fields, *contexts) == Some(true);
    [CONTEXTS_5_32, CONTEXTS_5_24].into_iter().find(is)
}

/// Whether these are an interpreter's fields from its current statement on, as far as can be seen.
pub(super) fn is_interpreter(
    process: libc::pid_t,
    fields: &[u8],
    contexts: Contexts,
) -> Option<bool> {
    let (stack, outermost) = (word(fields, STACK)?, word(fields, OUTERMOST)?);
    let mut info = word(fields, STACK_INFO)?;
    if [word(fields, 0)?, stack, outermost, info].iter().any(|at| *at == 0 || at % 8 != 0) {
        return Some(false);
    }
    let mut inner = Some(stack);
    for _ in 0..=stack_info::REASONS {
        let bytes: [u8; stack_info::SIZE] = memory::array(process, info)?;
        let number = |at: usize| Some(i32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let (innermost, reason) = (number(stack_info::INNERMOST)?, number(contexts.reason)?);
        let fits = (-1..=number(stack_info::ROOM)?).contains(&innermost)
            && (-1..stack_info::REASONS).contains(&reason)
            && inner.take().is_none_or(|stack| word(&bytes, stack_info::STACK) == Some(stack));
        if !fits {
            return Some(false);
        }
        if reason == stack_info::IS_OUTERMOST {
            return Some(word(&bytes, stack_info::STACK)? == outermost);
        }
        info = word(&bytes, stack_info::OUTER)?;
    }
    Some(false)
}

/// Where the outermost package has its name. `None` if its name is nowhere.
fn is_name_inside(process: libc::pid_t, package: u64) -> Option<bool> {
    [true, false]
        .into_iter()
        .find(|&inside| names::package(process, package, inside).as_deref() == Some("main"))
}
