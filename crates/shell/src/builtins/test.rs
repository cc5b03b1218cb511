//! `test`, `[`.

use crate::conditions::{self, Difference, World};
use crate::options;
use crate::run::value::Flags;
use crate::run::{Flow, Shell};
use crate::{Dialect, Text};

pub(crate) fn test(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let held = conditions::evaluate(&words[1..], shell);
    answer(shell, words, held)
}

pub(crate) fn bracket(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let held = match conditions::bracket(&words[1..], shell.profile.dialect) {
        Ok(arguments) => conditions::evaluate(arguments, shell),
        Err(message) => Err(message),
    };
    answer(shell, words, held)
}

fn answer(shell: &mut Shell, words: &[Text], held: Result<bool, Vec<u8>>) -> Flow<i32> {
    match held {
        Ok(held) => Ok(i32::from(!held)),
        Err(message) => Ok(shell.builtin_error(words, &message, 2)),
    }
}

impl World for Shell {
    fn dialect(&self) -> Dialect {
        self.profile.dialect
    }

    fn file(&mut self, letter: u8, path: &[u8]) -> bool {
        self.is_file(letter, path)
    }

    fn files(&mut self, left: &[u8], how: Difference, right: &[u8]) -> bool {
        self.streams.flush_files();
        conditions::compare(
            &self.directory.scope, left, how, right, self.profile.conditions.ages_need_both,
        )
    }

    fn terminal(&mut self, descriptor: u32) -> bool {
        self.streams.get(descriptor).is_some_and(|open| open.is_terminal())
    }

    fn set(&mut self, name: &[u8]) -> bool {
        self.is_variable_set(name).unwrap_or(false)
    }

    fn reference(&mut self, name: &[u8]) -> bool {
        self.names.find(name).is_some_and(|slot| {
            let variable = self.variables.get(slot);
            variable.is_some_and(|variable| variable.flags.has(Flags::REFERENCE))
        })
    }

    fn option(&mut self, name: &[u8]) -> bool {
        options::by_name(name).is_some_and(|bit| self.options.is(bit))
    }

    fn arithmetic(&mut self, text: &[u8]) -> Result<i64, Vec<u8>> {
        self.try_evaluate_text(text)
    }
}
