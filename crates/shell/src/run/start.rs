//! A new shell: its variables, and the script that it runs.

use super::limits::Limits;
use super::state::{BuiltinState, Expansion, Generators, Processes, RunBuiltin, Variables, seed};
use super::value::{Flags, Value};
use super::{Flow, Shell, Unwind};
use crate::dialect::{ErrorReach, ShellLevel};
use crate::lower::Lowered;
use crate::names::Names;
use crate::options::{self, Options, Setting};
use crate::streams::Table;
use crate::{Dialect, Text, syntax};

impl Shell {
    /// Takes an option of the command line; what is not done, or not known in this language, is
    /// for its own shell, which has words for it.
    pub(crate) fn start_with(&mut self, setting: &Setting, on: bool) -> Result<(), String> {
        let sign = if on { '-' } else { '+' };
        let (text, found) = match setting {
            Setting::Letter(letter) => {
                let text = format!("set {sign}{}", char::from(*letter));
                let bit = options::by_letter(*letter, self.profile);
                let done = options::is_done_letter(*letter, on, self.profile);
                (text, bit.filter(|_| done).map(|bit| (bit, on)))
            }
            Setting::Name(name) => {
                let text = format!("set {sign}o {}", fewer::present::escaped(name));
                let found = options::named(name, on, self.profile);
                let found = found.filter(|(name, on)| options::is_done(name.text, *on));
                // What is as it always is need not be set.
                if found.is_some_and(|(name, on)| name.bit.is_none() && name.negated == on) {
                    return Ok(());
                }
                (text, found.and_then(|(name, on)| Some((name.bit?, on != name.negated))))
            }
            Setting::Shopt(name) => {
                let text = format!("{sign}O {}", fewer::present::escaped(name));
                let found = options::of_shopt(name, false).filter(|_| self.profile.commands.shopt);
                let found = found.filter(|name| options::is_done(name.text, on));
                (text, found.and_then(|name| Some((name.bit?, on))))
            }
        };
        let Some((bit, on)) = found else { return Err(format!("'{text}' is not run here")) };
        self.options.set(bit, on);
        Ok(())
    }

    /// A shell with these descriptors, builtins and this environment.
    pub(crate) fn new(
        dialect: Dialect,
        streams: Table,
        builtins: RunBuiltin,
        environment: impl Iterator<Item = (Vec<u8>, Vec<u8>)>,
    ) -> Shell {
        let mut shell = Shell::blank(dialect, streams, builtins, sys::own_number());
        shell.make_room();
        shell.start_environment(environment, sys::parent_number());
        shell
    }

    /// A shell without any variables.
    fn blank(dialect: Dialect, streams: Table, builtins: RunBuiltin, process: i32) -> Shell {
        let mut names = Names::default();
        Shell {
            profile: dialect.profile(),
            options: Options::of(dialect.profile()),
            limits: Limits::default(),
            variables: Variables::new(&mut names, Generators::new(seed(process))),
            names,
            functions: Default::default(),
            calls: Default::default(),
            execution: Default::default(),
            expansion: Expansion::new(dialect),
            subshells: Default::default(),
            directory: Default::default(),
            streams,
            output: Default::default(),
            processes: Processes::new(process.unsigned_abs()),
            traps: Default::default(),
            caches: Default::default(),
            tracing: Default::default(),
            origin: Default::default(),
            builtins: BuiltinState::new(builtins),
        }
    }

