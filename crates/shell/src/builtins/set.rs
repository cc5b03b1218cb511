//! `set`, `shopt`.

use std::rc::Rc;

use super::declare::{element_list, listed};
use super::options::{Options, no_such_option, refuse, wrong_use};
use crate::arithmetic::Slot;
use crate::formats::quote::{self, For};
use crate::run::options::{self, Name};
use crate::run::trap::EXIT;
use crate::run::value::{Flags, Value};
use crate::run::{Flow, Shell, Unwind};
use crate::{Dialect, Text};

pub(crate) fn set(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    if words.len() == 1 {
        return variables(shell);
    }
    let mut rest = &words[1..];
    let mut array: Option<(Text, bool)> = None;
    let (mut sort, mut replace) = (false, false);
    while let Some(word) = rest.first() {
        let Some((&sign @ (b'-' | b'+'), letters)) = word.split_first() else { break };
        rest = &rest[1..];
        if letters == b"-" && sign == b'-' {
            replace = true;
            break;
        }
        if letters.is_empty() {
            if sign == b'-' {
                shell.options.set(options::VERBOSE, false);
                shell.options.set(options::TRACE, false);
            }
            replace = !rest.is_empty();
            break;
        }
        let on = sign == b'-';
        for &letter in letters {
            match letter {
                b'o' => match rest.split_first() {
                    None => {
                        let text = options_text(shell, on);
                        return shell.print("set", &text);
                    }
                    Some((name, after)) => {
                        rest = after;
                        if !shell.set_option_named(name, on)? {
                            return no_such_name(shell, words, name);
                        }
                    }
                },
                b'A' if shell.dialect == Dialect::Ksh => match rest.split_first() {
                    None => return no_array(shell, words),
                    Some((name, after)) => (array, rest) = (Some((name.clone(), on)), after),
                },
                b's' if shell.dialect == Dialect::Ksh => sort = on,
                letter if !shell.set_option_lettered(letter, on)? => {
                    return no_such_letter(shell, words, [sign, letter]);
                }
                _ => {}
            }
        }
    }
    shell.options_changed();
    if shell.options.no_exec() {
        // What follows is read, and not run.
        Rc::make_mut(&mut shell.traps).actions.remove(&EXIT);
        shell.status = 0;
        return Err(Unwind::Exit);
    }
    if let Some((name, whole)) = array {
        return set_array(shell, words, &name, whole, rest, sort);
    }
    if replace || !rest.is_empty() {
        let mut words = rest.to_vec();
        if sort {
            words.sort();
        }
        shell.set_positional(words);
    } else if sort {
        let mut words = shell.positional.all().to_vec();
        words.sort();
        shell.set_positional(words);
    }
    Ok(0)
}

/// ksh: `set -A name word …`
fn set_array(
    shell: &mut Shell,
    words: &[Text],
    name: &[u8],
    whole: bool,
    rest: &[Text],
    sort: bool,
) -> Flow<i32> {
    if !crate::syntax::is_name(name) {
        let text = [name, b": invalid variable name"].concat();
        let status = shell.builtin_error(words, &text, 1);
        return shell.special_status(words, status);
    }
    let slot = shell.slot(name);
    let slot = shell.meant(slot);
    let mut values = rest.to_vec();
    if sort {
        values.sort();
    }
    if whole {
        if shell.is_associative(slot) {
            shell.make_row(slot)?;
        }
        shell.set_words(slot, values)?;
        return Ok(0);
    }
    for (index, value) in (0..).zip(values) {
        shell.set_index(slot, index, value, false)?;
    }
    Ok(0)
}

fn no_array(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let status = wrong_use(shell, words, b"-A: name argument expected");
    shell.special_status(words, status)
}

fn no_such_letter(shell: &mut Shell, words: &[Text], option: [u8; 2]) -> Flow<i32> {
    let status = no_such_option(shell, words, option);
    shell.special_status(words, status)
}

fn no_such_name(shell: &mut Shell, words: &[Text], name: &[u8]) -> Flow<i32> {
    let text = match shell.dialect {
        Dialect::Posix => [b"Illegal option -o ", name].concat(),
        Dialect::Bash => [name, b": invalid option name"].concat(),
        Dialect::Ksh => [name, b": unknown option"].concat(),
    };
    let status = match shell.dialect {
        Dialect::Ksh => wrong_use(shell, words, &text),
        _ => shell.builtin_error(words, &text, 2),
    };
    shell.special_status(words, status)
}

