//! `echo`, `printf`, `print`.

use super::options::{Options, known, no_value, refuse, show_usage, wrong_use};
use crate::dialect::Usage;
use crate::formats::{echo, printf};
use crate::run::{Flow, Shell};
use crate::{Dialect, Text};

pub(crate) fn echo(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let mut out = std::mem::take(&mut shell.builtins.buffer);
    out.clear();
    let xpg = shell.options.xpg_echo();
    echo::echo(&words[1..], shell.profile.dialect, xpg, shell.expansion.utf8, &mut out);
    let status = shell.print("echo", &out);
    shell.builtins.buffer = out;
    status
}

pub(crate) fn print(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let print = match echo::print_options(&words[1..]) {
        Ok(print) => print,
        Err(message) => return Ok(wrong_use(shell, words, &message)),
    };
    if print.unsupported == Some(b'v') {
        return print_values(shell, &words[1 + print.words..], print.descriptor.unwrap_or(1));
    }
    if let Some(letter) = print.unsupported {
        let text = [b"-", &[letter][..], b": not supported"].concat();
        return Ok(shell.builtin_error(words, &text, 2));
    }
    let descriptor = print.descriptor.unwrap_or(1);
    let mut out = Vec::new();
    if let Some(format) = &print.format {
        let outcome = printf::printf(format, &words[1 + print.words..], shell, &mut out);
        let status = shell.print_to("print", descriptor, &out)?;
        return Ok(status.max(i32::from(outcome.status)));
    }
    let utf8 = shell.expansion.utf8;
    print.write(&words[1 + print.words..], shell.profile.dialect, utf8, &mut out);
    shell.print_to("print", descriptor, &out)
}

/// `print -v name...`: the values of variables. Those of arrays are shown by `typeset -p` here.
fn print_values(shell: &mut Shell, names: &[Text], descriptor: u32) -> Flow<i32> {
    let mut out = Vec::new();
    for name in names {
        let slot = shell.slot(name);
        out.extend_from_slice(shell.get(slot).unwrap_or_default());
        out.push(b'\n');
    }
    shell.print_to("print", descriptor, &out)
}

/// `printf [-v name] format [argument...]`
pub(crate) fn printf(shell: &mut Shell, words: &[Text]) -> Flow<i32> {
    let mut variable = None;
    let mut options = Options::new(words);
    while let Some(letter) = options.next() {
        if known(letter, shell.profile.builtins.letters.printf) == 0 {
            return refuse(shell, words, letter);
        }
        match options.value() {
            Some(name) => variable = Some(name),
            None => return Ok(no_value(shell, words, letter)),
        }
    }
    if let Some(name) = variable
        && !is_target(name)
    {
        let text = shell.profile.messages.not_a_name.of(name);
        let status = shell.profile.builtins.arguments.printf_bad_name_status;
        return Ok(shell.builtin_error(words, &text, status));
    }
    let Some((format, arguments)) = options.operands().split_first() else {
        return Ok(match shell.profile.builtins.arguments.usage {
            Usage::None => shell.builtin_error(words, b"usage: printf format [arg ...]", 2),
            Usage::Line | Usage::Paragraph => show_usage(shell, words),
        });
    };
    let mut out = std::mem::take(&mut shell.builtins.buffer);
    out.clear();
    let outcome = printf::printf(format, arguments, shell, &mut out);
    for error in &outcome.errors {
        shell.builtin_error(words, error, 1);
    }
    let written = match variable {
        Some(name) => {
            let set = shell.set_target(name, Text::from_slice(&out));
            shell.was_writable(set).map(|written| i32::from(!written))
        }
        None => shell.print("printf", &out),
    };
    shell.builtins.buffer = out;
    written.map(|status| if status == 0 { i32::from(outcome.status) } else { status })
}

/// Whether it can be given a value: a name, or an element of an array.
fn is_target(text: &[u8]) -> bool {
    let name = crate::syntax::name_length(text);
    name > 0 && (name == text.len() || (text[name] == b'[' && text.ends_with(b"]")))
}

impl printf::World for Shell {
    fn dialect(&self) -> Dialect {
        self.profile.dialect
    }

    fn utf8(&self) -> bool {
        self.expansion.utf8
    }

    fn now(&mut self) -> i64 {
        fewer::Time::now().seconds
    }

    fn started(&mut self) -> i64 {
        self.variables.generators.started_at()
    }

    fn zone(&mut self) -> fewer::Zone {
        self.zone_of_script()
    }

    fn arithmetic(&mut self, text: &[u8]) -> Result<i64, Vec<u8>> {
        self.try_evaluate_text(text)
    }

    fn set_count(&mut self, name: &[u8], bytes: usize) {
        let count = i64::try_from(bytes).unwrap_or(i64::MAX);
        let _ = self.set_target(name, crate::run::texts::number(count));
    }
}
