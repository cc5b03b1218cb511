//! Where `~` counts.

use super::tree::{Piece, Word};
use crate::dialect::Words;

/// `~` or `~name` at the beginning of a word, up to a `/`, and in most shells to a `:`.
pub(super) fn at_start(word: &mut Word, rules: &Words) {
    if let Some(Piece::Literal(text)) = word.pieces.first()
        && text.first() == Some(&b'~')
    {
        let quoted_behind = rules.tilde_before_quoted_slash
            && text.len() == 1
            && matches!(word.pieces.get(1), Some(Piece::Quoted(rest)) if rest.starts_with(b"/"));
        let alone = word.pieces.len() == 1 || quoted_behind;
        if let Some(end) = name_end(text, alone, rules.colon_ends_tilde) {
            split(word, 0, 0, end);
        }
    }
}

/// Whether a name behind a tilde goes on in what is not plain text. Where it is
/// looked up behind all expansions, this matters.
pub(super) fn ends_late(word: &Word) -> bool {
    matches!(&*word.pieces, [Piece::Literal(text), _, ..]
        if text.first() == Some(&b'~') && !text.iter().any(|b| b"/:".contains(b)))
}

/// In the value of an assignment: at its beginning and behind each `:`.
pub(super) fn in_value(word: &mut Word) {
    in_value_from(word, 0, 0);
}

/// As [`in_value`], from a byte of a piece on.
pub(super) fn in_value_from(word: &mut Word, piece: usize, from: usize) {
    let (mut piece, mut from, mut counts) = (piece, from, true);
    while let Some(this) = word.pieces.get(piece) {
        let Piece::Literal(text) = this else {
            (piece, from, counts) = (piece + 1, 0, false);
            continue;
        };
        let alone = piece + 1 == word.pieces.len();
        let found = tildes(text, from, counts)
            .find_map(|at| Some((at, at + name_end(&text[at..], alone, true)?)));
        let Some((at, end)) = found else {
            counts = text.last() == Some(&b':');
            (piece, from) = (piece + 1, 0);
            continue;
        };
        piece += split(word, piece, at, end);
        (from, counts) = (0, false);
    }
}

/// Where tildes stand that may count.
fn tildes(text: &[u8], from: usize, counts: bool) -> impl Iterator<Item = usize> {
    memchr::memchr_iter(b'~', &text[from..])
        .map(move |at| at + from)
        .filter(move |at| if *at == from { counts } else { text[at - 1] == b':' })
}

/// Where the name behind a tilde ends, if it ends in this text: what is quoted or expanded is no
/// name.
fn name_end(text: &[u8], last: bool, colon: bool) -> Option<usize> {
    let end = text.iter().position(|b| *b == b'/' || colon && *b == b':');
    match end {
        None if last => Some(text.len()),
        end => end,
    }
}

/// Makes a tilde of the bytes `at..end` of a literal, and gives how many pieces further the rest of
/// the literal is.
fn split(word: &mut Word, piece: usize, at: usize, end: usize) -> usize {
    let Some(Piece::Literal(text)) = word.pieces.get_mut(piece) else { return 1 };
    let after = text.split_off(end);
    let name = text.split_off(at);
    let empty = text.is_empty();
    let tilde = Piece::Tilde(name[1..].to_vec());
    let mut next = piece;
    if empty {
        word.pieces[piece] = tilde;
    } else {
        word.pieces.insert(piece + 1, tilde);
        next += 1;
    }
    if !after.is_empty() {
        word.pieces.insert(next + 1, Piece::Literal(after));
    }
    next + 1 - piece
}

/// An argument that looks like an assignment has the tildes of one.
pub(super) fn in_argument(word: &mut Word) {
    if let Some(Piece::Literal(text)) = word.pieces.first() {
        let name = super::name_length(text);
        if name > 0 && text.get(name) == Some(&b'=') {
            in_value_from(word, 0, name + 1);
        }
    }
}
