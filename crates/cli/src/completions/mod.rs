//! Completions for shells, from the table of flags.

mod powershell;

use std::fmt::Write;

use clap::{Arg, ArgMatches, Command};
use clap_complete::Shell;

use crate::exit_status;
use crate::{flags, report};

/// The line of bash's script that says what stands in front of the word.
const BASH_PREVIOUS: &str = "    prev=\"$3\"\n";

/// bash takes `--color=au` for three words.
const BASH_EQUALS: &str = "    [[ $prev != = ]] || prev=\"${COMP_WORDS[COMP_CWORD-2]}\"\n";

/// Prints completions for a shell.
pub(crate) fn print(matches: &ArgMatches) -> u8 {
    let Some(shell) = matches.get_one::<Shell>("shell") else { return exit_status::FAILED };
    report::print(script(*shell).as_bytes())
}

fn script(shell: Shell) -> String {
    let mut command = flags::fewer();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "fewer", &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    match shell {
        Shell::Bash => {
            script = script.replace(BASH_PREVIOUS, &format!("{BASH_PREVIOUS}{BASH_EQUALS}"));
        }
        Shell::Fish => add_words_of_verbs(&command, &mut script),
        Shell::PowerShell => powershell::complete(&command, &mut script),
        _ => {}
    }
    script
}

/// Adds what stands behind a verb and is no flag, such as the name of a shell: the generator leaves
/// it out for fish.
fn add_words_of_verbs(command: &Command, script: &mut String) {
    for verb in command.get_subcommands() {
        let words: Vec<String> = verb.get_positionals().flat_map(values).collect();
        if !words.is_empty() {
            let (verb, words) = (verb.get_name(), words.join(" "));
            // Writing to memory does not fail.
            let _ = writeln!(
                script,
                "complete -c fewer -n \"__fish_fewer_using_subcommand {verb}\" -f -a \"{words}\""
            );
        }
    }
}

/// The values that are completed.
fn values(flag: &Arg) -> Vec<String> {
    flag.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::io::{ErrorKind, Write};
    use std::process::{Command as Process, Stdio};

    use super::*;

    /// A line as far as it is typed, the words that come next, and whether no other may.
    type Question = (String, BTreeSet<String>, bool);

    fn questions(command: &Command, typed: &str, to: &mut Vec<Question>) {
        for flag in command.get_arguments() {
            let values = BTreeSet::from_iter(values(flag));
            let Some(first) = values.first() else { continue };
            if flag.is_positional() {
                to.push((format!("{typed} "), values, false));
                continue;
            }
            let needs_equals = flag.is_require_equals_set();
            let letter = flag.get_short().filter(|_| !needs_equals);
            to.extend(letter.map(|letter| (format!("{typed} -{letter} "), values.clone(), true)));
            let Some(name) = flag.get_long() else { continue };
            to.push((format!("{typed} --{name}="), values.clone(), true));
            if needs_equals {
                let letter = &first[..1];
                let begun = values.iter().filter(|value| value.starts_with(letter));
                to.push((format!("{typed} --{name}={letter}"), begun.cloned().collect(), true));
            } else {
                to.push((format!("{typed} --{name} "), values, true));
            }
        }
        for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help") {
            questions(verb, &format!("{typed} {}", verb.get_name()), to);
        }
    }

    /// What a shell completes at the ends of lines; `None` if it is not installed.
    fn answers(shell: Shell, words: &[&str], lines: &str) -> Option<Vec<BTreeSet<String>>> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("script");
        std::fs::write(&file, script(shell)).unwrap();
        let asker = format!("{}/tests/completions/ask.{shell}", env!("CARGO_MANIFEST_DIR"));
        let mut process = Process::new(words[0]);
        process.args(&words[1..]).args([asker.as_ref(), file.as_os_str()]);
        process.current_dir(folder.path()).env("HOME", folder.path());
        let mut process = match process.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() {
            Err(error) if error.kind() == ErrorKind::NotFound => return None,
            started => started.unwrap(),
        };
        process.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        let output = process.wait_with_output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let mut answers = vec![BTreeSet::new()];
        for line in printed.lines() {
            match line {
                "" => answers.push(BTreeSet::new()),
                word => answers.last_mut().unwrap().extend([word.to_owned()]),
            }
        }
        answers.pop();
        Some(answers)
    }

    #[test]
    fn shells_complete_all_values_that_the_table_has() {
        let mut command = flags::fewer();
        command.build();
        let mut questions_asked = Vec::new();
        questions(&command, "fewer", &mut questions_asked);
        assert!(questions_asked.len() > 30);
        let lines: String = questions_asked.iter().map(|(line, ..)| format!("{line}\n")).collect();
        for (shell, words) in [
            (Shell::Bash, &["bash", "--norc", "--noprofile"][..]),
            (Shell::Fish, &["fish", "--no-config"]),
            (Shell::Zsh, &["zsh", "-f"]),
        ] {
            let Some(answers) = answers(shell, words, &lines) else {
                eprintln!("skipped: {shell} is not installed");
                continue;
            };
            assert_eq!(answers.len(), questions_asked.len(), "{shell}");
            for ((line, expected, alone), answer) in questions_asked.iter().zip(answers) {
                // fish completes the whole word.
                let typed = line.rfind(' ').unwrap() + 1..line.rfind([' ', '=']).unwrap() + 1;
                let word = &line[typed];
                let answer: BTreeSet<String> = answer
                    .iter()
                    .map(|it| it.strip_prefix(word).unwrap_or(it).to_owned())
                    .collect();
                let is_right =
                    if *alone { answer == *expected } else { answer.is_superset(expected) };
                assert!(is_right, "{shell}: {line}: {answer:?}, not {expected:?}");
            }
        }
    }
}
