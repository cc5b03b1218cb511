//! Variables that are made when they are asked for, and those whose changes matter.

use std::rc::Rc;

use fewer::Time;
use fewer::locale::{is_utf8, locale};

use super::Shell;
use super::value::{Flags, Indexed, Value};
use crate::Text;
use crate::arithmetic::Slot;
use crate::dialect::{OptionName, RandomGenerator, option_names};
use crate::formats::getopts::Getopts;

/// Whose changes the shell has to know.
const WATCHED: &[&[u8]] =
    &[b"IFS", b"PATH", b"OPTIND", b"LC_ALL", b"LC_CTYPE", b"LANG", b"RANDOM", b"SECONDS"];

impl Shell {
    /// Marks what is computed and what is watched.
    pub(crate) fn mark_variables(&mut self) {
        let rules = &self.profile.values.variables;
        let marks = [
            (rules.computed, Flags::COMPUTED),
            (rules.integers, Flags::INTEGER),
            (rules.arrays, Flags::ARRAY),
        ];
        for (names, flag) in marks {
            for name in names {
                let slot = self.slot(name.as_bytes());
                let variable = &mut self.variables[slot];
                variable.flags = variable.flags.with(flag);
            }
        }
        for name in WATCHED {
            let slot = self.slot(name);
            let variable = &mut self.variables[slot];
            variable.flags = variable.flags.with(Flags::WATCHED);
        }
    }

    /// SHELLOPTS and BASHOPTS tell which options are on, where there are such variables.
    pub(crate) fn options_changed(&mut self) {
        if !self.profile.set.variables_tell_options {
            return;
        }
        let on = self.options;
        let joined = |table: &[OptionName]| {
            let names: Vec<&str> =
                table.iter().filter(|name| on.has(name)).map(|name| name.text).collect();
            Text::from_slice(names.join(":").as_bytes())
        };
        let texts = [
            (b"SHELLOPTS".as_slice(), joined(self.profile.set.names)),
            (b"BASHOPTS", joined(option_names::SHOPT)),
        ];
        for (name, text) in texts {
            let slot = self.slot(name);
            self.save(slot);
            self.variables[slot].value = Value::Text(text);
        }
    }

    /// Makes the value of a computed variable.
    pub(crate) fn compute(&mut self, slot: Slot) {
        if !self.variables[slot].flags.has(Flags::COMPUTED) {
            return;
        }
        let name = self.names.name(slot);
        let value = match &*name {
            b"LINENO" => number(i64::from(self.traps.error_line.unwrap_or(self.execution.line))),
            b"RANDOM" => {
                let subshell = self.random_subshell();
                let generators = &mut self.variables.generators;
                generators.seed_in(subshell);
                number(match self.profile.values.variables.random_generator {
                    RandomGenerator::Bash => generators.random_of_bash(),
                    RandomGenerator::Any => generators.random(),
                })
            }
            b"SRANDOM" => {
                let high = self.variables.generators.random();
                let low = self.variables.generators.random();
                number((high << 15 | low) << 2)
            }
            b"SECONDS" => number(self.variables.generators.seconds()),
            b"EPOCHSECONDS" => number(Time::now().seconds),
            b"EPOCHREALTIME" => {
                let now = Time::now();
                let text = format!("{}.{:06}", now.seconds, now.nanoseconds / 1_000);
                Value::Text(Text::from_slice(text.as_bytes()))
            }
            b"BASHPID" => number(i64::from(sys::own_number())),
            b"BASH_SUBSHELL" | b".sh.subshell" => number(i64::from(self.subshells.count())),
            b"FUNCNAME" => self.function_names(),
            b"BASH_LINENO" => {
                let lines =
                    self.calls.frames.iter().rev().map(|frame| text_of(i64::from(frame.called_on)));
                let outermost = self.origin.without_file().is_none().then(|| text_of(0));
                array_or_none(lines.chain(outermost).collect())
            }
            b"PIPESTATUS" if !self.execution.was_pipeline => {
                array(vec![text_of(i64::from(self.execution.status))])
            }
            b"_" => match &self.execution.last_argument {
                Some(text) => Value::Text(text.clone()),
                None => return,
            },
            b"BASH_SOURCE" => self.sources_of_frames(),
            b"DIRSTACK" => array(self.directory_stack()),
            _ => return,
        };
        self.variables[slot].value = value;
    }

