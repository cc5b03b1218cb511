//! Calls about files, with usual and with odd arguments.

use super::tiers::{Case, compare};
use crate::fixture::compiled;

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
fn odd_paths() {
    files("paths", 1500);
}

#[test]
fn descriptors_that_come_from_elsewhere() {
    files("received", 0);
}

#[test]
fn more_stacks_than_are_known() {
    files("depths", 500);
}
