//! Random scripts run by two shells: whatever they print, how they end and what they leave must be
//! the same. `script` writes them out of `words` and `idioms`, from a seed; `broken` puts faults
//! into them if asked to; `shrink` makes those that show a difference short.

mod broken;
mod dice;
mod idioms;
mod script;
mod shrink;
mod words;

use std::ffi::OsString;

use super::compare::differences;
use super::format::{Dialect, Files};
use super::stage::{HANGS, Run, Stage};
use super::{Options, Shell};
use crate::tally::Tally;
use dice::Dice;
use script::Script;

/// Of more failures than these only the seeds are shown: making them small takes a while.
const MOST_SHRUNK: usize = 5;

/// The status of what SIGXCPU has ended: the scripts limit themselves.
const OUT_OF_TIME: i32 = 128 + 24;

/// Runs the scripts of so many seeds.
pub(super) fn run(options: &Options, count: u64, first: u64) -> Result<Tally, String> {
    let stage = Stage::new(options.keep)?;
    let mut tally = Tally::default();
    println!("seeds {first} to {}", first + count.saturating_sub(1));
    for seed in first..first + count {
        for dialect in [Dialect::Posix, Dialect::Bash, Dialect::Ksh] {
            if !options.dialects.contains(&dialect) {
                continue;
            }
            let mut script = script::script(seed, dialect);
            if options.broken {
                script.middle = broken::broken(&script.middle, &mut Dice::new(seed));
            }
            let wrong = compare(options, &stage, &script.text(), dialect)?;
            tally.count(wrong.is_empty());
            if wrong.is_empty() {
                continue;
            }
            if tally.failed > MOST_SHRUNK {
                println!("failed: seed {seed} ({dialect}): {}", wrong[0]);
            } else {
                report(options, &stage, seed, &script, dialect)?;
            }
        }
    }
    Ok(tally)
}

/// What is different between the judge and the other.
fn compare(
    options: &Options,
    stage: &Stage,
    script: &str,
    dialect: Dialect,
) -> Result<Vec<String>, String> {
    let run = |shell: &Shell| {
        stage.set(&Files::new(), &[])?;
        let front = shell.front(dialect)?;
        stage.run(&Run { front, script: script.as_bytes(), ..Run::default() })
    };
    let (expected, _) = run(&Shell::Judges)?;
    // A loop that grows the file it reads, say: nothing can be learnt from it.
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
    stage: &Stage,
    seed: u64,
    script: &Script,
    dialect: Dialect,
) -> Result<(), String> {
    let front = checker(dialect)?;
    let small = shrink::shrink(&script.middle, |middle| {
        let text = &script.around(middle);
        // Two shells find the same script wrong at different places: that is another matter.
        let check = Run { front: front.clone(), script: text.as_bytes(), ..Run::default() };
        let is_valid =
            options.broken || stage.run(&check).is_ok_and(|(outcome, _)| outcome.status == 0);
        is_valid && compare(options, stage, text, dialect).is_ok_and(|wrong| !wrong.is_empty())
    });
    println!("failed: seed {seed} ({dialect}); of its middle is needed:\n{small}");
    for what in compare(options, stage, &script.around(&small), dialect)? {
        println!("    {what}");
    }
    Ok(())
}

/// The words that tell whether a script is valid. Of bash's patterns it must know beforehand.
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
