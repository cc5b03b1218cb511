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
    //! What the three shells find, asked at the time.

    use std::process::Command;

    use proptest::prelude::*;

    use super::*;

    fn ours(known: &str, words: &[String], dialect: Dialect) -> String {
        let mut options = Getopts::default();
        let (mut out, mut argument) = (String::new(), "unset".to_string());
        loop {
            let found = options.next(known.as_bytes(), words, dialect);
            if let Some(message) = &found.message {
                out.push_str(&format!("{}\n", String::from_utf8_lossy(message)));
            }
            match &found.argument {
                Argument::Set(text) => argument = String::from_utf8_lossy(text).into_owned(),
                Argument::Unset => argument = "unset".into(),
                Argument::Keep => {}
            }
            let name = String::from_utf8_lossy(&found.name);
            out.push_str(&format!("{name} [{argument}] {}\n", found.index));
            if found.end {
                return out;
            }
        }
    }

    fn theirs(shell: &str, known: &str, words: &[String]) -> String {
        let script =
            "o=$1; shift; while getopts \"$o\" x \"$@\"; do echo \"$x [${OPTARG-unset}] $OPTIND\"
            done 2>&1; echo \"$x [${OPTARG-unset}] $OPTIND\"";
        let mut command = Command::new(shell);
        command.args(["-c", script, "sh", known]).args(words);
        let out = command.output().unwrap().stdout;
        String::from_utf8_lossy(&out).replace("sh: ", "")
    }

    fn config(cases: u32) -> ProptestConfig {
        ProptestConfig { cases, failure_persistence: None, ..Default::default() }
    }

    const SHELLS: [(&str, Dialect); 3] =
        [("bash", Dialect::Bash), ("dash", Dialect::Posix), ("ksh93", Dialect::Ksh)];

    proptest! {
        #![proptest_config(config(120))]

        #[test]
        fn the_shells_find_the_same(
            known in prop::sample::select(vec!["ab:c", ":ab:c", "a", "b:", ":b:", "a-b", ""]),
            words in prop::collection::vec("-?-?[abcz]{0,3}", 0..5),
        ) {
            for (shell, dialect) in SHELLS {
                // To ksh an empty text means something else, and `--a` is a long option.
                let long = words.iter().any(|word| word.len() > 2 && word.starts_with("--"));
                if (known.is_empty() || long) && dialect == Dialect::Ksh {
                    continue;
                }
                let ours = ours(known, &words, dialect);
                prop_assert_eq!(ours, theirs(shell, known, &words), "{}", shell);
            }
        }
    }

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
