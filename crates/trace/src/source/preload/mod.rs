//! What is loaded into programs of some languages before they begin, where their functions cannot
//! be seen from outside: a small program in the same language, named in a variable of the
//! environment that the language's runtime reads for such things.
//!
//! The variable is set when a process becomes such a program, and for no other: the arguments of
//! its `execve` are changed. So other programs, and what they print of their environment, are as
//! without it; and all that is started by others has it, too. The loaded program gives the variable
//! its former value. What it does until it says that it is ready is not reported: see `hiding`.
//!
//! | module | what is in it |
//! |---|---|
//! | `environment` | changes the environment of a call of `execve` |
//! | `hiding` | the calls that loading makes |

mod environment;
mod hiding;

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use fewer::path::base_name;

use self::environment::Environment;
use self::hiding::Hiding;
pub(crate) use self::hiding::Loading;
use super::ptrace::Pid;
use crate::Call;
use crate::packed::packed;

/// What is loaded into the programs of a language.
struct Preload {
    /// Whether a program is the language's runtime, by the last component of its real path.
    is_runtime: fn(&[u8]) -> bool,
    /// Words of a command line with which it cannot be loaded.
    refused: &'static [&'static [u8]],
    /// The variable.
    variable: &'static str,
    /// Its value: what comes before the loaded file's path, and behind it. A former value follows,
    /// behind a blank.
    value: (&'static str, &'static str),
    /// The program, and the ending of its file.
    text: fn() -> String,
    ending: &'static str,
}

/// All languages of which programs are loaded.
const PRELOADS: &[Preload] = &[Preload {
    is_runtime: is_node,
    // A program that may not read files cannot load one, either.
    refused: &[b"--permission", b"--experimental-permission", b"--experimental-policy"],
    variable: "NODE_OPTIONS",
    value: ("--require \"", "\""),
    text: || packed!("node.cjs"),
    ending: "cjs",
}];

/// `node`, `nodejs`, `node22`, `node-18`.
fn is_node(name: &[u8]) -> bool {
    let Some(rest) = name.strip_prefix(b"node") else { return false };
    rest == b"js" || rest.iter().all(|byte| byte.is_ascii_digit() || b".-".contains(byte))
}

/// What the name of each loaded file begins with.
const NAME: &str = "fewer-preload-";

/// Whether a process began with a program loaded, by its environment.
pub(super) fn is_loaded_into(process: Pid) -> bool {
    let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    memchr::memmem::find(&environment, NAME.as_bytes()).is_some()
}

/// A loaded program's file. It is there as long as this is.
struct Loaded {
    preload: &'static Preload,
    text: String,
    path: PathBuf,
}

impl Loaded {
    /// Writes it. No other user can put something in its place: it must be new.
    fn write(preload: &'static Preload) -> io::Result<Loaded> {
        let now = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos());
        let name = format!("{NAME}{}-{now}.{}", std::process::id(), preload.ending);
        let path = std::env::temp_dir().canonicalize()?.join(name);
        let is_plain = |byte: &u8| !byte.is_ascii_control() && !b"\"\\".contains(byte);
        if !path.as_os_str().as_bytes().iter().all(is_plain) {
            return Err(io::ErrorKind::InvalidFilename.into());
        }
        // The program may run as another user.
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o644).open(&path)?;
        let loaded = Loaded { preload, text: (preload.text)(), path };
        file.write_all(loaded.text.as_bytes())?;
        Ok(loaded)
    }

    /// Whether a process sees this file at this path: its root, and what is mounted there, may
    /// be others.
    fn is_seen_by(&self, process: Pid) -> bool {
        let seen = fs::read(seen_by(process, self.path.as_os_str().as_bytes()));
        seen.is_ok_and(|text| text == self.text.as_bytes())
    }

    /// The variable with its new value.
    fn variable(&self, former: Option<&[u8]>) -> Vec<u8> {
        let (before, behind) = self.preload.value;
        let mut text = format!("{}={before}", self.preload.variable).into_bytes();
        text.extend_from_slice(self.path.as_os_str().as_bytes());
        text.extend_from_slice(behind.as_bytes());
        if let Some(former) = former {
            text.push(b' ');
            text.extend_from_slice(former);
        }
        text
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        // It may have been removed by another; there is nothing left to do about it.
        let _gone = fs::remove_file(&self.path);
    }
}

