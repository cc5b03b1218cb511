//! Processes, threads and programs among many calls.

use super::tiers::{Case, compare};
use crate::fixture::compiled;

fn family(words: &[&str], by_agent: u64) -> Case {
    let program = compiled("agent_family", &["-rdynamic"]);
    Case { by_agent, ..Case::new(&program, words) }
}

#[test]
fn forks() {
    compare(&family(&["forks"], 10_000));
}

#[test]
fn processes_at_once() {
    compare(&family(&["together"], 20_000));
}

#[test]
fn vfork_and_execve() {
    compare(&family(&["vforks"], 3000));
}

#[test]
fn posix_spawn() {
    compare(&family(&["spawns"], 2000));
}

#[test]
fn threads_come_later() {
    compare(&Case { in_order: false, ..family(&["threads"], 200) });
}

#[test]
fn many_threads() {
    compare(&Case { in_order: false, ..family(&["many"], 200) });
}

#[test]
fn clones() {
    compare(&Case { in_order: false, ..family(&["clones"], 1000) });
}

#[test]
fn it_becomes_itself() {
    compare(&family(&["again", "200"], 30_000));
}

#[test]
fn a_child_outlives_its_parent() {
    compare(&family(&["outlived"], 1000));
}
