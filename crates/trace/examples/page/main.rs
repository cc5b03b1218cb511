//! Writes the page of `fewer why --html` about a run made by hand, to look at it and to test it in
//! a browser without tracing anything: `cargo run --example page -- KIND FILE`. KIND is `lister`,
//! `hostile`, `large`, `clean`, `stripped` or `script`.

mod lister;
mod made;
mod nameless;

use std::process::ExitCode;
use std::time::Duration;

use fewer_trace::explain::{Act, Basis, Finding, Remedy, Saved, Spared};
use fewer_trace::report::{Report, Timing, Untraced};
use fewer_trace::served::Served;
use fewer_trace::{Language, Name, Note, PathId, StackId};
use made::Made;

/// What must be shown as it is, and never understood: by HTML, by a script, by a reader.
const HOSTILE: &str = "</script><script>document.title='broken'</script>\
    <img src=x onerror=\"document.title='broken'\"><!--{{data}}&lt;\u{2028}\u{202e}`;\n\x1b[31m";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [kind, file] = &words[..] else {
        eprintln!("usage: page lister|hostile|large|clean|stripped|script FILE");
        return ExitCode::from(2);
    };
    let made = match kind.as_str() {
        "lister" => lister::lister(),
        "hostile" => hostile(),
        "large" => large(),
        "clean" => clean(),
        "stripped" => nameless::stripped(),
        "script" => nameless::script(),
        _ => {
            eprintln!("page: no kind '{kind}'");
            return ExitCode::from(2);
        }
    };
    let ms = Duration::from_millis;
    let report = Report {
        findings: &made.findings,
        inside_start: &[],
        reason: "no kind of waste reached 100 calls and 2 % of all",
        registry: &made.registry,
        counts: &made.counts,
        timeline: &made.timeline,
        untraced: match kind.as_str() {
            "hostile" => Err("it was not started here"),
            "large" => Ok(Untraced { wall: ms(31), basis: Timing::Estimated { watched: ms(200) } }),
            _ => Ok(Untraced {
                wall: ms(31),
                basis: Timing::Measured { user: ms(11), system: ms(20) },
            }),
        },
        watched_for: None,

        by_agent: 0,
        served: &Served::default(),
    };
    match std::fs::write(file, report.html()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("page: cannot write '{file}': {error}");
            ExitCode::FAILURE
        }
    }
}

/// Everything that has a name has a hostile one.
fn hostile() -> Made {
    let mut made = Made::new("/tmp/a&b", &["a&b", HOSTILE, "it's"]);
    let program = made.path(b"/tmp/a&b");
    let stack = made.stack(&[
        ("libc.so.6", HOSTILE, "", 0),
        ("/tmp/a&b", HOSTILE, HOSTILE, 7),
        ("/tmp/a&b", "main", "main.c", 9),
    ]);
    for at in 0..50_u64 {
        let file = made.path(format!("/tmp/{HOSTILE}/{}", at % 5).as_bytes());
        made.call(at * 1_000, Name::Newfstatat, file, 0, stack);
    }
    let file = made.path(b"/tmp/not-utf8-\xff\xfe");
    made.call(60_000, Name::Openat, file, -2, stack);
    let examples = made.last_calls(3);
    made.findings.push(Finding {
        id: "same-stat",
        verdict: format!("`/tmp/{HOSTILE}` was looked at 50 times"),
        program,
        language: Language::C,
        wasted: 45,
        made: 51,
        callers: vec![(stack, 45)],
        examples,
        spared: Vec::new(),
        replaces: Vec::new(),
        children: Default::default(),
        saved: None,
        remedy: Remedy { text: HOSTILE.into(), snippet: HOSTILE.repeat(3) },
        careful: HOSTILE.into(),
    });
    let note = Note { id: "foreign".into(), process: 1, text: HOSTILE.into() };
    made.see(fewer_trace::Event::Note(note));
    made.end(100_000, 11);
    made
}

/// 10,000 stacks, 100,000 files, a million calls.
fn large() -> Made {
    let mut made = Made::new("/usr/bin/large", &["large", "--everything"]);
    let stacks: Vec<StackId> = (0..10_000_u32).map(|at| large_stack(&mut made, at)).collect();
    let names = [Name::Newfstatat, Name::Openat, Name::Close, Name::Read, Name::Getdents64];
    for at in 0..1_000_000_u64 {
        // Few files have many calls.
        let random = at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let file = random * random % 100_000;
        let file = made.path(format!("/srv/data/{:03}/file-{file}.dat", file % 512).as_bytes());
        let stack = stacks[usize::try_from(random).unwrap_or_default() % stacks.len()];
        let name = names[usize::try_from(at % 5).unwrap_or_default()];
        made.call(at * 30_000, name, file, if at % 17 == 0 { -2 } else { 0 }, stack);
    }
    let act = Act::Call { name: Name::Newfstatat, file: PathId(1), moved: 0, failed: false };
    let callers: Vec<(StackId, u64)> = stacks.iter().map(|stack| (*stack, 15)).collect();
    let finding = Finding {
        id: "stat-per-entry",
        verdict: "150,000 entries were looked at that a directory read had just described".into(),
        program: made.path(b"/usr/bin/large"),
        language: Language::Rust,
        wasted: 150_000,
        made: 1_000_000,
        callers,
        examples: made.last_calls(3),
        spared: vec![Spared { act, count: 150_000 }],
        replaces: Vec::new(),
        children: Default::default(),
        saved: Some(Saved::exactly(21_000_000, Basis::Calibrated)),
        remedy: Remedy {
            text: "Use the kind of entry that the directory read has given.".into(),
            snippet: "if entry.file_type()?.is_dir() { ... }".into(),
        },
        careful: "some file systems do not say what an entry is (DT_UNKNOWN)".into(),
    };
    made.findings.push(finding);
    made.end(30_000_000_000, 0);
    made
}

/// Stacks that share their outer part, as those of a real program do.
fn large_stack(made: &mut Made, at: u32) -> StackId {
    let names: Vec<String> = (0..24)
        .map(|depth| match depth {
            0..4 => format!("entry_{depth}"),
            4..8 => format!("phase_{depth}_{}", at % 7),
            8..16 => format!("step_{depth}_{}", at / 7 % 120),
            _ => format!("leaf_{depth}_{at}"),
        })
        .collect();
    let frames: Vec<(&str, &str, &str, u32)> =
        names.iter().rev().map(|name| ("/usr/bin/large", name.as_str(), "large.rs", 1)).collect();
    made.stack(&frames)
}

fn clean() -> Made {
    let mut made = Made::new("/usr/bin/true", &["true"]);
    let stack = made.stack(&[("ld-linux-x86-64.so.2", "_dl_map_object", "", 0)]);
    for at in 0..9_u64 {
        let file = made.path(b"/lib/x86_64-linux-gnu/libc.so.6");
        made.call(at * 50_000, Name::Openat, file, 3, stack);
    }
    made.end(900_000, 0);
    made
}
