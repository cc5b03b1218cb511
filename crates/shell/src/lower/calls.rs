//! Simple commands: their words, assignments and redirections.

use super::{Lowerer, Unsupported};
use crate::Dialect;
use crate::builtins;
use crate::program::*;
use crate::syntax::braces;
use crate::syntax::tree;

impl Lowerer<'_> {
    pub(super) fn simple(&mut self, simple: &tree::Simple, command: &tree::Command) -> Node {
        let line = command.line;
        let assignments = simple.assignments.iter().map(|one| self.assignment(one)).collect();
        let redirects = self.redirects(&command.redirects);
        if simple.words.is_empty() {
            let node = Node::Assign(assignments, line);
            if redirects.is_empty() {
                return node;
            }
            return Node::Redirected(Box::new(Redirected { redirects, node, line }));
        }
        let mut words = Vec::with_capacity(simple.words.len());
        for argument in &simple.words {
            match argument {
                tree::Argument::Word(word) => {
                    let expanded = self.words(std::slice::from_ref(word));
                    words.extend(expanded.into_iter().map(Argument::Word));
                }
                tree::Argument::Assignment(one) => {
                    words.push(Argument::Assignment(self.assignment(one)));
                }
            }
        }
        let callee = self.callee(&words, line);
        if self.dialect == Dialect::Bash
            && shows_functions(&words)
            && !command.redirects.iter().any(throws_output_away)
        {
            self.refuse(line, "a function as bash would write it");
        }
        let words = words.into();
        Node::Call(Box::new(Call { assignments, words, callee, redirects, line }))
    }

    fn callee(&mut self, words: &[Argument], line: u32) -> Callee {
        let Some(Argument::Word(Word::Fixed(name))) = words.first() else {
            self.not_bounded();
            return Callee::Unknown;
        };
        let slot = self.slot(name);
        self.look_at_call(name, slot, words);
        self.called.push(slot);
        if matches!(&**name, b"." | b"source")
            && let Some(Argument::Word(Word::Fixed(path))) = words.get(1)
            && path.starts_with(b"/")
        {
            self.files.push((line, path.to_vec()));
        }
        if **name == *b"alias" && self.dialect != Dialect::Bash {
            self.look_at_aliases(words, line);
        } else if let Some(what) = not_run_here(name, words, self.dialect) {
            self.doubtful.push((slot, Unsupported { line, what }));
        }
        Callee::Named(slot, builtins::find(name, self.dialect))
    }

    /// An alias is for texts that are read after it, and all of a script is read before it runs:
    /// one that may be for a command of this text is not run here.
    fn look_at_aliases(&mut self, words: &[Argument], line: u32) {
        let is_known = words.len() > 1 || self.dialect == Dialect::Posix;
        let mut refused = !is_known;
        for word in &words[1..] {
            let Argument::Word(Word::Fixed(text)) = word else {
                refused = true;
                continue;
            };
            let Some(equals) = text.iter().position(|byte| *byte == b'=') else { continue };
            // Behind a blank the next word may be an alias as well.
            refused |= text.last().is_some_and(u8::is_ascii_whitespace);
            let slot = self.slot(&text[..equals]);
            let name = String::from_utf8_lossy(&text[..equals]).into_owned();
            let what = format!("'{name}' is an alias: not run here");
            self.aliases.push((slot, Unsupported { line, what }));
        }
        if refused {
            self.refuse(line, "'alias' is not run here");
        }
    }

    /// Words with their braces expanded.
    pub(super) fn words(&mut self, words: &[tree::Word]) -> Vec<Word> {
        let mut lowered = Vec::with_capacity(words.len());
        for word in words {
            match braces::expand(word, self.dialect) {
                Ok(Some(several)) => lowered.extend(several.iter().map(|word| self.word(word))),
                Ok(None) => lowered.push(self.word(word)),
                Err(_) => self.refuse(self.line, "braces that only the shell itself can expand"),
            }
        }
        lowered
    }

    pub(super) fn assignment(&mut self, assignment: &tree::Assignment) -> Assignment {
        let subscript = assignment.subscript.as_ref().map(|word| self.subscript(word));
        let value = match &assignment.value {
            tree::Value::Word(word) => Value::Word(self.word(word)),
            tree::Value::Array(elements) => {
                let mut lowered = Vec::with_capacity(elements.len());
                for element in elements {
                    self.element(element, &mut lowered);
                }
                Value::Array(lowered.into())
            }
        };
        let slot = self.slot(&assignment.name);
        let append = assignment.append;
        let written = crate::Text::from_slice(&assignment.written.0);
        Assignment { slot, subscript, append, value, written }
    }

    fn element(&mut self, element: &tree::Element, lowered: &mut Vec<Element>) {
        if let Some(word) = &element.subscript {
            let subscript = Some(self.subscript(word));
            let value = self.word(&element.value);
            lowered.push(Element { subscript, append: element.append, value });
        } else {
            let values = self.words(std::slice::from_ref(&element.value));
            lowered.extend(values.into_iter().map(|value| Element {
                subscript: None,
                append: false,
                value,
            }));
        }
    }

    pub(super) fn redirects(&mut self, redirects: &[tree::Redirect]) -> Box<[Redirect]> {
        redirects.iter().map(|redirect| self.redirect(redirect)).collect()
    }

    fn redirect(&mut self, redirect: &tree::Redirect) -> Redirect {
        use tree::RedirectKind as From;
        let (kind, usual, word) = match &redirect.kind {
            From::Read(word) => (RedirectKind::Read, 0, word),
            From::Write(word) => (RedirectKind::Write, 1, word),
            From::Clobber(word) => (RedirectKind::Clobber, 1, word),
            From::Append(word) => (RedirectKind::Append, 1, word),
            From::ReadWrite(word) => (RedirectKind::ReadWrite, 0, word),
            From::CopyInput(word) => (RedirectKind::CopyInput, 0, word),
            From::CopyOutput(word) => (RedirectKind::CopyOutput, 1, word),
            From::WriteBoth(word) => (RedirectKind::WriteBoth, 1, word),
            From::AppendBoth(word) => (RedirectKind::AppendBoth, 1, word),
            From::Here(text) => (RedirectKind::Here, 0, &**text),
            From::HereString(word) => (RedirectKind::HereString, 0, word),
        };
        let target = match &redirect.descriptor {
            None => Target::Number(usual),
            Some(tree::Target::Number(number)) => Target::Number(*number),
            Some(tree::Target::Variable(name)) => Target::Variable(self.slot(name)),
        };
        if kind != RedirectKind::Here && kind != RedirectKind::HereString {
            // What it opens may be a FIFO that somebody has to read.
            self.not_bounded();
        }
        let implied = redirect.descriptor.is_none();
        let (line, word) = (redirect.line, self.word(word));
        let written = match &word {
            Word::Fixed(_) => crate::Text::new(),
            _ => crate::Text::from_slice(&redirect.written.0),
        };
        Redirect { target, implied, kind, word, line, written }
    }
}