/// `set -o`, `set +o`
fn options_text(shell: &Shell, table: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let dialect = shell.dialect;
    if table && dialect != Dialect::Bash {
        out.extend_from_slice(b"Current option settings\n");
    }
    if !table && dialect == Dialect::Ksh {
        out.extend_from_slice(b"set --default");
    }
    for name in options::names(dialect) {
        let on = name.is_on(shell.options);
        match (dialect, table) {
            (Dialect::Bash, true) => row(name.text, on, &mut out),
            (Dialect::Posix, true) => {
                let word = if on { "on" } else { "off" };
                out.extend_from_slice(format!("{:<16}{word}\n", name.text).as_bytes());
            }
            (Dialect::Ksh, true) => {
                let word = if on { "on" } else { "off" };
                out.extend_from_slice(format!("{:<25}{word}\n", name.text).as_bytes());
            }
            (Dialect::Ksh, false) => ksh_setting(name, on, &mut out),
            (_, false) => {
                let sign = if on { '-' } else { '+' };
                out.extend_from_slice(format!("set {sign}o {}\n", name.text).as_bytes());
            }
        }
    }
    if !table && dialect == Dialect::Ksh {
        out.push(b'\n');
    }
    out
}

fn ksh_setting(name: &Name, on: bool, out: &mut Vec<u8>) {
    let shown = match name.negated {
        true => on != name.bit.is_some() && name.text != "backslashctrl",
        false => on,
    };
    if shown {
        let no = if name.negated && name.bit.is_some() { "no" } else { "" };
        out.extend_from_slice(format!(" --{no}{}", name.text).as_bytes());
    }
}

/// bash's row of a table of options.
fn row(name: &str, on: bool, out: &mut Vec<u8>) {
    let word = if on { "on" } else { "off" };
    out.extend_from_slice(format!("{name:<15}\t{word}\n").as_bytes());
}

/// `set` alone.
fn variables(shell: &mut Shell) -> Flow<i32> {
    let mut out = Vec::new();
    for slot in listed(shell) {
        assignment(shell, slot, &mut out);
    }
    if shell.dialect == Dialect::Bash && !shell.options.posix() {
        functions(shell, &mut out);
    }
    shell.print("set", &out)
}

/// All functions, as `set` and `declare` list them.
pub(crate) fn functions(shell: &mut Shell, out: &mut Vec<u8>) {
    for slot in shell.function_slots() {
        shell.function_text(slot, out);
    }
}

/// The line of `set` for a variable.
pub(crate) fn assignment(shell: &mut Shell, slot: Slot, out: &mut Vec<u8>) {
    if shell.variables[slot.0 as usize].flags.has(Flags::COMPUTED) {
        let shown = matches!(&*shell.names.name(slot), b"_" | b"PIPESTATUS");
        if shell.dialect != Dialect::Ksh && !shown {
            return;
        }
        shell.compute(slot);
    }
    if !shell.is_set(slot) {
        return;
    }
    out.extend_from_slice(&shell.names.name(slot));
    out.push(b'=');
    let purpose = if shell.options.posix() { For::PosixSet } else { For::Set };
    match &shell.variables[slot.0 as usize].value {
        Value::Unset => {}
        Value::Text(text) => quote::quote(text, purpose, shell.dialect, shell.utf8, out),
        _ => element_list(shell, slot, For::Declare, out),
    }
    out.push(b'\n');
}

/// What is asked of `shopt`.
#[derive(Default)]
struct Shopt {
    set: bool,
    unset: bool,
    quiet: bool,
    print: bool,
    of_set: bool,
}

pub(crate) fn shopt(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let mut asked = Shopt::default();
    let mut options = Options::new(words);
    while let Some(letter) = options.next() {
        match letter {
            b's' => asked.set = true,
            b'u' => asked.unset = true,
            b'q' => asked.quiet = true,
            b'p' => asked.print = true,
            b'o' => asked.of_set = true,
            _ => return refuse(shell, words, letter),
        }
    }
    let rest = options.operands();
    if asked.set && asked.unset {
        let text = b"cannot set and unset shell options simultaneously";
        return Ok(shell.builtin_error(words, text, 1));
    }
    if rest.is_empty() {
        return shopt_list(shell, &asked);
    }
    if asked.set || asked.unset {
        return shopt_change(shell, words, &asked, rest);
    }
    let mut out = Vec::new();
    let mut status = 0;
    for name in rest {
        match options::of_shopt(name, asked.of_set) {
            None => {
                no_such_shopt(shell, words, name, asked.of_set);
                status = 1;
            }
            Some(found) => {
                let on = found.is_on(shell.options);
                status |= i32::from(!on);
                if !asked.quiet {
                    shopt_row(&asked, found.text, on, &mut out);
                }
            }
        }
    }
    let written = shell.print("shopt", &out)?;
    Ok(status.max(written))
}

