//! Parameters and what is done to them.

use super::Lowerer;
use crate::program::{Expansion, Index, Name, Operation, Parameter, Subscript};
use crate::syntax::tree::{self, ParameterName};

impl Lowerer<'_> {
    pub(super) fn parameter(&mut self, parameter: &tree::Parameter) -> Expansion {
        let line = parameter.line;
        let profile = self.dialect.profile();
        let name = match &parameter.name {
            ParameterName::Variable(name) => {
                self.names.asks_for_last_argument |= name == b"_";
                if name == b"BASHPID" {
                    self.needs_process();
                }
                if profile.arithmetic.fractions_of_seconds && name == b"SECONDS" {
                    self.refuse("$SECONDS, which has fractions");
                }
                if profile.syntax.left.variables.contains(&&**name) {
                    self.refuse(format!("${}", String::from_utf8_lossy(name)));
                }
                Name::Variable(self.slot(name))
            }
            ParameterName::Positional(number) => Name::Positional(*number),
            ParameterName::Special(b'_') => {
                self.names.asks_for_last_argument = true;
                Name::Variable(self.slot(b"_"))
            }
            ParameterName::Special(byte) => Name::Special(*byte),
        };
        if parameter.operation == tree::Operation::Value
            && parameter.subscript.is_none()
            && !parameter.indirect
        {
            return match name {
                Name::Variable(slot) => Expansion::Variable(slot, line),
                Name::Positional(number) => Expansion::Positional(number, line),
                Name::Special(b'@') => Expansion::All { joined: false },
                Name::Special(b'*') => Expansion::All { joined: true },
                Name::Special(byte) => Expansion::Special(byte, line),
            };
        }
        let index = parameter.subscript.as_ref().map(|subscript| match subscript {
            tree::Subscript::All => Index::All,
            tree::Subscript::Joined => Index::Joined,
            tree::Subscript::One(word) => Index::One(self.subscript(word)),
        });
        Expansion::Parameter(Box::new(Parameter {
            name,
            index,
            indirect: parameter.indirect,
            operation: self.operation(&parameter.operation),
            line,
        }))
    }

    pub(super) fn subscript(&mut self, word: &tree::Word) -> Subscript {
        Subscript { arithmetic: self.arithmetic(word), key: self.quoted(&word.pieces) }
    }

    fn operation(&mut self, operation: &tree::Operation) -> Operation {
        use tree::Operation as From;
        match operation {
            From::Value => Operation::Value,
            From::Length => Operation::Length,
            From::NamesWithPrefix { joined } => Operation::NamesWithPrefix { joined: *joined },
            From::Keys => Operation::Keys,
            From::Default { colon, word } => {
                Operation::Default { colon: *colon, word: self.nested(word) }
            }
            From::Assign { colon, word } => {
                Operation::Assign { colon: *colon, word: self.nested(word) }
            }
            From::Error { colon, word } => {
                Operation::Error { colon: *colon, word: self.nested(word) }
            }
            From::Alternative { colon, word } => {
                Operation::Alternative { colon: *colon, word: self.nested(word) }
            }
            From::WithoutPrefix { longest, pattern } => {
                Operation::WithoutPrefix { longest: *longest, pattern: self.pattern(pattern) }
            }
            From::WithoutSuffix { longest, pattern } => {
                Operation::WithoutSuffix { longest: *longest, pattern: self.pattern(pattern) }
            }
            From::Replace { which, pattern, by } => Operation::Replace {
                which: *which,
                pattern: self.pattern(pattern),
                by: match self.dialect.profile().syntax.parameters.ampersand_in_replacement {
                    true => self.regex(by),
                    false => self.word(by),
                },
            },
            From::Slice { offset, length } => Operation::Slice {
                offset: self.arithmetic(offset),
                length: length.as_ref().map(|length| self.arithmetic(length)),
            },
            From::Case { case, all, pattern } => Operation::Case {
                case: *case,
                all: *all,
                pattern: (!pattern.pieces.is_empty()).then(|| self.pattern(pattern)),
            },
            From::Transform(letter) => Operation::Transform(*letter),
        }
    }
}
