//! Streams behave as bash's descriptors do: random redirections, reads and writes, by the script
//! and by its children, leave the same files behind.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::ffi::CString;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;

use fewer::Scope;
use fewer_shell::processes::{Run, spawn, wait};
use fewer_shell::streams::{How, Open, Table};
use proptest::prelude::*;

/// One line of a script.
#[derive(Clone, Debug)]
enum Step {
    /// `exec 3>>f`
    Open(u32, usize, How),
    /// `exec 3>&4`
    Copy(u32, u32),
    /// `exec 3>&-`
    Close(u32),
    /// `echo text >&3`
    Write(u32, usize),
    /// `read -r x <&3; echo "read $x" >>log`
    Read(u32),
    /// The same by a child.
    ChildWrite(u32, usize),
    ChildRead(u32),
    /// `exec 3<<<text`
    Here(u32, usize),
    /// `cat f >>log`, looking at what is there
    Look(usize),
}

const FILES: [&str; 3] = ["f", "g", "fifo-like"];

fn step() -> impl Strategy<Value = Step> {
    let number = || 3_u32..7;
    let how = prop_oneof![
        4 => Just(How::Read),
        2 => Just(How::Write),
        4 => Just(How::Append),
        2 => Just(How::ReadWrite),
    ];
    prop_oneof![
        4 => (number(), 0..2_usize, how).prop_map(|(n, file, how)| Step::Open(n, file, how)),
        2 => (number(), number()).prop_map(|(n, from)| Step::Copy(n, from)),
        1 => number().prop_map(Step::Close),
        6 => (number(), 1..300_usize).prop_map(|(n, length)| Step::Write(n, length)),
        8 => number().prop_map(Step::Read),
        2 => (number(), 1..9_usize).prop_map(|(n, length)| Step::ChildWrite(n, length)),
        3 => number().prop_map(Step::ChildRead),
        1 => (number(), 1..4_usize).prop_map(|(n, lines)| Step::Here(n, lines)),
        2 => (0..2_usize).prop_map(Step::Look),
    ]
}

fn text(length: usize) -> String {
    let line: String = ('a'..='z').cycle().take(length % 40 + 1).collect();
    format!("{length}{line}")
}

fn here(lines: usize) -> String {
    (0..lines).map(|line| format!("here {line}\n")).collect()
}

const CHILD_READ: &str = "IFS= read -r x; echo \"child $x\" >>log";

impl Step {
    /// As bash has it.
    fn script(&self) -> String {
        match self {
            Step::Open(n, file, how) => {
                let operator = match how {
                    How::Read => "<",
                    How::Write | How::NoClobber => ">",
                    How::Append => ">>",
                    How::ReadWrite => "<>",
                };
                format!("exec {n}{operator}{}", FILES[*file])
            }
            Step::Copy(n, from) => format!("{{ : >&{from}; }} 2>&- && exec {n}>&{from}"),
            Step::Close(n) => format!("exec {n}>&-"),
            Step::Write(n, length) => format!("echo '{}' 2>&- >&{n}", text(*length)),
            Step::Read(n) => {
                format!("x=; IFS= read -r x 2>&- <&{n}; echo \"read $x\" >>log")
            }
            Step::ChildWrite(n, length) => {
                format!("sh -c 'echo {} >&{n}' 2>&-", text(*length))
            }
            Step::ChildRead(n) => format!("sh -c '{CHILD_READ}' 2>&- <&{n}"),
            Step::Here(n, lines) => format!("exec {n}<<'E'\n{}E", here(*lines)),
            Step::Look(file) => format!("cat {} >>log", FILES[*file]),
        }
    }

    fn run(&self, ours: &Ours) {
        let table = &ours.table;
        match self {
            Step::Open(n, file, how) => {
                let open = table.open(&ours.scope, FILES[*file].as_bytes(), *how).unwrap();
                table.put(*n, Some(open));
            }
            Step::Copy(n, from) => {
                if let Some(open) = table.get(*from) {
                    table.put(*n, Some(open));
                }
            }
            Step::Close(n) => drop(table.put(*n, None)),
            Step::Write(n, length) => {
                let Some(open) = table.get(*n) else { return };
                let _ = open.write(format!("{}\n", text(*length)).as_bytes());
            }
            Step::Read(n) => {
                let mut bytes = b"read ".to_vec();
                if let Some(open) = table.get(*n) {
                    let _ = open.read_until(b'\n', &mut bytes, usize::MAX, None);
                }
                bytes.push(b'\n');
                ours.log(&bytes);
            }
            Step::ChildWrite(n, length) => ours.child(&format!("echo {} >&{n}", text(*length))),
            Step::ChildRead(n) => {
                let Some(open) = table.get(*n) else { return };
                let before = table.put(0, Some(open));
                ours.child(CHILD_READ);
                table.put(0, before);
            }
            Step::Here(n, lines) => {
                let bytes: Rc<[u8]> = here(*lines).into_bytes().into();
                table.put(*n, Some(table.from_bytes(bytes, false)));
            }
            Step::Look(file) => ours.child(&format!("cat {} >>log", FILES[*file])),
        }
    }
}

struct Ours {
    table: Table,
    scope: Scope,
}

impl Ours {
    fn log(&self, bytes: &[u8]) {
        let log: Rc<Open> = self.table.open(&self.scope, b"log", How::Append).unwrap();
        log.write(bytes).unwrap();
    }

    fn child(&self, script: &str) {
        let arguments = ["sh", "-c", script].map(|word| CString::new(word).unwrap());
        let environment = [c"PATH=/usr/bin:/bin".to_owned()];
        let run = Run {
            path: c"/bin/sh",
            arguments: &arguments,
            environment: &environment,
            default_signals: &[13],
        };
        wait(spawn(&run, &self.table, &self.scope).unwrap(), &self.table).unwrap();
    }
}

fn prepare(place: &Path) {
    std::fs::write(place.join("f"), (0..400).map(|n| format!("f {n}\n")).collect::<String>())
        .unwrap();
    std::fs::write(place.join("g"), "g 1\ng 2").unwrap();
    std::fs::write(place.join("log"), "").unwrap();
}

fn left(place: &Path) -> [String; 3] {
    ["f", "g", "log"].map(|name| std::fs::read_to_string(place.join(name)).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 60,
        failure_persistence: None,
        ..Default::default()
    })]
    #[test]
    fn random_scripts_leave_the_same_files(steps in prop::collection::vec(step(), 1..25)) {
        let (theirs, ours) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        prepare(theirs.path());
        prepare(ours.path());
        let script: String = steps.iter().map(|step| step.script() + "\n").collect();
        let bash = Command::new("bash").args(["-c", &script]).current_dir(theirs.path()).output();
        let Ok(_) = bash else {
            eprintln!("skipped: there is no bash here");
            return Ok(());
        };
        {
            let scope = Scope::start().enter(ours.path()).unwrap();
            let ours = Ours { table: Table::empty(), scope };
            let null = |how| Some(ours.table.open(&ours.scope, b"/dev/null", how).unwrap());
            ours.table.put(0, null(How::Read));
            ours.table.put(1, null(How::Write));
            ours.table.put(2, null(How::Write));
            steps.iter().for_each(|step| step.run(&ours));
        }
        prop_assert_eq!(left(ours.path()), left(theirs.path()), "{}", script);
    }
}
