//! Interpreters whose structures nothing here reads: what a report says of them, so that nobody
//! wonders why their functions are missing.

use super::super::StoppedThread;
use super::super::words::Word;
use super::{Begun, Frames, Loaded, Runtime, Script, Unwinder};
use crate::source::proc;
use crate::source::registers::Registers;
use fewer::path::base_name;

/// All of them.
pub(super) const RUNTIME: Runtime = Runtime {
    name: "its programs",
    is_file: |name| NAMES.iter().any(|known| is_version_of(name, known)),
    needs: &[],
    also: &[],
    runs: &[],
    begin,
};

/// The names of their files, without what tells the version.
const NAMES: &[&[u8]] = &[
    b"beam.smp", b"busybox", b"clisp", b"ecl", b"fish", b"guile", b"julia", b"ksh", b"lisp.run",
    b"lksh", b"lua", b"luajit", b"mksh", b"octave-cli", b"tclsh",
];

/// Whether only digits and what is between them follows.
fn is_version_of(name: &[u8], known: &[u8]) -> bool {
    let is_version = |byte: &u8| byte.is_ascii_digit() || b".-+".contains(byte);
    name.strip_prefix(known).is_some_and(|rest| rest.iter().all(is_version))
}

fn begin(process: libc::pid_t, loaded: &Loaded) -> Begun {
    if base_name(loaded.path).starts_with(b"busybox") && !is_shell(process) {
        return Ok(Box::new(NoPrograms));
    }
    Err("this interpreter is not among those that can be read".to_owned())
}

/// Whether a busybox is a shell, and none of the tools that it is as well.
fn is_shell(process: libc::pid_t) -> bool {
    let is_shell = |word: &[u8]| matches!(base_name(word), b"sh" | b"ash" | b"-sh" | b"-ash");
    proc::arguments(process).iter().take(2).any(|word| is_shell(&word.0))
}

/// A tool runs no program of its own.
struct NoPrograms;

impl Unwinder for NoPrograms {
    fn functions(&mut self, _: StoppedThread, _: &Registers, _: Frames) -> Vec<Script> {
        Vec::new()
    }

    fn words(&self, _: libc::pid_t, _: &mut Vec<Word>) -> Option<()> {
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interpreters_are_known_in_all_versions_and_their_modules_are_not() {
        for name in ["mksh", "lua5.4", "tclsh8.6", "ksh93"] {
            assert!((RUNTIME.is_file)(name.as_bytes()), "{name}");
        }
        for name in ["complete.so", "luac5.4", "lualatex", "fishnet", "libtcl8.6.so"] {
            assert!(!(RUNTIME.is_file)(name.as_bytes()), "{name}");
        }
    }
}
