//! Patterns with the options that are on.

use super::fields::{Into, Sink};
use super::{Flow, Shell};
use crate::Text;
use crate::dialect::{DotNames, ExtendedPatterns};
use crate::pattern::files::{self, FileOptions};
use crate::pattern::{Options, Pattern};
use crate::program::{Part, Word};

impl Shell {
    pub(crate) fn pattern_options(&self) -> Options {
        Options {
            extended: self.has_extended_patterns(),
            utf8: self.utf8_lengths(),
            fold_case: self.options.no_case_match(),
            plain_classes: self.profile.values.patterns.plain_classes,
        }
    }

    fn has_extended_patterns(&self) -> bool {
        match self.profile.syntax.words.extended_patterns {
            ExtendedPatterns::Never => false,
            ExtendedPatterns::IfAskedFor => self.options.ext_glob(),
            ExtendedPatterns::Always => true,
        }
    }

    /// Adds the names of files that match, or the text as it is if none does.
    pub(crate) fn match_files(&mut self, pattern: &[u8], text: Text, out: &mut Vec<Text>) -> Flow {
        let rules = &self.profile.values.patterns;
        let options = FileOptions {
            dotglob: self.options.dot_glob(),
            globstar: self.options.glob_star() || self.options.global_star_ksh(),
            nocaseglob: self.options.no_case_glob(),
            extended: self.has_extended_patterns(),
            utf8: self.utf8_lengths(),
            dots: match rules.matches_dots {
                DotNames::Always => true,
                DotNames::Option => !self.options.glob_skip_dots(),
                DotNames::Never => false,
            },
            plain_classes: rules.plain_classes,
        };
        let ignored = match rules.ignores_files {
            true => self.get_named(b"GLOBIGNORE").map(Text::from_slice),
            false => None,
        };
        let ignored = ignored.filter(|ignored| !ignored.is_empty());
        let options = FileOptions { dotglob: options.dotglob || ignored.is_some(), ..options };
        self.streams.flush_files();
        let mut found = files::expand(&self.directory.scope, pattern, &options);
        if let Some(ignored) = ignored {
            self.leave_out(&ignored, &mut found);
        }
        if !found.is_empty() {
            out.extend(found.into_iter().map(Text::from_vec));
            return Ok(());
        }
        let is_pattern = files::is_pattern(pattern, options.extended);
        if is_pattern && self.options.fail_glob() {
            return self.fail_command(&[b"no match: ", &*text].concat());
        }
        if !(is_pattern && self.options.null_glob()) {
            out.push(text);
        }
        Ok(())
    }

    /// bash: names that GLOBIGNORE leaves out.
    fn leave_out(&self, ignored: &[u8], found: &mut Vec<Vec<u8>>) {
        let options = self.pattern_options();
        let patterns = ignored.split(|byte| *byte == b':');
        let names = |text: &[u8]| -> Vec<Pattern> {
            text.split(|byte| *byte == b'/').map(|name| Pattern::new(name, options)).collect()
        };
        let patterns: Vec<_> = patterns.map(names).collect();
        found.retain(|path| {
            let last = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
            !matches!(last, b"." | b"..")
                && !patterns.iter().any(|names| is_matched_by(path, names))
        });
    }

    /// The regular expression that a word comes to: what was quoted stands for itself.
    pub(crate) fn expand_regex(&mut self, word: &Word) -> Flow<Text> {
        let Word::Parts { parts, .. } = word else { return Ok(Text::new()) };
        let mut out = Text::new();
        for part in parts {
            match part {
                Part::Text(text)
                    if self.profile.values.patterns.regex_brackets_stay
                        && ends_in_bracket(&out) =>
                {
                    out.extend_from_slice(text);
                }
                Part::Text(text) => {
                    escape_regex(text, self.profile.values.patterns.regex_signs, &mut out)
                }
                Part::Pattern(text) => out.extend_from_slice(text),
                Part::Value(expansion, true) => {
                    let mut sink = Sink::new(Into::Whole);
                    self.expand(expansion, true, &mut sink)?;
                    escape_regex(&sink.current, self.profile.values.patterns.regex_signs, &mut out);
                }
                part => {
                    let mut sink = Sink::new(Into::Whole);
                    self.expand_part(part, &mut sink)?;
                    out.extend_from_slice(&sink.current);
                }
            }
        }
        Ok(out)
    }
}

/// Whether the names of a path match patterns, one each.
fn is_matched_by(path: &[u8], patterns: &[Pattern]) -> bool {
    let names = path.split(|byte| *byte == b'/');
    names.clone().count() == patterns.len()
        && names.zip(patterns).all(|(name, pattern)| pattern.matches(name))
}

/// Whether the last bracket in a regular expression is still open.
fn ends_in_bracket(regex: &[u8]) -> bool {
    let mut at = 0;
    while at < regex.len() {
        match regex[at] {
            b'\\' => at += 2,
            b'[' => match bracket_end(regex, at + 1) {
                Some(end) => at = end,
                None => return true,
            },
            _ => at += 1,
        }
    }
    false
}

/// Where the bracket ends whose inside begins there.
fn bracket_end(regex: &[u8], from: usize) -> Option<usize> {
    let mut at = from + usize::from(regex.get(from) == Some(&b'^'));
    at += usize::from(regex.get(at) == Some(&b']'));
    loop {
        match regex.get(at)? {
            b']' => return Some(at + 1),
            b'[' if matches!(regex.get(at + 1), Some(b':' | b'.' | b'=')) => {
                let end = [regex[at + 1], b']'];
                let inside = &regex[at + 2..];
                at += inside.windows(2).position(|two| two == end)? + 4;
            }
            _ => at += 1,
        }
    }
}

/// Puts a backslash before each of these characters.
fn escape_regex(text: &[u8], special: &[u8], out: &mut Text) {
    for byte in text {
        if special.contains(byte) {
            out.push(b'\\');
        }
        out.push(*byte);
    }
}
