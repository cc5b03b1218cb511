//! Patterns without groups: pieces of a fixed number of characters, with stars between them.
//!
//! The first piece stands at the beginning and the last at the end; those between are looked for
//! one after the other. What is found first leaves most room for the rest, so nothing is ever
//! looked for twice: the work is at most the text times the longest piece.

use memchr::memmem;

use super::parse::{Item, Node};
use super::text::Text;

/// A piece between stars.
#[derive(Clone, Debug)]
pub(super) enum Segment {
    /// These bytes, whatever characters are.
    Literal(Box<[u8]>),
    /// One character after the other.
    Items(Box<[Item]>),
}

/// What lies between the stars; one segment if there is no star.
#[derive(Clone, Debug)]
pub(super) struct Segments(Vec<Segment>);

impl Segments {
    /// `None` if there is a group.
    pub(super) fn new(nodes: &[Node], utf8: bool) -> Option<Segments> {
        let mut segments = Vec::new();
        for piece in nodes.split(|node| matches!(node, Node::Star)) {
            let items = piece.iter().map(|node| match node {
                Node::Item(item) => Some(item.clone()),
                _ => None,
            });
            segments.push(Segment::new(items.collect::<Option<Vec<Item>>>()?, utf8));
        }
        Some(Segments(segments))
    }

    /// Whether it is the same to it whether characters are bytes.
    pub(super) fn are_literal(&self) -> bool {
        self.0.iter().all(|segment| matches!(segment, Segment::Literal(_)))
    }

    pub(super) fn matches(&self, text: &Text<'_>) -> bool {
        let end = text.len();
        match &self.0[..] {
            [only] => only.at(text, 0, end) == Some(end),
            [first, between @ .., last] => {
                let Some(mut at) = first.at(text, 0, end) else { return false };
                let Some(stop) = last.before(text, at, end) else { return false };
                for segment in between {
                    match segment.find(text, at, stop) {
                        Some((_, after)) => at = after,
                        None => return false,
                    }
                }
                true
            }
            [] => end == 0,
        }
    }

    /// Where a match that starts at `start` ends.
    pub(super) fn prefix(&self, text: &Text<'_>, start: usize, longest: bool) -> Option<usize> {
        let (first, rest) = self.0.split_first()?;
        let at = first.at(text, start, text.len())?;
        self.rest_ends(text, rest, at, longest)
    }

    fn rest_ends(
        &self,
        text: &Text<'_>,
        rest: &[Segment],
        mut at: usize,
        longest: bool,
    ) -> Option<usize> {
        let end = text.len();
        let Some((last, between)) = rest.split_last() else { return Some(at) };
        for segment in between {
            at = segment.find(text, at, end)?.1;
        }
        match longest {
            true => last.find_last(text, at, end).map(|(_, after)| after),
            false => last.find(text, at, end).map(|(_, after)| after),
        }
    }

    /// Where a match that ends at the end starts.
    pub(super) fn suffix(&self, text: &Text<'_>, longest: bool) -> Option<usize> {
        let (last, rest) = self.0.split_last()?;
        let mut stop = last.before(text, 0, text.len())?;
        let Some((first, between)) = rest.split_first() else { return Some(stop) };
        for segment in between.iter().rev() {
            stop = segment.find_last(text, 0, stop)?.0;
        }
        match longest {
            true => first.find(text, 0, stop).map(|(start, _)| start),
            false => first.find_last(text, 0, stop).map(|(start, _)| start),
        }
    }

    /// The leftmost match from `from` on, and of those the longest.
    pub(super) fn find(&self, text: &Text<'_>, from: usize) -> Option<(usize, usize)> {
        let (first, rest) = self.0.split_first()?;
        let (start, after) = first.find(text, from, text.len())?;
        self.rest_ends(text, rest, after, true).map(|end| (start, end))
    }
}

impl Segment {
    fn new(items: Vec<Item>, utf8: bool) -> Segment {
        let mut bytes = Vec::new();
        for item in &items {
            match item {
                Item::Char(code) => match utf8 {
                    true => super::character::push(&mut bytes, *code),
                    false => bytes.push(*code as u8),
                },
                _ => return Segment::Items(items.into()),
            }
        }
        Segment::Literal(bytes.into())
    }

    /// Where it ends if it stands at `at`, all before `stop`.
    fn at(&self, text: &Text<'_>, mut at: usize, stop: usize) -> Option<usize> {
        match self {
            Segment::Literal(bytes) => {
                text.bytes[at..stop].starts_with(bytes).then_some(at + bytes.len())
            }
            Segment::Items(items) => {
                for item in items {
                    if at >= stop {
                        return None;
                    }
                    let (code, length) = text.decode(at);
                    if !item.is(code) {
                        return None;
                    }
                    at += length;
                }
                (at <= stop).then_some(at)
            }
        }
    }

    /// Where it starts if it ends at `stop`, all from `from` on.
    fn before(&self, text: &Text<'_>, from: usize, stop: usize) -> Option<usize> {
        match self {
            Segment::Literal(bytes) => {
                text.bytes[from..stop].ends_with(bytes).then(|| stop - bytes.len())
            }
            Segment::Items(items) => {
                let mut at = stop;
                for item in items.iter().rev() {
                    if at <= from {
                        return None;
                    }
                    at = text.back(at);
                    if !item.is(text.decode(at).0) {
                        return None;
                    }
                }
                (at >= from).then_some(at)
            }
        }
    }

    /// Where it stands first between the two.
    fn find(&self, text: &Text<'_>, from: usize, stop: usize) -> Option<(usize, usize)> {
        match self {
            Segment::Literal(bytes) => {
                let start = from + memmem::find(&text.bytes[from..stop], bytes)?;
                Some((start, start + bytes.len()))
            }
            Segment::Items(_) => {
                let mut start = from;
                loop {
                    if let Some(end) = self.at(text, start, stop) {
                        return Some((start, end));
                    }
                    if start >= stop {
                        return None;
                    }
                    start += text.decode(start).1;
                }
            }
        }
    }

    /// Where it stands last between the two.
    fn find_last(&self, text: &Text<'_>, from: usize, stop: usize) -> Option<(usize, usize)> {
        match self {
            Segment::Literal(bytes) => {
                let start = from + memmem::rfind(&text.bytes[from..stop], bytes)?;
                Some((start, start + bytes.len()))
            }
            Segment::Items(_) => {
                let mut end = stop;
                loop {
                    if let Some(start) = self.before(text, from, end) {
                        return Some((start, end));
                    }
                    if end <= from {
                        return None;
                    }
                    end = text.back(end);
                }
            }
        }
    }
}
