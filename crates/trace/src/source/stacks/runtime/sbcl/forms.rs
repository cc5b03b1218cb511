//! From the number of a form to its line. SBCL numbers the lists of a form that stands outermost,
//! the outer ones first, and does not look into what is quoted
//! (`sub-find-source-paths` in `src/compiler/ir1tran.lisp`).

use std::io::Read as _;
use std::path::PathBuf;

/// So much is read of a source file.
const LARGEST: u64 = 4 << 20;

/// No form is deeper.
const DEPTH: usize = 256;

/// What `#+` asks for and SBCL on Linux has.
const FEATURES: [&str; 9] = [
    "sbcl", "unix", "linux", "x86-64", "64-bit", "sb-thread", "sb-unicode", "ansi-cl",
    "common-lisp",
];

/// The line of a form of a file, if it can be read. `top` is the number of the outermost form,
/// which begins at a position, in characters; while a compiled file is loaded that is not known.
pub(super) fn line(
    process: libc::pid_t,
    file: &str,
    top: u64,
    position: Option<u64>,
    form: u64,
) -> Option<u32> {
    let base = if file.starts_with('/') { "root" } else { "cwd" };
    let mut path = PathBuf::from(format!("/proc/{process}/{base}"));
    path.push(file.trim_start_matches('/'));
    if !path.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path).ok()?.take(LARGEST).read_to_end(&mut bytes).ok()?;
    let text: Vec<char> = String::from_utf8_lossy(&bytes).chars().collect();
    let position = match position {
        Some(position) => usize::try_from(position).ok()?,
        None => {
            let mut reader = Reader { text: &text, at: 0, next: 0, wanted: 0, found: None };
            for _ in 0..top {
                reader.form(false, 0)?;
            }
            reader.at
        }
    };
    line_in(&text, position, form)
}

fn line_in(text: &[char], position: usize, form: u64) -> Option<u32> {
    let mut reader = Reader { text, at: position, next: 0, wanted: form, found: None };
    reader.form(true, 0);
    let before = text.get(..reader.found?)?;
    u32::try_from(before.iter().filter(|&&character| character == '\n').count() + 1).ok()
}

/// Reads forms, and counts lists.
struct Reader<'t> {
    text: &'t [char],
    at: usize,
    next: u64,
    wanted: u64,
    found: Option<usize>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    /// A list begins here.
    fn count(&mut self, counted: bool, start: usize) {
        if counted {
            if self.next == self.wanted {
                self.found = Some(start);
            }
            self.next += 1;
        }
    }

    /// Blanks and comments.
    fn skip(&mut self) {
        while let Some(character) = self.peek() {
            if character == ';' {
                while self.peek().is_some_and(|character| character != '\n') {
                    self.at += 1;
                }
            } else if character == '#' && self.text.get(self.at + 1) == Some(&'|') {
                self.comment();
            } else if character.is_whitespace() {
                self.at += 1;
            } else {
                break;
            }
        }
    }

    /// `#| … |#`, which can stand in one another.
    fn comment(&mut self) {
        let mut open = 0;
        while self.at < self.text.len() {
            match (self.peek(), self.text.get(self.at + 1)) {
                (Some('#'), Some('|')) => (open, self.at) = (open + 1, self.at + 2),
                (Some('|'), Some('#')) => (open, self.at) = (open - 1, self.at + 2),
                _ => self.at += 1,
            }
            if open == 0 {
                break;
            }
        }
    }

    /// The next form; its text if it is a symbol, a number or a list. `None` where a list ends.
    fn form(&mut self, counted: bool, depth: usize) -> Option<String> {
        self.skip();
        let start = self.at;
        if depth > DEPTH || self.found.is_some() {
            // It is all over.
            self.at = self.text.len();
            return None;
        }
        self.at += 1;
        match self.text.get(start)? {
            ')' => None,
            '(' => {
                self.list(counted, start, depth);
                Some(self.text(start))
            }
            '\'' => {
                self.count(counted, start);
                self.form(false, depth + 1)
            }
            '`' => {
                self.count(counted, start);
                self.form(counted, depth + 1)
            }
            ',' => {
                self.at += usize::from(matches!(self.peek(), Some('@' | '.')));
                self.form(counted, depth + 1)
            }
            '"' => {
                self.until('"');
                Some(String::new())
            }
            '#' => self.special(counted, start, depth),
            _ => {
                self.at = start;
                Some(self.token())
            }
        }
    }

    fn list(&mut self, counted: bool, start: usize, depth: usize) {
        self.skip();
        if self.peek() == Some(')') {
            // The empty list is no list but a symbol.
            self.at += 1;
            return;
        }
        self.count(counted, start);
        let mut counted = counted;
        while let Some(text) = self.form(counted, depth + 1) {
            counted &= !text.eq_ignore_ascii_case("quote");
        }
    }

    /// What begins with `#`.
    fn special(&mut self, counted: bool, start: usize, depth: usize) -> Option<String> {
        while self.peek().is_some_and(|character| character.is_ascii_digit()) {
            self.at += 1;
        }
        let sign = self.peek()?;
        self.at += 1;
        match sign {
            '\'' => {
                self.count(counted, start);
                self.form(counted, depth + 1)
            }
            '(' => {
                self.list(false, start, depth);
                Some(String::new())
            }
            '\\' => {
                self.at += 1;
                Some(self.token())
            }
            '+' | '-' => {
                let condition = self.form(false, depth + 1)?;
                if has_feature(&condition) != (sign == '+') {
                    self.form(false, depth + 1);
                }
                self.form(counted, depth + 1)
            }
            '.' | 'p' | 'P' | 's' | 'S' | 'c' | 'C' | '=' => self.form(false, depth + 1),
            _ => Some(self.token()),
        }
    }

    /// Up to a sign that stands for an end.
    fn until(&mut self, end: char) {
        while let Some(character) = self.peek() {
            self.at += 1;
            if character == '\\' {
                self.at += 1;
            } else if character == end {
                break;
            }
        }
    }

    /// A symbol or a number.
    fn token(&mut self) -> String {
        let start = self.at;
        while let Some(character) = self.peek() {
            if character.is_whitespace() || "()\"';`,".contains(character) {
                break;
            }
            self.at += 1;
            match character {
                '\\' => self.at += 1,
                '|' => self.until('|'),
                _ => {}
            }
        }
        self.text(start)
    }

    /// What was read since a place.
    fn text(&self, start: usize) -> String {
        self.text.get(start..self.at.min(self.text.len())).unwrap_or_default().iter().collect()
    }
}

