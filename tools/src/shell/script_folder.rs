//! Runs a script in an empty folder with the files of its case, a known environment and a time
//! limit; and collects the files that it leaves there.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use super::format::{Files, Outcome};
use crate::cases::bare_root::BareRoot;
use crate::checkout;

/// A script that runs longer hangs: the longest takes 5 on an idle machine, and has been seen to
/// take more than 20 beside others.
const LONGEST_RUN_SECONDS: &str = "120";

/// The status of `timeout` then.
pub(crate) const HANGS: i32 = 124;

/// A folder `t` to run in, and the script beside it.
pub(crate) struct ScriptFolder {
    outer: PathBuf,
    here: PathBuf,
    timeout: PathBuf,
    pub(crate) keep: bool,
}

/// How to start a script.
#[derive(Default)]
pub(crate) struct Run<'a> {
    /// The words before the script.
    pub(crate) front: Vec<OsString>,
    pub(crate) script: &'a [u8],
    /// The path of the script, if its text is not given.
    pub(crate) at: Option<PathBuf>,
    /// Whether the script is passed with `-c`.
    pub(crate) command: bool,
    pub(crate) args: Vec<Vec<u8>>,
    pub(crate) stdin: Vec<u8>,
    pub(crate) env: Vec<(String, String)>,
}

impl ScriptFolder {
    pub(crate) fn new(keep: bool) -> Result<ScriptFolder, String> {
        let outer = std::env::temp_dir().join(format!("fewer-sh-{}", std::process::id()));
        let here = outer.join("t");
        fs::create_dir_all(&here).map_err(|why| format!("{}: {why}", here.display()))?;
        Ok(ScriptFolder { outer, here, timeout: checkout::program("timeout")?, keep })
    }

    /// Makes the folder's surroundings a root with this program in it; returns the words that start
    /// the program there.
    pub(crate) fn bare(&self, program: &Path) -> Result<Vec<OsString>, String> {
        let copy = self.beside("fewer");
        fs::copy(program, &copy).map_err(|why| format!("{}: {why}", program.display()))?;
        let mut words = BareRoot::new(&self.outer)?.words(&self.here);
        words.push(copy.into());
        Ok(words)
    }

    /// A file beside the folder.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.outer.join(name)
    }

    /// Empties the folder and puts these files into it.
    pub(crate) fn set(&self, files: &Files, executable: &[String]) -> Result<(), String> {
        empty(&self.here).map_err(|why| format!("{}: {why}", self.here.display()))?;
        for (name, content) in files {
            let is_executable = executable.iter().any(|other| other.as_bytes() == name);
            make(&self.here, name, content, is_executable)
                .map_err(|why| format!("{}: {why}", String::from_utf8_lossy(name)))?;
        }
        Ok(())
    }

    /// Runs a script in the folder as it is.
    pub(crate) fn run(&self, run: &Run) -> Result<(Outcome, Vec<u8>), String> {
        if run.at.is_none() {
            let script = self.beside("script");
            fs::write(&script, run.script).map_err(|why| format!("{}: {why}", script.display()))?;
        }
        let mut command = Command::new(&self.timeout);
        command.args(["-k", "2", LONGEST_RUN_SECONDS]).args(&run.front);
        if run.command {
            command.arg("-c").arg(OsStr::from_bytes(run.script)).arg("../script");
        } else {
            command.arg(run.at.as_deref().unwrap_or(Path::new("../script")));
        }
        command.args(run.args.iter().map(|arg| OsStr::from_bytes(arg)));
        command.env_clear().current_dir(&self.here);
        command.envs([("PATH", "/usr/bin:/bin"), ("LC_ALL", "C.UTF-8"), ("TZ", "UTC")]);
        command
            .env("HOME", checkout::NO_HOME)
            .envs(run.env.iter().map(|(name, text)| (name, text)));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.stdin(if run.stdin.is_empty() { Stdio::null() } else { Stdio::piped() });
        let mut child = command.spawn().map_err(|why| format!("cannot run timeout: {why}"))?;
        let stdin = child.stdin.take();
        let done = std::thread::scope(|threads| {
            threads.spawn(move || {
                // A script that does not read it all ends the pipe early.
                stdin.map(|mut stdin| stdin.write_all(&run.stdin))
            });
            child.wait_with_output()
        });
        let done = done.map_err(|why| format!("cannot wait: {why}"))?;
        let left = self.left().map_err(|why| format!("what it left: {why}"))?;
        Ok((Outcome { stdout: done.stdout, status: number(done.status), left }, done.stderr))
    }

    fn left(&self) -> io::Result<Files> {
        let mut files = Files::new();
        look(&self.here, b"", &mut files)?;
        Ok(files)
    }
}

impl Drop for ScriptFolder {
    fn drop(&mut self) {
        if self.keep {
            println!("kept: {}", self.outer.display());
        } else {
            let _ = empty(&self.outer);
            let _ = fs::remove_dir(&self.outer);
        }
    }
}

/// 128 and the signal's number for one that was killed, as shells have it.
fn number(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| sys::status_of_signal(status.signal().unwrap_or(0)))
}

fn make(here: &Path, name: &[u8], content: &[u8], is_executable: bool) -> io::Result<()> {
    let path = here.join(OsStr::from_bytes(name));
    if name.ends_with(b"/") {
        return fs::create_dir_all(path);
    }
    if let Some(name) = name.strip_suffix(b"@") {
        let target = OsStr::from_bytes(content);
        return std::os::unix::fs::symlink(target, here.join(OsStr::from_bytes(name)));
    }
    if let Some(above) = path.parent() {
        fs::create_dir_all(above)?;
    }
    fs::write(&path, content)?;
    let mode = if is_executable { 0o755 } else { 0o644 };
    fs::set_permissions(&path, fs::Permissions::from_mode(mode))
}

/// Empties a folder, also of folders that a script has made unreadable.
fn empty(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let (path, kind) = { entry.and_then(|e| Ok((e.path(), e.file_type()?)))? };
        if kind.is_dir() {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
            empty(&path)?;
            fs::remove_dir(&path)?;
        } else {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

fn look(folder: &Path, above: &[u8], files: &mut Files) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let mut name = [above, entry.file_name().as_bytes()].concat();
        let kind = entry.file_type()?;
        if kind.is_dir() {
            name.push(b'/');
            if look(&entry.path(), &name, files).is_err() {
                files.insert([&name[..], b"?"].concat(), Vec::new());
            }
            files.insert(name, Vec::new());
        } else if kind.is_symlink() {
            name.push(b'@');
            files.insert(name, fs::read_link(entry.path())?.into_os_string().into_encoded_bytes());
        } else if kind.is_file() {
            files.insert(name, fs::read(entry.path()).unwrap_or_else(|_| b"?".to_vec()));
        } else {
            name.push(b'|');
            files.insert(name, Vec::new());
        }
    }
    Ok(())
}
