//! Measures walks, listings and line readers: definitions × engines × records.
//!
//! - `definition` what is measured (`definitions/*.toml`), `engine` the programs (`engines.toml`)
//! - `tree` what is walked, listed and read, `people` its owners; `setup` gets missing engines
//! - `bench` the journey of one definition: `verify`, `rounds` of `measure`, `calls`, `target`
//! - `conditions` of the tree: prepared, far away, cold; `namespace` in which it is mounted
//! - `record` what is kept, `table` how it is shown, `machine` where it was
//!
//! The runner stays small in memory, because the kernel never reports a child's peak below that of
//! the process that started it: whatever needs memory is done by this program started anew.

mod bench;
mod calls;
mod conditions;
mod definition;
mod engine;
mod machine;
mod measure;
mod namespace;
mod options;
mod people;
mod record;
mod rounds;
mod setup;
mod table;
mod target;
mod tree;
mod verify;

use std::process::ExitCode;

use definition::Definition;
use options::{Options, USAGE};

fn main() -> ExitCode {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(error) => {
            eprintln!("fewer-bench: {error}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let result = match options.verb.as_str() {
        "setup" => setup(&options),
        "make-trees" => make_trees(&options),
        "run" => run(&options),
        "verify" => verify(&options),
        "list" => list(&options),
        "help" => {
            print!("{USAGE}");
            Ok(())
        }
        _ => Err(format!("no verb {:?}\n{USAGE}", options.verb)),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("fewer-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn setup(options: &Options) -> Result<(), String> {
    for subject in tree::all() {
        if let Err(error) = tree::make(&options.trees, subject) {
            println!("{}: WITHOUT: {error}", subject.name());
        }
    }
    // Of those that are built by `run` anew, `engines` builds what is not there.
    if let Err(error) = setup::build_fewer(options, &[]) {
        println!("fewer: MISSING: {error}");
    }
    setup::engines(options)
}

fn make_trees(options: &Options) -> Result<(), String> {
    let named: Result<Vec<_>, _> = options.names.iter().map(|name| tree::subject(name)).collect();
    let subjects = if options.names.is_empty() { tree::all().collect() } else { named? };
    subjects.into_iter().try_for_each(|subject| {
        tree::make(&options.trees, subject).map_err(|error| format!("{}: {error}", subject.name()))
    })
}

fn run(options: &Options) -> Result<(), String> {
    // A fewer that does not build must not be measured as it was before.
    let definitions = definitions(options)?;
    setup::build_fewer(options, &definitions)
        .map_err(|error| format!("{error}; --no-build goes without"))?;
    // Before anything else is started, so that no other program sees other names.
    let nameless = people::introduce(&options.trees).err().unwrap_or_default();
    for definition in definitions {
        println!("{}", bench::run(options, &definition, &nameless)?);
    }
    Ok(())
}

fn verify(options: &Options) -> Result<(), String> {
    if let Err(reason) = people::introduce(&options.trees) {
        eprintln!("owners WITHOUT names: {reason}");
    }
    definitions(options)?.iter().try_for_each(|definition| bench::verify(options, definition))
}

fn list(options: &Options) -> Result<(), String> {
    for definition in definitions(options)? {
        println!("{}: {}", definition.name, definition.about);
    }
    println!();
    for (name, engine) in engine::load(options)? {
        let found = match engine.find(options) {
            Ok((_, version)) => version,
            Err(reason) => format!("MISSING: {reason}"),
        };
        let jobs: Vec<&str> = engine.jobs.keys().map(String::as_str).collect();
        println!("{name} ({}): {}\n    {found}", jobs.join(", "), engine.about);
    }
    Ok(())
}

/// Those named, else all.
fn definitions(options: &Options) -> Result<Vec<Definition>, String> {
    let names =
        if options.names.is_empty() { Definition::names(options)? } else { options.names.clone() };
    names.iter().map(|name| Definition::load(options, name)).collect()
}
