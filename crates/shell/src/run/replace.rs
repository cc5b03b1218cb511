//! `${a/pattern/by}`

use super::fields::{Into, Sink};
use super::{Flow, Shell};
use crate::Text;
use crate::dialect::ReplacementSigns;
use crate::pattern::Pattern;
use crate::pattern::replace::{self, Replacement, Style};
use crate::program::{Part, Word};
use crate::syntax::tree::Which;

impl Shell {
    fn replacement_style(&self) -> Style {
        match self.profile.values.expansions.replacement {
            ReplacementSigns::Ampersand if self.options.pat_sub_replacement() => Style::Ampersand,
            ReplacementSigns::Ampersand | ReplacementSigns::None => Style::Plain,
            ReplacementSigns::Backslash => Style::Ksh,
        }
    }

    pub(super) fn replacement(&mut self, by: &Word) -> Flow<Text> {
        // What was quoted is escaped where `&` counts.
        if self.replacement_style() != Style::Ampersand {
            return self.expand_whole(by);
        }
        let Word::Parts { parts, .. } = by else {
            let Word::Fixed(text) = by else { return Ok(Text::new()) };
            return Ok(escape_ampersands(text));
        };
        let mut out = Text::new();
        for part in parts {
            let mut sink = Sink::new(Into::Whole);
            let quoted = match part {
                Part::Text(_) | Part::Together(_) => true,
                Part::Value(_, quoted) => *quoted,
                _ => false,
            };
            self.expand_part(part, &mut sink)?;
            if quoted {
                out.extend_from_slice(&escape_ampersands(&sink.current));
            } else {
                out.extend_from_slice(&sink.current);
            }
        }
        Ok(out)
    }

    pub(super) fn replace(
        &mut self,
        value: &[u8],
        pattern: &Pattern,
        which: Which,
        by: &[u8],
    ) -> Flow<Text> {
        let style = self.replacement_style();
        let replaced = |by: &[u8], style| {
            let mut out = Vec::with_capacity(value.len());
            replace::replace(value, pattern, which, &Replacement { text: by, style }, &mut out);
            out
        };
        if value.len().saturating_mul(by.len()) > self.limits.text_bytes {
            // Rarely as much as that: how much, a replacement of one byte tells.
            let count = replaced(b"x", Style::Plain).len() - replaced(b"", Style::Plain).len();
            self.count_bytes(count.saturating_mul(by.len()))?;
        }
        Ok(Text::from_vec(replaced(by, style)))
    }
}

fn escape_ampersands(text: &[u8]) -> Text {
    let mut out = Text::new();
    for byte in text {
        if matches!(byte, b'&' | b'\\') {
            out.push(b'\\');
        }
        out.push(*byte);
    }
    out
}
