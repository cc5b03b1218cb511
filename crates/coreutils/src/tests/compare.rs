//! A tool here and the real one, side by side.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use fewer::{Errno, Fields, Scope, Stat};

use crate::{Input, Io, Output, ToolError, find};

/// Where both run, and with what.
#[derive(Clone)]
pub(crate) struct Comparison {
    /// Where this one runs.
    ours: PathBuf,
    /// Where the real one runs.
    real: PathBuf,
    environment: Vec<(String, String)>,
    utf8: bool,
    /// How much of the input is there at a time.
    piece: usize,
    /// The file that this one writes to, as far as it can tell.
    target: Option<PathBuf>,
}

/// What came of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) status: u8,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Whether the call is supported; if it is, the outcome must be the real one's.
pub(crate) fn same(tool: &str, arguments: &[impl AsRef<[u8]>], input: &[u8]) -> bool {
    Comparison::new().same(tool, arguments, input)
}

/// The arguments on a line, between blanks. In them, `''` is an empty one, and `␣` a blank.
pub(crate) fn words(line: &str) -> Vec<String> {
    let words = line.split(' ').filter(|word| !word.is_empty());
    words.map(|word| if word == "''" { String::new() } else { word.replace('␣', " ") }).collect()
}

impl Comparison {
    pub(crate) fn new() -> Comparison {
        let here = PathBuf::from(".");
        let environment = vec![("TZ".into(), "Europe/Berlin".into())];
        Comparison {
            ours: here.clone(),
            real: here,
            environment,
            utf8: true,
            piece: usize::MAX,
            target: None,
        }
    }

    /// Both in this directory.
    pub(crate) fn within(mut self, directory: &Path) -> Comparison {
        (self.ours, self.real) = (directory.to_owned(), directory.to_owned());
        self
    }

    /// Each in a directory of its own: for tools that change something.
    pub(crate) fn apart(mut self, ours: &Path, real: &Path) -> Comparison {
        (self.ours, self.real) = (ours.to_owned(), real.to_owned());
        self
    }

