//! The call stack, and the positional parameters.

use std::rc::Rc;

use crate::Text;
use crate::arithmetic::Slot;
use crate::options::Options;
use crate::program::Function;

/// The calls that are being run.
#[derive(Debug, Default)]
pub(crate) struct CallStack {
    /// Innermost last.
    pub(crate) frames: Vec<Frame>,
    /// `$1`, `$2`, … of the innermost function.
    pub(crate) positional: Positional,
    /// What was assigned before the name of a command, until the function that it calls takes it.
    pub(crate) assigned: Vec<Slot>,
}

/// A call of a function, or a file that is being read.
#[derive(Debug)]
pub(crate) struct Frame {
    /// Its function; `None` for a file.
    pub(crate) function: Option<Rc<Function>>,
    /// Where its locals begin.
    pub(crate) locals: usize,
    /// The subshell that it was called in.
    pub(crate) subshell: u32,
    /// The line that it was called on.
    pub(crate) called_on: u32,
    /// The file that was being run, for a file.
    pub(crate) file: Option<Rc<[u8]>>,
    /// ksh: a scope of its own, with its own EXIT trap.
    pub(crate) own_scope: bool,
    /// What `local -` keeps.
    pub(crate) options: Option<Options>,
    /// What was assigned before the call's name.
    pub(crate) assigned: Vec<Slot>,
}

/// The positional parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Positional {
    words: Rc<Vec<Text>>,
    shifted: usize,
    by_set: bool,
}

impl Positional {
    pub(crate) fn new(words: Vec<Text>) -> Positional {
        Positional { words: Rc::new(words), shifted: 0, by_set: false }
    }

    /// Those that `set` has made.
    pub(crate) fn by_set(words: Vec<Text>) -> Positional {
        Positional { by_set: true, ..Positional::new(words) }
    }

    /// Whether `set` made them.
    pub(crate) fn are_by_set(&self) -> bool {
        self.by_set
    }

    pub(crate) fn all(&self) -> &[Text] {
        self.words.get(self.shifted..).unwrap_or_default()
    }

    /// `shift`: there must be so many.
    pub(crate) fn shift(&mut self, count: usize) {
        self.shifted += count;
    }
}

impl CallStack {
    /// Whether a function is what runs, not a file that it reads.
    pub(crate) fn is_in_function(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.function.is_some())
    }

    /// How many functions are inside each other.
    pub(crate) fn functions(&self) -> usize {
        self.frames.iter().filter(|frame| frame.function.is_some()).count()
    }

    /// Whether a function that runs was called with that variable assigned before its name.
    pub(crate) fn is_assigned(&self, slot: Slot) -> bool {
        self.frames.iter().any(|frame| frame.assigned.contains(&slot))
    }
}