fn shopt_change(shell: &mut Shell, words: &[Text], asked: &Shopt, names: &[Text]) -> Flow<i32> {
    let mut status = 0;
    for name in names {
        match options::of_shopt(name, asked.of_set) {
            None => {
                no_such_shopt(shell, words, name, asked.of_set);
                status = 1;
            }
            Some(found) if !options::is_done(found.text, asked.set) => {
                let sign = if asked.set { b"shopt -s " } else { b"shopt -u " };
                return Err(shell.not_run_here(&[sign, &**name].concat()));
            }
            Some(found) => {
                if let Some(bit) = found.bit {
                    shell.options.set(bit, asked.set);
                }
            }
        }
    }
    shell.options_changed();
    Ok(status)
}

fn shopt_list(shell: &mut Shell, asked: &Shopt) -> Flow<i32> {
    let mut out = Vec::new();
    let table = if asked.of_set { options::names(Dialect::Bash) } else { options::SHOPT_NAMES };
    for name in table {
        let on = name.is_on(shell.options);
        if (asked.set && !on) || (asked.unset && on) {
            continue;
        }
        shopt_row(asked, name.text, on, &mut out);
    }
    if asked.quiet {
        return Ok(0);
    }
    shell.print("shopt", &out)
}

fn shopt_row(asked: &Shopt, name: &str, on: bool, out: &mut Vec<u8>) {
    if !asked.print {
        return row(name, on, out);
    }
    let line = match (asked.of_set, on) {
        (true, true) => format!("set -o {name}\n"),
        (true, false) => format!("set +o {name}\n"),
        (false, true) => format!("shopt -s {name}\n"),
        (false, false) => format!("shopt -u {name}\n"),
    };
    out.extend_from_slice(line.as_bytes());
}

fn no_such_shopt(shell: &mut Shell, words: &[Text], name: &[u8], of_set: bool) {
    let what: &[u8] =
        if of_set { b": invalid option name" } else { b": invalid shell option name" };
    shell.builtin_error(words, &[name, what].concat(), 1);
}

impl Shell {
    /// `set -x`, `set +x`; false if there is no such option.
    fn set_option_lettered(&mut self, letter: u8, on: bool) -> Flow<bool> {
        if !options::is_done_letter(letter, on, self.dialect) {
            let sign = if on { b"set -" } else { b"set +" };
            return Err(self.not_run_here(&[&sign[..], &[letter]].concat()));
        }
        let bit = options::by_letter(letter, self.dialect);
        if let Some(bit) = bit {
            self.options.set(bit, on);
        }
        // Job control can be turned off.
        Ok(bit.is_some() || letter == b'm')
    }

    /// `set -o name`, `set +o name`; false if there is no such option.
    pub(crate) fn set_option_named(&mut self, name: &[u8], on: bool) -> Flow<bool> {
        let Some((found, really)) = options::named(name, on, self.dialect) else {
            return Ok(false);
        };
        if !options::is_done(found.text, really) {
            let sign = if on { b"set -o " } else { b"set +o " };
            return Err(self.not_run_here(&[sign, name].concat()));
        }
        if let Some(bit) = found.bit {
            self.options.set(bit, really != found.negated);
        }
        Ok(true)
    }

    /// bash: SHELLOPTS and BASHOPTS tell which options are on.
    pub(crate) fn options_changed(&mut self) {
        if self.dialect != Dialect::Bash {
            return;
        }
        let on = self.options;
        let joined = |table: &[Name]| {
            let names: Vec<&str> =
                table.iter().filter(|name| name.is_on(on)).map(|name| name.text).collect();
            Text::from_slice(names.join(":").as_bytes())
        };
        let texts = [
            (b"SHELLOPTS".as_slice(), joined(options::names(Dialect::Bash))),
            (b"BASHOPTS", joined(options::SHOPT_NAMES)),
        ];
        for (name, text) in texts {
            let slot = self.slot(name);
            self.save(slot);
            self.variables[slot.0 as usize].value = Value::Text(text);
        }
    }
}
