//! Calls by stack: as folded lines for other programs, and as a tree for the page.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::Report;
use super::locations::{Spot, spots};
use crate::figures::count;
use crate::{Frame, Name, Registry, StackId, own_frame};
use fewer::path::base_name;
use fewer::present::escaped;

/// Frames of a stack that the tree keeps. Of a deeper stack the middle is left out.
const DEPTH: usize = 200;
/// Nodes of the tree. A rare stack that would need more ends where it leaves the common ones.
const NODES: usize = 200_000;

/// A tree of calls: from the program outwards in, the call itself at each end.
pub(crate) struct Tree {
    pub(crate) labels: Vec<Label>,
    /// The first one is the root: all calls. A node comes after its parent.
    pub(crate) nodes: Vec<Node>,
    /// Calls whose stack ends early, because there would be too many nodes.
    pub(crate) cut: u64,
}

/// The text of a node.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) struct Label {
    /// A function, or a call.
    pub(crate) text: String,
    /// Its file; where that is unknown, its mapped file.
    pub(crate) site: String,
    pub(crate) class: Class,
}

/// What a node is.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Class {
    /// A program, or what stands for several stacks.
    Program,
    /// A function of the program.
    Function,
    /// A function of a library that makes calls on behalf of others.
    Library,
    /// A function of the interpreter of a script.
    Interpreter,
    /// A call.
    Call(Name),
}

/// A node of the tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    pub(crate) parent: usize,
    pub(crate) label: usize,
    /// Calls that end here.
    pub(crate) calls: u64,
    /// Of these, the wasted ones.
    pub(crate) wasted: u64,
    /// Whether a stack has it as the innermost location of the program's own.
    pub(crate) is_own: bool,
}

