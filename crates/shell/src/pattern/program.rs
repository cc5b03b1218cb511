//! Patterns with groups: all ways at once, character by character.
//!
//! A pattern is a program of small steps; the set of steps that may be next goes along the text.
//! The work is at most the text times the program, however groups repeat one another. What `!(…)`
//! matches depends on where it starts, so each start runs a program of its own: for one negation
//! the text squared times the program, and no more for one in another, as answers are kept.

use std::collections::HashMap;
use std::rc::Rc;

use super::parse::{Group, Item, Node};
use super::text::Text;

/// At most so much is kept of what negations answered.
const KEPT_BYTES: usize = 64 << 20;

#[derive(Clone, Debug)]
enum Step {
    /// One character, then the next step.
    Item(Item),
    /// Any characters, then the next step.
    Star,
    /// The next step and that one.
    Split(usize),
    Jump(usize),
    /// Anything that this program does not match, then the next step.
    Not(usize),
    End,
}

/// A pattern in one direction. The first program is the pattern, the others are what it negates.
#[derive(Clone, Debug)]
pub(super) struct Programs {
    programs: Vec<Vec<Step>>,
    backwards: bool,
}

impl Programs {
    pub(super) fn new(nodes: &[Node], backwards: bool) -> Programs {
        let mut made = Programs { programs: vec![Vec::new()], backwards };
        made.compile(&[nodes], 0);
        made
    }

    /// Fills a program with alternatives.
    fn compile(&mut self, alternatives: &[&[Node]], into: usize) {
        let mut steps = Vec::new();
        self.alternatives(alternatives, &mut steps);
        steps.push(Step::End);
        self.programs[into] = steps;
    }

    fn alternatives(&mut self, alternatives: &[&[Node]], steps: &mut Vec<Step>) {
        let mut jumps = Vec::new();
        for (number, nodes) in alternatives.iter().enumerate() {
            let split = steps.len();
            let is_last = number + 1 == alternatives.len();
            if !is_last {
                steps.push(Step::Split(0));
            }
            match self.backwards {
                true => nodes.iter().rev().for_each(|node| self.node(node, steps)),
                false => nodes.iter().for_each(|node| self.node(node, steps)),
            }
            if !is_last {
                jumps.push(steps.len());
                steps.push(Step::Jump(0));
                steps[split] = Step::Split(steps.len());
            }
        }
        let end = steps.len();
        for jump in jumps {
            steps[jump] = Step::Jump(end);
        }
    }

    fn node(&mut self, node: &Node, steps: &mut Vec<Step>) {
        let (kind, alternatives) = match node {
            Node::Item(item) => return steps.push(Step::Item(item.clone())),
            Node::Star => return steps.push(Step::Star),
            Node::Group(kind, alternatives) => (*kind, alternatives),
        };
        let alternatives: Vec<&[Node]> = alternatives.iter().map(Vec::as_slice).collect();
        let start = steps.len();
        match kind {
            Group::One => self.alternatives(&alternatives, steps),
            Group::Optional | Group::Any => {
                steps.push(Step::Split(0));
                self.alternatives(&alternatives, steps);
                if kind == Group::Any {
                    steps.push(Step::Jump(start));
                }
                steps[start] = Step::Split(steps.len());
            }
            Group::Some => {
                self.alternatives(&alternatives, steps);
                steps.push(Step::Split(start));
            }
            Group::Not => {
                let number = self.programs.len();
                self.programs.push(Vec::new());
                self.compile(&alternatives, number);
                steps.push(Step::Not(number));
            }
        }
    }

    /// Asks `found` at each end of a match that starts at `start`, near ones first, until it says
    /// so. With `everywhere` a match may start anywhere from there on.
    pub(super) fn run(
        &self,
        text: &Text<'_>,
        start: usize,
        everywhere: bool,
        found: &mut dyn FnMut(usize) -> bool,
    ) {
        self.runner(text, false).run(0, start, everywhere, found);
    }

    /// Whether the whole text matches; with `keeps_dot` only a dot matches one at its beginning.
    pub(super) fn matches(&self, text: &Text<'_>, keeps_dot: bool) -> bool {
        let mut matched = false;
        self.runner(text, keeps_dot).run(0, 0, false, &mut |end| {
            matched = end == text.len();
            matched
        });
        matched
    }

    fn runner<'a>(&'a self, text: &'a Text<'a>, keeps_dot: bool) -> Runner<'a> {
        let keeps_dot = keeps_dot && text.bytes.first() == Some(&b'.');
        Runner { programs: self, text, keeps_dot, kept: HashMap::new(), kept_bytes: 0, depth: 0 }
    }
}

struct Runner<'a> {
    programs: &'a Programs,
    text: &'a Text<'a>,
    /// The text begins with a dot that only a dot matches.
    keeps_dot: bool,
    /// Where a negated program ends, by program and start, as bits.
    kept: HashMap<(usize, usize), Rc<[u64]>>,
    kept_bytes: usize,
    depth: usize,
}

