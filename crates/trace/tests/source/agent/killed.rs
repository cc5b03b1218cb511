//! Programs that are killed at any moment.

use fewer_trace::source::Ending;
use fewer_trace::{Call, Name};

use super::tiers::{Case, TestFolder, with_agent};
use crate::fixture::compiled;

/// A program that makes the same five calls over and over is killed after another time each time:
/// all of its calls are there, and of the last one no more than its beginning is missing.
#[test]
fn all_calls_before_the_end_are_there() {
    let program = compiled("agent_killed", &[]);
    let place = TestFolder::new();
    let mut by_agent = 0;
    for round in 0..ROUNDS {
        let case = Case { stacks: round % 8 == 0, ..Case::new(&program, &[&round.to_string()]) };
        let run = with_agent(&case, &place);
        assert_eq!(run.ending, Ending::Killed(9), "round {round}");
        by_agent += run.by_agent;
        // The program's own, from its first look on.
        let first = run.named(Name::Fork).chain(run.named(Name::Clone)).next().unwrap();
        let of_parent: Vec<&Call> = run
            .calls
            .iter()
            .filter(|call| call.process == first.process && call.name != Name::Write)
            .skip_while(|call| run.path(call.path) != "fixed/a")
            .collect();
        for (at, call) in of_parent.iter().enumerate() {
            let expected = PATTERN[at % PATTERN.len()];
            assert_eq!(call.name, expected.0, "round {round}: call {at} of {}", of_parent.len());
            if at + 1 < of_parent.len() {
                assert_eq!(call.result, expected.1, "round {round}: call {at}");
            } else {
                // -EINTR: it has not come back.
                assert!([expected.1, -4].contains(&call.result), "round {round}: {call:?}");
            }
        }
    }
    assert!(by_agent > 1000, "{by_agent}");
}

const ROUNDS: u64 = 200;

const PATTERN: [(Name, i64); 5] =
    [(Name::Access, 0), (Name::Openat, 5), (Name::Read, 8), (Name::Close, 0), (Name::Readlink, 1)];

/// Killed from outside, with a child that is killed as well.
#[test]
fn a_whole_family_is_killed() {
    let program = compiled("agent_family", &["-rdynamic"]);
    let place = TestFolder::new();
    for round in 0..10 {
        // The word of the shell's that kills, and of the family.
        let script = format!(
            "'{}' together & family=$!; sleep 0.0{round}; kill -KILL $family; wait $family; exit 3",
            program.display()
        );
        let mut case = Case::shell(&script);
        case.stacks = false;
        assert_eq!(with_agent(&case, &place).ending, Ending::Exited(3), "round {round}");
    }
}
