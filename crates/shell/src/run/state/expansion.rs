//! How words are split, and what is in use while they are expanded.

use std::rc::Rc;

use crate::formats::fields::Ifs;
use crate::run::arithmetic::PlaceholderValues;
use crate::{Dialect, Text};

/// How many lists of arguments are kept.
const KEPT_LISTS: usize = 64;

/// How many tables of separators are kept.
const KEPT_IFS: usize = 8;

/// The state of expansion: what IFS and the locale say, and what is used over and over.
#[derive(Debug)]
pub(crate) struct Expansion {
    /// Whether characters are UTF-8.
    pub(crate) utf8: bool,
    /// The table for the value of IFS.
    pub(crate) ifs: Rc<Ifs>,
    /// Tables that were made for values of IFS.
    ifs_tables: Vec<(Option<Text>, Rc<Ifs>)>,
    /// Lists of arguments that are empty again: the next commands use their memory.
    argument_lists: Vec<Vec<Text>>,
    /// The values of the expansions in expressions that are being evaluated.
    pub(crate) placeholders: PlaceholderValues,
    /// Whether `set -u` met a variable in an expression that is not set.
    pub(crate) unset_in_arithmetic: bool,
    /// Whether a command substitution has run, whose status counts if there is no command.
    pub(crate) had_substitution: bool,
    /// dash: the status of the last substitution.
    pub(crate) substitution_status: i32,
}

impl Expansion {
    pub(crate) fn new(dialect: Dialect) -> Expansion {
        Expansion {
            utf8: false,
            ifs: Rc::new(Ifs::new(None, false, dialect)),
            ifs_tables: Vec::new(),
            argument_lists: Vec::new(),
            placeholders: PlaceholderValues::default(),
            unset_in_arithmetic: false,
            had_substitution: false,
            substitution_status: 0,
        }
    }

    /// A list for the arguments of a command.
    pub(crate) fn argument_list(&mut self) -> Vec<Text> {
        self.argument_lists.pop().unwrap_or_default()
    }

    /// Gives back a list whose arguments are not needed any more.
    pub(crate) fn reuse_list(&mut self, mut list: Vec<Text>) {
        list.clear();
        if self.argument_lists.len() < KEPT_LISTS && list.capacity() > 0 {
            self.argument_lists.push(list);
        }
    }

    /// IFS has another value. `IFS= read` changes it twice for each line, so the tables that were
    /// made are kept.
    pub(crate) fn set_ifs(&mut self, value: Option<Text>, dialect: Dialect) {
        if let Some((_, known)) = self.ifs_tables.iter().find(|(text, _)| *text == value) {
            self.ifs = known.clone();
            return;
        }
        self.ifs = Rc::new(Ifs::new(value.as_deref(), self.utf8, dialect));
        if self.ifs_tables.len() >= KEPT_IFS {
            self.ifs_tables.clear();
        }
        self.ifs_tables.push((value, self.ifs.clone()));
    }

    /// The locale has changed. The table of IFS has to be [set](Expansion::set_ifs) anew.
    pub(crate) fn set_utf8(&mut self, utf8: bool) {
        self.utf8 = utf8;
        self.ifs_tables.clear();
    }
}
