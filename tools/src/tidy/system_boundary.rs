//! Which files may talk to the operating system, and how: stated as absences, so that a new module
//! starts with no rights.

use super::rust::{lines_with_word, without_tests};
use super::{File, Finding, Tree};

/// The files that may contain `unsafe`.
const UNSAFE: &[&str] = &[
    "crates/sys/", "crates/trace/src/source/", "crates/ffi/", "crates/agent/src/x86_64.rs",
    "bindings/python/src/arrow/c_data.rs", "bindings/python/src/raw.rs", "bindings/node/src/js.rs",
    "bindings/node/src/work.rs", "bindings/node/src/descriptor.rs",
];

/// The files that may export functions to C, or import some from there.
const EXTERN_C: &[&str] = &[
    "crates/ffi/", "bindings/python/src/arrow/c_data.rs",
    // Labels of code in assembler.
    "crates/agent/src/x86_64.rs",
    // C calls handlers of signals, and what a child begins with.
    "crates/sys/src/linux/quit_key.rs", "crates/sys/src/unix/clone.rs",
    "crates/sys/src/unix/signals.rs",
    // These replace a function of the C library.
    "crates/sys/src/unix/broken_pipe.rs", "crates/sys/src/linux/closed.rs",
    "crates/sys/src/copies.rs", "crates/trace/src/source/interrupt.rs",
    // Descriptors on Windows are known to Node alone.
    "bindings/node/src/descriptor.rs", "crates/trace/src/source/signals.rs",
    // They are put in front of the C library's in a program that is run to prove a remedy.
    "crates/trace/src/source/preloaded/",
];

/// The files that may use the crates that make system calls.
const SYSTEM: &[&str] = &["crates/sys/", "crates/trace/src/source/", "crates/trace/Cargo.toml"];

/// The crates that make system calls without `crates/sys`.
const SYSTEM_CRATES: &[&str] = &["libc", "nix", "rustix", "syscalls"];
const SYSTEM_MODULES: &[&str] = &["fs", "net", "process"];

/// The crates whose file-system work all goes through crates/sys.
const KERNEL_ONLY: &[&str] = &[
    "crates/budget/", "crates/cli/", "crates/coreutils/", "crates/fewer/", "crates/shell/",
    "crates/trace/src/source/preloaded/looks.rs", "crates/stores/", "crates/tables/",
    "crates/trace/",
];

/// The part of these that makes calls of its own: the tracer. ARCHITECTURE.md names it. And what
/// runs when the crate is built, and is no part of it.
const NOT_KERNEL_ONLY: &[&str] = &["crates/trace/src/source/", "crates/trace/build.rs"];

/// Path methods of the standard library that make a call.
const ASKING: &[&str] = &[
    ".canonicalize(", ".read_dir(", ".symlink_metadata(", ".try_exists(", "env::current_dir",
    "env::set_current_dir",
];

const PROCESS_STATE: &[&str] = &["chdir", "fchdir", "set_current_dir", "umask"];

/// Files that change the state of a child, between `fork` and `execve`; a shell, whose script's
/// umask is that of a thread of its own; and what stands before functions in the programs that it
/// is loaded into, and hands their calls on.
const CHILD: &[&str] = &[
    "crates/trace/src/source/launch.rs", "crates/trace/src/source/scratch/launch.rs",
    "crates/sys/src/unix/child.rs", "crates/sys/src/unix/clone.rs",
    "crates/sys/src/linux/limits.rs", "crates/shell/",
    "crates/trace/src/source/preloaded/looks.rs",
];

/// Folders with rules of their own: competitors and floors are measured there, not shipped.
const OTHER_WORKSPACES: &[&str] = &["bench/", "fuzz/"];

pub(super) fn is_test(file: &File) -> bool {
    let name = &file.name;
    ["/tests/", "/benches/", "/examples/"].iter().any(|folder| name.contains(folder))
        || name.ends_with("/tests.rs")
        || name.ends_with("_tests.rs")
}

fn words(file: &File, code: &str, words: &[&str], why: &str, findings: &mut Vec<Finding>) {
    for word in words {
        for line in lines_with_word(code, word) {
            findings.push(Finding::new(&file.name, line, format!("{word}: {why}")));
        }
    }
}

pub(crate) fn unsafe_code(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| !file.is_under(UNSAFE)) {
        if !file.is_under(OTHER_WORKSPACES) {
            let why = "only crates/sys, the tracer and the FFI boundaries may";
            words(file, &file.code, &["unsafe"], why, &mut findings);
        }
    }
    Ok(findings)
}

/// Files with functions of the C library that the libc crate has no names for.
const NAMED_HERE: &[&str] = &[
    "crates/sys/src/freebsd/directory.rs", "crates/sys/src/macos/directory.rs",
    "crates/sys/src/macos/fetching.rs", "crates/sys/src/unix/characters.rs",
    "crates/sys/src/unix/spawn.rs",
];

pub(crate) fn extern_c(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| !file.is_under(EXTERN_C)) {
        if !file.is_under(OTHER_WORKSPACES) && !NAMED_HERE.contains(&&*file.name) {
            words(file, &file.code, &["extern \""], "only at the FFI boundary", &mut findings);
        }
    }
    Ok(findings)
}

