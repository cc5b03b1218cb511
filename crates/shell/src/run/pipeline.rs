//! Pipelines: what can run here runs here, programs run beside each other.
//!
//! A stage that is known to end by itself is run to its end, and what it wrote is read by the next
//! one from memory. A stage that may not end, or reads what another process writes, runs at the
//! same time as the others: one of them, the last, in this process; those before it in processes of
//! their own.

use std::rc::Rc;

use coreutils::Ends;

use super::limits::Limit;
use super::value::Value;
use super::{Flow, Shell, Unwind};
use crate::Text;
use crate::dialect::LastStage;
use crate::dialect::builtin_table;
use crate::lower::analysis;
use crate::processes::{self, Forked, Process};
use crate::program::{Argument, Call, Callee, Expansion, Needs, Node, Part, Pipeline, Stage, Word};
use crate::streams::Open;

/// How a stage runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StageKind {
    /// Here, to its end, before the next.
    First,
    /// Here, while the others run.
    Here,
    /// A program.
    Program,
    /// A copy of this process.
    Copy,
}

/// Whether a stage is one call, alone, of something that is not in the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lone {
    No,
    /// A program that is done here, perhaps.
    Tool,
    Program,
}

/// How many copies of a process may be inside each other: what is deeper has no end.
const DEEPEST: u32 = 250;

/// What a stage came to.
enum Ended {
    Status(i32),
    /// More than a pipe holds was written, to be read from here.
    Written(i32, Rc<Open>),
    Running(Process),
}

/// What a pipe holds: a writer of more has to wait, and is ended if there is no reader.
const PIPE_BYTES: u64 = 64 << 10;

impl Shell {
    pub(crate) fn pipeline(&mut self, pipeline: &Pipeline) -> Flow {
        self.execution.line = pipeline.line;
        let stage_kinds = self.stage_kinds(pipeline);
        let mut ended = Vec::with_capacity(stage_kinds.len());
        let flow = self.run_stages(pipeline, &stage_kinds, &mut ended);
        let status = self.execution.status;
        let mut statuses = Vec::with_capacity(ended.len());
        for stage in &ended {
            match *stage {
                Ended::Status(status) | Ended::Written(status, _) => statuses.push(status),
                Ended::Running(process) => {
                    self.wait_in_front(process)?;
                    statuses.push(self.execution.status);
                }
            }
        }
        if flow.is_err() {
            self.execution.status = status; // that of `exit`, not of what was waited for
            return flow;
        }
        for (status, stage) in statuses.iter_mut().zip(&ended) {
            if let Ended::Written(_, stream) = stage
                && stream.unread_bytes() > PIPE_BYTES
            {
                // As if by SIGPIPE, or as one that only sees that it cannot write.
                *status = if self.traps.table.ignores(13) { 1 } else { 141 };
            }
        }
        self.finish_pipeline(&statuses)?;
        self.check()
    }

    fn finish_pipeline(&mut self, statuses: &[i32]) -> Flow {
        self.execution.status = statuses.last().copied().unwrap_or(0);
        if self.options.pipe_fail() {
            self.execution.status =
                statuses.iter().rev().copied().find(|status| *status != 0).unwrap_or(0);
        }
        if self.profile.subshells.pipe_status {
            self.set_pipe_status(statuses);
        }
        Ok(())
    }

    /// bash's PIPESTATUS.
    pub(crate) fn set_pipe_status(&mut self, statuses: &[i32]) {
        let slot = self.variables.known.pipe_status;
        self.execution.was_pipeline = true;
        let words = statuses.iter().map(|status| super::texts::number(i64::from(*status)));
        let array = super::value::Indexed::of(words);
        self.save(slot);
        self.variables[slot].value = Value::Indexed(Box::new(array));
    }

    fn stage_kinds(&mut self, pipeline: &Pipeline) -> Vec<StageKind> {
        let count = pipeline.stages.len();
        let mut stage_kinds = Vec::with_capacity(count);
        // Whether all that a stage would read is there before it starts.
        let mut input_is_here = false;
        for (index, stage) in pipeline.stages.iter().enumerate() {
            let (needs, lone) = self.needs_of_stage(stage);
            let last = index + 1 == count;
            let bounded = needs.bounded || (needs.bounded_by_input && input_is_here);
            let stage_kind = if self.processes.owns_process
                && needs.process
                && !(last && self.keeps_last_stage())
            {
                StageKind::Copy
            } else if lone == Lone::Program {
                StageKind::Program
            } else if last {
                StageKind::Here
            } else if bounded {
                StageKind::First
            } else if self.processes.owns_process {
                if lone == Lone::Tool { StageKind::Program } else { StageKind::Copy }
            } else {
                StageKind::First
            };
            input_is_here = stage_kind == StageKind::First;
            stage_kinds.push(stage_kind);
        }
        stage_kinds
    }

    /// Whether the last stage runs in the shell itself.
    fn keeps_last_stage(&self) -> bool {
        match self.profile.subshells.last_stage {
            LastStage::Shell => true,
            LastStage::Option => self.options.last_pipe(),
            LastStage::Subshell => false,
        }
    }