impl Report<'_> {
    /// Calls by stack, folded: `program;function;function;call 123`, outermost first, as
    /// flamegraph.pl, inferno and speedscope read them.
    #[must_use]
    pub fn folded(&self) -> String {
        let mut lines: BTreeMap<String, u64> = BTreeMap::new();
        for ((stack, name), tally) in self.counts.calls().by_caller() {
            let mut words = vec![program(self.registry, stack)];
            words.extend(self.labels(stack, usize::MAX).into_iter().map(|(label, _)| label.text));
            words.push(name.to_string());
            // A semicolon would be taken for the border of a frame. Newlines are escaped already.
            let words: Vec<String> = words.iter().map(|word| word.replace(';', ":")).collect();
            *lines.entry(words.join(";")).or_default() += tally.calls;
        }
        lines.iter().map(|(line, calls)| format!("{line} {calls}\n")).collect()
    }

    /// The tree of all calls. It grows from the stacks with the most calls.
    pub(crate) fn tree(&self) -> Tree {
        self.tree_of(NODES)
    }

    /// The tree, of at most so many nodes.
    fn tree_of(&self, most: usize) -> Tree {
        let mut grower = Grower::new(most);
        let Wasted { calls: wasted, left } = self.wasted_by_caller();
        for (caller, tally) in self.counts.calls().by_caller() {
            let text = program(self.registry, caller.0);
            let program = Label { text, site: String::new(), class: Class::Program };
            let way = std::iter::once((program, false))
                .chain(self.labels(caller.0, DEPTH))
                .chain([(call_label(caller.1), false)]);
            let (at, whole) = grower.grow(way);
            let node = &mut grower.tree.nodes[at];
            node.calls += tally.calls;
            node.wasted += wasted.get(&caller).copied().unwrap_or_default();
            grower.tree.cut += if whole { 0 } else { tally.calls };
        }
        // A finding may name one stack for several calls: an open for its reads and its close. The
        // others are below what the program's own function has called.
        for (stack, wasted) in left {
            let labels = self.labels(stack, DEPTH);
            let own = labels.iter().rposition(|(_, is_own)| *is_own).unwrap_or(labels.len());
            let text = program(self.registry, stack);
            let program = Label { text, site: String::new(), class: Class::Program };
            let way = std::iter::once((program, false)).chain(labels.into_iter().take(own + 2));
            let (at, _) = grower.grow(way);
            grower.tree.nodes[at].wasted += wasted;
        }
        grower.tree
    }

    /// The labels of a stack, outermost first, and which is the program's own. Of a deeper one the
    /// middle is left out.
    fn labels(&self, stack: StackId, deepest: usize) -> Vec<(Label, bool)> {
        let spots = spots(self.registry, stack);
        let mut labels: Vec<(Label, bool)> = Vec::new();
        if self.registry.is_truncated(stack) {
            labels.push((gap("... (could not be read)".into()), false));
        } else if spots.is_empty() {
            labels.push((gap("(no stack)".into()), false));
        }
        let far = spots.len().saturating_sub(deepest);
        for (at, spot) in spots.iter().enumerate().rev() {
            if far > 0 && (deepest / 2..deepest / 2 + far).contains(&at) {
                if at == deepest / 2 {
                    labels.push((gap(format!("... ({} frames)", count(far as u64))), false));
                }
                continue;
            }
            let label = label(self.registry, spot);
            // Unknown functions of one file say nothing one by one.
            match labels.last_mut() {
                Some(last) if spot.location.is_none() && last.0 == label => last.1 |= spot.is_own,
                _ => labels.push((label, spot.is_own)),
            }
        }
        labels
    }

    /// The text on the node of the tree that a finding's calls are said to come from.
    pub(crate) fn own_label(&self, stack: StackId) -> Option<String> {
        let labels = self.labels(stack, DEPTH);
        let own = labels.iter().rev().find(|(_, is_own)| *is_own);
        let named = || labels.iter().find(|(label, _)| !label.text.starts_with("... ("));
        own.or_else(named).map(|(label, _)| label.text.clone())
    }

    /// Of the calls by stack and name, how many are wasted. A finding knows its stacks; of those it
    /// means first the calls that it has as examples. What is more than a stack's calls is left.
    fn wasted_by_caller(&self) -> Wasted {
        let mut by_stack: FxHashMap<StackId, Vec<(Name, u64)>> = FxHashMap::default();
        for ((stack, name), tally) in self.counts.calls().by_caller() {
            by_stack.entry(stack).or_default().push((name, tally.calls));
        }
        let mut wasted: FxHashMap<(StackId, Name), u64> = FxHashMap::default();
        let mut rest = Vec::new();
        for finding in self.findings {
            let is_meant = |name| finding.examples.iter().any(|example| example.name == name);
            for &(stack, mut left) in &finding.callers {
                let made = by_stack.get(&stack).map_or(&[][..], |made| made);
                let meant = made.iter().filter(|(name, _)| is_meant(*name));
                let others = made.iter().filter(|(name, _)| !is_meant(*name));
                for &(name, calls) in meant.chain(others) {
                    let sum = wasted.entry((stack, name)).or_default();
                    let more = left.min(calls - (*sum).min(calls));
                    *sum += more;
                    left -= more;
                }
                rest.extend((left > 0).then_some((stack, left)));
            }
        }
        Wasted { calls: wasted, left: rest }
    }
}

/// The program of a stack: its outermost frame that lies in a program. A stack of which that part
/// could not be read belongs to the program that ran; if there were several, to an unknown one.
fn program(registry: &Registry, stack: StackId) -> String {
    let frames = || registry.stack(stack).rev();
    let runs = frames().map(|frame| frame.module).find(|module| registry.is_program(*module));
    // Where it is known by another name, as through a link.
    let outermost = || {
        let is_own = |frame: &&Frame| !own_frame::is_runtime(registry.path(frame.module));
        frames().find(is_own).filter(|_| !registry.is_truncated(stack)).map(|frame| frame.module)
    };
    match runs.or_else(|| registry.only_program()).or_else(outermost) {
        Some(module) => escaped(base_name(registry.path(module))),
        None => "(program not known)".to_owned(),
    }
}

