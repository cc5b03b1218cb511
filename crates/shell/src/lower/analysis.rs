//! What a body needs: a process of its own, or nothing but itself.

use coreutils::Ends;

use super::Lowerer;
use crate::arithmetic::Slot;
use crate::program::{Argument, Body, Traits, Word};
use crate::syntax::tree;

impl Lowerer<'_> {
    /// A list that runs in a subshell.
    pub(super) fn body(&mut self, list: &tree::List, line: u32) -> Body {
        self.begin();
        let block = self.block(list);
        let traits = self.end();
        Body { block, traits, known: None.into(), line }
    }

    pub(super) fn begin(&mut self) {
        self.traits.push(Traits { bounded: true, bounded_by_input: true, ..Traits::default() });
    }

    /// The traits of what was lowered since `begin`. What is around it is bounded only if it is.
    pub(super) fn end(&mut self) -> Traits {
        let traits = self.traits.pop().unwrap_or_default();
        if let Some(around) = self.traits.last_mut() {
            let alone = traits.calls.is_empty() && !traits.named_late;
            around.bounded &= traits.bounded && alone;
            around.bounded_by_input &= traits.bounded_by_input && alone;
        }
        traits
    }

    pub(super) fn needs_process(&mut self) {
        if let Some(traits) = self.traits.last_mut() {
            traits.process = true;
        }
        self.not_bounded();
    }

    pub(super) fn not_bounded(&mut self) {
        if let Some(traits) = self.traits.last_mut() {
            traits.bounded = false;
            traits.bounded_by_input = false;
        }
    }

    pub(super) fn named_late(&mut self) {
        if let Some(traits) = self.traits.last_mut() {
            traits.named_late = true;
        }
    }

    /// It reads, and ends when what it reads does.
    pub(super) fn bounded_by_input(&mut self) {
        if let Some(traits) = self.traits.last_mut() {
            traits.bounded = false;
        }
    }

    /// What is known of a command by its name and its arguments, before it runs.
    pub(super) fn look_at_call(&mut self, name: &[u8], slot: Slot, words: &[Argument]) {
        let name = without_folder(name);
        match ends(name) {
            Ends::Always => return,
            Ends::WithInput => return self.bounded_by_input(),
            Ends::WithPlainFiles if words.iter().all(is_plain_file) => {
                return self.bounded_by_input();
            }
            Ends::WithPlainFiles | Ends::Unknown => {}
        }
        match name {
            b"exec" if words.len() > 1 => self.needs_process(),
            b"ulimit" => self.needs_process(),
            b"trap" if !is_quiet_trap(words) => self.needs_process(),
            b"local" | b"typeset" | b"declare" | b"export" | b"readonly" | b"unset" | b"set"
            | b"shift" | b"return" | b"break" | b"continue" | b"exit" | b"let" | b"getopts"
            | b"trap" | b"shopt" | b"integer" | b"cd" => {}
            b"read" | b"mapfile" | b"readarray" => self.bounded_by_input(),
            _ => {
                // A function, perhaps: what it needs is known once it is defined.
                if let Some(traits) = self.traits.last_mut()
                    && !traits.calls.contains(&slot)
                {
                    traits.calls.push(slot);
                }
            }
        }
    }
}

/// The name of a program of the system that is called by its full path.
pub(crate) fn without_folder(name: &[u8]) -> &[u8] {
    let program = name.strip_prefix(b"/usr/bin/").or_else(|| name.strip_prefix(b"/bin/"));
    program.unwrap_or(name)
}

/// When a command of this name ends: a builtin that prints or tests, or a standard tool. (That it
/// may be run as a program changes nothing.)
pub(crate) fn ends(name: &[u8]) -> Ends {
    match name {
        b":" | b"test" | b"[" | b"echo" | b"printf" | b"print" => Ends::Always,
        name => coreutils::find(name).map_or(Ends::Unknown, |tool| tool.ends),
    }
}

/// Whether it is no device, which may have no end.
fn is_plain_file(argument: &Argument) -> bool {
    matches!(argument, Argument::Word(Word::Fixed(name))
        if !name.starts_with(b"/dev/") && !name.starts_with(b"/proc/"))
}

/// Whether `trap` is about no signal.
fn is_quiet_trap(words: &[Argument]) -> bool {
    let quiet = |word: &Argument| match word {
        Argument::Word(Word::Fixed(name)) => {
            matches!(&**name, b"EXIT" | b"0" | b"ERR" | b"RETURN" | b"-p" | b"-l" | b"-" | b"--")
        }
        _ => false,
    };
    words.iter().skip(2).all(quiet) && words.get(1).is_none_or(|_| words.len() != 2)
}