/// Whether a condition of `#+` holds.
fn has_feature(condition: &str) -> bool {
    let condition = condition.trim().to_ascii_lowercase();
    let Some(list) = condition.strip_prefix('(').and_then(|list| list.strip_suffix(')')) else {
        return FEATURES.contains(&condition.trim_start_matches(':'));
    };
    let mut words = list.split_whitespace();
    let operator = words.next().unwrap_or_default().trim_start_matches(':');
    let mut words = words.map(|word| FEATURES.contains(&word.trim_start_matches(':')));
    match operator {
        "or" => words.any(|has| has),
        "and" => words.all(|has| has),
        _ => !words.any(|has| has),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_numbered_from_the_outermost() {
        let text = "(first)\n\
            (defun f (x) ; (no list)\n  \"(no list)\"\n  #| (nor\n this) |#\n\
            \x20 (let ((y '(1 (2))))\n\
            \x20   #-sbcl (other)\n    #+(or sbcl ecl) (one #\\( y)\n\
            \x20   (mapcar #'g () `(a ,(h x)\n\
            \x20      ,@(i)))))\n";
        let text: Vec<char> = text.chars().collect();
        // defun, (x), let, its bindings, (y …), '(…), one, mapcar, #'g, `, (a …),
        // (h x), (i)
        let expected = [2, 2, 6, 6, 6, 6, 8, 9, 9, 9, 9, 9, 10];
        for (form, line) in (0..).zip(expected) {
            assert_eq!(line_in(&text, 8, form), Some(line), "{form}");
        }
        assert_eq!(line_in(&text, 8, 13), None);
        assert_eq!((line_in(&text, 8000, 0), line_in(&text, 0, 0)), (None, Some(1)));
    }

    #[test]
    fn what_does_not_end_has_no_line() {
        for text in ["(", "#|", "\"", "#", "(a \\", "'", "#+", "(((((", "#1=", "|", "#\\"] {
            let text: Vec<char> = text.chars().collect();
            assert_eq!(line_in(&text, 0, 100), None);
        }
        let deep: Vec<char> = "(".repeat(100_000).chars().collect();
        assert_eq!(line_in(&deep, 0, 90_000), None);
    }
}
