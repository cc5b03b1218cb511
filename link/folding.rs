//! Functions of the same instructions are kept once, where Rust's own linker does the work: a
//! fortieth of the command. GNU's linker does not have the option.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What tells Rust's own linker to keep one of several equal functions; nothing if there is another
/// linker, or if that is not known.
pub(crate) fn arguments() -> Vec<String> {
    if env::var("PROFILE").is_ok_and(|profile| profile != "release") {
        return Vec::new();
    }
    let linker = env::var("RUSTC_LINKER").unwrap_or_default();
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    match linker.as_str() {
        "rust-lld" => vec!["--icf=all".into()],
        "" if !flags.contains("link") => {
            let Some(folder) = linker_of_rust() else { return Vec::new() };
            let folder = folder.display();
            vec![format!("-B{folder}"), "-fuse-ld=lld".into(), "-Wl,--icf=all".into()]
        }
        _ => Vec::new(),
    }
}

/// Where the C compiler finds Rust's own linker. On this target it is the default since Rust 1.90.
fn linker_of_rust() -> Option<PathBuf> {
    let target = "x86_64-unknown-linux-gnu";
    if env::var("TARGET").ok()? != target || env::var("HOST").ok()? != target {
        return None;
    }
    let asked = Command::new(env::var_os("RUSTC")?).args(["--print", "sysroot"]).output().ok()?;
    let sysroot = String::from_utf8(asked.stdout).ok()?;
    let folder = Path::new(sysroot.trim_end()).join("lib/rustlib").join(target).join("bin/gcc-ld");
    folder.join("ld.lld").is_file().then_some(folder)
}