    /// Another variable in the environment.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Comparison {
        self.environment.retain(|(known, _)| known != name);
        self.environment.push((name.into(), value.into()));
        self
    }

    /// In the C locale.
    pub(crate) fn bytes(mut self) -> Comparison {
        self.utf8 = false;
        self
    }

    /// What this one writes passes for a file's.
    pub(crate) fn into_file(mut self, file: &Path) -> Comparison {
        self.target = Some(file.to_owned());
        self
    }

    /// The input in pieces of so many bytes.
    pub(crate) fn pieces(mut self, bytes: usize) -> Comparison {
        self.piece = bytes;
        self
    }

    /// Whether the call is supported; if it is, the outcome must be the real one's.
    pub(crate) fn same(&self, tool: &str, arguments: &[impl AsRef<[u8]>], input: &[u8]) -> bool {
        let Some(ours) = self.ours(tool, arguments, input) else { return false };
        let real = self.real(tool, arguments, input);
        let shown: Vec<_> = arguments.iter().map(|it| text(it.as_ref())).collect();
        let head = input[..input.len().min(400)].escape_ascii();
        assert_eq!(ours, real, "ours and real: {tool} {shown:?} < {head}");
        true
    }

    /// Whether the call is supported. Nothing is run.
    pub(crate) fn supports(&self, tool: &str, arguments: &[impl AsRef<[u8]>]) -> bool {
        let arguments: Vec<&[u8]> = arguments.iter().map(AsRef::as_ref).collect();
        let tool = find(tool.as_bytes()).unwrap();
        self.with_io(b"", |io| tool.prepare(&arguments, io).is_some()).0
    }

    /// `None` if the call is not supported.
    pub(crate) fn ours(
        &self,
        tool: &str,
        arguments: &[impl AsRef<[u8]>],
        input: &[u8],
    ) -> Option<Outcome> {
        let tool = find(tool.as_bytes()).unwrap();
        // Memory of its own for each, also for an empty one.
        let copies: Vec<Vec<u8>> =
            arguments.iter().map(|it| [it.as_ref(), b"\0"].concat()).collect();
        let arguments: Vec<&[u8]> = copies.iter().map(|it| &it[..it.len() - 1]).collect();
        let (done, stdout, stderr) =
            self.with_io(input, |io| tool.prepare(&arguments, io).map(|job| job.run(io)));
        let status = match done? {
            Err(ToolError::Unsupported) => {
                assert!(
                    stdout.is_empty() && stderr.is_empty(),
                    "not supported, but something done"
                );
                return None;
            }
            Err(ToolError::Remaining(rest)) => {
                let other = Comparison { real: self.ours.clone(), ..self.clone() };
                let left = other.real(tool.name, &rest.arguments, input);
                return Some(Outcome {
                    status: left.status.max(rest.status),
                    stdout: text(&stdout) + &left.stdout,
                    stderr: text(&stderr) + &left.stderr,
                });
            }
            done => done.unwrap(),
        };
        Some(Outcome { status, stdout: text(&stdout), stderr: text(&stderr) })
    }

    /// What came of it, and what was written to standard output and standard error.
    fn with_io<T>(&self, input: &[u8], f: impl FnOnce(&mut Io<'_>) -> T) -> (T, Vec<u8>, Vec<u8>) {
        let scope = Scope::start().enter(&self.ours).unwrap();
        let mut input = MemoryInput { bytes: input, piece: self.piece };
        let mut output = MemoryOutput { bytes: Vec::new(), passes_for: self.target.as_deref() };
        let mut errors = MemoryOutput::default();
        let environment = |name: &[u8]| {
            let value = self.environment.iter().find(|(known, _)| known.as_bytes() == name);
            value.map(|(_, value)| value.as_bytes().to_vec())
        };
        let mut io = Io {
            scope: &scope,
            input: &mut input,
            output: &mut output,
            errors: &mut errors,
            environment: &environment,
            utf8: self.utf8,
            input_is_terminal: false,
            output_is_terminal: false,
            interrupted: &|| true,
            sleep: &sys::sleep,
            variables: &|each: &mut dyn FnMut(&[u8])| {
                let mut all = self.environment.clone();
                all.push(("LC_ALL".into(), if self.utf8 { "C.UTF-8" } else { "C" }.into()));
                all.sort(); // as `Command` hands them over
                for (name, value) in all {
                    each(format!("{name}={value}").as_bytes());
                }
            },
        };
        let result = f(&mut io);
        (result, output.bytes, errors.bytes)
    }

    /// What the real one makes of it.
    pub(crate) fn real(&self, tool: &str, arguments: &[impl AsRef<[u8]>], input: &[u8]) -> Outcome {
        use std::os::unix::ffi::OsStrExt;
        let arguments = arguments.iter().map(|it| std::ffi::OsStr::from_bytes(it.as_ref()));
        let mut child = Command::new(format!("/usr/bin/{tool}"))
            .arg0(tool)
            .args(arguments)
            .current_dir(&self.real)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .env("LC_ALL", if self.utf8 { "C.UTF-8" } else { "C" })
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        // One that does not read its input is as good as any.
        let writer = std::thread::spawn(move || stdin.write_all(&input).unwrap_or_default());
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        let status = u8::try_from(output.status.code().unwrap()).unwrap();
        Outcome { status, stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }
}

/// Bytes that can be read where a test fails.
fn text(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

/// Input from memory, a piece at a time.
pub(crate) struct MemoryInput<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) piece: usize,
}

impl Input for MemoryInput<'_> {
    fn fill(&mut self) -> Result<&[u8], Errno> {
        Ok(&self.bytes[..self.piece.min(self.bytes.len())])
    }

    fn consume(&mut self, bytes: usize) {
        self.bytes = &self.bytes[bytes..];
    }
}

/// Output to memory.
#[derive(Default)]
pub(crate) struct MemoryOutput<'a> {
    bytes: Vec<u8>,
    passes_for: Option<&'a Path>,
}

impl Output for MemoryOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), ToolError> {
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn stat(&self) -> Option<Stat> {
        let fields = Fields::KIND | Fields::SIZE | Fields::INODE;
        Scope::start().stat(self.passes_for?, fields).ok()
    }
}
