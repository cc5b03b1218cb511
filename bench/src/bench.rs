//! The journey of one definition: make its tree, find its engines, check what they print, run them
//! in turn, count their calls, judge the targets, write the record.

use std::collections::HashMap;
use std::process::{Command, Stdio};

use crate::conditions::Conditions;
use crate::definition::{Definition, Unit};
use crate::engine::{self, Claim, Contender};
use crate::machine::{self, Machine};
use crate::measure::{self, Sample};
use crate::options::Options;
use crate::record::{self, Missing, Record, Run, Tree};
use crate::rounds::{self, Spread, progress};
use crate::tree::{self, Subject};
use crate::verify::Reference;
use crate::{calls, table, target};

/// Runs one definition and returns its table. `nameless` is why owners have no names, if so.
pub(crate) fn run(
    options: &Options,
    definition: &Definition,
    nameless: &str,
) -> Result<String, String> {
    let subject = tree::subject(&definition.tree)?;
    let (engines, mut missing) = contenders(options, definition)?;
    for Missing { label, reason } in &missing {
        eprintln!("{}: {label} is MISSING: {reason}", definition.name);
    }
    if engines.is_empty() {
        return Ok(format!("{}: WITHOUT any engine that could run", definition.name));
    }
    let conditions = match Conditions::prepare(options, definition, &engines) {
        Ok(conditions) => conditions,
        Err(reason) => return Ok(format!("{}: WITHOUT: {reason}", definition.name)),
    };
    let verdicts =
        if options.verify { verify_in_child(options, definition)? } else { HashMap::new() };
    let rounds = options.rounds.unwrap_or(definition.rounds);
    let unit = definition.unit()?;
    let people = engines.iter().any(|contender| contender.tree.is_of_people());
    let mut machine = Machine::look(&options.trees);
    let outcomes =
        rounds::run(&engines, &options.trees, &definition.name, rounds, definition.stays());
    machine.load_after = machine::load();
    // Not before the rounds: the runner's memory, which is part of it, grows a little.
    let least = least(options, subject)?;
    let mut runs = Vec::new();
    for (contender, outcome) in engines.iter().zip(outcomes) {
        let unchecked = "not checked".to_owned();
        let verdict = verdicts.get(&contender.label).cloned().unwrap_or(unchecked);
        match outcome {
            Ok(samples) => runs.push(Run::new(contender, verdict, &samples)),
            Err(reason) => missing.push(Missing { label: contender.label.clone(), reason }),
        }
    }
    if options.calls {
        let counted = runs.iter_mut().filter(|run| definition.counts(&run.label));
        count_calls(options, &engines, unit, counted);
    }
    record::set_ratios(&mut runs, definition);
    let record = Record {
        date: machine::today(),
        definition: definition.name.clone(),
        about: definition.about.clone(),
        rounds,
        ours: definition.ours.clone(),
        floor: definition.floor.clone(),
        commit: commit(options),
        least_wall_ms: least.0,
        least_peak_kib: least.1,
        machine,
        storage: conditions.storage(definition),
        prepared: conditions.prepared.clone(),
        targets: target::judge(definition, &runs),
        tree: Tree::new(subject),
        unit,
        nameless: if people { nameless.to_owned() } else { String::new() },
        missing,
        runs,
    };
    write(options, &record)
}

fn contenders(
    options: &Options,
    definition: &Definition,
) -> Result<(Vec<Contender>, Vec<Missing>), String> {
    let engines = engine::load(options)?;
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for label in definition.labels(options) {
        let ready = engine::contender(&engines, definition, &label, options);
        let ready = ready.and_then(|contender| {
            make_in_child(options, contender.tree.name())?;
            make_in_child(options, contender.tree.nothing()).map(|()| contender)
        });
        match ready {
            Ok(contender) => found.push(contender),
            Err(reason) => {
                missing.push(Missing { label, reason });
            }
        }
    }
    Ok((found, missing))
}

