//! Programs that were found, texts that were lowered.

use std::collections::HashMap;
use std::rc::Rc;

use super::programs::Programs;
use crate::lower::Lowered;

/// How many texts that were lowered are kept.
const KEPT_TEXTS: usize = 256;

/// A longer text is not kept.
const LONGEST_TEXT: usize = 4096;

/// What would cost calls or time to find out again.
#[derive(Debug, Default)]
pub(crate) struct Caches {
    pub(crate) programs: Programs,
    /// Texts that were lowered (`eval`, `trap`, …).
    texts: HashMap<Box<[u8]>, Rc<Lowered>>,
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