/// The programs that are loaded in a run.
#[derive(Default)]
pub(crate) struct Preloads {
    /// Written when the first program needs it. `None` if it could not be.
    loaded: Vec<(&'static str, Option<Loaded>)>,
    hiding: Hiding,
}

impl Preloads {
    /// A process is about to become the program at an absolute path: changes its environment if
    /// something is to be loaded into that. `sp` is its stack pointer. The address of the new
    /// environment, if there is one.
    pub(crate) fn before_exec(
        &mut self,
        process: Pid,
        sp: u64,
        path: &[u8],
        call: &Call,
    ) -> Option<u64> {
        let name = real_program(process, path)?;
        let preload = PRELOADS.iter().find(|preload| (preload.is_runtime)(base_name(&name)))?;
        let environment = Environment::read(process, call.arguments[2])?;
        let former = environment.value(preload.variable.as_bytes());
        let refused = |word: &[u8]| preload.refused.iter().any(|refused| word.starts_with(refused));
        let options = former.into_iter().flat_map(|value| value.split(|byte| *byte == b' '));
        let words = environment::texts(process, call.arguments[1])?;
        let words = words.iter().skip(1).take_while(|word| word.starts_with(b"-"));
        if options.chain(words.map(Vec::as_slice)).any(refused) {
            return None;
        }
        let loaded = self.loaded(preload).filter(|loaded| loaded.is_seen_by(process))?;
        let variable = loaded.variable(former);
        environment.with(process, preload.variable.as_bytes(), &variable, sp)
    }

    /// What a call that a thread begins has to do with loading. `path` is the text that it has for
    /// a path.
    pub(crate) fn loading(&mut self, thread: Pid, call: &Call, path: &[u8]) -> Loading {
        let mut loaded = self.loaded.iter().filter_map(|(_, loaded)| loaded.as_ref());
        let names_it = loaded.any(|loaded| loaded.path.as_os_str().as_bytes() == path);
        self.hiding.call(thread, call, names_it)
    }

    fn loaded(&mut self, preload: &'static Preload) -> Option<&Loaded> {
        let known = self.loaded.iter().position(|(variable, _)| *variable == preload.variable);
        let at = known.unwrap_or_else(|| {
            self.loaded.push((preload.variable, Loaded::write(preload).ok()));
            self.loaded.len() - 1
        });
        self.loaded[at].1.as_ref()
    }
}

/// A path as a process sees it.
fn seen_by(process: Pid, path: &[u8]) -> PathBuf {
    let mut whole = format!("/proc/{process}/root").into_bytes();
    whole.extend_from_slice(path);
    PathBuf::from(std::ffi::OsString::from_vec(whole))
}

/// The real path of the program that a file is run by: itself, or what its `#!` names.
fn real_program(process: Pid, path: &[u8]) -> Option<Vec<u8>> {
    let real = |path: &Path| Some(fs::canonicalize(path).ok()?.into_os_string().into_vec());
    let file = seen_by(process, path);
    let mut beginning = Vec::new();
    fs::File::open(&file).ok()?.take(256).read_to_end(&mut beginning).ok()?;
    match beginning.strip_prefix(b"#!") {
        Some(line) => {
            let mut words = line.split(|byte| b" \t\n".contains(byte));
            let interpreter = words.find(|word| !word.is_empty())?;
            real(&seen_by(process, interpreter))
        }
        None => real(&file),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_is_known_by_its_name() {
        for name in ["node", "nodejs", "node22", "node-18", "node20.1"] {
            assert!(is_node(name.as_bytes()), "{name}");
        }
        for name in ["bun", "node_exporter", "nodemon", "electron", "nod", "deno"] {
            assert!(!is_node(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn a_script_is_run_by_what_it_names() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("script");
        fs::write(&script, "#! /proc/self/exe  -x\n").unwrap();
        let this = std::process::id().cast_signed();
        let real = fs::canonicalize("/proc/self/exe").unwrap().into_os_string().into_vec();
        assert_eq!(real_program(this, script.as_os_str().as_bytes()), Some(real));
        assert_eq!(real_program(this, b"/nonexistent"), None);
    }

    #[test]
    fn the_file_is_gone_at_the_end() {
        let mut preloads = Preloads::default();
        let path = preloads.loaded(&PRELOADS[0]).unwrap().path.clone();
        let loaded = preloads.loaded(&PRELOADS[0]).unwrap();
        assert!(loaded.is_seen_by(std::process::id().cast_signed()));
        let variable = String::from_utf8(loaded.variable(Some(b"--x"))).unwrap();
        assert_eq!(variable, format!("NODE_OPTIONS=--require \"{}\" --x", path.display()));
        drop(preloads);
        assert!(!path.exists());
    }
}
