//! One command line, for both programs.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::tree::quoted;

const NOBODY: u32 = 65_534;

#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    pub(crate) env: Vec<(String, String)>,
    /// Each as the words that it consists of.
    pub(crate) flags: Vec<Vec<String>>,
    pub(crate) operands: Vec<Vec<u8>>,
    /// Single letters are written as one word.
    pub(crate) bundle: bool,
    pub(crate) operands_first: bool,
    /// Run as a user who may not read everything.
    pub(crate) nobody: bool,
    /// `LC_ALL=C.UTF-8` instead of `LC_ALL=C`.
    pub(crate) unicode: bool,
}

/// The two that must say the same.
pub(crate) struct Programs {
    pub(crate) gnu: PathBuf,
    /// The program and its verb.
    pub(crate) ours: Vec<OsString>,
}

impl Line {
    pub(crate) fn of(flags: &[&[String]], operands: &[&[u8]]) -> Line {
        let flags = flags.iter().map(|words| words.to_vec()).collect();
        let operands = operands.iter().map(|operand| operand.to_vec()).collect();
        Line { flags, operands, ..Line::default() }
    }

    pub(crate) fn words(&self) -> Vec<OsString> {
        let mut flags: Vec<String> = Vec::new();
        let mut is_open = false;
        for words in &self.flags {
            let joins = words.len() == 1 && is_letters(&words[0]);
            match flags.last_mut() {
                Some(last) if self.bundle && joins && is_open => last.push_str(&words[0][1..]),
                _ => flags.extend(words.iter().cloned()),
            }
            is_open = joins;
        }
        let flags = flags.into_iter().map(OsString::from);
        let operands = self.operands.iter().map(|path| OsStr::from_bytes(path).to_owned());
        let dashed = self.operands.iter().any(|path| path.starts_with(b"-"));
        match (self.operands_first && !dashed, dashed) {
            (true, _) => operands.chain(flags).collect(),
            (_, true) => flags.chain([OsString::from("--")]).chain(operands).collect(),
            _ => flags.chain(operands).collect(),
        }
    }

    /// The environment that both programs get.
    pub(crate) fn environment(&self) -> Vec<(&str, &str)> {
        let locale = if self.unicode { "C.UTF-8" } else { "C" };
        let given = self.env.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        [("PATH", "/usr/bin:/bin"), ("LC_ALL", locale)].into_iter().chain(given).collect()
    }

    pub(crate) fn run(&self, program: &[OsString], here: &Path) -> Output {
        let mut command = Command::new(&program[0]);
        command.args(&program[1..]).args(self.words()).current_dir(here);
        command.env_clear().envs(self.environment());
        if self.nobody {
            command.uid(NOBODY).gid(NOBODY);
        }
        command.output().unwrap_or_else(|why| panic!("cannot run {program:?}: {why}"))
    }

    /// For bash, to be pasted behind the tree's script.
    pub(crate) fn shown(&self) -> String {
        let mut shown = if self.nobody {
            "setpriv --reuid=65534 --regid=65534 --clear-groups ".to_owned()
        } else {
            String::new()
        };
        shown.push_str("env -i");
        for (name, value) in self.environment() {
            shown.push_str(&format!(" {name}={}", quoted(value.as_bytes())));
        }
        shown.push_str(" ls");
        for word in self.words() {
            shown.push(' ');
            match word.as_bytes() {
                flag if flag.starts_with(b"-") && is_plain(flag) => {
                    shown.push_str(&String::from_utf8_lossy(flag));
                }
                other => shown.push_str(&quoted(other)),
            }
        }
        shown
    }
}

fn is_letters(word: &str) -> bool {
    word.len() >= 2
        && word.starts_with('-')
        && word[1..].bytes().all(|b| b.is_ascii_alphanumeric())
        && !word.starts_with("-w")
        && !word.starts_with("-T")
        && !word.starts_with("-I")
}

fn is_plain(word: &[u8]) -> bool {
    word.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-=.,+/_:".contains(byte))
}
