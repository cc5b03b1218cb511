//! Random redirections, reads and writes, by the script and by its children, leave the same files.

use proptest::prelude::*;

use super::{config, ours, theirs};
use fewer_shell::Dialect;

const FILES: &str = "i=0; while [ $i -lt 400 ]; do echo \"f $i\"; i=$((i+1)); done >f
printf 'g 1\\ng 2' >g
: >log
";

/// One line of a script.
fn step() -> impl Strategy<Value = String> {
    let number = || 3_u32..7;
    let file = || prop_oneof![Just("f"), Just("g")];
    let operator = prop_oneof![4 => Just("<"), 2 => Just(">"), 4 => Just(">>"), 2 => Just("<>")];
    let text = |lengths: std::ops::Range<usize>| {
        lengths.prop_map(|length| {
            let line: String = ('a'..='z').cycle().take(length % 40 + 1).collect();
            format!("{length}{line}")
        })
    };
    prop_oneof![
        4 => (number(), operator, file()).prop_map(|(n, how, file)| format!("exec {n}{how}{file}")),
        2 => (number(), number())
            .prop_map(|(n, from)| format!("{{ : >&{from}; }} 2>&- && exec {n}>&{from}")),
        1 => number().prop_map(|n| format!("exec {n}>&-")),
        6 => (number(), text(1..300)).prop_map(|(n, text)| format!("echo '{text}' 2>&- >&{n}")),
        8 => number()
            .prop_map(|n| format!("x=; IFS= read -r x 2>&- <&{n}; echo \"read $x\" >>log")),
        2 => (number(), text(1..9)).prop_map(|(n, text)| format!("sh -c 'echo {text} >&{n}' 2>&-")),
        3 => number().prop_map(|n| {
            format!("sh -c 'IFS= read -r x; echo \"child $x\" >>log' 2>&- <&{n}")
        }),
        1 => (number(), 1..4_usize)
            .prop_map(|(n, lines)| format!("exec {n}<<'E'\n{}E", "here\n".repeat(lines))),
        2 => file().prop_map(|file| format!("cat {file} >>log")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 400, ..config(60) })]

    #[test]
    fn random_scripts_leave_the_same_files(steps in prop::collection::vec(step(), 1..25)) {
        let steps = steps.join("\n");
        let script = format!("{FILES}{steps}\ncat f; echo --; cat g; echo --; cat log");
        let Some(theirs) = theirs(Dialect::Bash, script.as_bytes()) else { return Ok(()) };
        let ours = ours(Dialect::Bash, script.as_bytes()).expect("it is not left to bash");
        prop_assert_eq!(ours.out, theirs.out, "{}", script);
    }
}
