//! From the number of a form to its line. SBCL numbers the lists of a form that stands outermost,
//! the outer ones first (`sub-find-source-paths` in `src/compiler/ir1tran.lisp`).

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

/// Which form of a file it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    /// The number of the outermost form.
    pub(super) top: u64,
    /// Where that begins, in characters; while a compiled file is loaded it is not known.
    pub(super) position: Option<u64>,
    /// Its own number among the lists.
    pub(super) number: u64,
    /// Whether lists in what is quoted have numbers, and commas are lists.
    pub(super) in_quoted: bool,
}

/// The line of a form of a file, if it can be read.
pub(super) fn line(process: libc::pid_t, file: &str, form: Form) -> Option<u32> {
    let base = if file.starts_with('/') { "root" } else { "cwd" };
    let mut path = PathBuf::from(format!("/proc/{process}/{base}"));
    path.push(file.trim_start_matches('/'));
    if !path.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path).ok()?.take(LARGEST).read_to_end(&mut bytes).ok()?;
    let text: Vec<char> = match std::str::from_utf8(&bytes) {
        Ok(text) => text.chars().collect(),
        Err(_) => bytes.into_iter().map(char::from).collect(),
    };
    line_in(&text, start(&text, form)?, form)
}

/// Where the outermost form begins, with the blanks before it.
fn start(text: &[char], form: Form) -> Option<usize> {
    let position = form.position.map(usize::try_from).transpose().ok()?;
    if position.is_some() && text.iter().all(char::is_ascii) {
        return position;
    }
    let mut reader = Reader::new(text, 0, form);
    if text.starts_with(&['#', '!']) {
        reader.at = text.iter().position(|&character| character == '\n')?;
    }
    for _ in 0..form.top {
        reader.form(false, 0)?;
    }
    // How SBCL reads the file decides whether it counts characters or bytes.
    let bytes = text.get(..reader.at)?.iter().map(|character| character.len_utf8()).sum();
    // A blank may have been read to find the end of a symbol.
    let is_at = |counted: usize, position: usize| position == counted || position == counted + 1;
    let is_there = position.is_none_or(|it| is_at(reader.at, it) || is_at(bytes, it));
    is_there.then_some(reader.at)
}

fn line_in(text: &[char], position: usize, form: Form) -> Option<u32> {
    let mut reader = Reader::new(text, position, form);
    reader.form(true, 0);
    let before = text.get(..reader.found?)?;
    u32::try_from(before.iter().filter(|&&character| character == '\n').count() + 1).ok()
}

/// Reads forms, and counts lists.
struct Reader<'t> {
    text: &'t [char],
    at: usize,
    next: u64,
    wanted: Form,
    found: Option<usize>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t [char], at: usize, wanted: Form) -> Reader<'t> {
        Reader { text, at, next: 0, wanted, found: None }
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    /// A list begins here.
    fn count(&mut self, counted: bool, start: usize) {
        if counted {
            if self.next == self.wanted.number {
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
                self.form(counted && self.wanted.in_quoted, depth + 1)
            }
            '`' => {
                self.count(counted, start);
                self.form(counted, depth + 1)
            }
            ',' => {
                self.at += usize::from(matches!(self.peek(), Some('@' | '.')));
                self.count(counted && self.wanted.in_quoted, start);
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
            counted &= self.wanted.in_quoted || !text.eq_ignore_ascii_case("quote");
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

    fn old(number: u64) -> Form {
        Form { top: 0, position: None, number, in_quoted: false }
    }

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
            assert_eq!(line_in(&text, 8, old(form)), Some(line), "{form}");
        }
        assert_eq!(line_in(&text, 8, old(13)), None);
        assert_eq!((line_in(&text, 8000, old(0)), line_in(&text, 0, old(0))), (None, Some(1)));
        // Newer ones count (1 (2)) and (2) behind '(…), and the two commas.
        let expected = [2, 2, 6, 6, 6, 6, 6, 6, 8, 9, 9, 9, 9, 9, 9, 10, 10];
        for (form, line) in (0..).zip(expected) {
            let form = Form { in_quoted: true, ..old(form) };
            assert_eq!(line_in(&text, 8, form), Some(line), "{form:?}");
        }
    }

    #[test]
    fn a_position_is_one_of_characters_or_of_bytes() {
        let text: Vec<char> = "#!/x\n; dé\n(a)\n(é) x\n (b)".chars().collect();
        let at = |top, position| start(&text, Form { top, position, ..old(0) });
        // Behind the form before it, as SBCL counts it.
        for (top, begin, positions) in [(1, 13, [13, 14]), (2, 17, [17, 19]), (3, 19, [20, 22])] {
            assert_eq!(at(top, None), Some(begin), "{top}");
            for position in positions {
                assert_eq!(at(top, Some(position)), Some(begin), "{position}");
            }
            assert_eq!(at(top, Some(positions[1] + 2)), None, "{top}");
        }
    }

    #[test]
    fn what_does_not_end_has_no_line() {
        for text in ["(", "#|", "\"", "#", "(a \\", "'", "#+", "(((((", "#1=", "|", "#\\"] {
            let text: Vec<char> = text.chars().collect();
            assert_eq!(line_in(&text, 0, old(100)), None);
        }
        let deep: Vec<char> = "(".repeat(100_000).chars().collect();
        assert_eq!(line_in(&deep, 0, old(90_000)), None);
    }
}
