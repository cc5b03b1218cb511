//! What an executable is written in, or interprets: by what it holds, and by its name where that
//! says more. A name alone is believed only if the contents fit.

use std::ffi::OsStr;
use std::io::Read as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

use memchr::memmem;

use super::executable::Executable;
use super::sections::Sections;
use crate::{Language, Text};
use fewer::path::base_name;

/// What an executable is written in; if it is an interpreter, the language that it interprets. A
/// program whose contents cannot be read is judged by its name.
#[must_use]
pub fn language(executable: &[u8], arguments: &[Text]) -> Language {
    judge(executable, arguments, 0)
}

/// Interpreters of interpreters are followed so many times, like the kernel does.
const DEEPEST: usize = 4;

fn judge(executable: &[u8], arguments: &[Text], depth: usize) -> Language {
    let name = base_name(executable);
    let mut head = [0; 256];
    let read = Executable::open(executable).ok().and_then(|mut file| file.read(&mut head).ok());
    let head = &head[..read.unwrap_or(0)];
    if let Some(line) = head.strip_prefix(b"#!") {
        let line = line.split(|&byte| byte == b'\n').next().unwrap_or_default();
        return match interpreter(line) {
            Some(interpreter) if depth < DEEPEST => judge(&interpreter, &[], depth + 1),
            _ => Language::default(),
        };
    }
    let sections = Sections::open(executable);
    let by_name = || {
        let fits = |sign: &[&[u8]]| head.is_empty() || holds(executable, sign);
        named(name, arguments).filter(|(_, sign)| fits(sign)).map(|(language, _)| language)
    };
    let of_interpreter = sections.as_ref().and_then(Sections::interpreter);
    of_interpreter.or_else(by_name).or_else(|| sections.as_ref()?.compiled()).unwrap_or_default()
}

/// The interpreter that the first line of a script names. `env` is looked through.
fn interpreter(line: &[u8]) -> Option<Vec<u8>> {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let first = words.next()?;
    if base_name(first) != b"env" {
        return Some(first.to_vec());
    }
    let command = words.find(|word| !word.starts_with(b"-") && !word.contains(&b'='))?;
    if command.contains(&b'/') {
        return Some(command.to_vec());
    }
    let found = fewer::path::find_program(None, OsStr::from_bytes(command));
    Some(found.map_or_else(|_| command.to_vec(), |place| place.into_os_string().into_vec()))
}

/// What a program of this name interprets, and words that such a program must hold.
fn named(name: &[u8], arguments: &[Text]) -> Option<(Language, &'static [&'static [u8]])> {
    const SHELLS: &[&[u8]] = &[
        b"ash", b"bash", b"dash", b"fish", b"ksh", b"ksh93", b"lksh", b"loksh", b"mksh", b"oksh",
        b"posh", b"rbash", b"rksh", b"sh", b"yash", b"zsh",
    ];
    const SHELL: (Language, &[&[u8]]) = (Language::Shell, &[b"PATH", b"HOME"]);
    let plain = name.strip_prefix(b"-").unwrap_or(name);
    // python3.11, ruby2.7, lisp.run, zsh-5.9
    let end = plain.iter().position(|byte| !byte.is_ascii_lowercase()).unwrap_or(plain.len());
    let stem = &plain[..end];
    if SHELLS.contains(&plain) || (SHELLS.contains(&stem) && plain[end..].starts_with(b"-")) {
        return Some(SHELL);
    }
    Some(match stem {
        b"busybox" | b"toybox" => {
            let called = base_name(&arguments.first()?.0);
            let applet = if called == name { &arguments.get(1)?.0 } else { called };
            return SHELLS.contains(&applet).then_some(SHELL);
        }
        b"python" | b"pypy" => (Language::Python, &[b"PYTHONHOME"]),
        b"node" | b"nodejs" => (Language::Node, &[b"NODE_OPTIONS"]),
        b"ruby" => (Language::Ruby, &[b"RUBYOPT"]),
        b"perl" => (Language::Perl, &[b"PERL5LIB"]),
        b"php" => (Language::Php, &[b"PHP_INI_SCAN_DIR"]),
        b"java" => (Language::Java, &[b"JAVA"]),
        b"sbcl" => (Language::Lisp, &[b"SBCL_HOME"]),
        b"ecl" => (Language::Lisp, &[b"ECL"]),
        b"lisp" | b"clisp" => (Language::Lisp, &[b"lisp"]),
        b"ccl" | b"lx" => (Language::Lisp, &[b"CCL_DEFAULT_DIRECTORY"]),
        _ => return None,
    })
}

