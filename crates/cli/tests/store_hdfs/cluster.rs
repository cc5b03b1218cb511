//! One cluster for all tests of this file, one test at a time, and a tree with hostile names in it.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{ChildStdin, ChildStdout, Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../stores/tests/hdfs/cluster");

/// The status of the script if Java or Maven cannot be had.
const SKIPPED: i32 = 77;

/// More than fits into four answers.
pub(crate) const WIDE: usize = 5000;

pub(crate) struct Cluster {
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    pub(crate) port: u16,
}

/// What Hadoop's client says of an entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Known {
    pub(crate) path: String,
    pub(crate) kind: String,
    pub(crate) size: u64,
    pub(crate) milliseconds: u64,
}

/// The cluster, with its tree in `/t`; `None` if there can be none here.
pub(crate) fn cluster() -> Option<MutexGuard<'static, Cluster>> {
    static CLUSTER: OnceLock<Option<Mutex<Cluster>>> = OnceLock::new();
    let cluster = CLUSTER.get_or_init(|| Cluster::start().map(Mutex::new)).as_ref()?;
    Some(cluster.lock().unwrap_or_else(PoisonError::into_inner))
}

impl Cluster {
    fn start() -> Option<Cluster> {
        // The cluster ends with this process, and then removes it.
        let folder = tempfile::tempdir().unwrap().keep();
        let mut child = Command::new(SCRIPT)
            .arg(&folder)
            .env("HADOOP_USER_NAME", "root")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
        let Some(ready) = output.next() else {
            assert_eq!(child.wait().unwrap().code(), Some(SKIPPED), "the cluster did not start");
            return None;
        };
        let port = ready.unwrap().strip_prefix("ready ").unwrap().parse().unwrap();
        let mut cluster = Cluster { input, output, port };
        cluster.make_tree();
        Some(cluster)
    }

    /// What the cluster answers to a line.
    pub(crate) fn tell(&mut self, verb: &str, path: &str, rest: &str) -> Vec<String> {
        let path: String = path.bytes().map(|byte| format!("{byte:02x}")).collect();
        writeln!(self.input, "{}", [verb, &path, rest].join(" ").trim_end()).unwrap();
        let mut answer = Vec::new();
        loop {
            let line = self.output.next().unwrap().unwrap();
            match &*line {
                "done" => return answer,
                failed if failed.starts_with("failed") => panic!("{verb}: {failed}"),
                _ => answer.push(line),
            }
        }
    }

    fn make_tree(&mut self) {
        let long = "n".repeat(255);
        let long_in_two_bytes = "é".repeat(127) + "x";
        for directory in ["/t/empty", "/t/a/b/c", "/t/a b"] {
            self.tell("dir", directory, "");
        }
        for (name, size) in [
            ("a/x", 5),
            ("a/.dot", 0),
            ("a/b/run.sh", 70),
            ("a-", 0),
            ("a b/c d", 1),
            (".hidden/inside", 2),
            ("new\nline/end\n", 3),
            ("ä/ö.txt", 4),
            ("😀", 0),
            ("-dash", 0),
            ("100% *?[x]\\ \"'", 0),
            (&*long, 6),
            (&*long_in_two_bytes, 7),
            ("denied/secret", 8),
        ] {
            self.tell("file", &format!("/t/{name}"), &size.to_string());
        }
        self.tell("file", &format!("/t{}/leaf", "/deep".repeat(40)), "1");
        self.tell("many", "/t/wide", &format!("1 {WIDE}"));
        self.tell("mode", "/t/denied", "700");
        self.tell("mode", "/t/a/b/run.sh", "755");
    }

    /// What is below a path, as `FileSystem.listStatus` lists it.
    pub(crate) fn list(&mut self, path: &str) -> Vec<Known> {
        let parse = |line: String| {
            let fields: Vec<&str> = line.split(' ').collect();
            let digits = |at: usize| u8::from_str_radix(&fields[3][at..at + 2], 16).unwrap();
            let path = (0..fields[3].len()).step_by(2).map(digits).collect();
            Known {
                path: String::from_utf8(path).unwrap(),
                kind: fields[0].to_owned(),
                size: fields[1].parse().unwrap(),
                milliseconds: fields[2].parse().unwrap(),
            }
        };
        self.tell("list", path, "").into_iter().map(parse).collect()
    }

    /// How often the NameNode was called so far: `getListing` and `getFileInfo`.
    pub(crate) fn calls(&mut self) -> u64 {
        let answer = self.tell("calls", "", "");
        answer[0].split(' ').map(|count| count.parse::<u64>().unwrap()).sum()
    }

    /// The address of a path.
    pub(crate) fn address(&self, path: &str) -> String {
        format!("hdfs://127.0.0.1:{}{path}", self.port)
    }

    /// `fewer walk` of a path, as the user that made all of it.
    pub(crate) fn command(&self, path: &str, words: &[&str]) -> Command {
        let mut command = fewer(&self.address(path));
        command.args(words);
        command
    }

    pub(crate) fn walk(&self, path: &str, words: &[&str]) -> Output {
        self.command(path, words).output().unwrap()
    }

    /// The lines that are printed, without the address of the server; nothing went wrong.
    pub(crate) fn printed(&self, path: &str, words: &[&str]) -> String {
        let output = self.walk(path, words);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
        assert_eq!(output.status.code(), Some(0), "{words:?}");
        String::from_utf8(output.stdout).unwrap().replace(&self.address(""), "")
    }

    /// What `walk --json` prints.
    pub(crate) fn known(&self, output: &Output) -> Vec<Known> {
        let parse = |line: &str| {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            let path = line["path"]["text"].as_str().unwrap();
            Known {
                path: path.strip_prefix(&self.address("")).unwrap().to_owned(),
                kind: line["kind"].as_str().unwrap().to_owned(),
                size: line["size"].as_u64().unwrap(),
                milliseconds: (line["modified"].as_f64().unwrap() * 1000.0).round() as u64,
            }
        };
        std::str::from_utf8(&output.stdout).unwrap().lines().map(parse).collect()
    }
}

/// `fewer walk` of an address.
pub(crate) fn fewer(address: &str) -> Command {
    verb("walk", address)
}

/// A verb of an address.
pub(crate) fn verb(verb: &str, address: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fewer"));
    command.args([verb, address]).stdin(Stdio::null());
    command.env_clear().env("HADOOP_USER_NAME", "root");
    command
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
