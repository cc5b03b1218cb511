//! Programs whose functions have no names, and scripts below an interpreter.

use fewer_trace::explain::{Basis, Finding, Remedy, Saved};
use fewer_trace::{Language, Name, StackId};

use super::made::Made;

/// A program without names; some of its stacks could not be read to their ends, some not at all.
/// Mending it would save little.
pub(crate) fn stripped() -> Made {
    let mut made = Made::new("/usr/bin/stripped", &["stripped", "/usr"]);
    let spot = |line| ("/usr/bin/stripped", "", "", line);
    let wrapper = ("/usr/lib/x86_64-linux-gnu/libc.so.6", "fcntl64", "", 0);
    let whole = made.stack(&[wrapper, spot(1), spot(2), spot(3)]);
    let other = made.stack(&[wrapper, spot(4), spot(2), spot(3)]);
    let cut = made.cut_stack(&[wrapper]);
    for at in 0..1_000_u64 {
        let directory = made.path(format!("/usr/share/{}", at % 50).as_bytes());
        let stack = [whole, other, cut, StackId::NONE][usize::try_from(at % 4).unwrap_or(0)];
        made.call(at * 1_000, Name::Fcntl, directory, 0, stack);
    }
    let finding = Finding {
        id: "descriptor-churn",
        verdict: "descriptors of 50 files were moved about with 250 calls".into(),
        wasted: 250,
        callers: vec![(whole, 250)],
        saved: Some(Saved::exactly(310_000, Basis::Calibrated)),
        remedy: Remedy {
            text: "Open with O_CLOEXEC and keep the one descriptor.".into(),
            snippet: format!("int at = {};", "open_it_and_keep_it_".repeat(12)),
        },
        ..finding(&mut made, Language::C)
    };
    made.findings.push(finding);
    made.end(2_000_000, 0);
    made
}

/// A script, and what its interpreter does to run it.
pub(crate) fn script() -> Made {
    let mut made = Made::new("/usr/bin/python3.11", &["python3", "tool.py"]);
    let python = |function| ("/usr/bin/python3.11", function, "", 0);
    let line = |function, line| ("/usr/bin/python3.11", function, "/home/ada/tool.py", line);
    let stack = made.stack(&[
        ("/usr/lib/x86_64-linux-gnu/libc.so.6", "stat64", "", 0),
        python("os_stat"),
        python("cfunction_vectorcall"),
        line("look", 12),
        python("_PyEval_EvalFrameDefault"),
        line("main", 30),
        python("PyEval_EvalCode"),
        python("pymain_run_file"),
        python("Py_BytesMain"),
    ]);
    for at in 0..500_u64 {
        let file = made.path(b"/home/ada/config");
        made.call(at * 1_000, Name::Newfstatat, file, 0, stack);
    }
    let finding = Finding {
        id: "same-stat",
        verdict: "`/home/ada/config` was looked at 500 times and never changed".into(),
        wasted: 499,
        callers: vec![(stack, 499)],
        saved: Some(Saved::exactly(3_100_000, Basis::Replayed)),
        remedy: Remedy {
            text: "Look once and remember the answer.".into(),
            snippet: "known = functools.cache(os.stat)".into(),
        },
        ..finding(&mut made, Language::Python)
    };
    made.findings.push(finding);
    made.end(2_000_000, 0);
    made
}

/// What both have in common.
fn finding(made: &mut Made, language: Language) -> Finding {
    let program = made.registry.first().map(|process| process.program).unwrap_or_default();
    Finding {
        program,
        language,
        made: made.counts.total().calls,
        examples: made.last_calls(1),
        careful: "Others may rely on it.".into(),
        ..Finding::default()
    }
}
