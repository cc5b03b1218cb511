//! Where the script came from.

use std::rc::Rc;

use crate::Text;

/// The script that runs, as messages and `$0` name it.
#[derive(Debug)]
pub(crate) struct Origin {
    /// `$0`
    pub(crate) zero: Text,
    /// What messages begin with: the script, or in bash the file that is being read.
    pub(crate) name: Rc<[u8]>,
    /// Whether the script came with `-c`.
    pub(crate) from_argument: bool,
    /// Whether the script came from the standard input.
    pub(crate) from_input: bool,
}

impl Default for Origin {
    fn default() -> Origin {
        Origin {
            zero: Text::from_slice(b"sh"),
            name: Rc::from(b"sh".as_slice()),
            from_argument: false,
            from_input: false,
        }
    }
}

impl Origin {
    /// bash: what it calls the file of a function that came with `-c` or from the standard input;
    /// none if the script is a file.
    pub(crate) fn without_file(&self) -> Option<&'static [u8]> {
        match (self.from_argument, self.from_input) {
            (true, _) => Some(b"environment"),
            (_, true) => Some(b"main"),
            _ => None,
        }
    }
}
