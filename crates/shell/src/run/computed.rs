//! Variables that are made when they are asked for, and those whose changes matter.

use std::rc::Rc;
use std::time::Instant;

use fewer::locale::{is_utf8, locale};

use super::value::{Flags, Indexed, Value};
use super::{Own, Shell};
use crate::arithmetic::Slot;
use crate::formats::fields::Ifs;
use crate::formats::getopts::Getopts;
use crate::names::Names;
use crate::{Dialect, Text};

/// What computed variables are made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    started: Instant,
    seconds: f64,
    random: u64,
    last_random: i64,
    /// The subshell whose sequence it is: another begins its own.
    random_of: (u32, u32),
}

impl State {
    pub(crate) fn new(seed: u64) -> State {
        State {
            started: Instant::now(),
            seconds: 0.0,
            random: seed | 1,
            last_random: -1,
            random_of: (0, 0),
        }
    }

    /// When the shell was started, in seconds since 1970.
    pub(crate) fn started_at(&self) -> i64 {
        seconds_now() - i64::try_from(self.started.elapsed().as_secs()).unwrap_or(0)
    }

    /// The next of bash's own sequence of numbers from 0 to 32,767, never twice the same.
    fn random_of_bash(&mut self) -> i64 {
        loop {
            // Park and Miller's, without overflow, as the C library of a VAX had it.
            let seed = match i64::try_from(self.random & 0xffff_ffff).unwrap_or(0) {
                0 => 123_459_876,
                seed => seed,
            };
            let next = 16_807 * (seed % 127_773) - 2_836 * (seed / 127_773);
            let next = if next < 0 { next + 0x7fff_ffff } else { next };
            self.random = next.unsigned_abs();
            let number = ((next >> 16) ^ (next & 0xffff)) & 0x7fff;
            if number != self.last_random {
                self.last_random = number;
                return number;
            }
        }
    }

    /// The next of a sequence of numbers from 0 to 32,767.
    fn random(&mut self) -> i64 {
        // xorshift64*
        self.random ^= self.random >> 12;
        self.random ^= self.random << 25;
        self.random ^= self.random >> 27;
        let number = self.random.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 49;
        i64::try_from(number & 0x7fff).unwrap_or(0)
    }
}

/// Which are computed, in which dialects.
const COMPUTED: &[(&[u8], &[Dialect])] = &[
    (b"RANDOM", &[Dialect::Bash, Dialect::Ksh]),
    (b"SRANDOM", &[Dialect::Bash]),
    (b"SECONDS", &[Dialect::Bash, Dialect::Ksh]),
    (b"LINENO", &[Dialect::Bash, Dialect::Ksh]),
    (b"EPOCHSECONDS", &[Dialect::Bash]),
    (b"EPOCHREALTIME", &[Dialect::Bash]),
    (b"BASHPID", &[Dialect::Bash]),
    (b"BASH_SUBSHELL", &[Dialect::Bash]),
    (b"PIPESTATUS", &[Dialect::Bash]),
    (b"_", &[Dialect::Bash]),
    (b"FUNCNAME", &[Dialect::Bash]),
    (b"BASH_LINENO", &[Dialect::Bash]),
    (b"BASH_SOURCE", &[Dialect::Bash]),
    (b"DIRSTACK", &[Dialect::Bash]),
    (b".sh.subshell", &[Dialect::Ksh]),
];

/// How many tables of separators are kept.
const KEPT_IFS: usize = 8;

/// Whose changes the shell has to know.
const WATCHED: &[&[u8]] =
    &[b"IFS", b"PATH", b"OPTIND", b"LC_ALL", b"LC_CTYPE", b"LANG", b"RANDOM", b"SECONDS"];

