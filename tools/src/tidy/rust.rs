//! A small part of Rust's grammar, to tell code from comments and the insides of literals.

/// The text twice over, with all newlines kept: once with comments and the insides of string and
/// character literals blanked out, once with nothing but the comments.
pub(crate) fn split(text: &str) -> (String, String) {
    let mut splitter = Splitter {
        text: text.chars().collect(),
        at: 0,
        code: String::with_capacity(text.len()),
        comments: String::with_capacity(text.len()),
    };
    while splitter.at < splitter.text.len() {
        splitter.step();
    }
    (splitter.code, splitter.comments)
}

struct Splitter {
    text: Vec<char>,
    at: usize,
    code: String,
    comments: String,
}

#[derive(Clone, Copy, PartialEq)]
enum TokenKind {
    Code,
    Comment,
    Literal,
}

impl Splitter {
    fn peek(&self, ahead: usize) -> char {
        self.text.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn starts(&self, word: &str) -> bool {
        word.chars().enumerate().all(|(ahead, char)| self.peek(ahead) == char)
    }

    fn push(&mut self, kind: TokenKind, count: usize) {
        for _ in 0..count {
            let Some(&char) = self.text.get(self.at) else { return };
            self.at += 1;
            let blank = if char == '\n' { '\n' } else { ' ' };
            self.code.push(if kind == TokenKind::Code { char } else { blank });
            self.comments.push(if kind == TokenKind::Comment { char } else { blank });
        }
    }

    fn step(&mut self) {
        let after_word = self.at > 0 && is_word(self.text[self.at - 1]);
        match self.peek(0) {
            '/' if self.starts("//") => {
                let line = self.text[self.at..].iter().take_while(|&&char| char != '\n').count();
                self.push(TokenKind::Comment, line);
            }
            '/' if self.starts("/*") => self.block_comment(),
            '"' => self.quoted('"'),
            'r' if !after_word && self.raw_hashes(1).is_some() => self.raw(1),
            'b' | 'c' if !after_word && self.peek(1) == 'r' && self.raw_hashes(2).is_some() => {
                self.raw(2);
            }
            '\'' if self.is_char_literal() => self.quoted('\''),
            _ => self.push(TokenKind::Code, 1),
        }
    }

    fn block_comment(&mut self) {
        let mut depth = 0;
        while self.at < self.text.len() {
            if self.starts("/*") {
                depth += 1;
                self.push(TokenKind::Comment, 2);
            } else if self.starts("*/") {
                depth -= 1;
                self.push(TokenKind::Comment, 2);
                if depth == 0 {
                    return;
                }
            } else {
                self.push(TokenKind::Comment, 1);
            }
        }
    }

    /// A string or character literal; its quotes stay in the code.
    fn quoted(&mut self, quote: char) {
        self.push(TokenKind::Code, 1);
        while self.at < self.text.len() && self.peek(0) != quote {
            let escaped = self.peek(0) == '\\';
            self.push(TokenKind::Literal, 1 + usize::from(escaped));
        }
        self.push(TokenKind::Code, 1);
    }

    /// The number of `#` between the prefix and the quote, if this is a raw string.
    fn raw_hashes(&self, prefix: usize) -> Option<usize> {
        let hashes = (prefix..).take_while(|&ahead| self.peek(ahead) == '#').count();
        (self.peek(prefix + hashes) == '"').then_some(hashes)
    }

    fn raw(&mut self, prefix: usize) {
        let hashes = self.raw_hashes(prefix).unwrap_or(0);
        let end = format!("\"{}", "#".repeat(hashes));
        self.push(TokenKind::Code, prefix + hashes + 1);
        while self.at < self.text.len() && !self.starts(&end) {
            self.push(TokenKind::Literal, 1);
        }
        self.push(TokenKind::Code, 1 + hashes);
    }

    /// `'a'` and `'\n'` are characters, `'a` is a lifetime.
    fn is_char_literal(&self) -> bool {
        self.peek(1) == '\\' || self.peek(2) == '\''
    }
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

/// Every line (from 1) on which `word` stands alone in the code.
pub(crate) fn lines_with_word(code: &str, word: &str) -> Vec<usize> {
    let stands_alone = |line: &str| {
        line.match_indices(word).any(|(at, _)| {
            !line[..at].ends_with(is_word) && !line[at + word.len()..].starts_with(is_word)
        })
    };
    code.lines().enumerate().filter(|(_, line)| stands_alone(line)).map(|(at, _)| at + 1).collect()
}

/// The code with everything marked `#[cfg(test)]` blanked out: the attribute and the item after it.
pub(crate) fn without_tests(code: &str) -> String {
    let mut kept = code.to_owned();
    while let Some(start) = kept.find("#[cfg(test)]") {
        let end = end_of_item(&kept, start + "#[cfg(test)]".len());
        let blank: String =
            kept[start..end].chars().map(|char| if char == '\n' { '\n' } else { ' ' }).collect();
        kept.replace_range(start..end, &blank);
    }
    kept
}

/// An item ends at its `;` or with its braces, whichever comes first.
fn end_of_item(code: &str, from: usize) -> usize {
    let mut depth = 0_usize;
    for (at, char) in code[from..].char_indices() {
        match char {
            ';' if depth == 0 => return from + at + 1,
            '{' => depth += 1,
            '}' if depth <= 1 => return from + at + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> String {
        split(text).0
    }

    #[test]
    fn comments_are_not_code() {
        assert_eq!(code("a // b\nc"), "a     \nc");
        assert_eq!(code("a /* b /* c */ d */ e"), "a                   e");
        assert_eq!(split("a // b").1, "  // b");
    }

    #[test]
    fn literals_are_blank_and_keep_their_quotes() {
        assert_eq!(code(r#"f("a\"b", 'x', '\'')"#), r#"f("    ", ' ', '  ')"#);
        assert_eq!(code(r##"r#"a"b"# c"##), r##"r#"   "# c"##);
        assert_eq!(code(r#"br"ab" c"#), r#"br"  " c"#);
        assert_eq!(code("\"// not\" x"), "\"      \" x");
    }

    #[test]
    fn lifetimes_are_code() {
        assert_eq!(code("fn f<'a>(x: &'a str)"), "fn f<'a>(x: &'a str)");
    }

    #[test]
    fn a_name_that_ends_in_r_starts_no_raw_string() {
        assert_eq!(code("for\"x\" y"), "for\" \" y");
        assert_eq!(code("r#type + 1"), "r#type + 1");
    }

    #[test]
    fn words_stand_alone() {
        assert_eq!(lines_with_word("a\nunsafe {\nunsafe_code", "unsafe"), [2]);
        assert_eq!(lines_with_word("libc::x\nmylibc::x", "libc"), [1]);
    }

    #[test]
    fn tests_are_left_out_and_lines_kept() {
        let text = "a\n#[cfg(test)]\nmod t {\n fn f() { x } }\nb\n#[cfg(test)] mod u;\nc";
        let kept = without_tests(text);
        assert_eq!(kept.lines().count(), 7);
        let words: Vec<_> = kept.split_whitespace().collect();
        assert_eq!(words, ["a", "b", "c"]);
    }
}
