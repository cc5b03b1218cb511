//! Arithmetic, parsed beforehand with placeholders where expansions stand.

use super::Lowerer;
use crate::arithmetic;
use crate::program::{Arithmetic, Word};
use crate::syntax::tree::{self, Piece};

impl Lowerer<'_> {
    /// A text that is expanded like a double-quoted word and then evaluated.
    pub(super) fn arithmetic(&mut self, word: &tree::Word) -> Arithmetic {
        let pieces = flat(&word.pieces);
        let mut placeholders: Vec<Word> = Vec::new();
        let mut parts = Vec::with_capacity(pieces.len());
        for piece in &pieces {
            match piece {
                Piece::Literal(bytes) | Piece::Quoted(bytes) => {
                    parts.push(arithmetic::Part::Text(bytes));
                }
                _ => {
                    self.together.calculates = true;
                    parts.push(arithmetic::Part::Placeholder(
                        u32::try_from(placeholders.len()).unwrap_or(0),
                    ));
                    placeholders.push(self.quoted(std::slice::from_ref(piece)));
                }
            }
        }
        let (dialect, mut seconds) = (self.dialect, false);
        let parsed = arithmetic::parse(&parts, dialect, &mut |name| {
            seconds |= name == b"SECONDS";
            self.together.calculates = true;
            self.names.slot(name)
        });
        if seconds && dialect.profile().arithmetic.fractions_of_seconds {
            self.refuse("SECONDS, which has fractions");
        }
        if let Err(error) = &parsed
            && error.kind() == arithmetic::Kind::Unsupported
        {
            self.refuse("floating point");
        }
        Arithmetic {
            // What cannot be parsed now is parsed once it is expanded, and is an error only then.
            expression: parsed.ok(),
            placeholders: placeholders.into(),
            parts: parts.iter().map(owned).collect(),
            parsed: Default::default(),
        }
    }
}

fn owned(part: &arithmetic::Part<'_>) -> arithmetic::OwnedPart {
    match part {
        arithmetic::Part::Text(text) => arithmetic::OwnedPart::Text((*text).into()),
        arithmetic::Part::Placeholder(number) => arithmetic::OwnedPart::Placeholder(*number),
    }
}

/// The pieces without the quotes around them.
fn flat(pieces: &[Piece]) -> Vec<Piece> {
    let mut out = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match piece {
            Piece::Double(inner) => out.extend(flat(inner)),
            Piece::Tilde(name) => out.push(Piece::Literal([b"~", &**name].concat())),
            other => out.push(other.clone()),
        }
    }
    out
}
