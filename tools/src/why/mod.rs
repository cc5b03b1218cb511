//! `why`: runs the programs of `cases/why/` under `fewer why`. In a wasteful one it must find what
//! the label says and nothing else, in its mended twin nothing; and both must print the same.
//! `cases/why/README.md` describes the labels.
//!
//! A program passes through: `label` (parse it) → `builder` (build it) → `program_folder` (make its
//! tree, run it) → `report` (the report of `fewer why`) → `judge`. `ordinary` is about programs of
//! the system, `savings` about whether what a report promises is what the twin saves, `proofs`
//! about what `fewer why --prove` says.

mod builder;
mod judge;
mod label;
mod ordinary;
mod program_folder;
mod proofs;
mod report;
mod savings;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::checkout;
use crate::tally::Tally;
use builder::Builder;
use label::{Corpus, Program};
use program_folder::{Judge, Outcome, ProgramFolder, Side, most_frequent};

/// The prices of calls for these runs, so that neither the machine nor the moment decides.
const PRICES: &str = "prices.toml";

/// How many programs are judged at a time, if there are processors for them.
const JOBS: usize = 4;

/// What to do with each program.
#[derive(Clone, Copy, PartialEq)]
enum Act {
    Judge,
    List,
    /// Count calls with strace instead, to write labels by.
    Count,
    Savings,
    /// Prove remedies.
    Prove,
}

struct Options {
    act: Act,
    judge: Judge,
    target: PathBuf,
    names: Vec<String>,
    /// Also the further programs of slow languages.
    all: bool,
    jobs: usize,
    keep: bool,
}

pub(crate) fn run(arguments: &[String]) -> Result<Tally, String> {
    let root = checkout::root()?;
    let options = options(arguments, &root)?;
    let corpus = label::read(&root.join("cases/why"))?;
    let mut tally = Tally::default();
    let builder = Builder::new(&root, &options.target)?;
    match options.act {
        Act::Savings => println!("{}", savings::HEAD),
        Act::Prove => println!("{}", proofs::HEAD),
        _ => {}
    }
    let chosen: Vec<&Program> = match options.all || !options.names.is_empty() {
        true => corpus.programs.iter().filter(|it| wanted(&options, &it.full())).collect(),
        false if options.act == Act::Prove => corpus.programs.iter().collect(),
        false => corpus.usual(),
    };
    let chosen = match options.act {
        Act::Prove => chosen.into_iter().filter(|it| !it.proves.is_empty()).collect(),
        _ => chosen,
    };
    if options.act == Act::List {
        chosen.iter().for_each(|program| println!("{}", program.full()));
        return Ok(Tally { skipped: chosen.len(), passed: 1, ..tally });
    }
    for (program, done) in chosen.iter().zip(all(&options, &corpus, &chosen, &builder)) {
        match done {
            Done::Skipped(why) => {
                println!("skipped: {}: {why}", program.full());
                tally.skipped += 1;
            }
            Done::Judged(failures) => report(&program.full(), failures, &mut tally),
        }
    }
    let left = corpus.programs.len() - chosen.len();
    if left > 0 && options.names.is_empty() && options.act != Act::Prove {
        println!("left out: {left} programs of slow languages; --all takes them");
    }
    if matches!(options.act, Act::Judge | Act::Count) {
        ordinary(&options, &corpus, &builder, &mut tally)?;
    }
    Ok(tally)
}

/// The result of a program.
enum Done {
    Skipped(String),
    Judged(Result<Vec<String>, String>),
}

/// All programs, by several workers; results are in order. Each has a folder of its own, and only
/// counts are judged: two do not disturb each other.
fn all(options: &Options, corpus: &Corpus, programs: &[&Program], builder: &Builder) -> Vec<Done> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Done)>> = Mutex::default();
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(program) = programs.get(at) else { break };
            let result = match corpus.missing(program) {
                Some(why) => Done::Skipped(why),
                None => Done::Judged(one(options, corpus, program, builder)),
            };
            done.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..options.jobs {
            scope.spawn(work);
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, done)| done).collect()
}

fn report(name: &str, failures: Result<Vec<String>, String>, tally: &mut Tally) {
    let failures = failures.unwrap_or_else(|why| vec![why]);
    for failure in &failures {
        println!("failed: {name}: {failure}");
    }
    tally.count(failures.is_empty());
}

/// The failures of a program or its twin.
fn one(
    options: &Options,
    corpus: &Corpus,
    program: &Program,
    builder: &Builder,
) -> Result<Vec<String>, String> {
    let ready = builder.make(corpus, program)?;
    let mut program_folder = ProgramFolder::new(program, &ready, options.keep)?;
    if options.act == Act::Savings {
        let compared = savings::compare(program, &mut program_folder, options, builder)?;
        println!("{compared}");
        return Ok(Vec::new());
    }
    if options.act == Act::Prove {
        return proofs::judge(program, &mut program_folder, &options.judge);
    }
    let mut failures = Vec::new();
    let mut printed: Vec<Vec<u8>> = Vec::new();
    for side in [Side::Wasteful, Side::Mended] {
        program_folder.set()?;
        let Outcome { stdout, failure, .. } = if options.act == Act::Count {
            let (outcome, calls) = program_folder.count(side)?;
            println!("{} ({side}): {}", program.full(), most_frequent(&calls));
            outcome
        } else {
            let finds = if side == Side::Wasteful { &program.finds[..] } else { &[] };
            let (outcome, report) = program_folder.why(side, &options.judge)?;
            let placeholders = builder.placeholders(program, side, &program_folder);
            let found = judge::judge(finds, &report, &placeholders);
            failures.extend(found.into_iter().map(|failure| format!("{side}: {failure}")));
            outcome
        };
        failures.extend(failure.map(|failure| format!("{side}: {failure}")));
        printed.push(stdout);
        printed.push(program_folder.left_behind(program)?);
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
    builder: &Builder,
    tally: &mut Tally,
) -> Result<(), String> {
    let named: Vec<_> =
        corpus.ordinary.iter().filter(|program| wanted(options, &program.full())).collect();
    if named.is_empty() {
        return Ok(());
    }
    let scene = ordinary::Scene::new(&corpus.scene, builder, options.keep)?;
    for program in named {
        if let Some(why) = label::not_installed(&program.needs) {
            println!("skipped: {}: {why}", program.full());
            tally.skipped += 1;
            continue;
        }
        let failures = match options.act {
            Act::Count => scene.count(program),
            _ => scene.judge(program, &options.judge),
        };
        report(&program.full(), failures, tally);
    }
    Ok(())
}

fn options(arguments: &[String], root: &Path) -> Result<Options, String> {
    let target = checkout::target(root)?;
    let mut options = Options {
        act: Act::Judge,
        judge: Judge {
            fewer: target.join("release/fewer"),
            prices: Some(root.join("cases/why").join(PRICES)),
        },
        target,
        names: Vec::new(),
        all: false,
        jobs: std::thread::available_parallelism().map_or(1, usize::from).min(JOBS),
        keep: false,
    };
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--fewer" => {
                // Programs run in other folders.
                let path = Path::new(arguments.next().ok_or("--fewer PATH")?);
                options.judge.fewer =
                    path.canonicalize().map_err(|why| format!("{}: {why}", path.display()))?;
            }
            "--list" => options.act = Act::List,
            "--count" => options.act = Act::Count,
            "--savings" => {
                options.act = Act::Savings;
                // This is about seconds.
                options.judge.prices = None;
                options.jobs = 1;
            }
            "--prove" => {
                options.act = Act::Prove;
                options.jobs = 1;
            }
            "--all" => options.all = true,
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
