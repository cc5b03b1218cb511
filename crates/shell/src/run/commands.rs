//! Commands, one after the other.

use super::{Flow, Shell, Unwind};
use crate::Text;
use crate::dialect::BodyStatus;
use crate::program::*;
use crate::syntax::tree::{Connective, Then};

/// After so many turns of loops old output is written.
const TURNS: u32 = 1024;

impl Shell {
    pub(crate) fn run_block(&mut self, block: &Block) -> Flow {
        crate::stack::with_room(|| block.nodes.iter().try_for_each(|node| self.run(node)))
    }

    pub(crate) fn run(&mut self, node: &Node) -> Flow {
        if sys::any_pending() || self.limits.is_stepping() {
            self.between_commands()?;
        }
        match node {
            Node::Call(call) => self.call(call),
            Node::Assign(assignments, line) => self.assign_all(assignments, *line),
            Node::AndOr(and_or) => self.and_or(and_or),
            Node::Not(node) => {
                self.unchecked(|shell| shell.run(node))?;
                if self.profile.calls.not_sets_pipe_status && !self.execution.was_pipeline {
                    self.set_pipe_status(&[self.execution.status]);
                }
                self.execution.status = i32::from(self.execution.status == 0);
                Ok(())
            }
            Node::If(node) => self.conditional(node),
            Node::While(node) => self.while_loop(node),
            Node::For(node) => self.for_loop(node),
            Node::Case(node) => self.case(node),
            Node::Group(block) => self.group(block),
            Node::Arithmetic(arithmetic, line) => self.arithmetic_command(arithmetic, *line),
            Node::Test(test, line) => {
                self.execution.line = *line;
                let held = self.test(test)?;
                self.execution.was_pipeline = false;
                self.execution.status = match held {
                    Some(true) => 0,
                    Some(false) => 1,
                    None => 2,
                };
                self.check()
            }
            Node::Count(node) => self.count_loop(node),
            Node::Subshell(body) => self.subshell(body),
            Node::Pipeline(pipeline) => self.pipeline(pipeline),
            Node::Redirected(node) => self.redirected(node),
            Node::Define(function) => self.define(function),
            Node::Background(background) => self.background(background),
            Node::Select(node) => self.select(node),
            Node::Timed(node, posix) => self.timed(node.as_deref(), *posix),
        }
    }

    /// After a command whose failure counts: `set -e` and the trap on ERR.
    #[inline]
    pub(crate) fn check(&mut self) -> Flow {
        if self.execution.status != 0 && self.execution.unchecked_depth == 0 {
            return self.failed();
        }
        Ok(())
    }

    #[cold]
    fn failed(&mut self) -> Flow {
        self.run_error_trap()?;
        if self.options.exit_on_error() {
            return Err(Unwind::Exit);
        }
        Ok(())
    }

    /// Runs what may fail.
    #[inline]
    pub(crate) fn unchecked<T>(&mut self, run: impl FnOnce(&mut Shell) -> Flow<T>) -> Flow<T> {
        self.execution.unchecked_depth += 1;
        let flow = run(self);
        self.execution.unchecked_depth -= 1;
        flow
    }

    fn group(&mut self, block: &Block) -> Flow {
        if block.nodes.is_empty() {
            self.execution.status = 0;
        }
        self.run_block(block)
    }

    fn and_or(&mut self, and_or: &AndOr) -> Flow {
        let last = and_or.rest.len();
        self.unchecked(|shell| shell.run(&and_or.first))?;
        for (index, (link, node)) in (1..).zip(&and_or.rest) {
            if (*link == Connective::And) != (self.execution.status == 0) {
                continue;
            }
            if index == last {
                self.run(node)?;
            } else {
                self.unchecked(|shell| shell.run(node))?;
            }
        }
        Ok(())
    }

    /// Runs a condition, and says whether it held.
    fn condition(&mut self, block: &Block) -> Flow<bool> {
        self.unchecked(|shell| shell.run_block(block))?;
        Ok(self.execution.status == 0)
    }

    fn conditional(&mut self, node: &If) -> Flow {
        for (condition, block) in &node.arms {
            if self.condition(condition)? {
                return self.run_block(block);
            }
        }
        match &node.otherwise {
            Some(block) => self.run_block(block),
            None => {
                self.execution.status = 0;
                Ok(())
            }
        }
    }

    /// What becomes of a loop after its body: true if it goes on.
    #[inline]
    pub(crate) fn goes_on(&mut self, flow: Flow) -> Flow<bool> {
        self.execution.loop_iterations = self.execution.loop_iterations.wrapping_add(1);
        if self.execution.loop_iterations.is_multiple_of(TURNS) {
            self.streams.tick();
        }
        match flow {
            Ok(()) => Ok(true),
            Err(Unwind::Break(1)) => Ok(false),
            Err(Unwind::Continue(1)) => Ok(true),
            Err(Unwind::Break(more)) => Err(Unwind::Break(more - 1)),
            Err(Unwind::Continue(more)) => Err(Unwind::Continue(more - 1)),
            Err(other) => Err(other),
        }
    }

    /// Runs a loop: `break` and `continue` count it.
    fn in_loop(&mut self, run: impl FnOnce(&mut Shell) -> Flow) -> Flow {
        self.execution.loop_depth += 1;
        let flow = run(self);
        self.execution.loop_depth -= 1;
        flow
    }

    fn while_loop(&mut self, node: &While) -> Flow {
        self.in_loop(|shell| {
            let mut status = 0;
            loop {
                let held = shell.condition(&node.condition);
                let held = match held {
                    Ok(held) => held,
                    Err(unwind) => {
                        status = 0;
                        if shell.goes_on(Err(unwind))? {
                            continue;
                        }
                        break;
                    }
                };
                if held == node.until {
                    break;
                }
                let flow = shell.run_block(&node.body);
                status = shell.execution.status;
                if !shell.goes_on(flow)? {
                    break;
                }
            }
            shell.execution.status = status;
            Ok(())
        })
    }

