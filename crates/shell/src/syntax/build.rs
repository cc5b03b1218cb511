//! A word while it is put together.

use super::tree::{Piece, Word};

/// Pieces so far: text of one kind that comes bit by bit becomes one piece.
#[derive(Default)]
pub(super) struct Build {
    pub(super) pieces: Vec<Piece>,
}

impl Build {
    /// Unquoted text.
    pub(super) fn literal(&mut self, text: &[u8]) {
        match self.pieces.last_mut() {
            Some(Piece::Literal(last)) => last.extend_from_slice(text),
            _ => self.pieces.push(Piece::Literal(text.to_vec())),
        }
    }

    /// Quoted text, perhaps empty.
    pub(super) fn quoted(&mut self, text: &[u8]) {
        match self.pieces.last_mut() {
            Some(Piece::Quoted(last)) => last.extend_from_slice(text),
            _ => self.pieces.push(Piece::Quoted(text.to_vec())),
        }
    }

    /// Text of the one kind or the other.
    pub(super) fn text(&mut self, text: &[u8], quoted: bool) {
        if quoted { self.quoted(text) } else { self.literal(text) }
    }

    pub(super) fn push(&mut self, piece: Piece) {
        self.pieces.push(piece);
    }

    /// What was inside double quotes.
    pub(super) fn double(&mut self, mut inside: Build) {
        match inside.pieces.len() {
            0 => self.quoted(b""),
            1 if matches!(inside.pieces[0], Piece::Quoted(_)) => {
                if let Some(Piece::Quoted(text)) = inside.pieces.pop() {
                    self.quoted(&text);
                }
            }
            _ => self.push(Piece::Double(inside.pieces)),
        }
    }

    pub(super) fn word(self) -> Word {
        Word { pieces: self.pieces }
    }
}
