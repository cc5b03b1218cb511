//! What children get of the variables.

use std::ffi::CString;
use std::rc::Rc;

/// The environment of children: made when a program is started, kept until a variable in it
/// changes.
#[derive(Debug, Default)]
pub(crate) struct Environment {
    pairs: Option<Rc<[CString]>>,
    /// `NAME=VALUE` that came to the shell with a NAME that no variable can have.
    unnamed: Vec<Vec<u8>>,
}

impl Environment {
    /// It is as it was when it was last made.
    pub(crate) fn known(&self) -> Option<Rc<[CString]>> {
        self.pairs.clone()
    }

    /// Keeps what was made.
    pub(crate) fn keep(&mut self, pairs: Vec<CString>) -> Rc<[CString]> {
        let pairs: Rc<[CString]> = pairs.into();
        self.pairs = Some(pairs.clone());
        pairs
    }

    /// A variable in it has changed.
    #[inline]
    pub(crate) fn forget(&mut self) {
        self.pairs = None;
    }

    /// What is handed on as it came.
    pub(crate) fn unnamed(&self) -> &[Vec<u8>] {
        &self.unnamed
    }

    /// Hands something on as it came.
    pub(crate) fn add_unnamed(&mut self, pair: Vec<u8>) {
        self.unnamed.push(pair);
    }

    /// Takes what would be handed on as it came.
    pub(crate) fn take_unnamed(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.unnamed)
    }
}
