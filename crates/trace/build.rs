//! Packs texts that are read only when there is a finding, or when a page is written: a third as
//! large so. `src/packed.rs` unpacks them. And compiles the functions that `why --prove` puts in
//! front of those of the C library.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, error, fs, io};

use flate2::Compression;
use flate2::write::GzEncoder;

/// What is packed, and of which files below `src`: those of one purpose together, which takes a
/// fifth less.
const TEXTS: &[(&str, &[&str])] = &[
    ("remedies.toml", &["explain/remedies.toml"]),
    ("node.cjs", &["source/preload/node.cjs"]),
    ("substitutes.toml", &["explain/substitutes.toml"]),
    ("page.css", &["report/html/page.css"]),
    (
        "script.js",
        &[
            "report/html/dom.js", "report/html/findings.js", "report/html/timeline.js",
            "report/html/flame.js", "report/html/search.js", "report/html/tables.js",
            "report/html/page.js",
        ],
    ),
];

fn main() -> Result<(), Box<dyn error::Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    for (name, files) in TEXTS {
        let files: Vec<PathBuf> = files.iter().map(|file| Path::new("src").join(file)).collect();
        for file in &files {
            println!("cargo::rerun-if-changed={}", file.display());
        }
        pack(&files, &out.join(format!("{name}.gz")))?;
    }
    let library = out.join("functions.so");
    compile_functions(&library)?;
    pack(&[library], &out.join("functions.so.gz"))?;
    Ok(())
}

fn pack(files: &[PathBuf], packed: &Path) -> io::Result<()> {
    let mut encoder = GzEncoder::new(fs::File::create(packed)?, Compression::best());
    for file in files {
        match file.extension().is_some_and(|it| it == "js" || it == "cjs") {
            true => encoder.write_all(bare(&fs::read_to_string(file)?).as_bytes())?,
            false => drop(io::copy(&mut fs::File::open(file)?, &mut encoder)?),
        }
    }
    encoder.finish().map(drop)
}

/// A program in JavaScript without what is for readers: comments that have lines of their own, and
/// indentation. No text in it goes over several lines.
fn bare(program: &str) -> String {
    let lines = program.lines().map(str::trim_start);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Where the functions are that are loaded before those of the C library.
const FUNCTIONS: &str = "src/source/preloaded";

/// Compiles them to a shared library without any other. Where that cannot be done, because there
/// is no linker for that machine, say, the file is empty: `why --prove` says so.
fn compile_functions(library: &Path) -> Result<(), Box<dyn error::Error>> {
    println!("cargo::rerun-if-changed={FUNCTIONS}");
    fs::write(library, [])?;
    if env::var("CARGO_CFG_TARGET_OS")? != "linux" {
        return Ok(());
    }
    let mut rustc = Command::new(env::var("RUSTC")?);
    rustc.args(["--edition=2024", "--crate-type=cdylib", "--crate-name=functions"]);
    // With musl a shared library is made only so; this one has nothing of musl in it.
    rustc.arg("-Ctarget-feature=-crt-static");
    rustc.args(["-Copt-level=s", "-Cpanic=abort", "-Cstrip=symbols", "-Clink-arg=-nostdlib"]);
    // Small: it is part of the command. Nothing is unwound in there.
    rustc.args([
        "-Cforce-unwind-tables=no", "-Ccodegen-units=1", "-Clink-arg=-Wl,--hash-style=sysv",
    ]);
    rustc.arg(format!("--target={}", env::var("TARGET")?));
    if let Ok(linker) = env::var("RUSTC_LINKER") {
        rustc.arg(format!("-Clinker={linker}"));
    }
    let made = rustc.arg("-o").arg(library).arg(Path::new(FUNCTIONS).join("lib.rs")).output()?;
    if !made.status.success() {
        println!("cargo::warning=no functions for why --prove: the linker made no library");
        fs::write(library, [])?;
    }
    Ok(())
}
