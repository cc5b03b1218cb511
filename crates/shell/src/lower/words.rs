//! Words.

use super::Lowerer;
use crate::Text;
use crate::dialect::EmptyAt;

use crate::program::{Expansion, Part, PatternWord, Substitution, Word};
use crate::syntax::tree::{self, Piece};

/// How deep `@(…)` may be nested.
const DEEPEST_PATTERN: u32 = 200;

impl Lowerer<'_> {
    /// A word.
    pub(super) fn word(&mut self, word: &tree::Word) -> Word {
        let mut parts = Vec::with_capacity(word.pieces.len());
        let among_others = word.pieces.len() > 1;
        // Behind a bracket, in which something is quoted, all unquoted text counts: `[/\\]`.
        let mut in_bracket = false;
        for piece in &word.pieces {
            match piece {
                Piece::Literal(bytes) if in_bracket || among_others && bytes.contains(&b']') => {
                    parts.push(Part::Pattern(Text::from_slice(bytes)));
                }
                piece => self.piece(piece, among_others, &mut parts),
            }
            in_bracket |= matches!(piece, Piece::Literal(bytes) if bytes.contains(&b'['));
        }
        finish(parts)
    }

    /// A word in which each piece counts as quoted: the inside of arithmetic, of here-documents.
    pub(super) fn quoted(&mut self, pieces: &[Piece]) -> Word {
        let mut parts = Vec::with_capacity(pieces.len());
        for piece in pieces {
            self.quoted_piece(piece, &mut parts);
        }
        finish(parts)
    }

    /// The word of `${a-word}`: unquoted text in it is split like a value.
    pub(super) fn nested(&mut self, word: &tree::Word) -> Word {
        let mut parts = Vec::with_capacity(word.pieces.len());
        for piece in &word.pieces {
            match piece {
                Piece::Literal(bytes) => {
                    // What it comes to is expanded again there, with what stands behind the `}`.
                    if self.braces().after_expansions && bytes.contains(&b'{') {
                        self.refuse("braces in the word of an expansion");
                    }
                    parts.push(Part::Unquoted(Text::from_slice(bytes)));
                }
                piece => self.piece(piece, true, &mut parts),
            }
        }
        match parts.is_empty() {
            true => Word::Fixed(Text::new()),
            false => Word::Parts { parts: parts.into(), whole: false },
        }
    }

    /// A regular expression: unquoted text counts, what is quoted stands for itself.
    pub(super) fn regex(&mut self, word: &tree::Word) -> Word {
        let mut parts = Vec::with_capacity(word.pieces.len());
        for piece in &word.pieces {
            match piece {
                Piece::Literal(bytes) => parts.push(Part::Pattern(Text::from_slice(bytes))),
                piece => self.piece(piece, true, &mut parts),
            }
        }
        Word::Parts { parts: parts.into(), whole: false }
    }

    /// A pattern.
    pub(super) fn pattern(&mut self, word: &tree::Word) -> PatternWord {
        let word = self.word(word);
        PatternWord { constant: word.is_constant(), word, last: None.into() }
    }

    fn piece(&mut self, piece: &Piece, among_others: bool, parts: &mut Vec<Part>) {
        match piece {
            Piece::Literal(bytes) if may_match(bytes, among_others) => {
                parts.push(Part::Pattern(Text::from_slice(bytes)));
            }
            Piece::Literal(bytes) | Piece::Quoted(bytes) => {
                self.look_for_point(bytes);
                push_text(parts, bytes);
            }
            Piece::Double(pieces) => {
                // `"$@"` is nothing at all if there are no parameters: any other quoted word is.
                if pieces.is_empty() || self.is_there_without_parameters(pieces) {
                    push_text(parts, b"");
                }
                if self.vanishes(pieces) {
                    let mut together = Vec::with_capacity(pieces.len());
                    for piece in pieces {
                        self.quoted_piece(piece, &mut together);
                    }
                    parts.push(Part::Together(together.into()));
                    return;
                }
                for piece in pieces {
                    self.quoted_piece(piece, parts);
                }
            }
            Piece::Tilde(name) => {
                parts.push(Part::Value(Expansion::Tilde(Text::from_slice(name)), true));
            }
            Piece::Extended { kind, alternatives } => {
                if self.patterns_deep >= DEEPEST_PATTERN {
                    self.refuse("patterns that are nested too deep");
                    return;
                }
                self.patterns_deep += 1;
                let alternatives = crate::stack::with_room(|| {
                    alternatives.iter().map(|word| self.word(word)).collect()
                });
                self.patterns_deep -= 1;
                parts.push(Part::Extended(*kind, alternatives));
            }
            _ => {
                let expansion = self.expansion(piece);
                parts.extend(expansion.map(|expansion| Part::Value(expansion, false)));
            }
        }
    }

    /// Whether a quoted word of several pieces is an empty one where there are no parameters.
    fn is_there_without_parameters(&self, pieces: &[Piece]) -> bool {
        let is_all = |piece: &Piece| match piece {
            Piece::Parameter(parameter) => {
                parameter.name == tree::ParameterName::Special(b'@')
                    && parameter.operation == tree::Operation::Value
            }
            _ => false,
        };
        pieces.len() > 1
            && match self.dialect.profile().syntax.words.empty_at {
                EmptyAt::Stays => true,
                EmptyAt::Vanishes => false,
                EmptyAt::StaysIfOnlyAt => pieces.iter().all(is_all),
            }
    }

    /// Whether a quoted word of several expansions may come to nothing at all.
    fn vanishes(&self, pieces: &[Piece]) -> bool {
        use tree::Operation::{Alternative, Assign, Default, Error, Length};
        let is_all = |piece: &Piece| match piece {
            Piece::Parameter(parameter) => {
                let word = matches!(
                    parameter.operation,
                    Alternative { .. } | Assign { .. } | Default { .. } | Error { .. } | Length
                );
                let all = parameter.name == tree::ParameterName::Special(b'@')
                    || parameter.subscript == Some(tree::Subscript::All);
                all && !word
            }
            _ => false,
        };
        let text = |piece: &Piece| matches!(piece, Piece::Literal(_) | Piece::Quoted(_));
        pieces.len() > 1
            && pieces.iter().any(is_all)
            && !pieces.iter().any(text)
            && !self.is_there_without_parameters(pieces)
    }

    fn quoted_piece(&mut self, piece: &Piece, parts: &mut Vec<Part>) {
        match piece {
            Piece::Literal(bytes) | Piece::Quoted(bytes) => {
                self.look_for_point(bytes);
                push_text(parts, bytes);
            }
            Piece::Double(pieces) => {
                for piece in pieces {
                    self.quoted_piece(piece, parts);
                }
            }
            Piece::Extended { kind, alternatives } => {
                if self.patterns_deep >= DEEPEST_PATTERN {
                    self.refuse("patterns that are nested too deep");
                    return;
                }
                self.patterns_deep += 1;
                push_text(parts, &[*kind, b'(']);
                for (index, word) in alternatives.iter().enumerate() {
                    if index > 0 {
                        push_text(parts, b"|");
                    }
                    for piece in &word.pieces {
                        self.quoted_piece(piece, parts);
                    }
                }
                push_text(parts, b")");
                self.patterns_deep -= 1;
            }
            Piece::Tilde(name) => {
                push_text(parts, b"~");
                push_text(parts, name);
            }
            _ => {
                let expansion = self.expansion(piece);
                parts.extend(expansion.map(|expansion| Part::Value(expansion, true)));
            }
        }
    }

    fn expansion(&mut self, piece: &Piece) -> Option<Expansion> {
        crate::stack::with_room(|| self.expansion_on_stack(piece))
    }

    fn expansion_on_stack(&mut self, piece: &Piece) -> Option<Expansion> {
        Some(match piece {
            Piece::Parameter(parameter) => self.parameter(parameter),
            Piece::Command(command) => {
                let file = file_of(&command.list).map(|word| self.word(word));
                let body = self.body(&command.list, line_of(&command.list));
                if command.in_this_shell {
                    self.not_bounded();
                }
                let in_this_shell = command.in_this_shell;
                Expansion::Command(Box::new(Substitution { body, file, in_this_shell }))
            }
            Piece::Arithmetic(word) => Expansion::Arithmetic(Box::new((self.arithmetic(word), 0))),
            Piece::Process { write, list } => {
                self.needs_process();
                let body = self.body(list, line_of(list));
                Expansion::Process { write: *write, body: body.into() }
            }
            _ => return None,
        })
    }
}

