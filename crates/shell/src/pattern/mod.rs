//! `*`, `?`, `[…]`, `@(…)`: the shell's patterns, against strings and names of files.
//!
//! A pattern comes as *pattern text*: what was quoted is escaped by a backslash, the rest stands as
//! it is. No pattern takes more than polynomial time, whatever it looks like.
//!
//! | module | what is in it |
//! |---|---|
//! | [`Pattern`] | match, cut off, find |
//! | [`files`] | names of files |
//! | [`replace`] | `${x/p/r}` |
//! | [`cases`] | `${x^^p}` |
//! | [`slices`] | `${#x}`, `${x:1:2}` |
//! | [`regex`] | `[[ x =~ r ]]` |
//! | `parse`, `class`, `names` | pattern text into a tree |
//! | `segments` | matching without groups: what most patterns are |
//! | `program` | matching with groups |

pub mod cases;
mod character;
mod class;
pub mod files;
mod names;
mod parse;
mod program;
pub mod regex;
pub mod replace;
mod segments;
pub mod slices;
mod text;

use std::sync::OnceLock;

use parse::Node;
use program::Programs;
use segments::Segments;
use text::Text;

/// How pattern text is understood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// `@(…)`, `?(…)`, `*(…)`, `+(…)` and `!(…)` are groups.
    pub extended: bool,
    /// Characters are UTF-8; else bytes. A text or a pattern that is not UTF-8 is matched by bytes.
    pub utf8: bool,
    /// Upper and lower case are the same.
    pub fold_case: bool,
    /// Classes are dash's: `[^` begins one with a circumflex in it, and is no `[!`; `[.a.]` and
    /// `[=a=]` mean nothing in them, nor does `[:a:]` that is no name of a class.
    pub plain_classes: bool,
}

/// A pattern, made once for any number of texts.
///
/// Price: no calls. Time is the text times the pattern at most, without groups; see `program` for
/// `!( )`.
#[derive(Debug)]
pub struct Pattern {
    text: Box<[u8]>,
    options: Options,
    shape: Shape,
    /// The same for texts that are not UTF-8, once there is one.
    by_bytes: OnceLock<Box<Shape>>,
}

#[derive(Debug)]
struct Shape {
    utf8: bool,
    /// Whether it matters what characters are.
    has_characters: bool,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Segments(Segments),
    Groups(Box<Groups>),
}

/// A pattern with groups, in the directions that were asked for.
#[derive(Debug)]
struct Groups {
    nodes: Vec<Node>,
    forwards: OnceLock<Programs>,
    backwards: OnceLock<Programs>,
}

impl Groups {
    fn forwards(&self) -> &Programs {
        self.forwards.get_or_init(|| Programs::new(&self.nodes, false))
    }

    fn backwards(&self) -> &Programs {
        self.backwards.get_or_init(|| Programs::new(&self.nodes, true))
    }
}

impl Pattern {
    /// The pattern that pattern text says. Any text is one: what makes no sense as `[…]` or
    /// `@(…)` stands for itself.
    #[must_use]
    pub fn new(text: &[u8], options: Options) -> Pattern {
        let utf8 = options.utf8 && std::str::from_utf8(text).is_ok();
        let options = Options { utf8, ..options };
        let shape = Shape::new(text, options);
        Pattern { text: text.into(), options, shape, by_bytes: OnceLock::new() }
    }

    /// Whether it matches the whole text.
    #[must_use]
    pub fn matches(&self, text: &[u8]) -> bool {
        let (shape, text) = self.against(text);
        match &shape.kind {
            Kind::Segments(segments) => segments.matches(&text),
            Kind::Groups(groups) => groups.forwards().matches(&text, false),
        }
    }

    /// Whether it begins with `@(` or the like.
    fn begins_with_group(&self) -> bool {
        let kind = self.text.first().is_some_and(|byte| b"@?*+!".contains(byte));
        kind && matches!(self.shape.kind, Kind::Groups(_)) && self.text.get(1) == Some(&b'(')
    }

    /// As [`matches`](Pattern::matches), for a name that begins with a dot, which only a dot
    /// matches.
    fn matches_dot(&self, name: &[u8]) -> bool {
        let (shape, text) = self.against(name);
        match &shape.kind {
            Kind::Segments(segments) => segments.matches(&text),
            Kind::Groups(groups) => groups.forwards().matches(&text, true),
        }
    }

