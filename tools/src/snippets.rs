//! `snippets`: whether the few lines of code in remedies work. Each language has a frame in
//! `tools/snippets` that gives them the names they use, and compiles or runs all of them at once.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::{fs, process};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::checkout;
use crate::tally::Tally;

/// Kinds of waste whose snippets use packages that need not be installed.
const FROM_PACKAGES: &[&str] = &["file-poll"];
const REMEDIES: &str = "crates/trace/src/explain/remedies.toml";
const SUBSTITUTES: &str = "crates/trace/src/explain/substitutes.toml";

/// A language, its program, and the words before the folders of snippets and of work.
const LANGUAGES: &[(&str, &[&str], &str)] = &[
    ("java", &["javac", "-proc:none", "-d"], "frame.java"),
    ("python", &["python3"], "frame.py"),
    ("node", &["node"], "frame.js"),
    ("ruby", &["ruby"], "frame.rb"),
    ("perl", &["perl"], "frame.pl"),
    ("php", &["php"], "frame.php"),
    ("lisp", &["sbcl", "--script"], "frame.lisp"),
    ("shell", &["bash"], "frame.bash"),
];

#[derive(Deserialize)]
struct Advice {
    #[serde(default)]
    snippet: BTreeMap<String, String>,
    #[serde(default)]
    case: BTreeMap<String, Advice>,
}

/// Checks the snippets of all languages, or of those that are named.
pub(crate) fn run(wanted: &[String]) -> Result<Tally, String> {
    let root = checkout::root()?;
    let mut advice: BTreeMap<String, Advice> = read(&root, REMEDIES)?;
    let substitutes: BTreeMap<String, BTreeMap<String, String>> = read(&root, SUBSTITUTES)?;
    advice.extend(substitutes.into_iter().filter(|(program, _)| program != "same").map(
        |(program, snippet)| {
            (format!("instead-of-{program}"), Advice { snippet, case: BTreeMap::new() })
        },
    ));
    let scratch = std::env::temp_dir().join(format!("fewer-snippets-{}", process::id()));
    let mut tally = Tally::default();
    for (language, program, frame) in LANGUAGES {
        if !wanted.is_empty() && !wanted.iter().any(|name| name == language) {
            continue;
        }
        let folder = scratch.join(language);
        write_all(&folder, language, &advice).map_err(|why| why.to_string())?;
        match check(&folder, program, &root.join("tools/snippets").join(frame)) {
            Err(why) => {
                println!("skipped: {language}: {why}");
                tally.skipped += 1;
            }
            Ok(failures) => {
                if !failures.is_empty() {
                    println!("failed: {language}:\n{failures}");
                }
                tally.count(failures.is_empty());
            }
        }
    }
    let _ = fs::remove_dir_all(scratch);
    Ok(tally)
}

fn read<T: DeserializeOwned>(root: &Path, file: &str) -> Result<T, String> {
    let text = fs::read_to_string(root.join(file)).map_err(|why| format!("{file}: {why}"))?;
    toml::from_str(&text).map_err(|why| format!("{file}: {why}"))
}

/// A file for each snippet of a language.
fn write_all(
    folder: &Path,
    language: &str,
    advice: &BTreeMap<String, Advice>,
) -> std::io::Result<()> {
    let snippets = folder.join("snippets");
    fs::create_dir_all(&snippets)?;
    fs::create_dir_all(folder.join("work"))?;
    for (id, advice) in advice {
        if FROM_PACKAGES.contains(&id.as_str()) {
            continue;
        }
        let cases = advice.case.iter().map(|(case, it)| (format!("{id}.{case}"), it));
        for (name, advice) in cases.chain([(id.clone(), advice)]) {
            if let Some(snippet) = advice.snippet.get(language) {
                fs::write(snippets.join(name), format!("{}\n", snippet.trim_end()))?;
            }
        }
    }
    Ok(())
}

/// What is wrong with the snippets in a folder; an error says why they cannot be checked.
fn check(folder: &Path, program: &[&str], frame: &Path) -> Result<String, String> {
    let (snippets, work) = (folder.join("snippets"), folder.join("work"));
    let mut command = Command::new(program[0]);
    command.args(&program[1..]);
    if frame.extension().is_some_and(|it| it == "java") {
        let source = folder.join("Frame.java");
        let text = in_class(&snippets, frame).map_err(|why| why.to_string())?;
        fs::write(&source, text).map_err(|why| why.to_string())?;
        command.arg(work).arg(source);
    } else {
        command.arg(frame).arg(snippets).arg(work);
    }
    command.stdin(process::Stdio::null());
    let output = command.output().map_err(|why| format!("{}: {why}", program[0]))?;
    let mut failures = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        failures += &String::from_utf8_lossy(&output.stderr);
        failures += &format!("{}: {}", program[0], output.status);
    }
    Ok(failures)
}

/// The frame with each snippet as a method of its class.
fn in_class(snippets: &Path, frame: &Path) -> std::io::Result<String> {
    let mut methods = String::new();
    for entry in fs::read_dir(snippets)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().replace(['-', '.'], "_");
        let snippet = fs::read_to_string(entry.path())?;
        methods += &format!("static void {name}() throws Exception {{\n{snippet}}}\n");
    }
    Ok(fs::read_to_string(frame)?.replace("SNIPPETS", &methods))
}