    fn for_loop(&mut self, node: &For) -> Flow {
        self.execution.line = node.line;
        let before = self.before_expansion();
        let words = self.words_of_loop(node)?;
        let without_body = self.after_expansion(before);
        self.in_loop(|shell| {
            if words.all().is_empty() {
                shell.execution.status = without_body;
            }
            for word in words.all() {
                if shell.options.trace() {
                    let name = shell.names.name(node.name);
                    let words: &[u8] = match &node.words {
                        Some(_) => &node.written,
                        None => b"\"$@\"",
                    };
                    shell.trace_head(&[b"for ", &name, b" in ", words]);
                }
                let set = shell.set_in_loop(node.name, Text::from_slice(word));
                if !shell.was_writable(set)? {
                    break;
                }
                let flow = shell.run_block(&node.body);
                if !shell.goes_on(flow)? {
                    break;
                }
            }
            Ok(())
        })
    }

    /// Before the words of `for` and `case` are expanded: the status, and whether a substitution
    /// counts already.
    fn before_expansion(&mut self) -> (i32, bool) {
        (self.execution.status, std::mem::take(&mut self.expansion.had_substitution))
    }

    /// After that: what `$?` is in the body. Gives the status if no body runs.
    fn after_expansion(&mut self, (status, substituted): (i32, bool)) -> i32 {
        let counts = std::mem::replace(&mut self.expansion.had_substitution, substituted);
        match self.profile.calls.body_status {
            BodyStatus::Before => {
                self.execution.status = status;
                0
            }
            BodyStatus::SubstitutionStays if counts => self.execution.status,
            BodyStatus::SubstitutionStays | BodyStatus::Substitution => 0,
        }
    }

    fn words_of_loop(&mut self, node: &For) -> Flow<super::Positional> {
        Ok(match &node.words {
            Some(words) => super::Positional::new(self.expand_all(words)?),
            None => self.calls.positional.clone(),
        })
    }

    fn count_loop(&mut self, node: &Count) -> Flow {
        self.execution.line = node.line;
        if self.part_of_count(node.first.as_ref())?.is_none() {
            self.execution.status = 1;
            return Ok(());
        }
        self.in_loop(|shell| {
            let mut status = 0;
            loop {
                match shell.part_of_count(node.condition.as_ref())? {
                    Some(0) => break,
                    Some(_) => {}
                    None => {
                        status = 1;
                        break;
                    }
                }
                let flow = shell.run_block(&node.body);
                status = shell.execution.status;
                if !shell.goes_on(flow)? {
                    break;
                }
                if shell.part_of_count(node.step.as_ref())?.is_none() {
                    status = 1;
                    break;
                }
            }
            shell.execution.status = status;
            Ok(())
        })
    }

    /// One of the three parts of a counting loop; one that is left out is 1, one that is wrong
    /// ends bash's loop.
    #[inline]
    fn part_of_count(&mut self, part: Option<&Arithmetic>) -> Flow<Option<i64>> {
        if self.options.trace() {
            self.trace_part(part);
        }
        part.map_or(Ok(Some(1)), |part| self.evaluate_command(b"((", part))
    }

    fn arithmetic_command(&mut self, arithmetic: &Arithmetic, line: u32) -> Flow {
        self.execution.line = line;
        if self.options.trace() {
            self.trace_arithmetic(arithmetic);
        }
        let value = self.evaluate_command(b"((", arithmetic)?.unwrap_or(0);
        self.execution.was_pipeline = false;
        self.execution.status = i32::from(value == 0);
        if self.profile.calls.checks_arithmetic_command { self.check() } else { Ok(()) }
    }

    fn case(&mut self, node: &Case) -> Flow {
        if self.options.trace() {
            self.trace_head(&[b"case ", &node.written, b" in"]);
        }
        let before = self.before_expansion();
        let subject = self.expand_whole(&node.subject)?;
        let without_body = self.after_expansion(before);
        let mut fall = false;
        let mut ran = false;
        for arm in &node.arms {
            if !fall && !self.arm_matches(arm, &subject)? {
                continue;
            }
            if self.profile.calls.body_status == BodyStatus::Before && !ran {
                // Nor do those in patterns count there.
                self.execution.status = before.0;
            }
            ran |= !arm.body.nodes.is_empty();
            self.run_block(&arm.body)?;
            match arm.then {
                Then::Leave => break,
                Then::Fall => fall = true,
                Then::Try => fall = false,
            }
        }
        if !ran {
            self.execution.status = without_body;
        }
        Ok(())
    }

    fn arm_matches(&mut self, arm: &Arm, subject: &[u8]) -> Flow<bool> {
        for pattern in &arm.patterns {
            if let Word::Fixed(text) = &pattern.word {
                if **text == *subject
                    || (self.options.no_case_match() && text.eq_ignore_ascii_case(subject))
                {
                    return Ok(true);
                }
            } else if self.pattern_of(pattern)?.matches(subject) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn define(&mut self, function: &std::rc::Rc<Function>) -> Flow {
        if self.functions.is_readonly(function.name) {
            let name = self.names.name(function.name);
            self.complain(&[&*name, b": readonly function"].concat());
            self.execution.status = 1;
            return Ok(());
        }
        let in_file = self.calls.frames.iter().any(|frame| frame.file.is_some());
        self.functions.set_file(function.name, in_file.then(|| self.origin.name.clone()));
        self.set_function(function.name, Some(function.clone()));
        self.execution.status = 0;
        Ok(())
    }
}
