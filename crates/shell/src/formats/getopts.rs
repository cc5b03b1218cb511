//! `getopts`: one step after the other.

use crate::Dialect;
use crate::dialect::GetoptsRules;

/// Where `getopts` is. One for each run of options: a function's `local OPTIND` has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Getopts {
    /// The word, from 1.
    word: usize,
    /// The byte in it; 0: the word is not begun.
    byte: usize,
}

/// What a step found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The variable's new value: a letter, `?` or `:`.
    pub name: Vec<u8>,
    /// What becomes of OPTARG.
    pub argument: Argument,
    /// OPTIND's new value.
    pub index: usize,
    /// What is said on standard error, if it is to be: behind `$0: ` in bash (unless OPTERR is 0)
    /// and ksh, alone in dash.
    pub message: Option<Vec<u8>>,
    /// No option is left: the status is 1.
    pub end: bool,
}

/// What becomes of OPTARG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// It is assigned.
    Set(Vec<u8>),
    /// It is unset.
    Unset,
    /// It stays as it is.
    Keep,
}

impl Default for Getopts {
    fn default() -> Getopts {
        Getopts { word: 1, byte: 0 }
    }
}

impl Getopts {
    /// As after `OPTIND=index`: call it whenever the script assigns to OPTIND.
    pub fn from_index(index: i64) -> Getopts {
        Getopts { word: usize::try_from(index).unwrap_or(1).max(1), byte: 0 }
    }

    /// The next option of these words.
    pub fn next<T: AsRef<[u8]>>(&mut self, known: &[u8], words: &[T], dialect: Dialect) -> Found {
        let all = known;
        let rules = &dialect.profile().formats.getopts;
        let plus = rules.plus && known.first() == Some(&b'+');
        let known = if plus { &known[1..] } else { known };
        let silent = known.first() == Some(&b':');
        let known = if silent { &known[1..] } else { known };
        if self.word > words.len() + 1 {
            *self = Getopts { word: if rules.wraps { 1 } else { words.len() + 1 }, byte: 0 };
        }
        if self.byte == 0 {
            match words.get(self.word - 1).map(AsRef::as_ref) {
                Some(b"--") => {
                    self.word += 1;
                    return self.end(rules);
                }
                Some([b'-', _, ..]) => self.byte = 1,
                Some([b'+', _, ..]) if plus => self.byte = 1,
                _ => return self.end(rules),
            }
        }
        // The words may be others by now.
        let Some(&letter) = words.get(self.word - 1).and_then(|it| it.as_ref().get(self.byte))
        else {
            self.word += 1;
            self.byte = 0;
            return self.next(all, words, dialect);
        };
        let word = words[self.word - 1].as_ref();
        let sign = word[0];
        let rest = &word[self.byte + 1..];
        self.byte += 1;
        if rest.is_empty() {
            self.word += 1;
            self.byte = 0;
        }
        let place = known.iter().position(|&it| it == letter && letter != b':');
        let behind = place.and_then(|place| known.get(place + 1));
        match (place, behind) {
            (None, _) => self.unknown(letter, silent, rules),
            (_, Some(b':')) => self.with_argument(letter, rest, words, silent, rules),
            (_, Some(b'#')) if rules.numbers => {
                self.with_argument(letter, rest, words, silent, rules)
            }
            _ => {
                let argument = match rules.unsets_argument {
                    true => Argument::Unset,
                    false => Argument::Set(Vec::new()),
                };
                let name = if sign == b'+' { vec![b'+', letter] } else { vec![letter] };
                self.found(name, argument, rules)
            }
        }
    }

    fn found(&self, name: Vec<u8>, argument: Argument, rules: &GetoptsRules) -> Found {
        let begun = usize::from(self.byte > 0 && rules.index_is_ahead);
        Found { name, argument, index: self.word + begun, message: None, end: false }
    }

    fn end(&self, rules: &GetoptsRules) -> Found {
        let argument = if rules.unsets_at_end { Argument::Unset } else { Argument::Keep };
        Found { end: true, ..self.found(b"?".to_vec(), argument, rules) }
    }

    fn unknown(&self, letter: u8, silent: bool, rules: &GetoptsRules) -> Found {
        if silent {
            return self.found(b"?".to_vec(), Argument::Set(vec![letter]), rules);
        }
        let found = self.found(b"?".to_vec(), Argument::Unset, rules);
        Found { message: Some(rules.unknown.of([letter])), ..found }
    }

    fn with_argument<T: AsRef<[u8]>>(
        &mut self,
        letter: u8,
        rest: &[u8],
        words: &[T],
        silent: bool,
        rules: &GetoptsRules,
    ) -> Found {
        let argument = if !rest.is_empty() {
            self.word += 1;
            self.byte = 0;
            Some(rest)
        } else {
            let next = words.get(self.word - 1).map(AsRef::as_ref);
            self.word += usize::from(next.is_some());
            next
        };
        if let Some(argument) = argument {
            return self.found(vec![letter], Argument::Set(argument.to_vec()), rules);
        }
        if silent {
            return self.found(b":".to_vec(), Argument::Set(vec![letter]), rules);
        }
        let found = self.found(b"?".to_vec(), Argument::Unset, rules);
        Found { message: Some(rules.no_argument.of([letter])), ..found }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_that_is_set_begins_anew() {
        let words = ["-ab", "x", "-b"];
        let mut options = Getopts::default();
        assert_eq!(options.next(b"ab", &words, Dialect::Bash).index, 1);
        options = Getopts::from_index(1);
        assert_eq!(options.next(b"ab", &words, Dialect::Bash).name, b"a");
        options = Getopts::from_index(3);
        assert_eq!(options.next(b"ab", &words, Dialect::Bash).name, b"b");
        options = Getopts::from_index(9);
        assert!(options.next(b"ab", &words, Dialect::Bash).end);
        assert_eq!(Getopts::from_index(9).next(b"ab", &words, Dialect::Posix).name, b"a");
    }
}
