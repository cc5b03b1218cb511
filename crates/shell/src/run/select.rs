//! `select`: a menu, and what is chosen of it.

use super::{Flow, Shell};
use crate::Text;
use crate::program::For;
use crate::streams::Ended;

/// How wide bash takes a line to be if `COLUMNS` does not say.
const USUAL_COLUMNS: usize = 80;

impl Shell {
    /// `select`
    pub(crate) fn select(&mut self, node: &For) -> Flow {
        self.execution.line = node.line;
        let words = match &node.words {
            Some(words) => self.expand_all(words)?,
            None => self.calls.positional.all().to_vec(),
        };
        if self.options.trace() {
            let name = self.names.name(node.name);
            let written: &[u8] = if node.words.is_some() { &node.written } else { b"\"$@\"" };
            self.trace_head(&[b"select ", &name, b" in ", written]);
        }
        if words.is_empty() {
            self.execution.status = 0;
            return Ok(());
        }
        self.execution.loop_depth += 1;
        let flow = self.select_loop(node, &words);
        self.execution.loop_depth -= 1;
        flow
    }

    fn select_loop(&mut self, node: &For, words: &[Text]) -> Flow {
        let mut shows_menu = true;
        loop {
            let mut line = Vec::new();
            loop {
                self.offer(if shows_menu { words } else { &[] });
                let ended = match self.streams.get(0) {
                    Some(open) => open.read_until(b'\n', &mut line, usize::MAX, None),
                    None => Err(fewer::Errno::BADF),
                };
                if !matches!(ended, Ok(Ended::Delimiter)) && line.is_empty() {
                    if self.profile.builtins.read.select_ends_line {
                        self.say(1, b"\n");
                    }
                    self.execution.status = 1;
                    return Ok(());
                }
                // An empty line asks for the menu again.
                if line.as_slice() != b"\n" && !line.is_empty() {
                    break;
                }
                line.clear();
                shows_menu = true;
            }
            let reply = line.trim_ascii();
            let kept = match self.profile.builtins.read.reply_is_whole_line {
                true => line.strip_suffix(b"\n").unwrap_or(&line),
                false => reply,
            };
            self.set(self.variables.known.reply, Text::from_slice(kept))?;
            let choice = super::texts::parsed::<usize>(reply);
            let word = choice.and_then(|number| words.get(number.checked_sub(1)?));
            let set = self.set(node.name, word.cloned().unwrap_or_default());
            if !self.was_writable(set)? {
                return Ok(());
            }
            let flow = self.run_block(&node.body);
            if !self.goes_on(flow)? {
                return Ok(());
            }
            shows_menu =
                self.variables.text_of(self.variables.known.reply).is_none_or(<[u8]>::is_empty);
        }
    }

    /// Shows the words, if there are any, and the prompt, if it is not for terminals only.
    fn offer(&mut self, words: &[Text]) {
        let has_prompt = self.profile.builtins.read.select_has_prompt;
        let mut text = if has_prompt {
            let columns = self
                .get_named(b"COLUMNS")
                .and_then(|text| super::texts::parsed(text).filter(|columns| *columns > 0));
            menu(words, columns.unwrap_or(USUAL_COLUMNS))
        } else {
            menu(words, 1)
        };
        if has_prompt {
            text.extend_from_slice(self.get_named(b"PS3").unwrap_or(b"#? "));
        }
        self.say(2, &text);
    }
}

/// The menu in columns, filled downwards, each one tab stop or a few spaces from the next.
fn menu(words: &[Text], width: usize) -> Vec<u8> {
    let digits = |number: usize| number.checked_ilog10().map_or(1, |digits| digits as usize + 1);
    let own_width = |word: &Text| String::from_utf8_lossy(word).chars().count();
    let number_width = digits(words.len());
    // A number, `) `, the word, two spaces.
    let widest = words.iter().map(own_width).max().unwrap_or(0) + number_width + 4;
    let columns = (width / widest).max(1);
    let mut rows = words.len().div_ceil(columns);
    if rows == 1 {
        rows = words.len();
    }
    let mut text = Vec::new();
    for row in 0..rows {
        let mut start = 0;
        for (index, word) in words.iter().enumerate().skip(row).step_by(rows) {
            let first = if width == 1 { number_width } else { digits(rows) };
            let wide = if start == 0 { first } else { number_width };
            text.extend_from_slice(format!("{:wide$}) ", index + 1).as_bytes());
            text.extend_from_slice(word);
            if index + rows < words.len() {
                indent(start + wide + 2 + own_width(word), start + widest, &mut text);
            }
            start += widest;
        }
        text.push(b'\n');
    }
    text
}

/// From one column to another, by tabs as far as there are stops.
fn indent(mut from: usize, to: usize, text: &mut Vec<u8>) {
    while from < to {
        if to / 8 > from / 8 {
            text.push(b'\t');
            from = from / 8 * 8 + 8;
        } else {
            text.push(b' ');
            from += 1;
        }
    }
}
