//! Calls about files, with usual and with odd arguments.

use std::path::Path;

use super::tiers::{Case, compare};
use crate::fixture::{compiled, compiled_by, installed};

fn files(what: &str, by_agent: u64) {
    let program = compiled("agent_files", &[]);
    compare(&Case { by_agent, ..Case::new(&program, &[what]) });
}

#[test]
fn usual_calls() {
    files("usual", 4000);
}

#[test]
fn descriptors_are_copied_and_marked() {
    files("descriptors", 2500);
}

#[test]
fn sizes_without_bytes() {
    files("sizes", 400);
}

#[test]
fn memory_and_whole_files() {
    files("whole", 2000);
}

#[test]
fn odd_paths() {
    files("paths", 1500);
}

/// musl says nothing about how its functions are unwound, and is not written for patches.
#[test]
fn another_c_library() {
    if installed("musl-gcc").is_none() {
        eprintln!("skipped without musl-gcc");
        return;
    }
    let program = compiled_by("musl-gcc", "agent_files", &["-static"]);
    for (what, by_agent) in [("usual", 4000), ("parents", 5400), ("depths", 500)] {
        compare(&Case { by_agent, ..Case::new(&program, &[what]) });
    }
    // Which threads can cancel each other: two bytes behind the call another function begins. And
    // without symbols, where functions begin is told by what calls them.
    for flags in [&[][..], &["-static", "-s"]] {
        let program = compiled_by("musl-gcc", "agent_files", flags);
        compare(&Case { by_agent: 3000, ..Case::new(&program, &["usual"]) });
    }
}

/// Most tools that walk a tree go back up by `..`.
#[test]
fn up_to_the_parent() {
    files("parents", 5400);
}

/// A path begins where a call before has led to, which may be gone by the time that it is told.
#[test]
fn the_working_directory_changes() {
    files("moves", 4800);
}

#[test]
fn descriptors_that_come_from_elsewhere() {
    files("received", 0);
}

#[test]
fn more_stacks_than_are_known() {
    files("depths", 500);
}

#[test]
fn more_than_fits_into_the_ring() {
    files("flood", 10_000);
}

#[test]
fn a_large_stack() {
    let program = compiled("agent_files", &[]).display().to_string();
    let limit = "ulimit -s 131072 || exit; exec \"$@\"";
    let words = ["-c", limit, "sh", &program, "stack"];
    compare(&Case { by_agent: 300, ..Case::new(Path::new("/bin/sh"), &words) });
    // Where addresses are not by chance there is less room above libraries.
    let Some(setarch) = installed("setarch") else {
        eprintln!("skipped without setarch");
        return;
    };
    let words = [&["-R", "/bin/sh"], &words[..]].concat();
    compare(&Case { by_agent: 300, ..Case::new(&setarch, &words) });
}
