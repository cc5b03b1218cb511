//! What really needs a process: `&`, subshells that change the process itself, process
//! substitution.

use std::rc::Rc;

use fewer::Errno;

use super::{Flow, Shell, Unwind};
use crate::Text;
use crate::dialect::ShellLevel;
use crate::processes;
use crate::program::{Background, Body, Callee, Node, RedirectKind, Substitution, Target};

impl Shell {
    /// `command &`
    pub(crate) fn background(&mut self, background: &Rc<Background>) -> Flow {
        if !self.processes.owns_process {
            self.execution.line = background.line;
            return self.start_detached(&background.node);
        }
        // Without job control it must not take what the script reads.
        let given = self.streams.get(0).is_some_and(|open| self.is_own_input(&open))
            && !(self.profile.subshells.named_input_is_kept && names_its_input(&background.node));
        let node = background.clone();
        let process = self.start_copy(|shell| {
            if given {
                let null = shell.streams.open(
                    &shell.directory.scope,
                    b"/dev/null",
                    crate::streams::How::Read,
                );
                shell.streams.put(0, null.ok());
            }
            shell.traps.ignore_interrupts(shell.profile.dialect);
            if let Node::Call(call) = &node.node {
                // A program alone takes the copy's place: `$!` is its number.
                shell.processes.set_only_call(call);
            }
            shell.run(&node.node)
        })?;
        self.processes.jobs.add(process, self.subshells.depth());
        self.execution.status = 0;
        Ok(())
    }

    /// `program &` in another program's process, of which no copy is made: a program alone can run
    /// beside the script.
    fn start_detached(&mut self, node: &Node) -> Flow {
        let call = match node {
            Node::Call(call) => Some(call),
            Node::Redirected(redirected) => match &redirected.node {
                Node::Call(call) => Some(call),
                _ => None,
            },
            _ => None,
        };
        let slot = call.and_then(|call| match call.callee {
            Callee::Named(slot, None) => Some(slot),
            _ => None,
        });
        let slot = slot.filter(|slot| !self.functions.has(*slot));
        let name = slot.map(|slot| self.names.name(slot));
        if name.is_none_or(|name| self.find_program(&name).is_none()) {
            return Err(self.no_copy("`&' behind what is no program"));
        }
        let null =
            self.streams.open(&self.directory.scope, b"/dev/null", crate::streams::How::Read);
        let input = self.streams.put(0, null.ok());
        let flow = self.in_subshell(|shell| {
            shell.processes.detached_depth = Some(shell.subshells.depth());
            shell.run(node)
        });
        self.processes.detached_depth = None;
        self.streams.put(0, input);
        self.execution.status = 0;
        flow
    }

    /// `<( … )` in another program's process: its output is there before it is read.
    fn substitute_before(&mut self, write: bool, body: &Rc<Body>) -> Flow<Text> {
        if write {
            return Err(self.no_copy("`>(...)'"));
        }
        let capture = self.streams.capture(self.limits.captured_bytes);
        let old = self.streams.put(1, Some(capture.clone()));
        let status = self.execution.status;
        let flow = self.in_subshell(|shell| shell.run_block(&body.block));
        self.execution.status = status;
        self.streams.put(1, old);
        flow?;
        let Ok(bytes) = capture.collected() else { return Err(self.captured_too_much()) };
        let number = self.streams.highest_free();
        let open = self.streams.from_bytes(bytes.into(), false);
        self.streams.put(number, Some(open));
        self.processes.add_substitution(number);
        Ok(Text::from_slice(format!("/dev/fd/{number}").as_bytes()))
    }

    /// Runs something in a copy of this process, and waits for it.
    pub(crate) fn run_in_process(&mut self, run: impl FnOnce(&mut Shell) -> Flow) -> Flow {
        let process = self.start_copy(run)?;
        self.wait_in_front(process)
    }

