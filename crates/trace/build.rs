//! Packs texts that are read only when there is a finding, or when a page is written: a third as
//! large so. `src/packed.rs` unpacks them. And compiles the functions that `why --prove` puts in
//! front of those of the C library.

use std::path::Path;
use std::process::Command;
use std::{env, error, fs, io};

use flate2::Compression;
use flate2::write::GzEncoder;

/// What is packed, below `src`; no two have one name.
const TEXTS: &[(&str, &[&str])] = &[
    ("explain", &["remedies.toml", "substitutes.toml"]),
    (
        "report/html",
        &[
            "page.css", "dom.js", "findings.js", "timeline.js", "flame.js", "search.js",
            "tables.js", "page.js",
        ],
    ),
];

fn main() -> Result<(), Box<dyn error::Error>> {
    let out = env::var("OUT_DIR")?;
    for (folder, names) in TEXTS {
        for name in *names {
            let text = Path::new("src").join(folder).join(name);
            println!("cargo::rerun-if-changed={}", text.display());
            pack(&text, &Path::new(&out).join(format!("{name}.gz")))?;
        }
    }
    let library = Path::new(&out).join("functions.so");
    compile_functions(&library)?;
    pack(&library, &Path::new(&out).join("functions.so.gz"))?;
    Ok(())
}

fn pack(file: &Path, packed: &Path) -> io::Result<()> {
    let mut encoder = GzEncoder::new(fs::File::create(packed)?, Compression::best());
    io::copy(&mut fs::File::open(file)?, &mut encoder)?;
    encoder.finish().map(drop)
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
