//! Gets what is missing: engines by their install command, own programs by their build command.

use std::path::Path;
use std::process::Command;

use crate::definition::Definition;
use crate::engine::{self, Engine};
use crate::options::Options;

/// Installs and builds what is missing. What cannot be had is said, and is no error: `run` names
/// it again as missing.
pub(crate) fn engines(options: &Options) -> Result<(), String> {
    let bin = options.installed().join("bin");
    std::fs::create_dir_all(&bin).map_err(|error| format!("{}: {error}", bin.display()))?;
    std::fs::create_dir_all(options.installed().join("java")).map_err(|error| error.to_string())?;
    for (name, engine) in engine::load(options)? {
        match set_up(&engine, options) {
            Ok(version) => println!("{name}: {version}"),
            Err(error) => println!("{name}: MISSING: {error}"),
        }
    }
    Ok(())
}

fn set_up(engine: &Engine, options: &Options) -> Result<String, String> {
    if is_stale(engine, options) {
        // A compiler that is missing comes with the install command.
        let build = engine::fill(&engine.build, options, Path::new(""));
        if run(&build, options).is_err() && !engine.install.is_empty() {
            install(engine, options)?;
            run(&build, options)?;
        }
    }
    if engine.find(options).is_err() && engine.build.is_empty() && !engine.install.is_empty() {
        install(engine, options)?;
    }
    engine.find(options).map(|(_, version)| version)
}

/// Whether there is something to build that is not there or is older than its source.
fn is_stale(engine: &Engine, options: &Options) -> bool {
    let Some(built) = engine.built_path(options) else { return false };
    let time = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    let source = engine.built_from.as_ref().and_then(|from| time(&options.bench.join(from)));
    time(&built).is_none_or(|built| source.is_some_and(|source| source > built))
}

fn install(engine: &Engine, options: &Options) -> Result<(), String> {
    let command = engine::fill(&engine.install, options, Path::new(""));
    if command[0] == "apt-get" && !rustix::process::geteuid().is_root() {
        return Err(format!("install it as root: {}", command.join(" ")));
    }
    run(&command, options)
}

/// Builds the fewer of this checkout, unless another one was given, its library for other
/// languages, and those that are measured with it. A fewer that cannot be built is an error; any
/// other is missing then, which `run` says.
pub(crate) fn build_fewer(options: &Options, definitions: &[Definition]) -> Result<(), String> {
    if !options.build {
        return Ok(());
    }
    if options.fewer.is_none() {
        build(options, &["--bin", "fewer"])?;
    }
    let unwinds = "profile.release.panic='unwind'";
    build(options, &["--package", "fewer-ffi", "--config", unwinds])?;
    for (name, engine) in engine::load(options)? {
        let wanted = |definition: &Definition| {
            let labels = definition.labels(options);
            let all = labels.iter().chain(definition.helpers());
            all.into_iter().any(|label| engine::name_of(label) == name)
        };
        if !engine.of_this_checkout || !definitions.iter().any(wanted) {
            continue;
        }
        // What was built before must not be measured if it cannot be built now.
        if let Some(built) = engine.built_path(options) {
            let _ = std::fs::remove_file(built);
        }
        if let Err(error) = run(&engine::fill(&engine.build, options, Path::new("")), options) {
            eprintln!("{name}: {error}");
        }
    }
    Ok(())
}

/// Where engines.toml looks for it, whatever folder cargo is told to use by its environment.
fn build(options: &Options, what: &[&str]) -> Result<(), String> {
    let workspace = options.bench.join("..");
    let manifest = workspace.join("Cargo.toml").to_string_lossy().into_owned();
    let target = workspace.join("target").to_string_lossy().into_owned();
    let places = ["--manifest-path", &manifest, "--target-dir", &target];
    let words = ["cargo", "build", "--release"].iter().chain(what).chain(&places);
    run(&words.map(|word| (*word).to_owned()).collect::<Vec<_>>(), options)
}

fn run(command: &[String], options: &Options) -> Result<(), String> {
    eprintln!("+ {}", command.join(" "));
    let mut process = Command::new(&command[0]);
    process
        .args(&command[1..])
        .current_dir(&options.bench)
        .env("DEBIAN_FRONTEND", "noninteractive");
    let status = process.status().map_err(|error| format!("{}: {error}", command[0]))?;
    if status.success() { Ok(()) } else { Err(format!("{} failed: {status}", command.join(" "))) }
}