/// The line on which a list begins.
fn line_of(list: &tree::List) -> u32 {
    list.items.first().and_then(|item| item.first.commands.first()).map_or(0, |first| first.line)
}

/// Whether unquoted text can match names of files; a bracket alone cannot.
fn may_match(bytes: &[u8], among_others: bool) -> bool {
    memchr::memchr2(b'*', b'?', bytes).is_some()
        || memchr::memchr(b'[', bytes)
            .is_some_and(|at| among_others || memchr::memchr(b']', &bytes[at..]).is_some())
}

fn push_text(parts: &mut Vec<Part>, bytes: &[u8]) {
    if let Some(Part::Text(text)) = parts.last_mut() {
        text.extend_from_slice(bytes);
    } else {
        parts.push(Part::Text(Text::from_slice(bytes)));
    }
}

fn finish(mut parts: Vec<Part>) -> Word {
    if parts.is_empty() {
        return Word::Fixed(Text::new());
    }
    if let [Part::Text(text)] = &mut *parts {
        return Word::Fixed(std::mem::take(text));
    }
    let whole = parts.iter().all(|part| match part {
        Part::Text(_) => true,
        Part::Pattern(_) | Part::Unquoted(_) | Part::Extended(..) | Part::Together(_) => false,
        Part::Value(expansion, quoted) => *quoted && !expansion.may_be_many(),
    });
    Word::Parts { parts: parts.into(), whole }
}

/// The word of `$(<file)`.
fn file_of(list: &tree::List) -> Option<&tree::Word> {
    let [item] = &*list.items else { return None };
    if item.background || !item.rest.is_empty() || item.first.negated || item.first.timed.is_some()
    {
        return None;
    }
    let [command] = &*item.first.commands else { return None };
    let tree::Kind::Simple(simple) = &command.kind else { return None };
    if !simple.words.is_empty() || !simple.assignments.is_empty() {
        return None;
    }
    match &*command.redirects {
        [tree::Redirect { descriptor: None, kind: tree::RedirectKind::Read(word), .. }] => {
            Some(word)
        }
        _ => None,
    }
}