    /// `$( … )` that needs a process.
    pub(crate) fn substitute_in_process(&mut self, substitution: &Substitution) -> Flow<Text> {
        let capture = self.streams.capture(self.limits.captured_bytes);
        let old = self.streams.put(1, Some(capture.clone()));
        let started = self.start_copy(|shell| {
            shell.begin_substitution();
            shell.run_block(&substitution.body.block)
        });
        self.streams.put(1, old);
        let process = started?;
        self.wait_in_front(process)?;
        self.captured(&capture)
    }

    /// `<( … )` and `>( … )`: the name of the other end.
    pub(crate) fn start_process_substitution(
        &mut self,
        write: bool,
        body: &Rc<Body>,
    ) -> Flow<Text> {
        if !self.processes.owns_process {
            return self.substitute_before(write, body);
        }
        let Ok((reader, writer)) = self.streams.pipe() else {
            return self.fail_command(b"cannot make pipe");
        };
        let (theirs, ours) = if write { (reader, writer) } else { (writer, reader) };
        let number = u32::from(!write);
        let body = body.clone();
        let old = self.streams.put(number, Some(theirs));
        self.processes.hold(ours);
        let started = self.start_copy(|shell| {
            // Other ends than its own would keep their readers waiting.
            shell.end_process_substitutions(0);
            shell.run_block(&body.block)
        });
        self.streams.put(number, old);
        let ours = self.processes.take_held();
        let process = started?;
        self.processes.jobs.set_last(process, self.subshells.depth());
        let number = self.streams.highest_free();
        self.streams.put(number, ours);
        self.processes.add_substitution(number);
        Ok(Text::from_slice(format!("/dev/fd/{number}").as_bytes()))
    }

    /// After the command that used them.
    pub(crate) fn end_process_substitutions(&mut self, from: usize) {
        while let Some(number) = self.processes.take_substitution(from) {
            self.streams.put(number, None);
        }
    }

    /// Whether a stream is the one that the script was started with: a command beside the shell
    /// must not take from it.
    fn is_own_input(&self, open: &Rc<crate::streams::Open>) -> bool {
        matches!(open.real_already(), Some(crate::streams::Real::Standard(_)))
    }

    /// This process is a copy now.
    pub(crate) fn become_copy(&mut self, before: u64) {
        self.processes.become_copy();
        self.subshells.become_copy();
        self.execution.loop_depth = 0;
        self.enter_copy_traps(before);
    }

    /// The end of a copy.
    pub(crate) fn end_of_process(&mut self, flow: Flow) -> ! {
        let last = self.last_signals();
        match flow.and(last) {
            Err(Unwind::Stop) => self.end_by_signal(Err(Unwind::Stop)),
            flow => {
                let _ = self.end_of_subshell(flow);
            }
        }
        let _ = self.streams.finish();
        if self.output.broken_pipe {
            sys::die_of_sigpipe();
        }
        if let Some(signal) = self.traps.fatal_signal {
            sys::die_of(signal);
        }
        std::process::exit(self.execution.status & 0xff)
    }

    /// `exec program`: in this process's place, or, where the process is not the shell's own, as a
    /// child that the shell ends with.
    pub(crate) fn exec(
        &mut self,
        words: &[Text],
        name: Option<Option<Text>>,
        clear: bool,
    ) -> Flow<i32> {
        let Some(found) = self.find_program(&words[0]) else {
            let empty = words[0].is_empty() && !self.profile.start.exec_misses_empty_name;
            let errno = if empty { Errno::ACCESS } else { Errno::NOENT };
            return Err(self.cannot_exec(&words[0], errno));
        };
        self.leave_shell_level();
        if self.subshells.depth() > 0 || !self.processes.owns_process {
            self.run_program(&found.path, words)?;
            self.traps.table = Rc::default();
            return Err(Unwind::Exit);
        }
        let mut errno = self.exec_program(&found.path, words, name, clear);
        if errno == Errno::NOEXEC {
            let shell = self.shell_for_scripts();
            let path = [shell.clone(), found.path.clone()];
            let words: Vec<Text> = path.into_iter().chain(words[1..].iter().cloned()).collect();
            errno = self.exec_program(&shell, &words, None, clear);
        }
        Err(self.cannot_exec(&words[0], errno))
    }