fn label(registry: &Registry, spot: &Spot) -> Label {
    let module = spot.module(registry);
    let class = match own_frame::is_runtime(registry.path(spot.frame.module)) {
        true => Class::Library,
        false if own_frame::is_of_interpreter(registry, spot.frame, spot.location) => {
            Class::Interpreter
        }
        false => Class::Function,
    };
    match spot.location {
        Some(location) if !location.function.is_empty() => {
            let is_known = !location.file.is_empty() && class == Class::Function;
            let site = if is_known { escaped(location.file.as_bytes()) } else { module };
            Label { text: spot.function(), site, class }
        }
        // Where a finding comes from must be found, also without a name.
        _ if spot.is_own => {
            Label { text: format!("[{module}] {:#x}", spot.frame.address), site: module, class }
        }
        _ => Label { text: format!("[{module}]"), site: module, class },
    }
}

fn call_label(name: Name) -> Label {
    Label { text: name.to_string(), site: String::new(), class: Class::Call(name) }
}

fn gap(text: String) -> Label {
    Label { text, site: String::new(), class: Class::Library }
}

/// How many calls are wasted.
struct Wasted {
    /// Of the calls by stack and name.
    calls: FxHashMap<(StackId, Name), u64>,
    /// What findings say of stacks beyond the calls that these have.
    left: Vec<(StackId, u64)>,
}

/// A tree under construction.
struct Grower {
    most: usize,
    tree: Tree,
    labels: FxHashMap<Label, usize>,
    nodes: FxHashMap<(usize, usize), usize>,
}

impl Grower {
    /// A tree that has only its root.
    fn new(most: usize) -> Grower {
        let text = "all calls".to_owned();
        let root = Label { text, site: String::new(), class: Class::Program };
        let tree = Tree { labels: vec![root.clone()], nodes: vec![Node::default()], cut: 0 };
        Grower {
            most,
            tree,
            labels: [(root, 0)].into_iter().collect(),
            nodes: FxHashMap::default(),
        }
    }