    /// What a stage needs, and whether it is one call of something outside of the shell. A
    /// variable may name the command (`$ECHO … | $SED …`): the stages run in subshells, so that it
    /// has the same value then.
    fn needs_of_stage(&mut self, stage: &Stage) -> (Needs, Lone) {
        let mut needs = self.functions.needs(&stage.body);
        let [Node::Call(call)] = &*stage.body.block.nodes else { return (needs, Lone::No) };
        if !call.assignments.is_empty() || !call.redirects.is_empty() {
            return (needs, Lone::No);
        }
        let name: Text = match call.callee {
            Callee::Named(slot, None) => Text::from_slice(&self.names.name(slot)),
            Callee::Named(_, Some(_)) => return (needs, Lone::No),
            Callee::Unknown => match self.late_name(call) {
                Some(name) => name,
                None => return (needs, Lone::No),
            },
        };
        let slot = self.names.find(&name);
        if slot.is_some_and(|slot| self.functions.has(slot)) {
            return (needs, Lone::No);
        }
        let found = self.find_program(&name);
        if matches!(call.callee, Callee::Unknown) {
            let program = analysis::without_folder(&name);
            let (ends, traits) = (analysis::ends(program), &stage.body.traits);
            let ends_with_input = matches!(ends, Ends::Always | Ends::WithInput);
            let alone = traits.calls.is_empty();
            needs.bounded = ends == Ends::Always && traits.bounded && alone;
            needs.bounded_by_input = ends_with_input && traits.bounded_by_input && alone;
            if builtin_table::find(&name, self.profile.dialect).is_some() {
                return (needs, Lone::No);
            }
        }
        match found {
            None => (needs, Lone::No),
            Some(found) if found.tool.is_some() => (needs, Lone::Tool),
            Some(_) => (needs, Lone::Program),
        }
    }

    /// The command's name, if it is the first word of a variable's value.
    fn late_name(&mut self, call: &Call) -> Option<Text> {
        let Some(Argument::Word(Word::Parts { parts, .. })) = call.words.first() else {
            return None;
        };
        let [Part::Value(Expansion::Variable(slot, _), quoted)] = &**parts else { return None };
        let split_elsewhere = self.get(self.variables.known.ifs).is_some_and(|ifs| ifs != b" \t\n");
        let value = self.variables.text_of(*slot)?;
        if *quoted {
            return Some(Text::from_slice(value));
        }
        if split_elsewhere {
            return None;
        }
        let name = value.split(u8::is_ascii_whitespace).find(|word| !word.is_empty())?;
        (!name.iter().any(|byte| b"*?[\\".contains(byte))).then(|| Text::from_slice(name))
    }

    fn run_stages(
        &mut self,
        pipeline: &Pipeline,
        stage_kinds: &[StageKind],
        ended: &mut Vec<Ended>,
    ) -> Flow {
        let mut input: Option<Rc<Open>> = None;
        let count = stage_kinds.len();
        let rules = &self.profile.subshells;
        let status = self.execution.status;
        for (index, (stage, stage_kind)) in pipeline.stages.iter().zip(stage_kinds).enumerate() {
            let last = index + 1 == count;
            // Each begins with what `$?` was before all of them; the one that ksh runs itself does
            // not.
            self.execution.status =
                if last && rules.last_stage == LastStage::Shell { 0 } else { status };
            let stdin = input.take();
            if last {
                self.run_stage(stage, *stage_kind, stdin, None, ended)?;
                break;
            }
            if *stage_kind == StageKind::First {
                let capture = self.streams.capture(self.limits.captured_bytes);
                self.run_stage(stage, *stage_kind, stdin, Some(capture.clone()), ended)?;
                let bytes = match capture.collected() {
                    Ok(bytes) => bytes,
                    Err(_) => {
                        self.execution.status = 1;
                        let text = b"pipeline: too much between two commands";
                        return Err(self.reached(Limit::Captured, text));
                    }
                };
                let much = bytes.len() as u64 > PIPE_BYTES;
                let stream = self.streams.from_bytes(bytes.into(), false);
                if much
                    && self.is_ended_by_pipe(stage)
                    && let Some(Ended::Status(status)) = ended.last()
                {
                    let written = Ended::Written(*status, stream.clone());
                    ended.pop();
                    ended.push(written);
                }
                input = Some(stream);
            } else {
                let Ok((reader, writer)) = self.streams.pipe() else {
                    self.complain(b"cannot make pipe");
                    self.execution.status = 1;
                    return Err(Unwind::Exit);
                };
                self.processes.hold(reader);
                let flow = self.run_stage(stage, *stage_kind, stdin, Some(writer), ended);
                input = self.processes.take_held();
                flow?;
            }
        }
        Ok(())
    }

