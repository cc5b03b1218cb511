//! What a tree is like while a definition is measured: prepared by commands, reached through a
//! server, forgotten by the kernel.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::mount::{UnmountFlags, unmount};

use crate::definition::Definition;
use crate::engine::{self, Contender};
use crate::measure;
use crate::namespace;
use crate::options::Options;

const DROP: &str = "/proc/sys/vm/drop_caches";

/// Trees that are ready; what stands before them goes when this is dropped.
pub(crate) struct Conditions {
    servers: Vec<Server>,
    /// The commands that ran, for people.
    pub(crate) prepared: Vec<String>,
    /// The command that serves, for people.
    behind: String,
}

impl Conditions {
    /// Makes all trees of `contenders` ready, or says why that is not possible here.
    pub(crate) fn prepare(
        options: &Options,
        definition: &Definition,
        contenders: &[Contender],
    ) -> Result<Self, String> {
        if definition.cold && !rustix::process::geteuid().is_root() {
            return Err("only root can have the kernel forget".into());
        }
        let engines = engine::load(options)?;
        let mut trees: Vec<&str> =
            contenders.iter().flat_map(|one| [one.tree.name(), one.tree.nothing()]).collect();
        trees.sort_unstable();
        trees.dedup();
        let mut conditions =
            Conditions { servers: Vec::new(), prepared: Vec::new(), behind: String::new() };
        let helper = |label: &str| {
            engine::contender(&engines, definition, label, options)
                .map_err(|reason| format!("{label}: {reason}"))
        };
        for label in &definition.prepare {
            let job = helper(label)?;
            for tree in &trees {
                let mut command = measure::command(&job.arguments_once(tree), &options.trees);
                let output = command.output().map_err(|error| format!("{label}: {error}"))?;
                if !job.succeeded(output.status) {
                    return Err(format!("{label}: {}: {}", output.status, said(&output.stderr)));
                }
            }
            conditions.prepared.push(job.shown);
        }
        if let Some(label) = &definition.behind {
            let job = helper(label)?;
            namespace::enter()?;
            for tree in &trees {
                conditions.servers.push(Server::start(&job, &options.trees, tree)?);
            }
            conditions.behind = job.shown;
        }
        Ok(conditions)
    }

    /// How far away the trees are, for people.
    pub(crate) fn storage(&self, definition: &Definition) -> String {
        let cache = match definition.cold {
            true => "forgotten by the kernel before each run, not so the programs",
            false => "warm cache",
        };
        match self.behind.as_str() {
            "" => cache.into(),
            behind => format!("{cache}, behind `{behind}`"),
        }
    }
}

/// What stands before one tree.
struct Server {
    process: Child,
    tree: PathBuf,
}

impl Server {
    fn start(job: &Contender, trees: &Path, tree: &str) -> Result<Self, String> {
        let mut command: Command = measure::command(&job.arguments_once(tree), trees);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().map_err(|error| format!("{}: {error}", job.label))?;
        let mut line = String::new();
        if let Some(output) = process.stdout.take() {
            BufReader::new(output).read_line(&mut line).map_err(|error| error.to_string())?;
        }
        let mut server = Server { process, tree: trees.join(tree) };
        if line.trim() == "ready" {
            return Ok(server);
        }
        let mut text = Vec::new();
        if let Some(mut errors) = server.process.stderr.take() {
            errors.read_to_end(&mut text).map_err(|error| error.to_string())?;
        }
        Err(said(&text))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
        // It does so itself if it can; an error is that there is nothing any more.
        let _ = unmount(&self.tree, UnmountFlags::DETACH);
    }
}

/// The last line of what a program complained.
fn said(text: &[u8]) -> String {
    String::from_utf8_lossy(text).lines().last().unwrap_or("it says nothing").to_owned()
}

/// Has the kernel forget names, inodes and blocks of all that is not in use, and then reads the
/// contender's program again, on a tree with nothing in it: what is cold is the tree.
pub(crate) fn forget(contender: &Contender, trees: &Path) -> Result<(), String> {
    rustix::fs::sync();
    std::fs::write(DROP, "3").map_err(|error| format!("{DROP}: {error}"))?;
    measure::command(&contender.arguments_once(contender.tree.nothing()), trees)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map(|_| ())
        .map_err(|error| format!("{}: {error}", contender.label))
}
