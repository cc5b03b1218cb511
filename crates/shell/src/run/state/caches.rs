//! Programs that were found, texts that were lowered.

use std::collections::HashMap;
use std::rc::Rc;

use crate::lower::Lowered;
use crate::run::external::Found;

/// How many texts that were lowered are kept.
const KEPT_TEXTS: usize = 256;

/// A longer text is not kept.
const LONGEST_TEXT: usize = 4096;

/// What would cost calls or time to find out again.
#[derive(Debug)]
pub(crate) struct Caches {
    /// Where programs were found, until PATH changes.
    pub(crate) programs: HashMap<Box<[u8]>, Rc<Found>>,
    /// Whether standard tools are done here where that is possible: what was found says so.
    pub(crate) builtin_tools: bool,
    /// Texts that were lowered (`eval`, `trap`, …).
    texts: HashMap<Box<[u8]>, Rc<Lowered>>,
}

impl Default for Caches {
    fn default() -> Caches {
        Caches { programs: HashMap::new(), builtin_tools: true, texts: HashMap::new() }
    }
}

impl Caches {
    /// A text that was lowered before.
    pub(crate) fn text(&self, key: &[u8]) -> Option<Rc<Lowered>> {
        self.texts.get(key).cloned()
    }

    /// Keeps a text that was lowered, if it is short.
    pub(crate) fn keep_text(&mut self, key: &[u8], lowered: &Rc<Lowered>) {
        if self.texts.len() >= KEPT_TEXTS {
            self.texts.clear();
        }
        if key.len() < LONGEST_TEXT {
            self.texts.insert(key.into(), lowered.clone());
        }
    }
}