    /// The node at the end of a way from the root, and whether there was room for all of it.
    fn grow(&mut self, way: impl Iterator<Item = (Label, bool)>) -> (usize, bool) {
        let mut at = 0;
        for (label, is_own) in way {
            let labels = &mut self.tree.labels;
            let label = *self.labels.entry(label).or_insert_with_key(|label| {
                labels.push(label.clone());
                labels.len() - 1
            });
            let nodes = &mut self.tree.nodes;
            at = match self.nodes.get(&(at, label)) {
                Some(next) => *next,
                None if nodes.len() >= self.most => return (at, false),
                None => {
                    nodes.push(Node { parent: at, label, ..Node::default() });
                    self.nodes.insert((at, label), nodes.len() - 1);
                    nodes.len() - 1
                }
            };
            self.tree.nodes[at].is_own |= is_own;
        }
        (at, true)
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{finding, run};
    use super::*;
    use crate::{Call, Event, FrameId, Location};

    #[test]
    fn what_could_not_be_read_is_no_second_program() {
        let mut run = run();
        let stack = |frames: &[u32]| frames.iter().map(|frame| FrameId(*frame)).collect();
        // Nothing but the C library could be read.
        run.see(Event::Stack { id: StackId(3), frames: stack(&[1, 2]), truncated: true });
        for id in [3, 0] {
            run.see(Event::Call(Call { stack: StackId(id), process: 9, ..Call::default() }));
        }
        let tree = run.report().tree();
        let programs = tree.nodes.iter().skip(1).filter(|node| node.parent == 0);
        let programs: Vec<_> = programs.map(|node| &*tree.labels[node.label].text).collect();
        assert_eq!(programs, ["lister"]);
    }

    #[test]
    fn where_a_finding_comes_from_is_found_without_a_name() {
        let mut run = run();
        for frame in 6..=11 {
            run.see(Event::Locations { frame: FrameId(frame), locations: Vec::new() });
        }
        let label = run.report().own_label(StackId(1)).unwrap();
        assert_eq!(label, "[lister] 0x60");
        let tree = run.report().tree();
        let own: Vec<_> = tree.nodes.iter().filter(|node| node.is_own).collect();
        assert!(own.iter().all(|node| tree.labels[node.label].text == label), "{}", own.len());
    }

    /// Written by hand.
    #[test]
    fn stacks_are_folded() {
        let mut run = run();
        let function = "a;b\n\x1b[1m".to_owned();
        let location = Location { function, ..Location::default() };
        run.see(Event::Locations { frame: FrameId(7), locations: vec![location] });
        run.see(Event::Locations { frame: FrameId(11), locations: Vec::new() });
        run.see(Event::Call(Call { name: Name::Read, ..Call::default() }));
        let expected = "\
lister;(no stack);read 1
lister;... (could not be read);main;a:b\\n\\x1b[1m;show_entry;newfstatat 11
lister;[lister];__libc_start_main;__libc_start_call_main;main;a:b\\n\\x1b[1m;show_entry;localtime;\
__tz_convert;tzset_internal;__tzfile_read;__xstat64;newfstatat 10002
lister;[lister];__libc_start_main;__libc_start_call_main;main;a:b\\n\\x1b[1m;show_entry;localtime;\
__tz_convert;tzset_internal;__tzfile_read;__xstat64;read 10201
";
        assert_eq!(run.report().folded(), expected);
    }

    #[test]
    fn the_tree_has_every_call_once() {
        let mut run = run();
        run.findings = vec![finding()];
        let tree = run.report().tree();
        let calls: u64 = tree.nodes.iter().map(|node| node.calls).sum();
        let wasted: u64 = tree.nodes.iter().map(|node| node.wasted).sum();
        assert_eq!((calls, wasted), (20_214, 10_001));
        assert!(tree.nodes.iter().enumerate().skip(1).all(|(at, node)| node.parent < at));
        let own: Vec<&str> = (tree.nodes.iter().filter(|node| node.is_own))
            .map(|node| tree.labels[node.label].text.as_str())
            .collect();
        assert_eq!(own, ["show_entry", "show_entry"]);
    }

    #[test]
    fn what_a_stack_stands_for_is_wasted_below_its_own_function() {
        let mut run = run();
        run.findings = vec![finding()];
        // The stack has 20,203 calls.
        run.findings[0].callers = vec![(StackId(1), 20_303)];
        let tree = run.report().tree();
        let at = tree.nodes.iter().position(|node| node.wasted == 100).unwrap();
        let node = &tree.nodes[at];
        assert_eq!((tree.labels[node.label].text.as_str(), node.calls), ("localtime", 0));
        assert_eq!(tree.labels[tree.nodes[node.parent].label].text, "show_entry");
        let wasted: u64 = tree.nodes.iter().map(|node| node.wasted).sum();
        assert_eq!(wasted, 20_303);
    }

    #[test]
    fn a_tree_is_bounded() {
        let mut run = run();
        for stack in 3..100 {
            // No two stacks begin alike.
            let frame =
                |at: u32| FrameId(1 + (at.wrapping_mul(0x9e37_79b9) ^ (stack * 77_777)) % 11);
            let frames = (0..1_000).map(frame).collect();
            run.see(Event::Stack { id: StackId(stack), frames, truncated: false });
            run.see(Event::Call(Call { stack: StackId(stack), ..Call::default() }));
        }
        let tree = run.report().tree_of(10_000);
        assert_eq!(tree.nodes.len(), 10_000);
        let calls: u64 = tree.nodes.iter().map(|node| node.calls).sum();
        assert_eq!(calls, 20_214 + 97);
        assert!((10..97).contains(&tree.cut), "{}", tree.cut);
        assert!(tree.labels.iter().any(|label| label.text == "... (800 frames)"));
    }
}
