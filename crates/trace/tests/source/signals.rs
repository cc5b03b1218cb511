//! Signals reach the program as if it were not traced.

use fewer_trace::Name;
use fewer_trace::source::Ending;

use super::fixture::{compiled, quietly, traced};

fn ending(script: &str) -> Ending {
    let place = tempfile::tempdir().unwrap();
    traced(&quietly(place.path(), &["/bin/sh", "-c", script]), false).ending
}

#[test]
fn a_status_is_handed_on() {
    assert_eq!(ending("exit 7"), Ending::Exited(7));
    assert_eq!(ending("exit 255"), Ending::Exited(255));
}

#[test]
fn a_deadly_signal_is_handed_on() {
    assert_eq!(ending("kill -KILL $$"), Ending::Killed(9));
    assert_eq!(ending("kill -TERM $$"), Ending::Killed(15));
    assert_eq!(ending("trap '' TERM; kill -TERM $$; exit 3"), Ending::Exited(3));
    assert_eq!(ending("trap 'exit 4' TERM; kill -TERM $$; exit 3"), Ending::Exited(4));
}

#[test]
fn a_call_that_a_signal_ends_is_told() {
    let run = traced(&[compiled("killed", &[]).into()], false);
    assert_eq!(run.ending, Ending::Exited(7));
    let read = run.named(Name::Read).last().unwrap();
    assert!(run.path(read.file).starts_with("pipe:"));
    assert_eq!(read.errno(), Some(4));
}

#[test]
fn interrupted_calls_are_told_each_time() {
    let run = traced(&[compiled("interrupted", &[]).into()], false);
    assert_eq!(run.ending, Ending::Exited(0));
    let interrupted = run.named(Name::Read).filter(|call| call.errno() == Some(4)).count();
    assert!(interrupted >= 3, "{interrupted}");
}

/// A parent that is killed between its child's start and the stop that announces the child.
#[test]
fn children_whose_maker_is_killed_are_not_forgotten() {
    let run = traced(&[compiled("orphans", &[]).into(), "300".into()], false);
    assert_eq!(run.ending, Ending::Exited(0));
}