impl Own {
    pub(crate) fn new(names: &mut Names) -> Own {
        Own {
            ifs: names.slot(b"IFS"),
            path: names.slot(b"PATH"),
            home: names.slot(b"HOME"),
            pwd: names.slot(b"PWD"),
            oldpwd: names.slot(b"OLDPWD"),
            reply: names.slot(b"REPLY"),
            optind: names.slot(b"OPTIND"),
            optarg: names.slot(b"OPTARG"),
            ps4: names.slot(b"PS4"),
            random: names.slot(b"RANDOM"),
            seconds: names.slot(b"SECONDS"),
            pipe_status: names.slot(b"PIPESTATUS"),
            rematch: names.slot(b"BASH_REMATCH"),
            cdpath: names.slot(b"CDPATH"),
            nest: names.slot(b"FUNCNEST"),
        }
    }
}

impl Shell {
    /// Marks what is computed and what is watched.
    pub(crate) fn mark_variables(&mut self) {
        for (name, dialects) in COMPUTED {
            if dialects.contains(&self.dialect) {
                let slot = self.slot(name);
                let variable = &mut self.variables[slot.0 as usize];
                variable.flags = variable.flags.with(Flags::COMPUTED);
            }
        }
        if self.dialect == Dialect::Bash {
            for name in [b"RANDOM".as_slice(), b"SRANDOM", b"SECONDS", b"BASHPID", b"OPTIND"] {
                let slot = self.slot(name);
                let variable = &mut self.variables[slot.0 as usize];
                variable.flags = variable.flags.with(Flags::INTEGER);
            }
            let slot = self.slot(b"FUNCNAME");
            let variable = &mut self.variables[slot.0 as usize];
            variable.flags = variable.flags.with(Flags::ARRAY);
        }
        for name in WATCHED {
            let slot = self.slot(name);
            let variable = &mut self.variables[slot.0 as usize];
            variable.flags = variable.flags.with(Flags::WATCHED);
        }
    }

    /// Makes the value of a computed variable.
    pub(crate) fn compute(&mut self, slot: Slot) {
        if !self.variables[slot.0 as usize].flags.has(Flags::COMPUTED) {
            return;
        }
        let name = self.names.name(slot);
        let value = match &*name {
            b"LINENO" => number(i64::from(self.trap_line.unwrap_or(self.line))),
            b"RANDOM" => {
                self.seed_in_subshell();
                number(match self.dialect {
                    Dialect::Bash => self.computed.random_of_bash(),
                    _ => self.computed.random(),
                })
            }
            b"SRANDOM" => {
                let high = self.computed.random();
                let low = self.computed.random();
                number((high << 15 | low) << 2)
            }
            b"SECONDS" => {
                let passed = self.computed.started.elapsed().as_secs_f64();
                number((passed + self.computed.seconds) as i64)
            }
            b"EPOCHSECONDS" => number(i64::try_from(now().as_secs()).unwrap_or(0)),
            b"EPOCHREALTIME" => {
                let now = now();
                let text = format!("{}.{:06}", now.as_secs(), now.subsec_micros());
                Value::Text(Text::from_slice(text.as_bytes()))
            }
            b"BASHPID" => number(i64::from(sys::own_number())),
            b"BASH_SUBSHELL" | b".sh.subshell" => {
                let all = self.level + self.forked + self.copied_levels;
                number(i64::from(all - self.counted_twice))
            }
            b"FUNCNAME" => self.function_names(),
            b"BASH_LINENO" => {
                let lines =
                    self.frames.iter().rev().map(|frame| text_of(i64::from(frame.called_on)));
                let outermost = self.nowhere().is_none().then(|| text_of(0));
                array_or_none(lines.chain(outermost).collect())
            }
            b"PIPESTATUS" if !self.piped => array(vec![text_of(i64::from(self.status))]),
            b"_" => match &self.last_argument {
                Some(text) => Value::Text(text.clone()),
                None => return,
            },
            b"BASH_SOURCE" => self.sources_of_frames(),
            b"DIRSTACK" => array(self.directory_stack()),
            _ => return,
        };
        self.variables[slot.0 as usize].value = value;
    }

