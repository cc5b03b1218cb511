//! What an agent must not get in the way of.

use std::path::Path;

use super::tiers::{Case, TestFolder, compare, compare_in};
use crate::fixture::{compiled, installed};

fn odd(words: &[&str], by_agent: u64) -> Case {
    let program = compiled("agent_odd", &["-rdynamic"]);
    Case { by_agent, ..Case::new(&program, words) }
}

#[test]
fn gs_is_the_programs_own() {
    compare(&odd(&["gs-before"], 0));
    compare(&odd(&["gs-after"], 500));
}

/// What `AT_HWCAP2` has.
const AT_HWCAP2: u64 = 26;

/// A word that the kernel gave this process when it began.
fn auxiliary(kind: u64) -> Option<u64> {
    let bytes = std::fs::read("/proc/self/auxv").ok()?;
    let (words, _) = bytes.as_chunks::<8>();
    let words: Vec<u64> = words.iter().map(|word| u64::from_ne_bytes(*word)).collect();
    words.chunks(2).find(|pair| pair[0] == kind).map(|pair| pair[1])
}

#[test]
fn gs_is_set_by_an_instruction() {
    // Whether the kernel lets programs do that (HWCAP2_FSGSBASE).
    if auxiliary(AT_HWCAP2).unwrap_or(0) & 2 == 0 {
        eprintln!("skipped without wrgsbase");
        return;
    }
    compare(&odd(&["gs-by-itself"], 500));
}

/// What is patched has a jump no more that the plan for the next place must know of.
#[test]
fn a_jump_from_one_place_to_behind_another() {
    compare(&odd(&["jumps"], 1000));
}

#[test]
fn a_part_elsewhere_jumps_to_behind_a_call() {
    compare(&odd(&["parts"], 0));
}

/// The kernel takes strict mode from a program that has a filter, as all have that are watched.
#[test]
fn strict_mode() {
    compare(&Case { is_itself: false, ..odd(&["strict"], 200) });
}

#[test]
fn a_filter_of_its_own() {
    compare(&odd(&["filter"], 200));
}

#[test]
fn calls_that_are_dispatched_to_the_program() {
    compare(&odd(&["dispatch"], 200));
}

#[test]
fn it_wants_to_be_traced() {
    compare(&Case { is_itself: false, ..odd(&["traceme"], 200) });
}

#[test]
fn a_ring_of_its_own() {
    compare(&odd(&["ring"], 200));
}

/// What they read in /proc is another length in each run.
#[test]
fn there_is_just_enough_memory() {
    compare(&Case { same_calls: false, ..odd(&["memory"], 0) });
    compare(&Case { same_calls: false, ..odd(&["little-memory"], 0) });
}

#[test]
fn there_is_no_descriptor_left() {
    compare(&odd(&["descriptors"], 0));
}

#[test]
fn memory_is_locked() {
    compare(&Case { same_calls: false, ..odd(&["locked"], 0) });
}

#[test]
fn libraries_come_and_go() {
    let first = compiled("agent_library", &["-shared", "-fPIC"]);
    let second = compiled("agent_library", &["-shared", "-fPIC", "-DSECOND"]);
    let place = tempfile::tempdir().unwrap();
    for (library, name) in [(first, "agent_first.so"), (second, "agent_second.so")] {
        std::fs::copy(library, place.path().join(name)).unwrap();
    }
    compare(&odd(&["libraries", &place.path().display().to_string()], 200));
}

#[test]
fn the_heap_grows() {
    compare(&odd(&["grows"], 500));
    for flag in ["-no-pie", "-static"] {
        let program = compiled("agent_odd", &[flag]);
        compare(&Case { by_agent: 500, ..Case::new(&program, &["grows"]) });
    }
}

#[test]
fn static_programs() {
    let program = compiled("agent_files", &["-static"]);
    for what in ["usual", "paths", "depths"] {
        compare(&Case { by_agent: 500, ..Case::new(&program, &[what]) });
    }
}

/// Without unwind information nothing is patched.
#[test]
fn calls_of_its_own_making() {
    let flags = ["-nostdlib", "-static", "-fno-asynchronous-unwind-tables", "-fno-stack-protector"];
    let program = compiled("agent_bare", &flags);
    compare(&Case { by_agent: 0, ..Case::new(&program, &[]) });
    let flags = ["-nostdlib", "-static", "-fno-stack-protector"];
    let program = compiled("agent_bare", &flags);
    compare(&Case { by_agent: 0, ..Case::new(&program, &[]) });
}

/// As a user who may do nothing; of locked memory there is little then.
#[test]
fn without_privilege() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let is_root = status.lines().any(|line| line.starts_with("Uid:\t0\t0\t"));
    let Some(setpriv) = installed("setpriv").filter(|_| is_root) else {
        eprintln!("skipped without root and setpriv");
        return;
    };
    let words = ["--reuid", "65534", "--regid", "65534", "--clear-groups", "--inh-caps=-all"];
    for (source, what, by_agent) in [
        ("agent_files", "usual", 4000),
        ("agent_files", "paths", 1500),
        ("agent_family", "forks", 10_000),
        ("agent_odd", "locked", 0),
    ] {
        // Where everybody may read it. Copied by a program: what this process has open for writing
        // is open in a child that another test starts meanwhile, and cannot be run (`ETXTBSY`).
        let place = TestFolder::new();
        let program = place.path().join("program");
        let copy = [compiled(source, &["-rdynamic"]), program.clone()];
        assert!(std::process::Command::new("cp").args(copy).status().unwrap().success());
        let program = program.display().to_string();
        let words: Vec<&str> = words.into_iter().chain([&*program, what]).collect();
        let same_calls = what != "locked";
        let case = Case { by_agent, same_calls, ..Case::new(&setpriv, &words) };
        compare_in(&case, &place);
    }
}

#[test]
fn in_a_user_namespace() {
    let place = TestFolder::new();
    let is_allowed = std::process::Command::new("unshare").args(["-Ur", "true"]).status();
    if !is_allowed.is_ok_and(|status| status.success()) {
        eprintln!("skipped without unshare -Ur");
        return;
    }
    let program = compiled("agent_files", &[]);
    let words = ["-Ur", &program.display().to_string(), "usual"];
    let case = Case { by_agent: 1000, ..Case::new(Path::new("/usr/bin/unshare"), &words) };
    compare_in(&case, &place);
}
