//! Random scripts run by two shells: output, status and files left behind must be the same.
//! `script` generates them from `words` and `idioms`, by a seed; `syntax_errors` inserts errors;
//! `shrink` shortens those that show a difference.

mod dice;
mod idioms;
mod script;
mod shrink;
mod syntax_errors;
mod words;

use std::ffi::OsString;

use super::compare::differences;
use super::format::{Dialect, Files};
use super::script_folder::{HANGS, Run, ScriptFolder};
use super::{Options, Shell};
use crate::tally::Tally;
use dice::Dice;
use script::Script;

/// Of more failures than these only the seeds are shown: shrinking takes a while.
const MOST_SHRUNK: usize = 5;

/// The status of a script that SIGXCPU has ended: scripts limit their own time.
const OUT_OF_TIME: i32 = 128 + 24;

/// Runs the scripts of so many seeds.
pub(super) fn run(options: &Options, count: u64, first: u64) -> Result<Tally, String> {
    let script_folder = ScriptFolder::new(options.keep)?;
    let mut tally = Tally::default();
    println!("seeds {first} to {}", first + count.saturating_sub(1));
    for seed in first..first + count {
        for dialect in [Dialect::Posix, Dialect::Bash, Dialect::Ksh] {
            if !options.dialects.contains(&dialect) {
                continue;
            }
            let mut script = script::script(seed, dialect);
            if options.broken {
                script.middle = syntax_errors::insert(&script.middle, &mut Dice::new(seed));
            }
            let wrong = compare(options, &script_folder, &script.text(), dialect)?;
            tally.count(wrong.is_empty());
            if wrong.is_empty() {
                continue;
            }
            if tally.failed > MOST_SHRUNK {
                println!("failed: seed {seed} ({dialect}): {}", wrong[0]);
            } else {
                report(options, &script_folder, seed, &script, dialect)?;
            }
        }
    }
    Ok(tally)
}

/// The difference between the reference shell and the other.
fn compare(
    options: &Options,
    script_folder: &ScriptFolder,
    script: &str,
    dialect: Dialect,
) -> Result<Vec<String>, String> {
    let run = |shell: &Shell| {
        script_folder.set(&Files::new(), &[])?;
        let front = shell.front(dialect)?;
        script_folder.run(&Run { front, script: script.as_bytes(), ..Run::default() })
    };
    let (expected, _) = run(&Shell::Judges)?;
    // A loop that grows the file it reads, say: it shows nothing.
    if [HANGS, OUT_OF_TIME].contains(&expected.status) {
        return Ok(Vec::new());
    }
    let (outcome, stderr) = run(&options.shell)?;
    let mut wrong = differences(&expected, &outcome);
    if !wrong.is_empty() && !stderr.is_empty() {
        wrong.push(format!("stderr: {}", crate::cases::bytes::show(&stderr)));
    }
    Ok(wrong)
}

fn report(
    options: &Options,
    script_folder: &ScriptFolder,
    seed: u64,
    script: &Script,
    dialect: Dialect,
) -> Result<(), String> {
    let front = checker(dialect)?;
    let small = shrink::shrink(&script.middle, |middle| {
        let text = &script.around(middle);
        // Two shells report the same syntax error at different places: that is another matter.
        let check = Run { front: front.clone(), script: text.as_bytes(), ..Run::default() };
        let is_valid = options.broken
            || script_folder.run(&check).is_ok_and(|(outcome, _)| outcome.status == 0);
        is_valid
            && compare(options, script_folder, text, dialect).is_ok_and(|wrong| !wrong.is_empty())
    });
    println!("failed: seed {seed} ({dialect}); of its middle is needed:\n{small}");
    for what in compare(options, script_folder, &script.around(&small), dialect)? {
        println!("    {what}");
    }
    Ok(())
}

/// The words that check whether a script is valid. bash must know beforehand about its patterns.
fn checker(dialect: Dialect) -> Result<Vec<OsString>, String> {
    let mut words = Shell::Judges.front(dialect)?;
    if dialect == Dialect::Bash {
        words.extend(["-O".into(), "extglob".into()]);
    }
    words.push("-n".into());
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_scripts_are_valid_and_come_again() {
        for dialect in [Dialect::Posix, Dialect::Bash, Dialect::Ksh] {
            let Ok(front) = checker(dialect) else { continue };
            for seed in 0..40 {
                let text = script::script(seed, dialect).text();
                assert_eq!(text, script::script(seed, dialect).text());
                let mut check = std::process::Command::new(&front[0]);
                let done = check.args(&front[1..]).arg("-c").arg(&text).output().unwrap();
                let said = String::from_utf8_lossy(&done.stderr);
                assert!(done.status.success(), "seed {seed} ({dialect}): {said}\n{text}");
            }
        }
    }
}
