//! No call is lost: counts equal strace's, name by name, for the commands of `counts.toml`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use fewer_trace::Name;
use fewer_trace::source::{Ending, Options, Subject, Tier};
use serde::Deserialize;

use super::fixture::{
    Counts, compiled, compiled_by, installed, quietly, strace, traced, watched_with,
};

/// A row of the table; its head says what the fields are.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Row {
    name: String,
    c: String,
    compiler: String,
    flags: Vec<String>,
    build: String,
    run: String,
    needs: Vec<String>,
    all: bool,
    is_32_bit: bool,
    machine: String,
    apart: Vec<String>,
    why: String,
}

impl Default for Row {
    fn default() -> Row {
        Row {
            name: String::new(),
            c: String::new(),
            compiler: "cc".to_owned(),
            flags: Vec::new(),
            build: String::new(),
            run: "exec {program}".to_owned(),
            needs: Vec::new(),
            all: false,
            is_32_bit: false,
            machine: std::env::consts::ARCH.to_owned(),
            apart: Vec::new(),
            why: String::new(),
        }
    }
}

#[derive(Deserialize)]
struct Table {
    command: Vec<Row>,
}

/// Where the programs of other languages are.
const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/source/languages");

impl Row {
    /// What is missing to run it.
    fn lacks(&self) -> Option<String> {
        if self.machine != std::env::consts::ARCH {
            return Some(format!("a machine of {}", self.machine));
        }
        let is_there = |name: &&String| match name.starts_with('/') {
            true => Path::new(name).exists(),
            false => installed(name).is_some(),
        };
        self.needs.iter().find(|name| !is_there(name)).cloned()
    }

    fn filled(&self, script: &str, built: &Path) -> String {
        let program = match self.c.is_empty() {
            true => PathBuf::new(),
            false => {
                let flags: Vec<&str> = self.flags.iter().map(String::as_str).collect();
                compiled_by(&self.compiler, &self.c, &flags)
            }
        };
        let quoted = |path: &Path| format!("'{}'", path.display());
        script
            .replace("{program}", &quoted(&program))
            .replace("{built}", &quoted(built))
            .replace("{sources}", &quoted(Path::new(SOURCES)))
    }

    /// Builds what it needs. The folder.
    fn build(&self) -> PathBuf {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("source").join(&self.name);
        std::fs::create_dir_all(&folder).unwrap();
        if !self.build.is_empty() {
            let script = self.filled(&self.build, &folder);
            let mut shell = Command::new("/bin/sh");
            shell.args(["-ec", &script]).current_dir(&folder).stdin(Stdio::null());
            assert!(shell.status().unwrap().success(), "{} is not built", self.name);
        }
        folder
    }

    /// The calls that are compared, without what is another machine's in their names.
    fn compared(&self, counts: &Counts) -> Counts {
        let mut compared = Counts::new();
        for (name, count) in counts {
            let name = name.strip_prefix("i386_").unwrap_or(name);
            let is_watched = Name::parse(name).is_some_and(Name::is_watched);
            let is_apart = self.apart.iter().any(|other| other == name);
            if (self.all || self.is_32_bit || is_watched) && !is_apart {
                *compared.entry(name.to_owned()).or_default() += count;
            }
        }
        compared
    }

    /// Runs it under strace and under us. What differs: name, strace's count, ours.
    fn differences(&self, script: &str) -> Vec<(String, u64, u64)> {
        let command = ["/bin/sh", "-c", script];
        let place = tempfile::tempdir().unwrap();
        let theirs = self.compared(&strace(&quietly(place.path(), &command)));
        let place = tempfile::tempdir().unwrap();
        let all = self.all || self.is_32_bit;
        let ours = self.compared(&traced(&quietly(place.path(), &command), all).counts());
        if ours.is_empty() {
            return vec![("no calls".to_owned(), 0, 0)];
        }
        let mut both: BTreeMap<&String, (u64, u64)> = BTreeMap::new();
        theirs.iter().for_each(|(name, count)| both.entry(name).or_default().0 = *count);
        ours.iter().for_each(|(name, count)| both.entry(name).or_default().1 = *count);
        let differ = both.into_iter().filter(|(_, (theirs, ours))| theirs != ours);
        differ.map(|(name, (theirs, ours))| (name.clone(), theirs, ours)).collect()
    }

    /// What is not the same in every run (a race for a lock) gets some chances: a fault of ours is
    /// in all of them. What is wrong.
    fn judge(&self) -> Option<String> {
        assert_eq!(self.apart.is_empty(), self.why.is_empty(), "{}: why?", self.name);
        let script = self.filled(&self.run, &self.build());
        let mut differences = Vec::new();
        const CHANCES: usize = 10;
        for _ in 0..CHANCES {
            differences = self.differences(&script);
            if differences.is_empty() {
                return None;
            }
        }
        Some(format!("{}: name, strace, we: {differences:?}", self.name))
    }
}

#[test]
fn counts_are_those_of_strace() {
    let table: Table = toml_edit::de::from_str(include_str!("counts.toml")).unwrap();
    assert!(table.command.len() >= 40);
    let chosen = std::env::var("FEWER_TEST_COMMAND").unwrap_or_default();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut wrong = Vec::new();
        while let Some(row) = table.command.get(next.fetch_add(1, Ordering::Relaxed)) {
            if !row.name.contains(&chosen) {
                continue;
            }
            match row.lacks() {
                Some(lack) => eprintln!("{}: skipped without {lack}", row.name),
                None => wrong.extend(row.judge()),
            }
        }
        wrong
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let workers = [scope.spawn(work), scope.spawn(work)];
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The kernel reports stops in an order of its own: where eight threads stop all the time, the one
/// that they wait for has its turn as well.
#[test]
fn busy_threads_below_a_child_starve_nobody() {
    let spin = compiled("spin", &[]);
    let line = format!("'{}' 8; :", spin.display());
    let command = Subject::Command(quietly(Path::new("/"), &["/bin/sh", "-c", &line]));
    // In the agent they do not wait for each other.
    let run = watched_with(&command, &Options { tier: Tier::Ptrace, ..Options::default() });
    assert_eq!(run.ending, Ending::Exited(0));
    assert_eq!(run.files(Name::Newfstatat).iter().filter(|file| *file == "/etc").count(), 20);
    // Strace lets them make about 800 meanwhile, and more where all of the machine is busy. They
    // would go on for ever if the one that they wait for never had its turn.
    let closes = run.named(Name::Close).count();
    assert!(closes < 40_000, "{closes}");
}

/// Where some call all the time and most rest, the one with work to do comes to its end.
#[test]
fn busy_threads_starve_none_of_200() {
    let starve = compiled("starve", &[]);
    let words = [starve.as_os_str(), "32".as_ref(), "168".as_ref(), "200".as_ref()];
    let run = traced(&quietly(Path::new("/"), &words), false);
    assert_eq!(run.ending, Ending::Exited(0));
    assert_eq!(run.files(Name::Openat).iter().filter(|file| *file == "/etc/passwd").count(), 200);
}

#[test]
fn of_stopping_and_going_on() {
    let run = traced(&[compiled("stops", &[]).into()], false);
    assert_eq!(run.ending, Ending::Exited(0));
    assert_eq!(run.files(Name::Newfstatat).iter().filter(|path| *path == "/after").count(), 2);
}
