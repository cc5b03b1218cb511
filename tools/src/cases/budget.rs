//! Judges the calls. Those of the program and those of an empty program started the same way are
//! counted by our own tracer; the difference must be within the case's budget. The program's own
//! report with `--calls` is compared with strace, which we have not written: if the tracer or the
//! program counts wrongly, it disagrees in the end with the numbers of the cases, which are written
//! by hand. A program that runs already reports what its library has counted.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use super::format::Case;
use super::spawn::{self, Outcome, Words};
use super::spent::Spent;
use super::strace::{self, Calls};
use super::watcher;

/// Calls on files, which the program's own report must have. No report has what the run-time
/// library does for memory, threads and signals.
const FILE_CALLS: &[&str] = &[
    "access", "close", "faccessat", "faccessat2", "fchmod", "fchmodat", "fchmodat2", "fcntl",
    "fstat", "fstatfs", "getcwd", "getdents64", "linkat", "lseek", "lstat", "mkdir", "mkdirat",
    "newfstatat", "open", "openat", "openat2", "pread64", "read", "readlink", "readlinkat",
    "readv", "rename", "renameat", "renameat2", "rmdir", "stat", "statfs", "statx", "symlink",
    "symlinkat", "unlink", "unlinkat", "write", "writev",
];

/// The calls that a language makes for its own objects.
pub(crate) const FOR_MEMORY: &[&str] = &["brk", "mmap", "mremap", "munmap", "madvise"];

/// Those that a program with musl makes besides what it does with glibc: its memory comes from
/// another allocator, and musl blocks signals where it starts a thread.
pub(crate) const OF_MUSL: &[&str] =
    &["brk", "mmap", "mremap", "munmap", "madvise", "rt_sigprocmask"];

/// What musl does besides glibc to start a program: a pipe tells it whether the child could.
const FOR_PROGRAM_OF_MUSL: &[(&str, i64)] = &[("pipe2", 1), ("read", 1), ("close", 2)];

/// The same for a child that could not run its program: what it did itself is of this program.
const FOR_FAILURE_OF_MUSL: &[(&str, i64)] =
    &[("pipe2", 1), ("read", 1), ("close", 3), ("write", 1)];

/// Calls that the C library also makes when a thread starts, which no report has.
const ALSO_OF_THREADS: &[&str] = &["madvise", "sched_getaffinity"];

/// Command lines, all of one language.
pub(crate) struct Programs {
    /// The command line that the case runs.
    pub(crate) judged: Words,
    /// The same with `--calls`, if it takes that.
    pub(crate) reporting: Option<Words>,
    /// The zero of its calls; none where they are not watched.
    pub(crate) empty: Option<Words>,
    /// Whether it is `fewer`: cases count its writes, and its threads are those of a Rust program.
    pub(crate) is_fewer: bool,
    /// Whether it is linked with musl, whose calls are judged as those of glibc.
    pub(crate) is_musl: bool,
    /// Calls that are not counted: a run-time library makes them for itself.
    pub(crate) uncounted: Vec<String>,
}

/// Makes the calls of a program with musl that `started` others those that it would have made with
/// glibc, in which cases are counted; `failed` children ran no program.
fn start_as_glibc(spent: &mut Calls, started: i64, failed: i64) {
    let mut add = |name: &str, count| *spent.entry(name.to_owned()).or_default() += count;
    add("clone", -started - failed);
    add("clone3", started + failed);
    for (name, count) in FOR_PROGRAM_OF_MUSL {
        add(name, -count * started);
    }
    for (name, count) in FOR_FAILURE_OF_MUSL {
        add(name, -count * failed);
    }
    spent.retain(|_, count| *count != 0);
}

/// Children that ended without having run a program. This program's own end is an empty one's, too.
fn ended_themselves(spent: &Calls) -> i64 {
    spent.get("exit_group").copied().unwrap_or(0)
}

/// Everything that is wrong with the calls of a program that is started for the case.
pub(crate) fn complaints(
    case: &Case,
    programs: Programs,
    here: &Path,
    log: &Path,
) -> Result<Vec<String>, String> {
    let empty = programs.empty.ok_or("there is no empty program")?;
    let zero = watched(case, empty.clone(), here, log)?;
    let Spent { programs: started, calls: mut spent, .. } =
        watched(case, programs.judged, here, log)?.minus(&zero);
    if programs.is_musl {
        let failed = ended_themselves(&spent);
        start_as_glibc(&mut spent, started, failed);
    }
    spent.retain(|name, _| !programs.uncounted.contains(name));
    let mut wrong = match programs.is_fewer {
        true => over_budget(case, &spent),
        false => over_budget(&without(&with_at_most(case, "write"), &programs.uncounted), &spent),
    };
    if let Some(reporting) = programs.reporting {
        let (_, empty) = traced(case, empty, here, log)?;
        let zero = strace::count(&empty);
        let (outcome, counted) = traced(case, reporting, here, log)?;
        match report(&outcome.stderr) {
            Some(reported) => {
                let mut spent = reportable(&counted, &zero, programs.is_fewer);
                if programs.is_musl {
                    let (failed, all) = (ended_themselves(&spent), strace::programs(&counted));
                    start_as_glibc(&mut spent, all - failed, failed);
                }
                wrong.extend(disagreements(&spent, &reported));
            }
            None => wrong.push("calls: --calls printed no report".to_owned()),
        }
    }
    Ok(wrong)
}

