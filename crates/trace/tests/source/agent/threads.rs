//! Programs of several threads.

use fewer_trace::Name;
use fewer_trace::source::Ending;

use super::tiers::{Case, TestFolder, compare, compare_in, with_agent};
use crate::fixture::{compiled, installed};

/// The order of calls of several threads is another in each run.
fn threads(what: &str, by_agent: u64) -> Case {
    let program = compiled("agent_threads", &["-rdynamic", "-pthread"]);
    Case { by_agent, in_order: false, ..Case::new(&program, &[what]) }
}

#[test]
fn all_threads_make_their_calls_in_the_agent() {
    // Seven threads, 400 rounds of eight calls.
    let run = compare_in(&threads("together", 0), &TestFolder::new());
    let (by_agent, all) = (run.by_agent, run.calls.len() as u64);
    assert!(by_agent * 100 >= all * 95, "{by_agent} of {all}");
}

#[test]
fn descriptors_are_handed_from_thread_to_thread() {
    let run = compare_in(&threads("handed", 0), &TestFolder::new());
    let by_agent = run.by_agent;
    assert!(by_agent > 10_000, "{by_agent} of {}", run.calls.len());
}

#[test]
fn threads_come_and_go() {
    compare(&threads("come-and-go", 5000));
}

#[test]
fn there_are_more_threads_than_rings() {
    compare(&threads("crowd", 25_000));
}

/// The handler's own calls are another number in each run.
#[test]
fn a_storm_of_signals() {
    let case = threads("signals", 1000);
    let apart = vec![Name::Stat, Name::Newfstatat, Name::ClockNanosleep, Name::Getpid];
    compare(&Case { apart, ..case });
}

#[test]
fn threads_that_wait_are_not_disturbed() {
    compare(&threads("waiting", 4000));
}

#[test]
fn processes_are_made_beside_other_threads() {
    compare(&threads("forks", 10_000));
}

/// How far the others come is by chance.
#[test]
fn a_second_thread_becomes_another_program() {
    compare(&Case { same_calls: false, ..threads("exec", 500) });
}

#[test]
fn one_thread_has_gs_for_itself() {
    compare(&threads("gs", 500));
}

#[test]
fn a_program_is_killed() {
    let run = with_agent(&threads("killed", 500), &TestFolder::new());
    assert_eq!(run.ending, Ending::Killed(9));
    assert!(run.by_agent > 500, "{}", run.by_agent);
}

#[test]
fn git_status() {
    if installed("git").is_none() {
        return eprintln!("skipped without git");
    }
    let script = "cp -r fixed scratch/x && cd scratch/x && git init -q . && git add . && \
                  git status --short | sort";
    let mut case = Case::shell(script);
    (case.in_order, case.same_calls, case.stacks) = (false, false, false);
    compare(&case);
}