/// Steps, each once.
struct Steps {
    list: Vec<usize>,
    marks: Vec<bool>,
}

impl Steps {
    fn new(count: usize) -> Steps {
        Steps { list: Vec::with_capacity(count), marks: vec![false; count] }
    }

    #[inline]
    fn add(&mut self, step: usize) {
        if !std::mem::replace(&mut self.marks[step], true) {
            self.list.push(step);
        }
    }

    fn clear(&mut self) {
        for step in self.list.drain(..) {
            self.marks[step] = false;
        }
    }
}

/// A negation that was come to: from how many places, and how many of those do not let it end at a
/// position.
struct Open {
    step: usize,
    starts: u32,
    refused: Vec<u32>,
}

impl Runner<'_> {
    fn run(
        &mut self,
        program: usize,
        start: usize,
        everywhere: bool,
        found: &mut dyn FnMut(usize) -> bool,
    ) {
        let steps = &self.programs.programs[program];
        let (mut now, mut next) = (Steps::new(steps.len()), Steps::new(steps.len()));
        let mut open: Vec<Open> = Vec::new();
        let mut at = start;
        now.add(0);
        loop {
            if everywhere {
                now.add(0);
            }
            for it in &open {
                if it.starts > it.refused[at] {
                    now.add(it.step + 1);
                }
            }
            let character = self.character(at);
            let ended = self.follow(steps, at, character, &mut now, &mut next, &mut open);
            if ended && found(at) {
                return;
            }
            let Some((_, after)) = character else { return };
            if next.list.is_empty() && open.is_empty() && !everywhere {
                return;
            }
            at = after;
            now.clear();
            std::mem::swap(&mut now, &mut next);
        }
    }

    /// Follows all steps that may be taken here; true if one is the end.
    fn follow(
        &mut self,
        steps: &[Step],
        at: usize,
        character: Option<(u32, usize)>,
        now: &mut Steps,
        next: &mut Steps,
        open: &mut Vec<Open>,
    ) -> bool {
        let keeps_dot = self.keeps_dot && at == 0;
        let mut ended = false;
        let mut number = 0;
        while let Some(&step) = now.list.get(number) {
            number += 1;
            match &steps[step] {
                Step::Item(item) => {
                    let may_match = !keeps_dot || matches!(item, Item::Char(_));
                    if may_match && character.is_some_and(|(code, _)| item.is(code)) {
                        next.add(step + 1);
                    }
                }
                Step::Not(_) if keeps_dot => now.add(step + 1),
                Step::Star => {
                    if !keeps_dot {
                        next.add(step);
                    }
                    now.add(step + 1);
                }
                Step::Split(other) => {
                    now.add(step + 1);
                    now.add(*other);
                }
                Step::Jump(to) => now.add(*to),
                Step::Not(program) => {
                    if self.open(step, *program, at, open) {
                        now.add(step + 1);
                    }
                }
                Step::End => ended = true,
            }
        }
        ended
    }

    /// Comes to a negation; true if it may be empty.
    fn open(&mut self, step: usize, program: usize, at: usize, open: &mut Vec<Open>) -> bool {
        let place = open.iter().position(|it| it.step == step).unwrap_or_else(|| {
            open.push(Open { step, starts: 0, refused: vec![0; self.text.len() + 1] });
            open.len() - 1
        });
        open[place].starts += 1;
        let refused = &mut open[place].refused;
        self.ends(program, at, &mut |end| refused[end] += 1);
        open[place].starts > open[place].refused[at]
    }

    /// All ends of a negated program that starts at `at`.
    fn ends(&mut self, program: usize, at: usize, each: &mut dyn FnMut(usize)) {
        // Only within another negation can the same be asked twice.
        if self.depth == 0 {
            self.depth += 1;
            self.run(program, at, false, &mut |end| {
                each(end);
                false
            });
            self.depth -= 1;
            return;
        }
        let bits = match self.kept.get(&(program, at)) {
            Some(bits) => bits.clone(),
            None => self.ask(program, at),
        };
        for (number, &word) in bits.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                each(number * 64 + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }

    fn ask(&mut self, program: usize, at: usize) -> Rc<[u64]> {
        let mut bits = vec![0u64; self.text.len() / 64 + 1];
        self.run(program, at, false, &mut |end| {
            bits[end / 64] |= 1 << (end % 64);
            false
        });
        let bits: Rc<[u64]> = bits.into();
        self.kept_bytes += size_of_val(&*bits);
        if self.kept_bytes <= KEPT_BYTES {
            self.kept.insert((program, at), bits.clone());
        }
        bits
    }

    /// The next character in the direction, and where it ends.
    #[inline]
    fn character(&self, at: usize) -> Option<(u32, usize)> {
        if self.programs.backwards {
            let start = (at > 0).then(|| self.text.back(at))?;
            return Some((self.text.decode(start).0, start));
        }
        let (code, length) = (at < self.text.len()).then(|| self.text.decode(at))?;
        Some((code, at + length))
    }
}