    /// A copy that has nothing else to do becomes the program.
    pub(crate) fn become_program(&mut self, path: &[u8], words: &[Text]) -> Flow {
        match self.exec_program(path, words, None, false) {
            Errno::NOEXEC => self.run_program(path, words),
            errno => self.cannot_run(path, words, errno),
        }
    }

    /// What `exec` starts is no deeper than this shell, where that is counted.
    fn leave_shell_level(&mut self) {
        if self.profile.start.level != ShellLevel::Limited {
            return;
        }
        let slot = self.slot(b"SHLVL");
        let level = self.variables.number(slot);
        let Some(level): Option<i64> = level else { return };
        self.save(slot);
        let level = super::value::Value::Text(super::texts::number(level - 1));
        self.variables[slot].value = level;
        self.variables.environment.forget();
    }

    /// Returns only if that is not possible.
    fn exec_program(
        &mut self,
        path: &[u8],
        words: &[Text],
        name: Option<Option<Text>>,
        clear: bool,
    ) -> Errno {
        let Some((path, mut arguments)) = super::external::c_strings(path, words) else {
            return Errno::NOENT;
        };
        if let Some(name) = name {
            let name = name.unwrap_or_else(|| [b"-", &*words[0]].concat().into());
            arguments[0] = std::ffi::CString::new(name.to_vec()).unwrap_or_default();
        }
        let environment = if clear { Rc::from([]) } else { self.child_environment() };
        let default_signals = self.traps.table.default_in_children();
        let run = processes::Run {
            path: &path,
            arguments: &arguments,
            environment: &environment,
            default_signals: &default_signals,
        };
        processes::exec(&run, &self.streams, &self.directory.scope)
    }

    /// What `exec` says before the shell ends.
    fn cannot_exec(&mut self, name: &[u8], errno: Errno) -> Unwind {
        let missing = errno == Errno::NOENT || errno == Errno::NOTDIR;
        self.execution.status = (if missing { sys::NOT_FOUND } else { sys::NOT_RUN }).into();
        let start = &self.profile.start;
        let reason = match start.exec_knows_directories {
            true => self.why_not_run(name, errno),
            false => errno.to_string(),
        };
        let reason = reason.as_bytes();
        let by_path = name.contains(&b'/');
        match start.exec_names_path {
            true if by_path => {
                let path = match name.starts_with(b"/") {
                    true => name.to_vec(),
                    false if self.directory.path.is_empty() => name.to_vec(),
                    false => {
                        let name = name.strip_prefix(b"./").unwrap_or(name);
                        [&*self.directory.path, b"/", name].concat()
                    }
                };
                self.complain(&[&path, b": ".as_slice(), reason].concat());
                if !missing {
                    self.complain(&[b"exec: ", &*path, b": cannot execute: ", reason].concat());
                }
            }
            _ if missing => self.complain(&[b"exec: ", name, b": not found"].concat()),
            _ => {
                let why = self.profile.messages.exec_failed.of(reason);
                self.complain(&[b"exec: ", name, &why].concat());
            }
        }
        // As if the program had been there.
        if start.failed_exec_drops_traps {
            self.traps.table = Rc::default();
        }
        Unwind::Exit
    }
}

/// bash: what is said of its standard input, be it `<&0`, is all that becomes of it.
fn names_its_input(node: &Node) -> bool {
    let Node::Redirected(node) = node else { return false };
    node.redirects.iter().any(|redirect| {
        matches!(redirect.target, Target::Number(0))
            && !matches!(
                redirect.kind,
                RedirectKind::Write | RedirectKind::Append | RedirectKind::Clobber
            )
    })
}
