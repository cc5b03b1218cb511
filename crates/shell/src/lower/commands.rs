//! Commands.

use std::rc::Rc;

use super::Lowerer;
use crate::Text;
use crate::program::*;
use crate::syntax::tree::{self, Kind};

impl Lowerer<'_> {
    pub(super) fn block(&mut self, list: &tree::List) -> Block {
        Block { nodes: list.items.iter().map(|item| self.item(item)).collect() }
    }

    fn item(&mut self, item: &tree::Item) -> Node {
        if item.background {
            let grammar = &self.dialect.profile().syntax.grammar;
            self.needs_process();
            self.begin();
            let node = match self.and_or(item) {
                Node::Not(node) if !grammar.background_negation => *node,
                node => node,
            };
            self.end();
            let line = item.first.commands.first().map_or(0, |first| first.line);
            return Node::Background(Rc::new(Background { node, line }));
        }
        self.and_or(item)
    }

    fn and_or(&mut self, item: &tree::Item) -> Node {
        let first = self.pipeline(&item.first);
        if item.rest.is_empty() {
            return first;
        }
        let rest = item.rest.iter().map(|(link, next)| (*link, self.pipeline(next))).collect();
        Node::AndOr(Box::new(AndOr { first, rest }))
    }

    fn pipeline(&mut self, pipeline: &tree::Pipeline) -> Node {
        let node = match &*pipeline.commands {
            [] => None,
            [command] => Some(self.command(command)),
            commands => {
                let line = commands[0].line;
                let stages = commands.iter().map(|command| self.stage(command)).collect();
                self.not_bounded();
                Some(Node::Pipeline(Box::new(Pipeline { stages, line })))
            }
        };
        let node = match (pipeline.timed, node) {
            (Some(posix), node) => Node::Timed(node.map(Box::new), posix),
            (None, Some(node)) => node,
            (None, None) => Node::Group(Block::default()),
        };
        if pipeline.negated { Node::Not(Box::new(node)) } else { node }
    }

    fn stage(&mut self, command: &tree::Command) -> Stage {
        self.begin();
        let node = self.command(command);
        let traits = self.end();
        let block = Block { nodes: [node].into() };
        let body = Body { block, traits, known: None.into(), line: command.line };
        Stage { body }
    }

    pub(super) fn command(&mut self, command: &tree::Command) -> Node {
        let around = std::mem::replace(&mut self.line, command.line);
        let node = crate::stack::with_room(|| self.command_on_stack(command));
        self.line = around;
        node
    }

    fn command_on_stack(&mut self, command: &tree::Command) -> Node {
        let line = command.line;
        if let Kind::Simple(simple) = &command.kind {
            return self.simple(simple, command);
        }
        let node = self.compound(&command.kind, line);
        if command.redirects.is_empty() {
            return node;
        }
        let redirects = self.redirects(&command.redirects);
        Node::Redirected(Box::new(Redirected { redirects, node, line }))
    }

    fn compound(&mut self, kind: &Kind, line: u32) -> Node {
        match kind {
            Kind::Simple(_) => Node::Group(Block::default()),
            Kind::Group(list) => Node::Group(self.block(list)),
            Kind::Subshell(list) => Node::Subshell(Box::new(self.body(list, line))),
            Kind::For { name, words, body, written } => {
                let written = Text::from_slice(&written.0);
                let node = self.loop_over(name, words.as_deref(), body, line);
                Node::For(Box::new(For { written, ..node }))
            }
            Kind::Select { name, words, body, written } => {
                self.not_bounded();
                let written = Text::from_slice(&written.0);
                let node = self.loop_over(name, words.as_deref(), body, line);
                Node::Select(Box::new(For { written, ..node }))
            }
            Kind::Count { first, condition, step, body } => {
                self.not_bounded();
                let mut part = |word: &tree::Word| {
                    let blank = word.pieces.iter().all(|piece| match piece {
                        tree::Piece::Literal(text) | tree::Piece::Quoted(text) => {
                            text.iter().all(u8::is_ascii_whitespace)
                        }
                        _ => false,
                    });
                    (!blank).then(|| self.arithmetic(word))
                };
                let (first, condition, step) = (part(first), part(condition), part(step));
                let body = self.block(body);
                Node::Count(Box::new(Count { first, condition, step, body, line }))
            }
            Kind::Case { subject, arms, written } => {
                let written = Text::from_slice(&written.0);
                Node::Case(Box::new(Case { written, ..self.case(subject, arms) }))
            }
            Kind::If { arms, otherwise } => {
                let arms = arms.iter().map(|(a, b)| (self.block(a), self.block(b))).collect();
                let otherwise = otherwise.as_ref().map(|list| self.block(list));
                Node::If(Box::new(If { arms, otherwise }))
            }
            Kind::While { until, condition, body } => {
                self.bound_of_while(*until, condition);
                let (condition, body) = (self.block(condition), self.block(body));
                Node::While(Box::new(While { until: *until, condition, body }))
            }
            Kind::Function(function) => self.function(function),
            Kind::Arithmetic(word) => Node::Arithmetic(self.arithmetic(word), line),
            Kind::Test(test) => Node::Test(Box::new(self.test(test)), line),
        }
    }

    /// A loop ends with its input if that is what its condition reads.
    fn bound_of_while(&mut self, until: bool, condition: &tree::List) {
        let reads = !until
            && condition.items.first().is_some_and(|item| match &*item.first.commands {
                [tree::Command { kind: Kind::Simple(simple), redirects, .. }] => {
                    redirects.is_empty()
                        && matches!(&*simple.words, [tree::Argument::Word(word), ..]
                            if *word.pieces == [tree::Piece::Literal(b"read".to_vec())])
                }
                _ => false,
            });
        if reads { self.bounded_by_input() } else { self.not_bounded() }
    }

    fn loop_over(
        &mut self,
        name: &[u8],
        words: Option<&[tree::Word]>,
        body: &tree::List,
        line: u32,
    ) -> For {
        let name = self.slot(name);
        let words = words.map(|words| self.words(words).into());
        For { name, words, body: self.block(body), line, written: Text::new() }
    }

    fn case(&mut self, subject: &tree::Word, arms: &[tree::Arm]) -> Case {
        let subject = self.word(subject);
        let mut lowered = Vec::with_capacity(arms.len());
        for arm in arms {
            let patterns = arm.patterns.iter().map(|word| self.pattern(word)).collect();
            lowered.push(Arm { patterns, body: self.block(&arm.body), then: arm.then });
        }
        Case { subject, arms: lowered.into(), written: Text::new() }
    }

    fn function(&mut self, function: &std::sync::Arc<tree::Function>) -> Node {
        let name = self.slot(&function.name);
        if self.dialect.profile().syntax.functions.keeps_special_names {
            let builtin = crate::dialect::builtin_table::find(&function.name, self.dialect);
            if function.name.contains(&b'.') || builtin.is_some_and(|found| found.special) {
                self.refuse("a function of a name that ksh keeps for itself");
            }
        }
        self.begin();
        let body = self.command(&function.body);
        let traits = self.traits.pop().unwrap_or_default();
        self.functions.push((name, traits));
        let source = function.clone();
        let keyword = function.keyword;
        self.together.keyword_function |= keyword;
        Node::Define(Rc::new(Function { name, keyword, body, source }))
    }

    fn test(&mut self, test: &tree::Test) -> Test {
        crate::stack::with_room(|| self.test_on_stack(test))
    }

    fn test_on_stack(&mut self, test: &tree::Test) -> Test {
        use tree::Comparison::{
            After, Before, Match, MatchOnce, Newer, NoMatch, Older, Regex, Same,
        };
        match test {
            tree::Test::Not(test) => Test::Not(Box::new(self.test(test))),
            tree::Test::And(a, b) => Test::And(Box::new(self.test(a)), Box::new(self.test(b))),
            tree::Test::Or(a, b) => Test::Or(Box::new(self.test(a)), Box::new(self.test(b))),
            tree::Test::Unary(letter, word) => Test::Unary(*letter, self.word(word)),
            tree::Test::Binary(how @ (Match | MatchOnce | NoMatch), text, pattern) => Test::Match {
                how: *how,
                text: self.word(text),
                shown: self.shown_pattern(pattern),
                pattern: self.pattern(pattern),
            },
            tree::Test::Binary(Regex, text, pattern) => Test::Regex {
                text: self.word(text),
                pattern: self.regex(pattern),
                last: None.into(),
            },
            tree::Test::Binary(how @ (Before | After | Newer | Older | Same), a, b) => {
                Test::Words(*how, self.word(a), self.word(b))
            }
            tree::Test::Binary(how, a, b) => {
                Test::Numbers(*how, self.arithmetic(a), self.arithmetic(b))
            }
        }
    }

    /// A constant pattern as `set -x` shows it, if anything in it was quoted.
    fn shown_pattern(&self, pattern: &tree::Word) -> Option<Text> {
        let mut shown = Text::new();
        let mut any = false;
        for piece in &pattern.pieces {
            match piece {
                tree::Piece::Literal(text) => shown.extend_from_slice(text),
                tree::Piece::Quoted(text) => {
                    any = true;
                    shown.extend_from_slice(&crate::formats::quote::all_escaped(text));
                }
                _ => return None,
            }
        }
        (any && self.dialect.profile().syntax.grammar.trace_shows_source).then_some(shown)
    }
}