/// `declare -f`: bash writes a function in its own way.
fn shows_functions(words: &[Argument]) -> bool {
    let fixed = |word: &Argument| match word {
        Argument::Word(Word::Fixed(text)) => Some(text.clone()),
        _ => None,
    };
    let mut words = words.iter().map_while(fixed);
    let declares = words.next().is_some_and(|name| matches!(&*name, b"declare" | b"typeset"));
    let mut options = words.take_while(|word| word.first() == Some(&b'-'));
    declares && options.any(|word| word.contains(&b'f'))
}

/// Whether what is written goes to /dev/null.
fn throws_output_away(redirect: &tree::Redirect) -> bool {
    use tree::RedirectKind::{CopyOutput, Write, WriteBoth};
    let null = [tree::Piece::Literal(b"/dev/null".to_vec())];
    matches!(redirect.descriptor, None | Some(tree::Target::Number(1)))
        && matches!(&redirect.kind, Write(word) | WriteBoth(word) | CopyOutput(word)
            if *word.pieces == null)
}

/// Whether `set` asks for job control, for the script's own lines while they are read, or for no
/// braces.
fn sets_what_is_not_done<'w>(fixed: &dyn Fn(usize) -> Option<&'w [u8]>) -> bool {
    let mut index = 1;
    while let Some([sign @ (b'-' | b'+'), letters @ ..]) = fixed(index) {
        match (sign, letters) {
            (b'-', b"" | b"-" | b"A") => return false,
            (_, b"o") => {
                index += 1;
                match (sign, fixed(index)) {
                    (b'-', Some(b"monitor" | b"verbose")) | (b'+', Some(b"braceexpand")) => {
                        return true;
                    }
                    _ => {}
                }
            }
            (b'-', letters) if letters.iter().any(|letter| b"mv".contains(letter)) => return true,
            (b'+', letters) if letters.contains(&b'B') => return true,
            _ => {}
        }
        index += 1;
    }
    false
}

/// Why a command is not run here, if it is none of the script's own functions.
fn not_run_here(name: &[u8], words: &[Argument], dialect: Dialect) -> Option<String> {
    let fixed = |index: usize| match words.get(index) {
        Some(Argument::Word(Word::Fixed(text))) => Some(&**text),
        _ => None,
    };
    let refused = match name {
        b"shopt" => {
            (1..words.len()).any(|index| fixed(index) == Some(b"expand_aliases"))
                && fixed(1) != Some(b"-u")
        }
        b"bind" | b"complete" | b"compgen" | b"compopt" | b"fc" | b"history" | b"fg" | b"bg"
        | b"suspend" | b"enable" | b"disown" => dialect == Dialect::Bash,
        b"trap" => (2..words.len()).any(|index| fixed(index) == Some(b"DEBUG")),
        b"set" => sets_what_is_not_done(&fixed),
        b"typeset" if dialect == Dialect::Ksh => (1..words.len()).any(|index| {
            fixed(index).is_some_and(|text| {
                text.first() == Some(&b'-')
                    && text
                        .iter()
                        .any(|letter| b"LRZFETCMHSXb".contains(letter) || letter.is_ascii_digit())
            })
        }),
        b"float" | b"enum" | b"compound" | b"hist" | b"builtin" | b"vmap" | b"vpath" => {
            dialect == Dialect::Ksh
        }
        _ => false,
    };
    refused.then(|| format!("'{}' is not run here", String::from_utf8_lossy(name)))
}
