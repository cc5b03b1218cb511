//! Any bytes as a script that is run, in each dialect, within small limits and with nothing but the
//! shell's own commands: no panic, and an end.

#![no_main]

use libfuzzer_sys::fuzz_target;
use shell::streams::Files;
use shell::{Dialect, Runner};

fuzz_target!(|script: &[u8]| {
    for dialect in [Dialect::Posix, Dialect::Bash, Dialect::Ksh] {
        let mut runner = Runner::new(dialect)
            .steps(2_000)
            .output_bytes(1 << 16)
            .captured_bytes(1 << 16)
            .depth(50)
            .tools(false)
            .files(Files::None)
            .environment([("PATH", "/nonexistent")]);
        runner.set_input("one two\nthree\n").set_arguments(["a", "b c"]);
        if let Ok(outcome) = runner.run(script) {
            assert!(outcome.stdout.len() <= 1 << 16);
            // It is as ready for the next one as before, unless the script has seen to that.
            let _ = runner.run(":");
        }
    }
});