    fn function_names(&self) -> Value {
        if self.frames.iter().all(|frame| frame.function.is_none()) {
            return Value::Unset;
        }
        let names = self.frames.iter().rev().map(|frame| match &frame.function {
            Some(function) => Text::from_slice(&self.names.name(function.name)),
            None => Text::from_slice(b"source"),
        });
        let main = self.nowhere().is_none().then(|| Text::from_slice(b"main"));
        array(names.chain(main).collect())
    }

    /// bash's BASH_SOURCE: where each function was defined, each file that is read, the script.
    fn sources_of_frames(&self) -> Value {
        let outermost = self.frames.iter().find_map(|frame| frame.file.as_ref());
        let nowhere = self.nowhere().map(Rc::from);
        let outermost = nowhere.as_ref().or(outermost).unwrap_or(&self.script);
        let mut script = &self.script;
        let mut sources = Vec::with_capacity(self.frames.len() + 1);
        for frame in self.frames.iter().rev() {
            match (&frame.function, &frame.file) {
                (Some(function), _) => {
                    sources.push(self.sources.get(&function.name).unwrap_or(outermost));
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

    /// A subshell does not go on with the numbers of the shell around it.
    fn seed_in_subshell(&mut self) {
        let own = (self.serial, self.forked);
        if self.computed.random_of != own {
            self.computed.random = super::start::seed(sys::own_number());
            self.computed.random_of = own;
        }
    }

    /// A variable changed that the shell itself uses.
    pub(crate) fn watched_changed(&mut self, slot: Slot) {
        let own = self.own;
        if slot == own.ifs {
            self.find_ifs();
        } else if slot == own.path {
            self.programs.clear();
        } else if slot == own.optind {
            let index =
                self.text_of(slot).and_then(|text| std::str::from_utf8(text).ok()?.parse().ok());
            self.getopts = Getopts::from_index(index.unwrap_or(1));
        } else if slot == own.random {
            let seed =
                self.text_of(slot).and_then(|text| std::str::from_utf8(text).ok()?.parse().ok());
            if let Some(seed) = seed
                && self.dialect == Dialect::Bash
            {
                self.computed.random = seed & 0xffff_ffff;
                self.computed.last_random = 0;
            } else if let Some(seed) = seed {
                self.computed.random = u64::wrapping_mul(seed, 0x9e37_79b9_7f4a_7c15) | 1;
            }
            self.computed.random_of = (self.serial, self.forked);
        } else if slot == own.seconds {
            let from =
                self.text_of(slot).and_then(|text| std::str::from_utf8(text).ok()?.parse().ok());
            self.computed.seconds = from.unwrap_or(0.0);
            self.computed.started = Instant::now();
        } else {
            self.find_locale();
        }
    }

    /// The table for the value of IFS: `IFS= read` changes it twice for each line, so those that
    /// were made are kept.
    fn find_ifs(&mut self) {
        let value = self.text_of(self.own.ifs).map(Text::from_slice);
        if let Some((_, known)) = self.ifs_before.iter().find(|(text, _)| *text == value) {
            self.ifs = known.clone();
            return;
        }
        self.ifs = Rc::new(Ifs::new(value.as_deref(), self.utf8, self.dialect));
        if self.ifs_before.len() >= KEPT_IFS {
            self.ifs_before.clear();
        }
        self.ifs_before.push((value, self.ifs.clone()));
    }

    /// Whether characters are UTF-8, by the environment's variables.
    pub(crate) fn find_locale(&mut self) {
        let value = locale(b"LC_CTYPE", |name| {
            let slot = self.names.find(name)?;
            self.variables.get(slot.0 as usize)?;
            self.text_of(slot)
        });
        let utf8 = value.is_some_and(is_utf8);
        if utf8 != self.utf8 {
            self.utf8 = utf8;
            self.ifs_before.clear();
            self.find_ifs();
        }
    }
}

/// Seconds since 1970.
pub(crate) fn seconds_now() -> i64 {
    i64::try_from(now().as_secs()).unwrap_or(0)
}

fn now() -> std::time::Duration {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default()
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
