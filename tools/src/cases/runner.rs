//! Takes the cases one after the other through tree, program and judges.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use super::budget;
use super::bytes::show;
use super::file_system;
use super::format::Case;
use super::interfere::{faults, holding};
use super::judge;
use super::machine::Machine;
use super::spawn::{self, Outcome, Words, expanded};
use super::strace::Calls;
use super::subject::{Subject, not_expressible};
use super::tree::Scratch;
use super::windows;
use crate::tally::Tally;

pub(crate) struct Runner {
    machine: Machine,
    subject: Subject,
    /// Where the folders of cases are made.
    scratch: Scratch,
    log: PathBuf,
    keep: bool,
    /// The file system of the scratch folder.
    native: String,
    /// How many cases were skipped for which reason.
    skips: BTreeMap<String, usize>,
}

/// The result of a case.
enum Verdict {
    /// The failures: none, if it passed.
    Judged(Vec<String>),
    Skipped(String),
}

impl Runner {
    pub(crate) fn new(subject: Subject, scratch: Scratch, keep: bool) -> Result<Runner, String> {
        let native = file_system::kind_of(&scratch.here)?;
        let log = scratch.here.join("strace.log");
        let machine = Machine::look();
        Ok(Runner { machine, subject, scratch, log, keep, native, skips: BTreeMap::new() })
    }

    /// Runs the case on each file system that it names.
    pub(crate) fn everywhere(&mut self, file: &str, case: &Case, tally: &mut Tally) {
        let named = case.on.iter().map(|on| Some(on.as_str()));
        let anywhere = case.on.is_empty().then_some(None);
        for on in named.chain(anywhere) {
            let name = match on {
                Some(on) => format!("{file}: {}, on {on}", case.name),
                None => format!("{file}: {}", case.name),
            };
            let reason = self.machine.why_not(case, on, &self.native);
            let verdict = match reason.or_else(|| self.subject.why_not(file, case)) {
                Some(reason) => Verdict::Skipped(reason),
                None => self.once(case, on, tally).unwrap_or_else(|why| Verdict::Judged(vec![why])),
            };
            match verdict {
                Verdict::Skipped(reason) => {
                    println!("skipped: {name}: {reason}");
                    tally.skipped += 1;
                    *self.skips.entry(reason).or_default() += 1;
                }
                Verdict::Judged(wrong) => {
                    self.complain(&name, case, &wrong);
                    tally.count(wrong.is_empty());
                }
            }
        }
    }

    fn complain(&self, name: &str, case: &Case, wrong: &[String]) {
        if wrong.is_empty() {
            return;
        }
        let words: Vec<String> = case.run.iter().map(|word| show(&word.0)).collect();
        println!("failed: {name}\n    {} {}", self.subject.shown(case), words.join(" "));
        wrong.iter().for_each(|why| println!("    {}", why.replace('\n', "\n    ")));
    }

    /// Says how many cases were skipped for which reason, the most frequent first.
    pub(crate) fn sum_up_skips(&self) {
        let mut skips: Vec<(&String, &usize)> = self.skips.iter().collect();
        skips.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (reason, count) in skips {
            println!("skipped {count:>4}: {reason}");
        }
    }

    /// The result of one run, or why it could not be judged.
    fn once(&mut self, case: &Case, on: Option<&str>, tally: &Tally) -> Result<Verdict, String> {
        let number = tally.passed + tally.failed + tally.skipped;
        let mut scratch = Scratch::new(self.scratch.here.join(number.to_string()), on)?;
        scratch.keep = self.keep;
        scratch.make(&case.tree, None).map_err(|why| format!("cannot make the tree: {why}"))?;
        let (outcome, counted) = self.outcome(case, &mut scratch)?;
        if !self.subject.is_fewer()
            && let Some(reason) = not_expressible(&outcome)
        {
            return Ok(Verdict::Skipped(reason));
        }
        let mut wrong = judge::complaints(case, &outcome);
        if let Some(oracle) = &case.oracle {
            let arguments: Vec<Vec<u8>> = oracle.iter().map(|word| word.0.clone()).collect();
            let (program, rest) = arguments.split_first().ok_or("the oracle is empty")?;
            let words = Words::plain(vec![show(program).into()]).with(rest, &scratch.here);
            let said = spawn::start(case, &scratch.here, &[], words)?.finish()?;
            let said = match &self.subject {
                Subject::Windows { .. } => windows::as_seen(&said.stdout, &scratch.here),
                _ => said.stdout,
            };
            wrong.extend(judge::against_oracle(case, &said, &outcome.stdout));
        }
        if case.has_budget() && self.subject.is_counted() {
            let here = &scratch.here;
            wrong.extend(match (self.subject.programs(case, here), &self.subject) {
                (Some(programs), Subject::Windows { wine, .. }) => {
                    windows::complaints(case, programs, here, wine)?
                }
                (Some(programs), _) => budget::complaints(case, programs, here, &self.log)?,
                (None, _) => budget::complaints_of_resident(case, &counted),
            });
        }
        Ok(Verdict::Judged(wrong))
    }

    /// The outcome of the case's program, and the calls that its library counted, if it reports
    /// them.
    fn outcome(&mut self, case: &Case, scratch: &mut Scratch) -> Result<(Outcome, Calls), String> {
        let here = scratch.here.clone();
        if let Subject::Resident { resident, .. } = &mut self.subject {
            let words: Vec<OsString> = expanded(&case.words(false), &here);
            return resident.ask(&spawn::folder(case, &here), &words);
        }
        let programs = self.subject.programs(case, &here).ok_or("there is nothing to start")?;
        let outcome = match &case.pause {
            Some(_) => self.interrupted(case, scratch, programs.judged)?,
            None => {
                let faults = case.inject.iter().flat_map(|inject| faults(inject, &here, &self.log));
                let tracer: Vec<OsString> = faults.collect();
                spawn::start(case, &here, &tracer, programs.judged)?.finish()?
            }
        };
        Ok((outcome, Calls::new()))
    }

    /// Holds the program at the pause of the case, and does what `meanwhile` says.
    fn interrupted(
        &self,
        case: &Case,
        scratch: &mut Scratch,
        words: Words,
    ) -> Result<Outcome, String> {
        let (here, log) = (scratch.here.clone(), self.log.as_path());
        let pause = case.pause.as_ref().ok_or("the case has no pause")?;
        let _ = fs::remove_file(log);
        let mut running = spawn::start(case, &here, &holding(pause, &here, log), words)?;
        if !running.reaches(log, &pause.before)? {
            let outcome = running.finish()?;
            if not_expressible(&outcome).is_some() {
                return Ok(outcome);
            }
            let of = pause.of.iter().map(|of| format!(" of {}", show(&of.0))).collect::<String>();
            let never = format!("never reached {}{of}", pause.before);
            return Err(format!("{never}; stderr: {}", show(&outcome.stderr)));
        }
        let done = scratch.make(&case.meanwhile, Some(running.process()));
        running.let_go()?;
        let outcome = running.finish()?;
        done.map(|()| outcome).map_err(|why| format!("meanwhile: {why}"))
    }
}