    /// How long the beginning of the text is that it matches: the longest one, or the shortest.
    #[must_use]
    pub fn prefix(&self, text: &[u8], longest: bool) -> Option<usize> {
        let (shape, text) = self.against(text);
        shape.prefix(&text, 0, longest)
    }

    /// Where the end of the text starts that it matches: the longest one, or the shortest.
    #[must_use]
    pub fn suffix(&self, text: &[u8], longest: bool) -> Option<usize> {
        let (shape, text) = self.against(text);
        match &shape.kind {
            Kind::Segments(segments) => segments.suffix(&text, longest),
            Kind::Groups(groups) => last(groups.backwards(), &text, text.len(), longest),
        }
    }

    /// The leftmost match that starts at `from` or later, and of those the longest: where it starts
    /// and ends. It may be empty. For many in one text use [`find_all`](Pattern::find_all).
    #[must_use]
    pub fn find(&self, text: &[u8], from: usize) -> Option<(usize, usize)> {
        self.find_all(text).next_from(from)
    }

    /// Finds match after match in one text.
    #[must_use]
    pub fn find_all<'a>(&'a self, text: &'a [u8]) -> Matches<'a> {
        let (shape, text) = self.against(text);
        Matches { shape, text, starts: None }
    }

    /// What of it is for this text.
    fn against<'a>(&'a self, bytes: &'a [u8]) -> (&'a Shape, Text<'a>) {
        let mut shape = &self.shape;
        if shape.utf8 && shape.has_characters && std::str::from_utf8(bytes).is_err() {
            shape = self.by_bytes.get_or_init(|| {
                Box::new(Shape::new(&self.text, Options { utf8: false, ..self.options }))
            });
        }
        (shape, Text { bytes, utf8: shape.utf8 })
    }
}

impl Shape {
    fn new(text: &[u8], options: Options) -> Shape {
        let nodes = parse::parse(text, options);
        let kind = match Segments::new(&nodes, options.utf8) {
            Some(segments) => Kind::Segments(segments),
            None => Kind::Groups(Box::new(Groups {
                nodes,
                forwards: OnceLock::new(),
                backwards: OnceLock::new(),
            })),
        };
        let has_characters = match &kind {
            Kind::Segments(segments) => !segments.are_literal(),
            Kind::Groups(_) => true,
        };
        Shape { utf8: options.utf8, has_characters, kind }
    }

    fn prefix(&self, text: &Text<'_>, start: usize, longest: bool) -> Option<usize> {
        match &self.kind {
            Kind::Segments(segments) => segments.prefix(text, start, longest),
            Kind::Groups(groups) => last(groups.forwards(), text, start, longest),
        }
    }
}

/// The first or the last end of a match that starts at `start`.
fn last(programs: &Programs, text: &Text<'_>, start: usize, longest: bool) -> Option<usize> {
    let mut last = None;
    programs.run(text, start, false, &mut |end| {
        last = Some(end);
        !longest
    });
    last
}

/// Matches in one text, each from where the caller wants to go on.
#[derive(Debug)]
pub struct Matches<'a> {
    shape: &'a Shape,
    text: Text<'a>,
    /// Where matches start, the last one first; looked for once, in one go from the end.
    starts: Option<Vec<usize>>,
}

impl Matches<'_> {
    /// As [`Pattern::find`]. `from` must not be less than before.
    pub fn next_from(&mut self, from: usize) -> Option<(usize, usize)> {
        let backwards = match &self.shape.kind {
            Kind::Segments(segments) => return segments.find(&self.text, from),
            Kind::Groups(groups) => groups.backwards(),
        };
        let starts = self.starts.get_or_insert_with(|| {
            let mut starts = Vec::new();
            backwards.run(&self.text, self.text.len(), true, &mut |start| {
                starts.push(start);
                false
            });
            starts
        });
        while starts.last().is_some_and(|&start| start < from) {
            starts.pop();
        }
        let start = *starts.last()?;
        Some((start, self.shape.prefix(&self.text, start, true)?))
    }
}
