//! Pattern text into a tree.

use super::Options;
use super::character::decode;
use super::class::Class;

/// Groups may be so deep in one another; what is deeper stands for itself.
const DEEPEST: usize = 500;

/// One character's worth of a pattern.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// This character.
    Char(u32),
    /// This character in lower case, or its upper case.
    Folded(u32),
    /// `?`
    Any,
    /// `[…]`
    Class(Box<Class>),
}

/// A piece of a pattern.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Item(Item),
    /// `*`
    Star,
    /// `@(…|…)`
    Group(Group, Vec<Vec<Node>>),
}

/// What stands before the parenthesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// `@`
    One,
    /// `?`
    Optional,
    /// `*`
    Any,
    /// `+`
    Some,
    /// `!`
    Not,
}

impl Item {
    /// Whether it matches the character.
    #[inline]
    pub(super) fn is(&self, code: u32) -> bool {
        match self {
            Item::Char(it) => *it == code,
            Item::Folded(it) => *it == code || *it == sys::to_lower(code),
            Item::Any => true,
            Item::Class(class) => class.holds(code),
        }
    }
}

pub(super) fn parse(text: &[u8], options: Options) -> Vec<Node> {
    Parser { text, options, depth: 0 }.sequence(0, text.len())
}

struct Parser<'a> {
    text: &'a [u8],
    options: Options,
    depth: usize,
}

impl Parser<'_> {
    fn sequence(&mut self, mut at: usize, end: usize) -> Vec<Node> {
        let mut nodes = Vec::new();
        while at < end {
            if let Some(kind) = self.group_at(at, end) {
                let Some(bars) = bars(&self.text[..end], at + 2).filter(|_| self.depth < DEEPEST)
                else {
                    if is_swallowed(kind, &nodes) {
                        break;
                    }
                    // A group without an end is the rest of the pattern as it stands, backslashes
                    // too.
                    while at < end {
                        let (node, after) = self.character(at);
                        nodes.push(node);
                        at = after;
                    }
                    break;
                };
                nodes.push(self.group(kind, at + 2, &bars));
                at = bars.last().map_or(end, |bar| bar + 1);
                continue;
            }
            let (node, after) = self.node(at, end);
            // Two stars say what one says.
            if !matches!((&node, nodes.last()), (Node::Star, Some(Node::Star))) {
                nodes.push(node);
            }
            at = after;
        }
        nodes
    }

    /// The group whose alternatives start at `start` and end where the bars are.
    fn group(&mut self, kind: Group, mut start: usize, bars: &[usize]) -> Node {
        self.depth += 1;
        let mut alternatives = Vec::new();
        for &bar in bars {
            alternatives.push(self.sequence(start, bar));
            start = bar + 1;
        }
        self.depth -= 1;
        Node::Group(kind, alternatives)
    }

    fn node(&self, at: usize, end: usize) -> (Node, usize) {
        let byte = self.text[at];
        match byte {
            b'*' => (Node::Star, at + 1),
            b'?' => (Node::Item(Item::Any), at + 1),
            b'[' if self.text[at + 1..end].contains(&b']') => {
                match Class::parse(&self.text[at + 1..end], self.options) {
                    Some((class, length)) => {
                        (Node::Item(Item::Class(Box::new(class))), at + 1 + length)
                    }
                    None => self.character(at),
                }
            }
            b'\\' if at + 1 < end => self.character(at + 1),
            _ => self.character(at),
        }
    }

    fn group_at(&self, at: usize, end: usize) -> Option<Group> {
        if !self.options.extended || at + 1 >= end || self.text[at + 1] != b'(' {
            return None;
        }
        match self.text[at] {
            b'@' => Some(Group::One),
            b'?' => Some(Group::Optional),
            b'*' => Some(Group::Any),
            b'+' => Some(Group::Some),
            b'!' => Some(Group::Not),
            _ => None,
        }
    }

    fn character(&self, at: usize) -> (Node, usize) {
        let (code, length) = match self.options.utf8 {
            true => decode(self.text, at),
            false => (u32::from(self.text[at]), 1),
        };
        // Bytes have cases only where they are ASCII.
        let may_fold = self.options.fold_case && (self.options.utf8 || code < 128);
        let lower = sys::to_lower(code);
        let item = match may_fold && (lower != code || sys::to_upper(code) != code) {
            true => Item::Folded(lower),
            false => Item::Char(code),
        };
        (Node::Item(item), at + length)
    }
}

/// Whether a group without an end, and all behind it, means nothing: bash looks for the end of
/// groups that may be absent behind a `*`, and goes on there, which is the end of the pattern.
fn is_swallowed(kind: Group, before: &[Node]) -> bool {
    let may_be_absent = |kind| matches!(kind, Group::Any | Group::Optional);
    may_be_absent(kind)
        && before
            .iter()
            .rev()
            .take_while(|node| match node {
                Node::Item(item) => matches!(item, Item::Any),
                Node::Star => true,
                Node::Group(kind, _) => may_be_absent(*kind),
            })
            .any(|node| matches!(node, Node::Star))
}

/// Where the `|` and, at last, the `)` are of a group whose text starts at `at`; `None` if it has
/// no end.
fn bars(text: &[u8], mut at: usize) -> Option<Vec<usize>> {
    let mut bars = Vec::new();
    let mut depth = 0usize;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 1,
            b'[' => at += class_length(&text[at + 1..])?,
            b'(' => depth += 1,
            b'|' if depth == 0 => bars.push(at),
            b')' if depth == 0 => {
                bars.push(at);
                return Some(bars);
            }
            b')' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    None
}

/// How many bytes behind a `[` belong to it; `None` if it has no end.
fn class_length(text: &[u8]) -> Option<usize> {
    Class::parse(text, Options::default()).map(|(_, length)| length)
}