pub(crate) fn system(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for file in &tree.files {
        if file.is_under(SYSTEM) || file.is_under(OTHER_WORKSPACES) {
            continue;
        }
        let why = "only crates/sys makes system calls";
        words(file, &file.code, SYSTEM_CRATES, why, &mut findings);
        if file.name.ends_with("Cargo.toml") {
            for (at, line) in file.text.lines().enumerate() {
                let key = line.split(['=', '.', ' ']).next().unwrap_or_default();
                if SYSTEM_CRATES.contains(&key) {
                    let why = format!("a dependency on {key}: {why}");
                    findings.push(Finding::new(&file.name, at + 1, why));
                }
            }
        }
    }
    Ok(findings)
}

pub(crate) fn command_line(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| file.is_rust() && file.is_under(KERNEL_ONLY)) {
        if is_test(file) || file.is_under(NOT_KERNEL_ONLY) {
            continue;
        }
        let code = without_tests(&file.code);
        for (line, module) in std_modules(&code) {
            let why = format!("std::{module}: file-system work goes through crates/sys");
            findings.push(Finding::new(&file.name, line, why));
        }
        for method in ASKING {
            for (at, line) in code.lines().enumerate().filter(|(_, line)| line.contains(method)) {
                let why = format!("{method} makes a call: {}", line.trim());
                findings.push(Finding::new(&file.name, at + 1, why));
            }
        }
    }
    Ok(findings)
}

/// The lines where the code names a module of `std` that makes calls, in a path or in a `use` tree.
fn std_modules(code: &str) -> Vec<(usize, &'static str)> {
    let mut found = Vec::new();
    for (start, _) in code.match_indices("std::") {
        let rest = &code[start..];
        // `use std::{fs, io};` ends at the semicolon; a path ends where its characters do.
        let is_tree = rest.starts_with("std::{");
        let end = match is_tree {
            true => rest.find(';'),
            false => rest.find(|char: char| !(char.is_alphanumeric() || "_:".contains(char))),
        };
        let reach = &rest[..end.unwrap_or(rest.len())];
        let line = code[..start].matches('\n').count() + 1;
        for module in SYSTEM_MODULES {
            // `process::ExitCode` is a number, and `process::exit` ends this process.
            let ends = ["process::ExitCode", "process::exit"];
            let is_end = *module == "process" && ends.iter().any(|end| reach.contains(end));
            if !lines_with_word(reach, module).is_empty() && !is_end {
                found.push((line, *module));
            }
        }
    }
    found
}

pub(crate) fn process_state(tree: &Tree) -> Result<Vec<Finding>, String> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| !file.is_under(CHILD)) {
        let why = "changes the state of the whole process";
        words(file, &file.code, PROCESS_STATE, why, &mut findings);
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(name: &str, text: &str, rule: super::super::Rule) -> Vec<usize> {
        let files = vec![File::new(name, text.to_owned())];
        let findings = rule(&Tree { root: "/".into(), files }).unwrap();
        findings.iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn unsafe_is_for_the_system_call_layer() {
        let text = "#![forbid(unsafe_code)]\n// unsafe\nunsafe { f() }\n\"unsafe\"";
        assert_eq!(lines("crates/fewer/src/a.rs", text, unsafe_code), [3]);
        assert!(lines("crates/sys/src/a.rs", text, unsafe_code).is_empty());
    }

    #[test]
    fn extern_crates_are_not_extern_c() {
        let text = "extern crate alloc;\nextern \"C\" fn f() {}";
        assert_eq!(lines("crates/sys/src/a.rs", text, extern_c), [2]);
    }

    #[test]
    fn system_crates_are_found_in_code_and_manifests() {
        assert_eq!(lines("crates/cli/src/a.rs", "use rustix::fs;", system), [1]);
        assert_eq!(lines("crates/cli/Cargo.toml", "[dependencies]\nlibc = \"0.2\"", system), [2]);
        assert!(lines("crates/sys/Cargo.toml", "libc = \"0.2\"", system).is_empty());
    }

    #[test]
    fn std_modules_are_found_in_paths_and_trees() {
        let text = "use std::{\n io,\n fs,\n};\nstd::fs::read(x);\nstd::io::stdin();";
        assert_eq!(lines("crates/fewer/src/a.rs", text, command_line), [1, 5]);
        assert!(lines("tools/src/a.rs", text, command_line).is_empty());
        assert!(
            lines("crates/cli/src/a.rs", "use std::process::ExitCode;", command_line).is_empty()
        );
    }

    #[test]
    fn tests_may_build_trees() {
        let text = "fn f() {}\n#[cfg(test)]\nmod tests {\n use std::fs;\n}";
        assert!(lines("crates/fewer/src/a.rs", text, command_line).is_empty());
        assert!(lines("crates/fewer/tests/a.rs", "use std::fs;", command_line).is_empty());
    }

    #[test]
    fn only_the_tracer_makes_calls_of_its_own() {
        let text = "use std::fs;";
        assert_eq!(lines("crates/trace/src/symbols/elf.rs", text, command_line), [1]);
        assert!(lines("crates/trace/src/source/tracer.rs", text, command_line).is_empty());
    }

    #[test]
    fn the_state_of_the_process_does_not_change() {
        assert_eq!(lines("tools/src/a.rs", "x\nenv::set_current_dir(y)", process_state), [2]);
    }
}
