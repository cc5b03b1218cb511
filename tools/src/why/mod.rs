//! `why`: runs the programs of `cases/why/` under `fewer why`. In a wasteful one it must find what
//! the label says and nothing else, in its mended twin nothing; and both must print the same.
//! `cases/why/README.md` describes the labels.
//!
//! A program passes through: `label` (what it says) → `workshop` (build it) → `stage` (make its
//! tree, run it) → `told` (what `fewer why` said) → `judge`. `ordinary` is about programs that
//! everybody has, `savings` about whether the time promised is the time saved.

mod judge;
mod label;
mod ordinary;
mod savings;
mod stage;
mod told;
mod workshop;

use std::path::{Path, PathBuf};

use crate::place;
use crate::tally::Tally;
use label::{Corpus, Program};
use stage::{Outcome, Side, Stage};
use workshop::Workshop;

/// What is done with each program.
#[derive(Clone, Copy, PartialEq)]
enum Act {
    Judge,
    List,
    /// Count calls with strace instead, to write labels by.
    Count,
    Savings,
}

struct Options {
    act: Act,
    fewer: PathBuf,
    target: PathBuf,
    names: Vec<String>,
    keep: bool,
}

pub(crate) fn run(arguments: &[String]) -> Result<Tally, String> {
    let root = place::root()?;
    let options = options(arguments, &root)?;
    let corpus = label::read(&root.join("cases/why"))?;
    let mut tally = Tally::default();
    let mut workshop = Workshop::new(&root, &options.target)?;
    for program in corpus.programs.iter().filter(|program| wanted(&options, &program.full())) {
        let name = program.full();
        if options.act == Act::List {
            println!("{name}");
            tally.skipped += 1;
            tally.passed = 1;
        } else if let Some(why) = corpus.missing(program) {
            println!("skipped: {name}: {why}");
            tally.skipped += 1;
        } else {
            let failures = one(&options, &corpus, program, &mut workshop);
            report(&name, failures, &mut tally);
        }
    }
    if matches!(options.act, Act::Judge | Act::Count) {
        ordinary(&options, &corpus, &workshop, &mut tally)?;
    }
    Ok(tally)
}

fn report(name: &str, failures: Result<Vec<String>, String>, tally: &mut Tally) {
    let failures = failures.unwrap_or_else(|why| vec![why]);
    for failure in &failures {
        println!("failed: {name}: {failure}");
    }
    tally.count(failures.is_empty());
}

/// What is wrong with a program or its twin.
fn one(
    options: &Options,
    corpus: &Corpus,
    program: &Program,
    workshop: &mut Workshop,
) -> Result<Vec<String>, String> {
    let ready = workshop.make(corpus, program)?;
    let mut stage = Stage::new(program, &ready, options.keep)?;
    if options.act == Act::Savings {
        return savings::compare(program, &mut stage, &options.fewer).map(|()| Vec::new());
    }
    let mut failures = Vec::new();
    let mut printed: Vec<Vec<u8>> = Vec::new();
    for side in [Side::Wasteful, Side::Mended] {
        stage.set()?;
        let Outcome { stdout, failure, .. } = if options.act == Act::Count {
            let (outcome, calls) = stage.count(side)?;
            println!("{} ({side}): {calls}", program.full());
            outcome
        } else {
            let finds = if side == Side::Wasteful { &program.finds[..] } else { &[] };
            let kinds: Vec<&str> = finds.iter().map(|finds| &*finds.id).collect();
            let (outcome, told) = stage.why(side, &options.fewer, &kinds)?;
            let places = workshop.places(program, side, &stage);
            let found = judge::judge(finds, &told, &places);
            failures.extend(found.into_iter().map(|failure| format!("{side}: {failure}")));
            outcome
        };
        failures.extend(failure.map(|failure| format!("{side}: {failure}")));
        printed.push(stdout);
        printed.push(stage.left_behind(program)?);
    }
    if printed[0] != printed[2] {
        failures.push("the mended twin prints something else".to_owned());
    }
    if printed[1] != printed[3] {
        failures.push("the mended twin writes something else".to_owned());
    }
    Ok(failures)
}

fn ordinary(
    options: &Options,
    corpus: &Corpus,
    workshop: &Workshop,
    tally: &mut Tally,
) -> Result<(), String> {
    let named: Vec<_> =
        corpus.ordinary.iter().filter(|program| wanted(options, &program.full())).collect();
    if named.is_empty() {
        return Ok(());
    }
    let scene = ordinary::Scene::new(&corpus.scene, workshop, options.keep)?;
    for program in named {
        if let Some(why) = label::not_installed(&program.needs) {
            println!("skipped: {}: {why}", program.full());
            tally.skipped += 1;
            continue;
        }
        let failures = match options.act {
            Act::Count => scene.count(program),
            _ => scene.judge(program, &options.fewer),
        };
        report(&program.full(), failures, tally);
    }
    Ok(())
}

fn options(arguments: &[String], root: &Path) -> Result<Options, String> {
    let target = place::target(root)?;
    let mut options = Options {
        act: Act::Judge,
        fewer: target.join("release/fewer"),
        target,
        names: Vec::new(),
        keep: false,
    };
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--fewer" => options.fewer = arguments.next().ok_or("--fewer PATH")?.into(),
            "--list" => options.act = Act::List,
            "--count" => options.act = Act::Count,
            "--savings" => options.act = Act::Savings,
            "--keep" => options.keep = true,
            flag if flag.starts_with('-') => return Err(format!("'{flag}' is not an option")),
            name => options.names.push(name.to_owned()),
        }
    }
    Ok(options)
}

/// Without names all of them; with names those that have one of them in theirs.
fn wanted(options: &Options, full: &str) -> bool {
    options.names.is_empty() || options.names.iter().any(|name| full.contains(name.as_str()))
}