/// Failures in the calls of a program that runs already, as its library counted them. Its output is
/// sent in its answer.
pub(crate) fn complaints_of_resident(case: &Case, counted: &Calls) -> Vec<String> {
    over_budget(&with_at_most(&with_at_most(case, "write"), "total"), counted)
}

/// The case with its number as a limit: how a program writes its output is its own affair.
pub(super) fn with_at_most(case: &Case, name: &str) -> Case {
    let mut case = case.clone();
    if let Some(number) = case.calls.remove(name) {
        case.at_most.insert(name.to_owned(), number);
    }
    case
}

/// The case without budgets for these calls.
fn without(case: &Case, names: &[String]) -> Case {
    let mut case = case.clone();
    case.calls.retain(|name, _| !names.contains(name));
    case.at_most.retain(|name, _| !names.contains(name));
    case
}

/// The calls that strace counted in a run with a report and that can be in that report.
fn reportable(counted: &str, zero: &Calls, is_fewer: bool) -> Calls {
    let mut spent = strace::minus(&strace::count(counted), zero);
    // The write of the report itself comes too late to be in it.
    let own = strace::writes_to_stderr(counted, " ") + strace::writes_to_stderr(counted, "{");
    *spent.entry("write".to_owned()).or_default() -= own;
    if is_fewer {
        // A new thread looks for the end of its stack; glibc asks this for it.
        let threads = spent.get("clone3").copied().unwrap_or(0);
        *spent.entry("sched_getaffinity".to_owned()).or_default() -= threads;
    }
    // Before it gives memory back, glibc may look whether the system overcommits it.
    let looks = strace::opens_of(counted, "/proc/sys/vm/overcommit_memory");
    for name in ["openat", "read", "close"] {
        *spent.entry(name.to_owned()).or_default() -= looks;
    }
    spent
}

/// What the program spends, by our own count.
fn watched(case: &Case, words: Words, here: &Path, log: &Path) -> Result<Spent, String> {
    // A file that an earlier run has left would be taken for this one's.
    let _ = fs::remove_file(log);
    let outcome = spawn::start(case, here, &watcher::words(log.as_os_str())?, words)?.finish()?;
    let counts = fs::read_to_string(log).map_err(|why| {
        let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
        format!("nothing was counted: {why}; stderr: {said}")
    })?;
    Ok(Spent::read(&counts))
}

fn traced(case: &Case, words: Words, here: &Path, log: &Path) -> Result<(Outcome, String), String> {
    let tracer: Vec<OsString> = vec!["strace".into(), "-f".into(), "-o".into(), log.into()];
    let outcome = spawn::start(case, here, &tracer, words)?.finish()?;
    let log = fs::read(log).map_err(|why| format!("strace wrote no log: {why}"))?;
    Ok((outcome, String::from_utf8_lossy(&log).into_owned()))
}

/// The calls that are not as often made as the case says.
pub(super) fn over_budget(case: &Case, spent: &Calls) -> Vec<String> {
    let of = |name: &str| match name {
        // Where it goes slowly, as under a tracer, a walk asks whether it waits for storage.
        "total" => strace::total(spent) - spent.get("getrusage").copied().unwrap_or(0),
        _ => spent.get(name).copied().unwrap_or(0),
    };
    let mut wrong = Vec::new();
    for (name, &allowed) in &case.calls {
        if of(name) != allowed {
            wrong.push(format!("calls: {} {name}, not {allowed}", of(name)));
        }
    }
    for (name, &allowed) in &case.at_most {
        if of(name) > allowed {
            wrong.push(format!("calls: {} {name}, at most {allowed}", of(name)));
        }
    }
    if !wrong.is_empty() {
        let all = spent.iter().map(|(name, count)| format!("{count} {name}"));
        wrong.push(format!("calls: all of them: {}", all.collect::<Vec<_>>().join(", ")));
    }
    wrong
}

/// The program's own count against strace's: for each name that it reports, and for each call about
/// files that it made.
fn disagreements(spent: &Calls, reported: &Calls) -> Vec<String> {
    let about_files = |name: &&str| FILE_CALLS.contains(name);
    let mut names: BTreeSet<&str> = reported.keys().map(String::as_str).collect();
    names.extend(spent.keys().map(String::as_str).filter(about_files));
    names.remove("total");
    let count = |calls: &Calls, name: &str| calls.get(name).copied().unwrap_or(0);
    let mut wrong = Vec::new();
    for name in names {
        let (says, did) = (count(reported, name), count(spent, name));
        if says != did && !(says < did && ALSO_OF_THREADS.contains(&name)) {
            wrong.push(format!("calls: --calls says {says} {name}, strace counts {did}"));
        }
    }
    let sum = strace::total(reported) - count(reported, "total");
    if sum != count(reported, "total") {
        let total = count(reported, "total");
        wrong.push(format!("calls: --calls says {total} total, its lines add up to {sum}"));
    }
    wrong
}

