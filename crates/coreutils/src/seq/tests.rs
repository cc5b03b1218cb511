//! `seq` beside the real one.

use proptest::prelude::*;

use crate::tests::compare::{same, words};

#[test]
fn usual_ranges() {
    for line in [
        "5", "0", "-3", "1 1", "3 1", "007 012", "8 9 1000", "95 7 120", "-5 -1", "5 -2 -5",
        "1 0.5 3", "0 0.1 1", "1 2.55", "0.00 0.25 2", "10 -0.5 7.25",
        "999999999999999 999999999999999", "1 20000", "-w 8 11", "-w -1 10", "-w 1 0.5 10",
        "-w 0.25 10", "-w 1 10.50", "-w 001 2", "-s ,␣ 4", "-s '' 4", "-s, -- 1",
        "-f file%03g.txt 9 11", "-f%5.0f%% 9 11", "-f %%%g 2", "-f %03g -2 2",
    ] {
        assert!(same("seq", &words(line), b""), "{line}");
    }
}

#[test]
fn what_would_be_rounded_is_left_to_the_real_one() {
    for line in [
        "", "1 0 2", "x", "1e3", "0x10", "+3", "-1 0.1 1", "1.123456 2", "-0 1", "1 2 3 4",
        "-f %e 2", "-f %g%g 2", "-f %g 1000000", "-f x 2", "-wf %g 2", "inf", "-s -1 3",
    ] {
        assert!(!same("seq", &words(line), b""), "{line}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]
    #[test]
    fn any_range(
        first in "-?[0-9]{1,3}(\\.[0-9]{1,3})?",
        step in "-?[0-9]{1,2}(\\.[0-9]{1,2})?",
        last in "-?[0-9]{1,3}(\\.[0-9]{1,3})?",
        flag in prop::sample::select(vec!["-w", "-s ", "-s\n"]),
    ) {
        same("seq", &[flag, &first, &step, &last], b"");
        same("seq", &[flag, &first, &last], b"");
    }
}
