//! What some builtins keep between two calls.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::Text;
use crate::dialect::builtin_table::BuiltinId;
use crate::formats::getopts::Getopts;
use crate::processes::Umask;
use crate::program::Argument;
use crate::run::{Flow, Shell};

/// Runs a builtin with its words, its own name first, and what they were expanded from; gives its
/// status.
pub(crate) type RunBuiltin = fn(&mut Shell, BuiltinId, &[Text], &[Argument]) -> Flow<i32>;

/// The state of single builtins, and what runs them.
#[derive(Debug)]
pub(crate) struct BuiltinState {
    /// Builtins use all of the shell: it does not know them, but is given them.
    pub(crate) run: RunBuiltin,
    /// Where `getopts` is.
    pub(crate) getopts: Getopts,
    /// `alias`, by name.
    pub(crate) aliases: Rc<BTreeMap<Vec<u8>, Text>>,
    pub(crate) umask: Umask,
    /// `command` runs a builtin: its errors do not end the shell.
    pub(crate) under_command: bool,
    /// Memory that builtins use, one after the other, for what they write or read.
    pub(crate) buffer: Vec<u8>,
}

impl BuiltinState {
    pub(crate) fn new(run: RunBuiltin) -> BuiltinState {
        BuiltinState {
            run,
            getopts: Getopts::default(),
            aliases: Rc::default(),
            umask: Umask::default(),
            under_command: false,
            buffer: Vec::new(),
        }
    }
}