/// Whether a file holds all of some words.
fn holds(path: &[u8], words: &[&[u8]]) -> bool {
    const BLOCK: usize = 1 << 20;
    let Ok(mut file) = Executable::open(path) else { return false };
    let mut missing: Vec<&[u8]> = words.to_vec();
    let longest = words.iter().map(|word| word.len()).max().unwrap_or(1);
    let mut block = vec![0; BLOCK];
    let mut kept = 0;
    while !missing.is_empty() {
        let Ok(read @ 1..) = file.read(&mut block[kept..]) else { return false };
        let filled = &block[..kept + read];
        missing.retain(|word| memmem::find(filled, word).is_none());
        // A word may be cut in two.
        let end = filled.len();
        kept = end.min(longest - 1);
        block.copy_within(end - kept..end, 0);
    }
    true
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};
    use std::process::Command;

    use super::*;

    fn of(path: impl AsRef<Path>, arguments: &[&str]) -> Language {
        let arguments: Vec<Text> = arguments.iter().copied().map(Text::from).collect();
        language(path.as_ref().as_os_str().as_bytes(), &arguments)
    }

    /// The executable that a name on the PATH leads to; nothing where there is none.
    fn installed(name: &str) -> Option<PathBuf> {
        fewer::path::find_program(None, name).ok()?.canonicalize().ok()
    }

    #[test]
    fn what_offers_the_functions_of_an_interpreter_is_not_read_to_the_end() {
        // It may be small, with all that in a library, or a shim.
        let is_large = |path: &PathBuf| path.metadata().unwrap().len() > 16 << 20;
        let Some(node) = installed("node").filter(is_large) else { return };
        let read = || {
            let io = std::fs::read_to_string("/proc/thread-self/io").unwrap();
            let line = io.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap();
            line.parse::<u64>().unwrap()
        };
        let before = read();
        assert_eq!(of(&node, &["node"]), Language::Node);
        let (bytes, all) = (read() - before, node.metadata().unwrap().len());
        assert!(bytes < all / 4, "{bytes} of {all}");
    }

    #[test]
    fn programs_of_this_machine() {
        let mut asked = 0;
        for (name, expected) in [
            ("python3", Language::Python),
            ("node", Language::Node),
            ("java", Language::Java),
            ("javac", Language::Java),
            ("ruby", Language::Ruby),
            ("go", Language::Go),
            ("gofmt", Language::Go),
            ("sbcl", Language::Lisp),
            ("ecl", Language::Lisp),
            ("rustc", Language::Rust),
            ("cargo", Language::Rust),
            ("bash", Language::Shell),
            ("dash", Language::Shell),
            ("sh", Language::Shell),
            ("ksh93", Language::Shell),
            ("mksh", Language::Shell),
            ("zsh", Language::Shell),
            ("git", Language::C),
            ("ls", Language::C),
            ("find", Language::C),
            ("make", Language::C),
            ("perl", Language::Perl),
            ("php", Language::Php),
            ("gdb", Language::Cpp),
            ("cmake", Language::Cpp),
        ] {
            let Some(path) = installed(name) else { continue };
            // A shim of a version manager is a script.
            let is_shim = path.to_string_lossy().contains("shims");
            let expected = if is_shim { Language::Shell } else { expected };
            assert_eq!(of(&path, &[name]), expected, "{}", path.display());
            asked += 1;
        }
        assert!(asked >= 8);
        for run in ["/usr/lib/clisp-2.49.93+/base/lisp.run", "/usr/lib/clisp/base/lisp.run"] {
            if Path::new(run).exists() {
                assert_eq!(of(run, &["clisp"]), Language::Lisp);
            }
        }
        if let Some(busybox) = installed("busybox") {
            assert_eq!(of(&busybox, &["sh", "-c", "x"]), Language::Shell);
            assert_eq!(of(&busybox, &["busybox", "ash"]), Language::Shell);
            assert_eq!(of(&busybox, &["find", "."]), Language::C);
            assert_eq!(of(&busybox, &[]), Language::C);
        }
    }

    #[test]
    fn what_is_compiled_here() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let run = |words: &[&str]| {
            let mut command = Command::new(words[0]);
            command.args(&words[1..]).current_dir(folder.path());
            assert!(command.status().unwrap().success(), "{words:?}");
        };
        std::fs::write(at("a.c"), "int main(void) { return 0; }").unwrap();
        let cpp = "#include <string>\n#include <stdexcept>\nint main(int n, char **a) \
            { if (n > 9) throw std::runtime_error(a[1]); return std::string(a[0]).empty(); }";
        std::fs::write(at("a.cc"), cpp).unwrap();
        std::fs::write(at("a.rs"), "fn main() { println!(\"{:?}\", std::env::args()); }").unwrap();
        run(&["cc", "-o", "c", "a.c"]);
        run(&["cc", "-o", "python3", "a.c"]);
        run(&["cc", "-o", "bash", "a.c"]);
        run(&["c++", "-o", "cc", "a.cc"]);
        run(&["c++", "-s", "-static", "-o", "static-cc", "a.cc"]);
        run(&["rustc", "-o", "rust", "a.rs"]);
        run(&["rustc", "-Cstrip=symbols", "-o", "stripped-rust", "a.rs"]);
        run(&["objcopy", "--remove-section=.comment", "stripped-rust", "bare-rust"]);
        for (name, expected) in [
            ("c", Language::C),
            ("python3", Language::C),
            ("bash", Language::C),
            ("cc", Language::Cpp),
            ("static-cc", Language::Cpp),
            ("rust", Language::Rust),
            ("stripped-rust", Language::Rust),
            ("bare-rust", Language::Rust),
        ] {
            assert_eq!(of(at(name), &[name]), expected, "{name}");
        }
    }

    #[test]
    fn scripts_are_what_runs_them() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for (name, text, expected) in [
            ("a", "#!/bin/sh\ntrue\n", Language::Shell),
            ("b", "#! /usr/bin/env -S bash -e\n", Language::Shell),
            ("c", "#!/usr/bin/env A=b sh\n", Language::Shell),
            ("d", "#!/nowhere/python3 -u\n", Language::Python),
            ("e", "#!\n", Language::C),
            ("f", "#!", Language::C),
            ("g", "", Language::C),
            ("h\n", "\x7fELF", Language::C),
            ("node", "", Language::Node),
        ] {
            std::fs::write(at(name), text).unwrap();
            assert_eq!(of(at(name), &[]), expected, "{name}");
        }
        std::fs::write(at("i"), format!("#!{}\n", at("i").display())).unwrap();
        assert_eq!(of(at("i"), &[]), Language::C);
        assert_eq!(of(at("gone/ruby"), &[]), Language::Ruby);
        assert_eq!(of("", &[]), Language::C);
    }
}