/// Prints for each engine of a definition `engine:job`, a tab, and `ok` or how it differs.
pub(crate) fn verify(options: &Options, definition: &Definition) -> Result<(), String> {
    let engines = engine::load(options)?;
    let found = contenders(options, definition)?.0;
    let _conditions = match options.as_it_is {
        true => None,
        false => Some(Conditions::prepare(options, definition, &found)?),
    };
    let mut references: Vec<(&str, Reference)> = Vec::new();
    for contender in found {
        let tree = contender.tree.name();
        if !references.iter().any(|(of, _)| *of == tree) {
            let label = format!("{}@{tree}", definition.truth);
            let truth = engine::contender(&engines, definition, &label, options)?;
            references.push((tree, Reference::new(&truth, &options.trees)?));
        }
        let reference = references.iter().find(|(of, _)| *of == tree);
        let difference = reference.and_then(|(_, it)| it.difference(&contender, &options.trees));
        println!("{}\t{}", contender.label, difference.unwrap_or_else(|| "ok".into()));
    }
    Ok(())
}

/// This program again with another verb: what it needs in memory is not the runner's.
fn ourselves(options: &Options, verb: &str, name: &str) -> Result<Command, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.arg("--trees").arg(&options.trees);
    if let Some(fewer) = &options.fewer {
        command.arg("--fewer").arg(fewer);
    }
    if let Some(engines) = &options.engines {
        command.arg("--engines").arg(engines.join(","));
    }
    command.args([verb, name]).stderr(Stdio::inherit());
    Ok(command)
}

fn make_in_child(options: &Options, name: &str) -> Result<(), String> {
    if tree::is_whole(&options.trees, tree::subject(name)?) {
        return Ok(());
    }
    let status = ourselves(options, "make-trees", name)?.status().map_err(|e| e.to_string())?;
    if status.success() { Ok(()) } else { Err(format!("the tree {name} could not be made")) }
}

fn verify_in_child(
    options: &Options,
    definition: &Definition,
) -> Result<HashMap<String, String>, String> {
    eprintln!("{}: checking what is printed", definition.name);
    let output = ourselves(options, "verify", &definition.name)?
        .arg("--as-it-is")
        .output()
        .map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let verdicts = text.lines().filter_map(|line| line.split_once('\t'));
    for (label, verdict) in verdicts.clone().filter(|(_, verdict)| *verdict != "ok") {
        eprintln!("{}: {label} DIFFERS: {verdict}", definition.name);
    }
    Ok(verdicts.map(|(label, verdict)| (label.to_owned(), verdict.to_owned())).collect())
}

/// Median time and peak memory of `true`.
fn least(options: &Options, subject: Subject) -> Result<(f64, u64), String> {
    // By its full path, like the others: a name that has to be searched for is started in another
    // way.
    let program = engine::search("true", options).ok_or("there is no `true`")?;
    let nothing = Contender::plain(&program.to_string_lossy(), Claim::Nothing, subject);
    let samples: Result<Vec<Sample>, String> =
        (0..20).map(|_| measure::run_once(&nothing, &options.trees)).collect();
    let samples = samples?;
    let wall = Spread::new(samples.iter().map(|s| s.wall_ms)).median;
    Ok((wall, samples.iter().map(|s| s.peak_kib).max().unwrap_or(0)))
}

fn count_calls<'a>(
    options: &Options,
    engines: &[Contender],
    unit: Unit,
    runs: impl Iterator<Item = &'a mut Run>,
) {
    for run in runs {
        let Some(contender) = engines.iter().find(|one| one.label == run.label) else { continue };
        progress(&format!("counting the calls of {}", run.label));
        let all = calls::count(contender, &options.trees, contender.tree.name());
        let to_start = calls::count(contender, &options.trees, contender.tree.nothing());
        match (all, to_start) {
            (Ok(all), Ok(to_start)) => run.set_calls(all, to_start, unit),
            (Err(error), _) | (_, Err(error)) => eprintln!("{}: {error}", run.label),
        }
    }
    progress("");
}

fn commit(options: &Options) -> String {
    let output = Command::new("git")
        .args(["describe", "--always", "--dirty"])
        .current_dir(&options.bench)
        .stderr(Stdio::null())
        .output();
    let text = output.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned());
    text.ok().filter(|text| !text.is_empty()).unwrap_or_else(|| "unknown".into())
}

/// Writes the record twice: all numbers as TOML, the table as Markdown.
fn write(options: &Options, record: &Record) -> Result<String, String> {
    let text = toml::to_string(record).map_err(|error| error.to_string())?;
    let table = table::markdown(record);
    let stem = options.record.join(format!("{}-{}", record.date, record.definition));
    let save = |ending: &str, text: &str| {
        let path = stem.with_extension(ending);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    std::fs::create_dir_all(&options.record).map_err(|error| error.to_string())?;
    save("toml", &text)?;
    save("md", &table)?;
    Ok(table)
}
