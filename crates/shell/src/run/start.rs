//! A new shell: its variables, and the script that it runs.

use std::rc::Rc;

use fewer::Scope;

use super::computed::State;
use super::limits::Limits;
use super::options::Options;
use super::value::{Flags, Value};
use super::{Flow, Own, Positional, Shell, Unwind};
use crate::formats::fields::Ifs;
use crate::lower::Lowered;
use crate::names::Names;
use crate::streams::Table;
use crate::{Dialect, Text, syntax};

/// Where programs are looked for if PATH is not set.
fn usual_path(dialect: Dialect) -> &'static [u8] {
    match dialect {
        Dialect::Bash => b"/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin:.",
        _ => b"/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    }
}

impl Shell {
    /// A shell with these descriptors and this environment.
    pub(crate) fn new(
        dialect: Dialect,
        streams: Table,
        environment: impl Iterator<Item = (Vec<u8>, Vec<u8>)>,
    ) -> Shell {
        let mut shell = Shell::blank(dialect, streams, sys::own_number());
        shell.make_room();
        shell.start_environment(environment, sys::parent_number());
        shell
    }

    /// A shell without any variables.
    #[expect(clippy::too_many_lines, reason = "a line for each field")]
    fn blank(dialect: Dialect, streams: Table, process: i32) -> Shell {
        let mut names = Names::default();
        let own = Own::new(&mut names);
        Shell {
            dialect,
            names,
            own,
            variables: Vec::new(),
            functions: Vec::new(),
            traits: Default::default(),
            generation: 0,
            locals: Vec::new(),
            temporaries: Vec::new(),
            assigning: None,
            circles: Vec::new(),
            counted_twice: 0,
            frames: Vec::new(),
            positional: Positional::default(),
            zero: Text::from_slice(b"sh"),
            script: Rc::from(b"sh".as_slice()),
            status: 0,
            options: Options::of(dialect),
            line: 0,
            level: 0,
            serial: 0,
            last_serial: 0,
            undo: Vec::new(),
            elements_saved: 0,
            forked: 0,
            copied_levels: 0,
            unchecked: 0,
            loops: 0,
            scope: Scope::start(),
            here: Rc::from([]),
            streams,
            jobs: Default::default(),
            traps: Rc::default(),
            ifs: Rc::new(Ifs::new(None, false, dialect)),
            ifs_before: Vec::new(),
            utf8: false,
            environment: None,
            strange_environment: Vec::new(),
            limits: Limits::default(),
            lowered: Default::default(),
            programs: Default::default(),
            getopts: Default::default(),
            turns: 0,
            under_command: false,
            readonly_functions: Default::default(),
            exported_functions: Default::default(),
            computed: State::new(seed(process)),
            process: process.unsigned_abs(),
            owns_process: false,
            outputs: [None, None],
            last_words: Vec::new(),
            beside: None,
            alone: None,
            given: Vec::new(),
            killed: 0,
            builtin_tools: true,
            substituted: false,
            substituted_status: 0,
            spare: Vec::new(),
            holes: Default::default(),
            unset_in_arithmetic: false,
            substitutions: Vec::new(),
            broken_pipe: false,
            dies_of: None,
            trapped: 0,
            own_signals: 0,
            wrote: "echo",
            failed_writes: 0,
            trap_line: None,
            evaluations: 0,
            redirected: 0,
            room: Vec::new(),
            aliases: Rc::default(),
            directories: Vec::new(),
            umask: Default::default(),
            held_ends: Vec::new(),
            piped: false,
            last_argument: None,
            sources: Default::default(),
            tracing: Default::default(),
            unreadable: false,
            reader: None,
            in_error_trap: false,
            in_return_trap: false,
            exit_action: None,
            before_return: 0,
            children_ended: 0,
            new_error_trap: false,
            before_trap: None,
            from_argument: false,
            from_input: false,
        }
    }

    /// The variables that the environment has.
    fn take_variables(&mut self, environment: impl Iterator<Item = (Vec<u8>, Vec<u8>)>) {
        for (name, value) in environment {
            if !syntax::is_name(&name) {
                let mut pair = name;
                pair.push(b'=');
                pair.extend(value);
                // dash does not hand on what it cannot name.
                if self.dialect != Dialect::Posix {
                    self.strange_environment.push(pair);
                }
                continue;
            }
            // IFS is never taken from outside.
            if name == b"IFS" {
                continue;
            }
            let slot = self.slot(&name);
            let variable = &mut self.variables[slot.0 as usize];
            variable.value = Value::Text(Text::from_vec(value));
            variable.flags = Flags::EXPORT;
        }
    }

