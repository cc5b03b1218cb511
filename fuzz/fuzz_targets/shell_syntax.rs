//! Any bytes as a script, in each dialect: no panic, no endless work, and a tree that can be taken
//! down.

#![no_main]

use libfuzzer_sys::fuzz_target;
use shell::Dialect;
use shell::syntax::tree::{Argument, Kind};
use shell::syntax::{braces, parse, parse_word_text};

fuzz_target!(|text: &[u8]| {
    for dialect in [Dialect::Posix, Dialect::Bash, Dialect::Ksh] {
        let _ = parse_word_text(text, dialect);
        let Ok(list) = parse(text, dialect) else { continue };
        for item in &list.items {
            for command in &item.first.commands {
                let Kind::Simple(simple) = &command.kind else { continue };
                for argument in &simple.words {
                    if let Argument::Word(word) = argument {
                        let _ = braces::expand(word, dialect);
                    }
                }
            }
        }
    }
});
