//! `set`, `shopt`.

use fewer::compact;

use super::options::{Options, no_such_option, refuse, wrong_use};
use crate::Text;
use crate::arithmetic::Slot;
use crate::dialect::{OptionName, OptionTable, option_names};
use crate::formats::quote::{self, For};
use crate::options;
use crate::run::listing::{element_list, listed};
use crate::run::value::{Flags, Value};
use crate::run::{Flow, Positional, Shell, Unwind};

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
                        if !set_option_named(shell, name, on)? {
                            return no_such_name(shell, words, name);
                        }
                    }
                },
                b'A' if shell.profile.set.sets_arrays => match rest.split_first() {
                    None => return no_array(shell, words),
                    Some((name, after)) => (array, rest) = (Some((name.clone(), on)), after),
                },
                b's' if shell.profile.set.sets_arrays => sort = on,
                letter if !set_option_lettered(shell, letter, on)? => {
                    return no_such_letter(shell, words, [sign, letter]);
                }
                _ => {}
            }
        }
    }
    shell.options_changed();
    if shell.options.no_exec() {
        // What follows is read, and not run.
        shell.traps.forget_exit();
        shell.execution.status = 0;
        return Err(Unwind::Exit);
    }
    if let Some((name, whole)) = array {
        return set_array(shell, words, &name, whole, rest, sort);
    }
    if replace || !rest.is_empty() {
        let mut words = rest.to_vec();
        if sort {
            compact::sort_by(&mut words, Ord::cmp);
        }
        set_positional(shell, words);
    } else if sort {
        let mut words = shell.calls.positional.all().to_vec();
        compact::sort_by(&mut words, Ord::cmp);
        set_positional(shell, words);
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
        compact::sort_by(&mut values, Ord::cmp);
    }
    if whole {
        if shell.variables.is_associative(slot) {
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
    let text = shell.profile.set.bad_name.of(name);
    let status = match shell.profile.set.bad_name_shows_usage {
        true => wrong_use(shell, words, &text),
        false => shell.builtin_error(words, &text, 2),
    };
    shell.special_status(words, status)
}

/// `set -o`, `set +o`
fn options_text(shell: &Shell, table: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let set = &shell.profile.set;
    if table && set.table != OptionTable::Tabs {
        out.extend_from_slice(b"Current option settings\n");
    }
    if !table && set.default_and_exceptions {
        out.extend_from_slice(b"set --default");
    }
    for name in set.names {
        let on = shell.options.has(name);
        match (table, set.table) {
            (true, OptionTable::Tabs) => row(name.text, on, &mut out),
            (true, OptionTable::Wide(width)) => {
                let word = if on { "on" } else { "off" };
                out.extend_from_slice(format!("{:<width$}{word}\n", name.text).as_bytes());
            }
            (false, _) if set.default_and_exceptions => exception(name, on, &mut out),
            (false, _) => {
                let sign = if on { '-' } else { '+' };
                out.extend_from_slice(format!("set {sign}o {}\n", name.text).as_bytes());
            }
        }
    }
    if !table && set.default_and_exceptions {
        out.push(b'\n');
    }
    out
}

fn exception(name: &OptionName, on: bool, out: &mut Vec<u8>) {
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
    if shell.profile.set.lists_functions && !shell.options.posix() {
        functions(shell, &mut out);
    }
    shell.print("set", &out)
}

/// All functions, as `set` and `declare` list them.
pub(crate) fn functions(shell: &mut Shell, out: &mut Vec<u8>) {
    for slot in shell.functions.sorted(&shell.names) {
        function(shell, slot, out);
    }
}

/// A function as `declare -f` and `typeset -f` print it.
pub(crate) fn function(shell: &Shell, slot: Slot, out: &mut Vec<u8>) {
    let Some(function) = shell.functions.get(slot) else { return };
    out.extend_from_slice(&function.source.source);
    if shell.profile.builtins.declare.function_ends_line {
        out.push(b'\n');
    }
}

/// The line of `set` for a variable.
pub(crate) fn assignment(shell: &mut Shell, slot: Slot, out: &mut Vec<u8>) {
    if shell.variables[slot].flags.has(Flags::COMPUTED) {
        let shown = matches!(&*shell.names.name(slot), b"_" | b"PIPESTATUS");
        if !shell.profile.set.lists_computed && !shown {
            return;
        }
        shell.compute(slot);
    }
    if !shell.variables.is_set(slot) {
        return;
    }
    out.extend_from_slice(&shell.names.name(slot));
    out.push(b'=');
    let purpose = if shell.options.posix() { For::PosixSet } else { For::Set };
    match &shell.variables[slot].value {
        Value::Unset => {}
        Value::Text(text) => {
            quote::quote(text, purpose, shell.profile.dialect, shell.expansion.utf8, out)
        }
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
    let mut request = Shopt::default();
    let mut options = Options::new(words);
    while let Some(letter) = options.next() {
        match letter {
            b's' => request.set = true,
            b'u' => request.unset = true,
            b'q' => request.quiet = true,
            b'p' => request.print = true,
            b'o' => request.of_set = true,
            _ => return refuse(shell, words, letter),
        }
    }
    let rest = options.operands();
    if request.set && request.unset {
        let text = b"cannot set and unset shell options simultaneously";
        return Ok(shell.builtin_error(words, text, 1));
    }
    if rest.is_empty() {
        return shopt_list(shell, &request);
    }
    if request.set || request.unset {
        return shopt_change(shell, words, &request, rest);
    }
    let mut out = Vec::new();
    let mut status = 0;
    for name in rest {
        match options::of_shopt(name, request.of_set) {
            None => {
                no_such_shopt(shell, words, name, request.of_set);
                status = 1;
            }
            Some(found) => {
                let on = shell.options.has(found);
                status |= i32::from(!on);
                if !request.quiet {
                    shopt_row(&request, found.text, on, &mut out);
                }
            }
        }
    }
    let written = shell.print("shopt", &out)?;
    Ok(status.max(written))
}

fn shopt_change(shell: &mut Shell, words: &[Text], request: &Shopt, names: &[Text]) -> Flow<i32> {
    let mut status = 0;
    for name in names {
        match options::of_shopt(name, request.of_set) {
            None => {
                no_such_shopt(shell, words, name, request.of_set);
                status = 1;
            }
            Some(found) if !options::is_done(found.text, request.set) => {
                let sign = if request.set { b"shopt -s " } else { b"shopt -u " };
                return Err(shell.not_run_here(&[sign, &**name].concat()));
            }
            Some(found) => {
                if let Some(bit) = found.bit {
                    shell.options.set(bit, request.set);
                }
            }
        }
    }
    shell.options_changed();
    Ok(status)
}

fn shopt_list(shell: &mut Shell, request: &Shopt) -> Flow<i32> {
    let mut out = Vec::new();
    let table = if request.of_set { shell.profile.set.names } else { option_names::SHOPT };
    for name in table {
        let on = shell.options.has(name);
        if (request.set && !on) || (request.unset && on) {
            continue;
        }
        shopt_row(request, name.text, on, &mut out);
    }
    if request.quiet {
        return Ok(0);
    }
    shell.print("shopt", &out)
}

fn shopt_row(request: &Shopt, name: &str, on: bool, out: &mut Vec<u8>) {
    if !request.print {
        return row(name, on, out);
    }
    let line = match (request.of_set, on) {
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

/// `set -x`, `set +x`; false if there is no such option.
fn set_option_lettered(shell: &mut Shell, letter: u8, on: bool) -> Flow<bool> {
    if !options::is_done_letter(letter, on, shell.profile) {
        let sign = if on { b"set -" } else { b"set +" };
        return Err(shell.not_run_here(&[&sign[..], &[letter]].concat()));
    }
    let bit = options::by_letter(letter, shell.profile);
    if let Some(bit) = bit {
        shell.options.set(bit, on);
    }
    // Job control can be turned off.
    Ok(bit.is_some() || letter == b'm')
}

/// `set -o name`, `set +o name`; false if there is no such option.
fn set_option_named(shell: &mut Shell, name: &[u8], on: bool) -> Flow<bool> {
    let Some((found, really)) = options::named(name, on, shell.profile) else {
        return Ok(false);
    };
    if !options::is_done(found.text, really) {
        let sign = if on { b"set -o " } else { b"set +o " };
        return Err(shell.not_run_here(&[sign, name].concat()));
    }
    if let Some(bit) = found.bit {
        shell.options.set(bit, really != found.negated);
    }
    Ok(true)
}

/// Gives the script other positional parameters.
fn set_positional(shell: &mut Shell, words: Vec<Text>) {
    shell.calls.positional = Positional::by_set(words);
    if shell.profile.values.variables.set_resets_getopts {
        shell.builtins.getopts = Default::default();
    }
}
