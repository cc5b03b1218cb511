//! `--tier kernel`: nothing stops. It takes root and the feature `kernel`; where one is missing,
//! the command says so in one line.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod folder;

use std::process::{Command, Stdio};

use folder::err;

fn fewer() -> Command {
    let mut fewer = Command::new(env!("CARGO_BIN_EXE_fewer"));
    fewer.stdin(Stdio::null());
    fewer
}

#[test]
fn all_processes_are_for_the_kernel() {
    let output = fewer().args(["count", "-a"]).output().unwrap();
    let wanted = "fewer: cannot watch all processes: that is for --tier kernel, which does not \
                  stop them\n";
    assert_eq!((output.status.code(), err(&output)), (Some(2), wanted.to_owned()));
}

#[test]
fn what_runs_is_watched_by_the_kernel_or_without_a_choice() {
    let output = fewer().args(["count", "--tier", "agent", "-p", "1"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let wanted = "fewer: what runs already is watched without --tier, or with --tier kernel\n";
    assert_eq!(err(&output), wanted);
}

#[cfg(not(feature = "kernel"))]
#[test]
fn without_the_feature_it_says_how_to_get_it() {
    let output = fewer().args(["count", "--tier", "kernel", "true"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = err(&output);
    assert!(said.ends_with("--features kernel\n") && said.lines().count() == 1, "{said}");
}

#[cfg(feature = "kernel")]
mod kernel {
    use super::folder::expect;
    use super::*;

    /// Whether it works here. If not, a line says why.
    fn works() -> bool {
        let output = fewer().args(["count", "--tier", "kernel", "true"]).output().unwrap();
        if !output.status.success() {
            eprintln!("skipped: {}", err(&output));
        }
        output.status.success()
    }

    #[test]
    fn without_privilege_it_says_what_is_missing() {
        // Root without any capability.
        let mut setpriv = Command::new("setpriv");
        setpriv.args(["--bounding-set=-all", "--inh-caps=-all"]).arg(env!("CARGO_BIN_EXE_fewer"));
        setpriv.args(["count", "--tier", "kernel", "true"]);
        let output = setpriv.output().unwrap();
        let said = err(&output);
        if said.starts_with("setpriv:") {
            return eprintln!("skipped: {said}");
        }
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.starts_with("fewer: cannot watch by the kernel: only root can"), "{said}");
        assert!(said.contains("CAP_BPF") && said.lines().count() == 1, "{said}");
    }

    #[test]
    fn in_a_pid_namespace_it_is_refused() {
        let mut unshare = Command::new("unshare");
        unshare.args(["--pid", "--fork", "--mount-proc"]).arg(env!("CARGO_BIN_EXE_fewer"));
        let output = unshare.args(["count", "--tier", "kernel", "true"]).output().unwrap();
        let said = err(&output);
        if !works() || said.starts_with("unshare:") {
            return eprintln!("skipped: {said}");
        }
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("pid namespace") && said.lines().count() == 1, "{said}");
    }

    #[test]
    fn the_whole_machine_has_a_table_of_programs() {
        if !works() {
            return;
        }
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", "while :; do : </etc/hostname; sleep 0.01; done"]);
        let mut shell = shell.spawn().unwrap();
        let words = ["count", "-a", "--tier", "kernel", "--for", "500ms", "--json", "-o", "-"];
        let output = fewer().args(words).output().unwrap();
        shell.kill().unwrap();
        shell.wait().unwrap();
        let json: serde_json::Value = serde_json::from_str(&expect(&output, 0)).unwrap();
        let programs = json["programs"].as_array().unwrap();
        let has = |row: &serde_json::Value| {
            let program = row["program"]["text"].as_str().unwrap();
            program.ends_with("/sleep") && row["name"] == "openat"
        };
        assert!(programs.iter().any(has), "{programs:?}");
    }

    #[test]
    fn why_says_the_same() {
        if !works() {
            return;
        }
        let script = "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do cat /etc/hostname; done";
        let report = |tier: &str| {
            let words = ["why", "--tier", tier, "--json", "-o", "-", "--threshold", "0", "--"];
            let mut why = fewer();
            let output = why.args(words).args(["sh", "-c", script]).output().unwrap();
            let text = expect(&output, 0);
            let line = text.lines().find(|line| line.starts_with('{')).unwrap().to_owned();
            let json: serde_json::Value = serde_json::from_str(&line).unwrap();
            let findings = json["findings"].as_array().unwrap().iter();
            let mut rows: Vec<String> =
                findings.map(|it| format!("{} {}", it["id"], it["wasted"])).collect();
            rows.sort();
            rows
        };
        let (kernel, stops) = (report("kernel"), report("ptrace"));
        assert!(!kernel.is_empty());
        assert_eq!(kernel, stops);
    }
}
