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

/// A kind of waste whose snippets use packages that need not be installed, or never end, and the
/// languages in which they are compiled all the same.
const WATCHERS: (&str, &[&str]) = ("file-poll", &["c", "cpp", "go", "java", "rust"]);
const REMEDIES: &str = "crates/trace/src/explain/remedies.toml";
const SUBSTITUTES: &str = "crates/trace/src/explain/substitutes.toml";

/// How the snippets of a language are checked: a file in `tools/snippets`, and a program with its
/// words. With `{source}` among them, all snippets are compiled at once, each as a function of the
/// frame. Without, the program runs the frame with a folder of snippets and one to write to.
struct Frame {
    language: &'static str,
    file: &'static str,
    command: &'static [&'static str],
}

const fn frame(
    language: &'static str,
    file: &'static str,
    command: &'static [&'static str],
) -> Frame {
    Frame { language, file, command }
}

const FRAMES: &[Frame] = &[
    frame(
        "c",
        "frame.c",
        &[
            "cc", "-std=gnu17", "-fsyntax-only", "-Werror=implicit-function-declaration",
            "-Werror=int-conversion", "-Werror=incompatible-pointer-types", "{source}",
        ],
    ),
    frame("cpp", "frame.cpp", &["c++", "-std=c++17", "-fsyntax-only", "{source}"]),
    // Nothing is fetched.
    frame(
        "go",
        "frame.go",
        &[
            "env", "GOPROXY=off", "GOTOOLCHAIN=local", "GOFLAGS=", "go", "build", "-gcflags=-e",
            "-o", "{work}/frame", "{source}",
        ],
    ),
    frame("java", "frame.java", &["javac", "-proc:none", "-d", "{work}", "{source}"]),
    frame(
        "rust",
        "frame.rust",
        &[
            "rustc", "--edition=2024", "--crate-type=lib", "--crate-name=frame", "--emit=metadata",
            "-Awarnings", "--out-dir={work}", "{source}",
        ],
    ),
    frame("python", "frame.py", &["python3"]),
    frame("node", "frame.js", &["node"]),
    frame("ruby", "frame.rb", &["ruby"]),
    frame("perl", "frame.pl", &["perl"]),
    frame("php", "frame.php", &["php"]),
    frame("lisp", "frame.lisp", &["sbcl", "--script"]),
    frame("shell", "frame.bash", &["bash"]),
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
    for frame in FRAMES {
        let language = frame.language;
        if !wanted.is_empty() && !wanted.iter().any(|name| name == language) {
            continue;
        }
        let folder = scratch.join(language);
        write_all(&folder, language, &advice).map_err(|why| why.to_string())?;
        match check(&folder, frame, &root.join("tools/snippets").join(frame.file)) {
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
        if id == WATCHERS.0 && !WATCHERS.1.contains(&language) {
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
fn check(folder: &Path, frame: &Frame, file: &Path) -> Result<String, String> {
    let (snippets, work) = (folder.join("snippets"), folder.join("work"));
    let is_compiled = frame.command.contains(&"{source}");
    let mut source = file.to_owned();
    if is_compiled {
        source = folder.join(frame.file);
        let text = with_functions(&snippets, file).map_err(|why| why.to_string())?;
        fs::write(&source, text).map_err(|why| why.to_string())?;
    }
    let fill = |word: &&str| {
        let word = word.replace("{source}", &source.to_string_lossy());
        word.replace("{work}", &work.to_string_lossy())
    };
    let mut words = frame.command.iter().map(fill);
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words);
    if !is_compiled {
        command.arg(source).arg(snippets).arg(&work);
    }
    command.stdin(process::Stdio::null());
    let output = command.output().map_err(|why| format!("{}: {why}", frame.command[0]))?;
    let mut failures = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        let complaints = String::from_utf8_lossy(&output.stderr);
        // Go refuses names that nothing uses: what uses them stands around a snippet.
        let is_go = frame.language == "go";
        let is_unused = |it: &str| it.starts_with("# ") || it.contains("declared and not used");
        let left: Vec<_> = complaints.lines().filter(|it| !is_go || !is_unused(it)).collect();
        if !is_go || !left.is_empty() {
            failures += &left.join("\n");
            failures += &format!("\n{}: {}", frame.command[0], output.status);
        }
    }
    Ok(failures)
}

/// The frame, in which what stands between the lines EACH and END is there for each snippet.
fn with_functions(snippets: &Path, frame: &Path) -> std::io::Result<String> {
    let frame = fs::read_to_string(frame)?;
    let wrong = || std::io::Error::other("no lines EACH and END in the frame");
    let (head, rest) = frame.split_once("\nEACH\n").ok_or_else(wrong)?;
    let (function, end) = rest.split_once("\nEND\n").ok_or_else(wrong)?;
    let mut text = format!("{head}\n");
    for entry in fs::read_dir(snippets)? {
        let entry = entry?;
        let name = format!("f_{}", entry.file_name().to_string_lossy().replace(['-', '.'], "_"));
        let snippet = fs::read_to_string(entry.path())?;
        text += &function.replace("NAME", &name).replace("SNIPPET", &snippet);
        text += "\n";
    }
    Ok(text + end)
}