    /// Whether it would be ended without a reader of its output, and that would be seen: one
    /// command of bash, that is no function. What goes on after its first command may well end
    /// otherwise.
    fn is_ended_by_pipe(&self, stage: &Stage) -> bool {
        let [Node::Call(call)] = &*stage.body.block.nodes else { return false };
        let Callee::Named(slot, _) = call.callee else { return false };
        self.profile.subshells.pipe_ends_lone_command && !self.functions.has(slot)
    }

    /// ksh: an error in the last stage ends that alone.
    fn run_stage_kept(&mut self, stage: &Stage, last: bool) -> Flow {
        match last {
            true => self.keeping_errors(|shell| shell.run_stage_here(stage, last)),
            false => self.run_stage_here(stage, last),
        }
    }

    /// Runs or starts one stage between two streams.
    fn run_stage(
        &mut self,
        stage: &Stage,
        stage_kind: StageKind,
        input: Option<Rc<Open>>,
        output: Option<Rc<Open>>,
        ended: &mut Vec<Ended>,
    ) -> Flow {
        let last = output.is_none();
        let mut restore = super::redirect::Restore::new();
        if let Some(input) = input {
            restore.push((0, self.streams.put(0, Some(input))));
        }
        if let Some(output) = output {
            restore.push((1, self.streams.put(1, Some(output))));
        }
        let flow = match stage_kind {
            StageKind::First | StageKind::Here => self.run_stage_kept(stage, last).map(|()| {
                ended.push(Ended::Status(self.execution.status));
            }),
            StageKind::Program => self.start_stage(stage).map(|stage| ended.push(stage)),
            StageKind::Copy => self
                .start_copy(|shell| shell.run_in_stage(stage))
                .map(|process| ended.push(Ended::Running(process))),
        };
        self.restore(restore);
        flow
    }

    fn run_stage_here(&mut self, stage: &Stage, last: bool) -> Flow {
        if last && self.keeps_last_stage() {
            return self.run_block(&stage.body.block);
        }
        self.in_subshell(|shell| shell.run_in_stage(stage))
    }

    /// What a stage does in its own shell. bash counts one shell where a stage is `( … )`.
    fn run_in_stage(&mut self, stage: &Stage) -> Flow {
        if self.profile.subshells.stages_forget_traps {
            self.traps.forget_inherited();
        }
        let alone = matches!(&*stage.body.block.nodes, [Node::Subshell(_)]);
        let counted_twice = alone && self.profile.subshells.stage_of_subshell_counts_once;
        let before = self.subshells.leave_out(u32::from(counted_twice));
        let flow = self.run_block(&stage.body.block);
        self.subshells.leave_out_only(before);
        flow
    }

    /// A program as a stage: started, not waited for.
    fn start_stage(&mut self, stage: &Stage) -> Flow<Ended> {
        let [Node::Call(call)] = &*stage.body.block.nodes else {
            return Ok(Ended::Status(0));
        };
        let mut words: Vec<Text> = Vec::new();
        // Expansions of a stage are a subshell's, but a program's rarely change anything.
        let mut outcome = Ended::Status(0);
        self.in_subshell(|shell| {
            shell.execution.line = call.line;
            shell.expand_arguments(&call.words, &mut words)?;
            if shell.options.trace() {
                shell.trace_call(call, &words);
            }
            let Some(found) = shell.find_program(&words[0]) else {
                shell.call_program(&mut words)?;
                return Ok(());
            };
            match shell.start_program(&found.path, &words)? {
                Ok(process) => outcome = Ended::Running(process),
                Err(_) => shell.call_program(&mut words)?,
            }
            Ok(())
        })?;
        if let Ended::Status(status) = &mut outcome {
            *status = self.execution.status;
        }
        Ok(outcome)
    }

    #[cold]
    fn copied_too_deep(&mut self) -> Unwind {
        let function = self.calls.frames.iter().rev().find_map(|frame| frame.function.as_ref());
        let name = function.map(|function| self.names.name(function.name).to_vec());
        let mut text = name.map_or(Vec::new(), |name| [&*name, b": "].concat());
        text.extend_from_slice(format!("more than {DEEPEST} processes in each other").as_bytes());
        self.execution.status = 1;
        self.reached(super::limits::Limit::Depth, &text)
    }

    /// Starts a copy of this process that runs something and ends.
    pub(crate) fn start_copy(&mut self, run: impl FnOnce(&mut Shell) -> Flow) -> Flow<Process> {
        if !self.processes.owns_process {
            return Err(self.no_copy("this"));
        }
        if self.subshells.processes() >= DEEPEST {
            return Err(self.copied_too_deep());
        }
        let before = sys::pending();
        match processes::fork(&self.streams) {
            Ok(Forked::Parent(process)) => Ok(process),
            Ok(Forked::Child) => {
                self.become_copy(before);
                let flow = run(self);
                self.end_of_process(flow)
            }
            Err(errno) => {
                self.complain(format!("fork: {errno}").as_bytes());
                self.execution.status = self.profile.failures.fork_status;
                Err(Unwind::Exit)
            }
        }
    }
}