    /// The variables that the environment has.
    fn take_variables(&mut self, environment: impl Iterator<Item = (Vec<u8>, Vec<u8>)>) {
        for (name, value) in environment {
            if !syntax::is_name(&name) {
                let mut pair = name;
                pair.push(b'=');
                pair.extend(value);
                if self.profile.values.variables.keeps_strange_environment {
                    self.variables.environment.add_unnamed(pair);
                }
                continue;
            }
            // IFS is never taken from outside.
            if name == b"IFS" {
                continue;
            }
            let slot = self.slot(&name);
            let variable = &mut self.variables[slot];
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
        let start = &self.profile.start;
        let mut usual = vec![
            (b"IFS".as_slice(), b" \t\n".to_vec()),
            (b"OPTIND", b"1".to_vec()),
            (b"PPID", parent.to_string().into_bytes()),
            (b"PS4", b"+ ".to_vec()),
        ];
        if self.get(self.variables.known.path).is_none() {
            usual.push((b"PATH", start.path.as_bytes().to_vec()));
        }
        if start.prompts {
            let prompt: &[u8] = if sys::own_user() == 0 { b"# " } else { b"$ " };
            usual.extend([(b"PS1".as_slice(), prompt.to_vec()), (b"PS2", b"> ".to_vec())]);
        }
        if start.tells_user_and_host {
            usual.extend([
                (b"UID".as_slice(), sys::own_user().to_string().into_bytes()),
                (b"EUID", sys::own_user().to_string().into_bytes()),
                (b"HOSTNAME", sys::host_name()),
            ]);
        }
        let pair =
            |(name, value): &(&'static str, &str)| (name.as_bytes(), value.as_bytes().to_vec());
        usual.extend(start.variables.iter().map(pair));
        let missing = |(name, _): &&(&str, &str)| self.get_named(name.as_bytes()).is_none();
        usual.extend(start.usual_variables.iter().filter(missing).map(pair));
        if !start.version_numbers.is_empty() {
            let slot = self.slot(b"BASH_VERSINFO");
            let words = start.version_numbers.iter().map(|word| Text::from_slice(word.as_bytes()));
            let array = crate::run::value::Indexed::of(words);
            self.variables[slot].value = Value::Indexed(Box::new(array));
        }
        if start.startup_file
            && self.get_named(b"ENV").is_none()
            && let Some(home) = self.get_named(b"HOME")
        {
            usual.push((b"ENV", [home, b"/.kshrc"].concat()));
        }
        for (name, value) in usual {
            let slot = self.slot(name);
            self.variables[slot].value = Value::Text(Text::from_vec(value));
        }
        self.fix_own_variables();
        self.count_shell();
        self.find_locale();
        self.expansion.set_ifs(Some(Text::from_slice(b" \t\n")), self.profile.dialect);
    }

    /// SHLVL: how many shells are around this one, where they are counted.
    fn count_shell(&mut self) {
        let rule = self.profile.start.level;
        if rule == ShellLevel::None {
            return;
        }
        let slot = self.slot(b"SHLVL");
        let around = self.variables.number(slot);
        let level = match around.unwrap_or(0i64).saturating_add(1) {
            level if rule == ShellLevel::Limited && level >= 1000 => 1,
            level if rule == ShellLevel::Limited => level.max(0),
            level => level,
        };
        let variable = &mut self.variables[slot];
        variable.value = Value::Text(crate::run::texts::number(level));
        variable.flags = variable.flags.with(Flags::EXPORT);
    }

    /// What bash tells of itself cannot be changed.
    fn fix_own_variables(&mut self) {
        if !self.profile.start.tells_user_and_host {
            return;
        }
        self.variables.export(self.variables.known.oldpwd);
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
            self.variables[slot].flags = flags;
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
            self.execution.status = 0;
        }
        crate::stack::with_room(|| self.run_text(&lowered))
    }

    /// Runs a text that the script gives. An error in it is kept in it: bash goes on with its next
    /// line, unless a subshell is what ends; ksh ends the text.
    pub(crate) fn run_text(&mut self, lowered: &Lowered) -> Flow {
        self.execution.evaluation_depth += 1;
        let flow = match self.profile.failures.reach {
            ErrorReach::Line if self.subshells.is_outermost() => self.run_lowered(lowered),
            _ => self.run_block(&lowered.block),
        };
        self.execution.evaluation_depth -= 1;
        match flow {
            Err(Unwind::Discard) if self.errors_end_text() => Ok(()),
            flow => flow,
        }
    }
}