    fn start_environment(
        &mut self,
        environment: impl Iterator<Item = (Vec<u8>, Vec<u8>)>,
        parent: i32,
    ) {
        self.take_variables(environment);
        self.mark_variables();
        let mut usual = vec![
            (b"IFS".as_slice(), b" \t\n".to_vec()),
            (b"OPTIND", b"1".to_vec()),
            (b"PPID", parent.to_string().into_bytes()),
            (b"PS4", b"+ ".to_vec()),
        ];
        if self.get(self.own.path).is_none() {
            usual.push((b"PATH", usual_path(self.dialect).to_vec()));
        }
        if self.dialect == Dialect::Posix {
            let prompt: &[u8] = if sys::own_user() == 0 { b"# " } else { b"$ " };
            usual.extend([(b"PS1".as_slice(), prompt.to_vec()), (b"PS2", b"> ".to_vec())]);
        }
        if self.dialect == Dialect::Bash {
            usual.extend([
                (b"BASH".as_slice(), b"/bin/bash".to_vec()),
                (b"BASH_VERSION", b"5.2.15(1)-release".to_vec()),
                (b"UID", sys::own_user().to_string().into_bytes()),
                (b"EUID", sys::own_user().to_string().into_bytes()),
                (b"OSTYPE", b"linux-gnu".to_vec()),
                (b"HOSTTYPE", b"x86_64".to_vec()),
                (b"MACHTYPE", b"x86_64-pc-linux-gnu".to_vec()),
                (b"HOSTNAME", sys::host_name()),
                (b"OPTERR", b"1".to_vec()),
                (b"SHELLOPTS", b"braceexpand:hashall:interactive-comments".to_vec()),
            ]);
            let versions = [b"5".as_slice(), b"2", b"15", b"1", b"release", b"x86_64-pc-linux-gnu"];
            let slot = self.slot(b"BASH_VERSINFO");
            let words = versions.map(Text::from_slice);
            let array = crate::run::value::Indexed::of(words);
            self.variables[slot.0 as usize].value = Value::Indexed(Box::new(array));
        }
        if self.dialect == Dialect::Ksh {
            usual.push((b"KSH_VERSION", b"Version AJM 93u+m/1.0.4 2022-10-22".to_vec()));
            if self.get_named(b"ENV").is_none()
                && let Some(home) = self.get_named(b"HOME")
            {
                usual.push((b"ENV", [home, b"/.kshrc"].concat()));
            }
            usual.extend(self.variables_of_ksh());
        }
        for (name, value) in usual {
            let slot = self.slot(name);
            self.variables[slot.0 as usize].value = Value::Text(Text::from_vec(value));
        }
        self.fix_own_variables();
        self.count_shell();
        self.find_locale();
        self.ifs = Rc::new(Ifs::new(Some(b" \t\n"), self.utf8, self.dialect));
    }

    /// What else ksh begins with.
    fn variables_of_ksh(&mut self) -> Vec<(&'static [u8], Vec<u8>)> {
        let usual: [(&[u8], &[u8]); 8] = [
            (b"PS2", b"> "),
            (b"PS3", b"#? "),
            (b"FCEDIT", b"ed"),
            (b"HISTCMD", b"0"),
            (b"JOBMAX", b"0"),
            (b"MAILCHECK", b"600"),
            (b"SHELL", b"/bin/sh"),
            (b"TMOUT", b"0"),
        ];
        let missing = usual.into_iter().filter(|(name, _)| self.get_named(name).is_none());
        missing.map(|(name, value)| (name, value.to_vec())).collect()
    }

    /// SHLVL: how many shells are around this one; dash does not count.
    fn count_shell(&mut self) {
        if self.dialect == Dialect::Posix {
            return;
        }
        let slot = self.slot(b"SHLVL");
        let around =
            self.text_of(slot).and_then(|text| std::str::from_utf8(text).ok()?.parse().ok());
        let level = match around.unwrap_or(0i64).saturating_add(1) {
            // bash takes what cannot be for a mistake.
            level if self.dialect == Dialect::Bash && level >= 1000 => 1,
            level if self.dialect == Dialect::Bash => level.max(0),
            level => level,
        };
        let variable = &mut self.variables[slot.0 as usize];
        variable.value = Value::Text(crate::run::texts::number(level));
        variable.flags = variable.flags.with(Flags::EXPORT);
    }

    /// bash: what it tells of itself cannot be changed.
    fn fix_own_variables(&mut self) {
        if self.dialect != Dialect::Bash {
            return;
        }
        let before = &mut self.variables[self.own.oldpwd.0 as usize];
        before.flags = before.flags.with(Flags::EXPORT);
        let whole = Flags::READONLY.with(Flags::INTEGER);
        let fixed = [
            (b"UID".as_slice(), whole),
            (b"EUID", whole),
            (b"PPID", whole),
            (b"BASH_VERSINFO", Flags::READONLY),
            (b"SHELLOPTS", Flags::READONLY),
            (b"BASHOPTS", Flags::READONLY),
        ];
        for (name, flags) in fixed {
            let slot = self.slot(name);
            self.variables[slot.0 as usize].flags = flags;
        }
        self.options_changed();
    }

    /// Runs a whole script; an error in one of bash's commands goes on with the next.
    pub(crate) fn run_lowered(&mut self, lowered: &Lowered) -> Flow {
        let mut skip_line = None;
        for (node, line) in lowered.block.nodes.iter().zip(&lowered.lines) {
            if skip_line == Some(*line) {
                continue;
            }
            match self.run(node) {
                Err(Unwind::Discard) => skip_line = Some(*line),
                flow => flow?,
            }
        }
        Ok(())
    }

    /// Runs a file that is read by `.`.
    pub(crate) fn run_file(&mut self, bytes: &[u8]) -> Flow {
        let lowered = self.lower(bytes)?;
        if lowered.block.nodes.is_empty() {
            self.status = 0;
        }
        crate::stack::with_room(|| self.run_text(&lowered))
    }

    /// Runs a text that the script gives. An error in it is kept in it: bash goes on with its next
    /// line, unless a subshell is what ends; ksh ends the text.
    pub(crate) fn run_text(&mut self, lowered: &Lowered) -> Flow {
        self.evaluations += 1;
        let flow = match self.dialect {
            Dialect::Bash if self.level + self.forked == 0 => self.run_lowered(lowered),
            _ => self.run_block(&lowered.block),
        };
        self.evaluations -= 1;
        match flow {
            Err(Unwind::Discard) if self.dialect == Dialect::Ksh => Ok(()),
            flow => flow,
        }
    }
}

/// What RANDOM begins with: another number for each shell.
pub(super) fn seed(process: i32) -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    u64::from(process.unsigned_abs()) << 32 ^ u64::from(now.map_or(0, |now| now.subsec_nanos())) | 1
}
