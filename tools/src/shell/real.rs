//! Scripts of this machine, run by `fewer sh` and by the shell of their first line: output, status
//! and files left behind must be the same. `cases/sh/real/*.toml` lists them, with arguments with
//! which they do no harm.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::compare::differences;
use super::format::{Files, Outcome};
use super::script_folder::{Run, ScriptFolder};
use super::{Options, Shell};
use crate::cases::bytes::show;
use crate::checkout;
use crate::tally::Tally;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Script {
    /// Its full path, or that of a file that `before` makes.
    path: String,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    stdin: String,
    /// More variables; `{root}` in them is this checkout.
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// Commands for dash that make what the script works on.
    #[serde(default)]
    before: String,
    /// Programs that it needs.
    #[serde(default)]
    needs: Vec<String>,
    /// Prefixes of the names of files whose content differs in each run.
    #[serde(default)]
    volatile: Vec<String>,
    /// Whether its output differs in each run, because it prints how long it takes, say.
    #[serde(default)]
    volatile_stdout: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    script: Vec<Script>,
}

/// Runs all scripts of the table whose path or arguments contain the words.
pub(super) fn run(options: &Options, root: &Path) -> Result<Tally, String> {
    let scripts = read(&root.join("cases/sh/real"))?;
    let script_folder = ScriptFolder::new(options.keep)?;
    let mut tally = Tally::default();
    for script in &scripts {
        let full = format!("{} {}", script.path, script.args.join(" "));
        if !options.words.iter().all(|word| full.contains(word)) {
            continue;
        }
        let path = PathBuf::from(&script.path);
        if let Some(why) = missing(script, &path) {
            println!("skipped: {full}: {why}");
            tally.skipped += 1;
            continue;
        }
        let wrong = one(options, &script_folder, script, root).unwrap_or_else(|why| vec![why]);
        for what in &wrong {
            println!("failed: {full}: {what}");
        }
        tally.count(wrong.is_empty());
    }
    Ok(tally)
}

/// All scripts of the tables in a folder.
fn read(folder: &Path) -> Result<Vec<Script>, String> {
    let mut scripts = Vec::new();
    for name in ["usr-bin", "system"] {
        let file = folder.join(name).with_extension("toml");
        let wrong = |why: String| format!("{}: {why}", file.display());
        let text = fs::read_to_string(&file).map_err(|why| wrong(why.to_string()))?;
        let table: Table = toml::from_str(&text).map_err(|why| wrong(why.to_string()))?;
        scripts.extend(table.script);
    }
    Ok(scripts)
}

fn missing(script: &Script, path: &Path) -> Option<String> {
    // A script that is made for the run does not exist yet.
    let made = path.is_relative() && !script.before.is_empty();
    if !made && !path.is_file() {
        return Some("not on this machine".to_owned());
    }
    let absent = script.needs.iter().find(|program| !checkout::has_program(program));
    absent.map(|program| format!("{program} is not installed"))
}

fn one(
    options: &Options,
    script_folder: &ScriptFolder,
    script: &Script,
    root: &Path,
) -> Result<Vec<String>, String> {
    let (expected, _) = outcome(&Shell::Judges, script_folder, script, root)?;
    let (got, stderr) = outcome(&options.shell, script_folder, script, root)?;
    let mut wrong = differences(&expected, &got);
    if !wrong.is_empty() && !stderr.is_empty() {
        wrong.push(format!("stderr: {}", show(&stderr)));
    }
    Ok(wrong)
}

fn outcome(
    shell: &Shell,
    script_folder: &ScriptFolder,
    script: &Script,
    root: &Path,
) -> Result<(Outcome, Vec<u8>), String> {
    script_folder.set(&Files::new(), &[])?;
    let root = root.to_string_lossy();
    let fill = |(name, text): (&String, &String)| (name.clone(), text.replace("{root}", &root));
    let env: Vec<(String, String)> = script.env.iter().map(fill).collect();
    if !script.before.is_empty() {
        let before = Run {
            front: vec![checkout::program("dash")?.into(), "-e".into()],
            script: script.before.as_bytes(),
            env: env.clone(),
            ..Run::default()
        };
        let (made, stderr) = script_folder.run(&before)?;
        if made.status != 0 {
            return Err(format!("its preparation failed: {}", show(&stderr)));
        }
    }
    // A full path stays as it is.
    let path = script_folder.beside("t").join(&script.path);
    let (interpreter, flags) = interpreter(&path)?;
    let mut front: Vec<OsString> = match shell {
        Shell::Fewer(fewer) => vec![fewer.into(), "sh".into()],
        Shell::Bare { words, .. } | Shell::Elsewhere(words) => {
            words.iter().cloned().chain(["sh".into()]).collect()
        }
        Shell::Judges => interpreter.iter().map(OsString::from).collect(),
        Shell::Other(words) => words.iter().map(OsString::from).collect(),
    };
    front.extend(flags.iter().map(OsString::from));
    let run = Run {
        front,
        at: Some(path),
        args: script.args.iter().map(|arg| arg.as_bytes().to_vec()).collect(),
        stdin: script.stdin.as_bytes().to_vec(),
        env,
        ..Run::default()
    };
    let (mut outcome, stderr) = script_folder.run(&run)?;
    let is_volatile =
        |name: &[u8]| script.volatile.iter().any(|start| name.starts_with(start.as_bytes()));
    outcome.left.retain(|name, _| !is_volatile(name));
    if script.volatile_stdout {
        outcome.stdout.clear();
    }
    Ok((outcome, stderr))
}

/// The shell of a script's first line, and its flags.
fn interpreter(path: &Path) -> Result<(Vec<String>, Vec<String>), String> {
    let wrong = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let mut line = Vec::new();
    let file = fs::File::open(path).map_err(|why| wrong(&why))?;
    BufReader::new(file).read_until(b'\n', &mut line).map_err(|why| wrong(&why))?;
    let line = String::from_utf8_lossy(&line);
    let words = line.strip_prefix("#!").ok_or_else(|| wrong(&"it names no shell"))?;
    let words = words.split_whitespace().map(str::to_owned);
    let (flags, interpreter) = words.partition(|word: &String| word.starts_with('-'));
    Ok((interpreter, flags))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_line_names_a_shell_and_flags() {
        let file = std::env::temp_dir().join(format!("fewer-first-line-{}", std::process::id()));
        let read = |text: &str| {
            fs::write(&file, text).unwrap();
            interpreter(&file)
        };
        assert_eq!(read("#! /bin/sh -e\nx").unwrap(), (vec!["/bin/sh".into()], vec!["-e".into()]));
        let (words, flags) = read("#!/usr/bin/env bash\n").unwrap();
        assert_eq!((words.join(" ").as_str(), flags.len()), ("/usr/bin/env bash", 0));
        assert!(read("no shell").is_err());
        fs::remove_file(&file).unwrap();
    }
}