/// The report at the end of the standard error: `NUMBER NAME` lines from `total` on, or one object.
pub(super) fn report(stderr: &[u8]) -> Option<Calls> {
    let text = String::from_utf8_lossy(stderr);
    let last = text.lines().next_back()?;
    if last.starts_with('{') {
        let object: serde_json::Value = serde_json::from_str(last).ok()?;
        let calls = object["calls"].as_object()?.iter();
        return calls.map(|(name, count)| Some((name.clone(), count.as_i64()?))).collect();
    }
    let lines: Vec<(&str, &str)> =
        text.lines().filter_map(|line| line.trim_start().split_once(' ')).collect();
    let start = lines.iter().rposition(|(count, name)| *name == "total" && is_number(count))?;
    let calls = lines[start..].iter();
    calls.map(|(count, name)| Some(((*name).to_owned(), count.parse().ok()?))).collect()
}

fn is_number(text: &str) -> bool {
    text.parse::<i64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(pairs: &[(&str, i64)]) -> Calls {
        pairs.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
    }

    #[test]
    fn a_report_is_read_in_both_forms() {
        let wanted = calls(&[("total", 9), ("openat", 6), ("close", 3)]);
        let plain = b"fewer: cannot open directory 'total': x\n 9 total\n 6 openat\n 3 close\n";
        assert_eq!(report(plain), Some(wanted.clone()));
        let json = br#"{"v":1,"calls":{"total":9,"openat":6,"close":3}}"#;
        assert_eq!(report(json), Some(wanted));
        assert_eq!(report(b"fewer: something else\n"), None);
        assert_eq!(report(b""), None);
    }

    #[test]
    fn with_musl_a_case_has_the_numbers_of_musl() {
        let text = "[[case]]\nname = 'a'\nrun = ['ls']\ncalls = { openat = 4 }\n\
                    at_most = { close = 4, read = 2 }\nmusl = { openat = 3, close = 3 }";
        let case = super::super::format::parse(text).unwrap().remove(0);
        let of =
            |number, case: &Case| over_budget(case, &calls(&[("openat", number), ("close", 3)]));
        assert!(of(4, &case).is_empty());
        let case = case.with_musl();
        assert!(of(3, &case).is_empty());
        assert!(of(4, &case)[0].contains("4 openat, not 3"));
        assert_eq!((case.at_most["close"], case.at_most["read"]), (3, 2));
    }

    #[test]
    fn with_musl_a_program_costs_what_it_costs_with_glibc() {
        let mut spent =
            calls(&[("clone", 3), ("close", 5), ("pipe2", 2), ("read", 2), ("openat", 1)]);
        start_as_glibc(&mut spent, 2, 0);
        // One clone is of a thread.
        assert_eq!(spent, calls(&[("clone", 1), ("clone3", 2), ("close", 1), ("openat", 1)]));
        // As in a log of strace of a `run /none` in a scope.
        let mut spent =
            calls(&[("clone", 1), ("close", 3), ("pipe2", 1), ("read", 1), ("write", 1)]);
        start_as_glibc(&mut spent, 0, 1);
        assert_eq!(spent, calls(&[("clone3", 1)]));
    }

    #[test]
    fn a_report_must_agree_name_by_name() {
        let spent = calls(&[("openat", 3), ("statx", 1), ("mmap", 7)]);
        assert!(
            disagreements(&spent, &calls(&[("total", 4), ("openat", 3), ("statx", 1)])).is_empty()
        );
        let wrong = disagreements(&spent, &calls(&[("total", 3), ("openat", 2)]));
        assert_eq!(wrong.len(), 3, "{wrong:?}");
    }

    #[test]
    fn a_resident_is_judged_by_its_own_count_and_may_write_less() {
        let text = "[[case]]\nname = 'a'\nrun = ['walk']\n\
                    calls = { openat = 1, write = 1, total = 4 }\nat_most = { statx = 1 }";
        let case = super::super::format::parse(text).unwrap().remove(0);
        let wrong = |pairs| complaints_of_resident(&case, &calls(pairs));
        assert!(wrong(&[("openat", 1), ("close", 1)]).is_empty());
        assert!(wrong(&[("openat", 2)])[0].contains("2 openat, not 1"));
        assert!(wrong(&[("openat", 1), ("read", 4)])[0].contains("5 total, at most 4"));
        assert!(wrong(&[("openat", 1), ("statx", 2)])[0].contains("2 statx"));
    }
}
