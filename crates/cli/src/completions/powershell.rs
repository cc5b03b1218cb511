//! What the generator's script for PowerShell lacks: the values of flags, and whatever stands
//! behind a path.

use std::fmt::Write;

use clap::{Arg, Command};

use super::values;

/// The line of the script where its answers begin: `$command` is what was typed, up to a flag.
const ANSWERS: &str = "    $completions = @(switch ($command) {\n";

/// A path behind a verb is none of its verbs. A flag stands before the word, or in it up to a `=`.
const TYPED: &str = r#"    $command = ($command -split ';' | Select-Object -First 2) -join ';'
    $begin = ''
    if ($wordToComplete -match '^--[^=]+=') {
        $begin = $flag = $Matches[0]
    } else {
        $before = @($commandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition })
        $flag = $before[-1].Extent.Text
    }
    $values = @(switch -Regex -CaseSensitive ("$command;$flag") {
"#;

/// Shows the values that begin with the word; without one it goes on to the flags.
const SHOWN: &str = r#"    })
    $values = @($values | Where-Object { "$begin$_" -like "$wordToComplete*" })
    if ($values.Count -gt 0) {
        $values | ForEach-Object {
            # Braces would be a block of the script.
            $quoted = if ($_ -match '[{}]') { "'$_'" } else { $_ }
            [CompletionResult]::new("$begin$quoted", $_, [CompletionResultType]::ParameterValue, $_)
        }
        return
    }

"#;

/// Adds what is lacking.
pub(super) fn complete(command: &Command, script: &mut String) {
    let mut added = TYPED.to_owned();
    for verb in command.get_subcommands() {
        arms(verb, &mut added);
    }
    added.push_str(SHOWN);
    *script = script.replace(ANSWERS, &format!("{added}{ANSWERS}"));
}

/// The values of each flag of a verb, and of what stands right behind the verb.
fn arms(verb: &Command, to: &mut String) {
    for flag in verb.get_arguments() {
        let values = values(flag);
        if !values.is_empty() {
            let (verb, values) = (verb.get_name(), values.join("', '"));
            // Writing to memory does not fail.
            let _ = writeln!(to, "        '^fewer;{verb};{}$' {{ '{values}' }}", names(flag, verb));
        }
    }
}

/// Matches the words behind which a value is typed.
fn names(flag: &Arg, verb: &str) -> String {
    let equals = if flag.is_require_equals_set() { "=" } else { "=?" };
    let letter = flag.get_short().filter(|_| equals == "=?");
    match (letter, flag.get_long()) {
        (Some(letter), Some(name)) => format!("(-{letter}|--{name}{equals})"),
        (Some(letter), None) => format!("-{letter}"),
        (None, Some(name)) => format!("--{name}{equals}"),
        (None, None) => verb.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use clap_complete::Shell;

    use crate::completions::script;
    use crate::flags;

    /// The script's lines for what is typed, with the quotes around what they are for taken off.
    fn arm<'a>(script: &'a str, typed: &str) -> &'a str {
        let begin = format!("        '{typed}' {{ ");
        let mut lines = script.lines().filter_map(|line| line.strip_prefix(&begin));
        lines.next().unwrap_or_else(|| panic!("there is no line for {typed}"))
    }

    #[test]
    fn values_follow_their_flags() {
        let script = script(Shell::PowerShell);
        let color = arm(&script, "^fewer;walk;(-c|--color=?)$");
        assert_eq!(color, "'auto', 'always', 'never' }");
        assert!(arm(&script, "^fewer;walk;--format=?$").starts_with("'{path}', '{name}', "));
        assert_eq!(arm(&script, "^fewer;walk;--hyperlink=$"), "'auto', 'always', 'never' }");
        let shells = "'bash', 'elvish', 'fish', 'powershell', 'zsh' }";
        assert_eq!(arm(&script, "^fewer;completions;completions$"), shells);
    }

    #[test]
    fn each_verb_has_its_flags() {
        let script = script(Shell::PowerShell);
        let fewer = flags::fewer();
        for verb in fewer.get_subcommands().filter(|verb| !verb.is_hide_set()) {
            let start = format!("\n        'fewer;{}' {{\n", verb.get_name());
            let start = script.find(&start).unwrap_or_else(|| panic!("{start}")) + start.len();
            let end = start + script[start..].find("\n            break\n").unwrap();
            for flag in verb.get_arguments().filter(|flag| !flag.is_hide_set()) {
                let Some(name) = flag.get_long() else { continue };
                let line = format!("[CompletionResult]::new('--{name}', '--{name}', ");
                assert!(script[start..end].contains(&line), "{}: {line}", verb.get_name());
            }
        }
    }

    /// Quotes of both kinds, comments and what is nested, as PowerShell reads them.
    #[test]
    fn quotes_and_braces_are_closed() {
        let script = script(Shell::PowerShell);
        let (mut open, mut rest) = (Vec::new(), script.chars());
        while let Some(char) = rest.next() {
            match char {
                '\'' | '"' => assert!(rest.any(|it| it == char), "{char} is not closed"),
                '#' => drop(rest.find(|&it| it == '\n')),
                '(' => open.push(')'),
                '{' => open.push('}'),
                '[' => open.push(']'),
                ')' | '}' | ']' => assert_eq!(open.pop(), Some(char)),
                _ => {}
            }
        }
        assert!(open.is_empty());
        assert_eq!(script.matches("@(switch ").count(), 2);
    }
}
