//! Signals among many calls.

use fewer_trace::Name;

use super::tiers::{Case, TestFolder, compare, compare_in};
use crate::fixture::compiled;

fn signals(what: &str, by_agent: u64) -> Case {
    let program = compiled("agent_signals", &["-rdynamic", "-pthread"]);
    Case { by_agent, ..Case::new(&program, &[what]) }
}

/// The handler's own calls are another number in each run.
#[test]
fn a_storm_that_restarts_calls() {
    compare(&Case { apart: vec![Name::Access], ..signals("restarting", 100) });
}

#[test]
fn a_storm_that_does_not() {
    compare(&Case { apart: vec![Name::Access], ..signals("failing", 100) });
}

/// To change the code of several threads takes long: a site keeps its jump.
#[test]
fn a_storm_on_one_of_two_threads() {
    compare(&Case { apart: vec![Name::Access], ..signals("threaded", 11_000) });
}

#[test]
fn a_storm_on_a_small_stack() {
    compare(&Case { apart: vec![Name::Access], ..signals("other-stack", 100) });
}

#[test]
fn jumps_out_of_handlers() {
    compare(&Case { same_calls: false, ..signals("jumps", 300) });
}

#[test]
fn a_read_that_waits_is_interrupted() {
    let run =
        compare_in(&Case { same_calls: false, ..signals("interrupted", 500) }, &TestFolder::new());
    let interrupted = run.named(Name::Read).filter(|call| call.errno() == Some(4)).count();
    assert!(interrupted >= 20, "{interrupted}");
}

#[test]
fn children_end_during_a_read() {
    compare(&Case { same_calls: false, ..signals("children", 300) });
}

#[test]
fn a_call_lets_in_a_signal_while_it_waits() {
    compare(&Case { same_calls: false, ..signals("waits", 20) });
}

#[test]
fn it_is_stopped_and_continued() {
    compare(&Case { same_calls: false, ..signals("stops", 2000) });
}

#[test]
fn faults_of_its_own() {
    compare(&signals("faults", 1000));
}

#[test]
fn faults_are_held_back_or_ignored() {
    compare(&signals("held-back", 250));
}

#[test]
fn what_a_handler_sees() {
    compare(&signals("looks", 100));
}

#[test]
fn what_a_handler_sees_at_each_instruction() {
    compare(&signals("steps", 1000));
}