    fn function_names(&self) -> Value {
        if self.calls.frames.iter().all(|frame| frame.function.is_none()) {
            return Value::Unset;
        }
        let names = self.calls.frames.iter().rev().map(|frame| match &frame.function {
            Some(function) => Text::from_slice(&self.names.name(function.name)),
            None => Text::from_slice(b"source"),
        });
        let main = self.origin.without_file().is_none().then(|| Text::from_slice(b"main"));
        array(names.chain(main).collect())
    }

    /// bash's BASH_SOURCE: where each function was defined, each file that is read, the script.
    fn sources_of_frames(&self) -> Value {
        let outermost = self.calls.frames.iter().find_map(|frame| frame.file.as_ref());
        let nowhere = self.origin.without_file().map(Rc::from);
        let outermost = nowhere.as_ref().or(outermost).unwrap_or(&self.origin.name);
        let mut script = &self.origin.name;
        let mut sources = Vec::with_capacity(self.calls.frames.len() + 1);
        for frame in self.calls.frames.iter().rev() {
            match (&frame.function, &frame.file) {
                (Some(function), _) => {
                    sources.push(self.functions.file(function.name).unwrap_or(outermost));
                }
                (None, Some(around)) => sources.push(std::mem::replace(&mut script, around)),
                (None, None) => sources.push(script),
            }
        }
        if nowhere.is_none() {
            sources.push(outermost);
        }
        array_or_none(sources.into_iter().map(|path| Text::from_slice(path)).collect())
    }

    /// The subshell whose sequence of random numbers is used.
    fn random_subshell(&self) -> (u32, u32) {
        (self.subshells.current(), self.subshells.processes())
    }

    /// A variable changed that the shell itself uses.
    pub(crate) fn watched_changed(&mut self, slot: Slot) {
        let known = self.variables.known;
        if slot == known.ifs {
            self.find_ifs();
        } else if slot == known.path {
            self.caches.programs.forget_all();
        } else if slot == known.optind {
            let index = self.variables.number(slot);
            self.builtins.getopts = Getopts::from_index(index.unwrap_or(1));
        } else if slot == known.random {
            let seed = self.variables.number(slot);
            let subshell = self.random_subshell();
            let generators = &mut self.variables.generators;
            match (seed, self.profile.values.variables.random_generator) {
                (Some(seed), RandomGenerator::Bash) => generators.seed_as_bash(seed),
                (Some(seed), RandomGenerator::Any) => generators.seed_with(seed),
                (None, _) => {}
            }
            generators.belongs_to(subshell);
        } else if slot == known.seconds {
            let from = self.variables.number(slot);
            self.variables.generators.set_seconds(from.unwrap_or(0.0));
        } else {
            self.find_locale();
        }
    }

    fn find_ifs(&mut self) {
        let value = self.variables.text_of(self.variables.known.ifs).map(Text::from_slice);
        self.expansion.set_ifs(value, self.profile.dialect);
    }

    /// Whether characters are UTF-8, by the environment's variables.
    pub(crate) fn find_locale(&mut self) {
        let value = locale(b"LC_CTYPE", |name| {
            let slot = self.names.find(name)?;
            self.variables.get(slot)?;
            self.variables.text_of(slot)
        });
        let utf8 = value.is_some_and(is_utf8);
        if utf8 != self.expansion.utf8 {
            self.expansion.set_utf8(utf8);
            self.find_ifs();
        }
    }
}

fn text_of(value: i64) -> Text {
    super::texts::number(value)
}

fn number(value: i64) -> Value {
    Value::Text(text_of(value))
}

fn array(words: Vec<Text>) -> Value {
    Value::Indexed(Box::new(Indexed::of(words)))
}

/// The same; without elements it is not set.
fn array_or_none(values: Vec<Text>) -> Value {
    if values.is_empty() { Value::Unset } else { array(values) }
}

impl Shell {
    /// The time zone that TZ says.
    pub(crate) fn zone_of_script(&mut self) -> fewer::Zone {
        let tz = self.get_named(b"TZ").map(<[u8]>::to_vec);
        fewer::Zone::from_tz(tz.as_deref())
    }
}
