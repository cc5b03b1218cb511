//! The text of scripts: which function begins at a line, and which file a line is of.

use std::ffi::OsStr;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// So much is read of a script.
const LARGEST: u64 = 1 << 20;

/// At most so many files are kept.
const MOST: usize = 64;

/// A script, or the text behind `-c`.
#[derive(Debug, Default)]
pub(super) struct Source {
    name: Vec<u8>,
    text: Vec<u8>,
}

impl Source {
    fn line(&self, line: u32) -> Option<&[u8]> {
        self.text.split(|&byte| byte == b'\n').nth(usize::try_from(line).ok()?.checked_sub(1)?)
    }

    /// The function that is defined at a line: a name before `()`.
    fn function(&self, line: u32) -> Option<String> {
        let text = self.line(line)?;
        let mut opening = memchr::memchr_iter(b'(', text);
        opening.find_map(|at| {
            let is_definition = text[at + 1..].trim_ascii_start().starts_with(b")");
            let before = text[..at].trim_ascii_end();
            let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.:".contains(byte);
            let start = before.iter().rposition(|byte| !is_part(byte)).map_or(0, |at| at + 1);
            let name = &before[start..];
            (is_definition && !name.is_empty()).then(|| String::from_utf8_lossy(name).into_owned())
        })
    }

    fn has_word(&self, line: u32, word: &[u8]) -> bool {
        self.line(line).is_some_and(|text| memchr::memmem::find(text, word).is_some())
    }
}

/// The script of a process, and the files that it has sourced.
#[derive(Debug, Default)]
pub(super) struct Sources {
    /// The script comes first.
    files: Vec<Source>,
    /// The one that was certain last.
    current: usize,
}

impl Sources {
    /// The script of a process, as its arguments say. `zero` is what `$0` is in it.
    pub(super) fn of(process: libc::pid_t, zero: &[u8]) -> Sources {
        let arguments = std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
        let arguments: Vec<&[u8]> = arguments.split(|&byte| byte == 0).collect();
        let is_option = |word: &&&[u8]| word.starts_with(b"-") || word.starts_with(b"+");
        let options = arguments.iter().skip(1).take_while(is_option);
        let mut is_text = false;
        let count = options.inspect(|word| is_text |= word.contains(&b'c')).count();
        let source = if is_text {
            let text = arguments.get(1 + count).copied().unwrap_or_default();
            Source { name: [zero, b" -c"].concat(), text: text.to_vec() }
        } else {
            Source { name: zero.to_vec(), text: text(process, zero).unwrap_or_default() }
        };
        Sources { files: vec![source], current: 0 }
    }

    /// Whether a file has been sourced.
    pub(super) fn are_several(&self) -> bool {
        self.files.len() > 1
    }

    /// The number of a sourced file, by the path that dash found it at.
    fn sourced(&mut self, process: libc::pid_t, path: &[u8]) -> Option<usize> {
        let known = self.files.iter().position(|file| file.name == path);
        if known.is_none() && self.files.len() < MOST {
            let text = text(process, path)?;
            self.files.push(Source { name: path.to_vec(), text });
            return Some(self.files.len() - 1);
        }
        known
    }

    /// Function and file of a line. `begin` is the line where its function begins, `command` the
    /// builtin that is run, or the file that is being sourced. `None` if they are not certain.
    pub(super) fn location(
        &mut self,
        process: libc::pid_t,
        line: u32,
        begin: Option<u32>,
        command: &[u8],
    ) -> Option<(String, String)> {
        let is_path = command.contains(&b'/');
        if is_path || command.is_empty() {
            let sourced = if is_path { self.sourced(process, command) } else { None };
            self.current = sourced.unwrap_or(0);
        }
        let name = |file: usize| String::from_utf8_lossy(&self.files[file].name).into_owned();
        if let Some(begin) = begin {
            let mut files = self.files.iter().enumerate();
            let defined = files.find_map(|(at, file)| Some((file.function(begin)?, name(at))));
            return defined;
        }
        // While it runs a builtin, dash has forgotten which file it is in.
        let has_it = |file: &usize| self.files[*file].has_word(line, command);
        let file = [self.current, 0].into_iter().chain(0..self.files.len()).find(has_it);
        let file = file.unwrap_or(self.current);
        let is_builtin = !is_path && !command.is_empty();
        let file = if is_builtin { file } else { self.current };
        Some((if file == 0 { "main" } else { "source" }.to_owned(), name(file)))
    }
}

/// What a process's file says.
fn text(process: libc::pid_t, path: &[u8]) -> Option<Vec<u8>> {
    let base = if path.starts_with(b"/") { "root" } else { "cwd" };
    let mut full = PathBuf::from(format!("/proc/{process}/{base}"));
    full.push(Path::new(OsStr::from_bytes(path.strip_prefix(b"/").unwrap_or(path))));
    if !full.is_file() {
        return None;
    }
    let mut text = Vec::new();
    std::fs::File::open(full).ok()?.take(LARGEST).read_to_end(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_named_where_it_is_defined() {
        let text = b"look() {\n  x=$(date)\n}\nfoo-bar ( ) { :; }\ntrue; end(){\n:\n}\n".to_vec();
        let source = Source { text, ..Source::default() };
        let names = [Some("look"), None, None, Some("foo-bar"), Some("end"), None];
        for (line, name) in (1..).zip(names) {
            assert_eq!(source.function(line).as_deref(), name, "{line}");
        }
        assert_eq!((source.function(0), source.function(100)), (None, None));
    }

    #[test]
    fn a_line_is_of_the_file_that_fits() {
        let file = |name: &str, text: &str| Source { name: name.into(), text: text.into() };
        let main = file("main.sh", ". ./lib.sh\nread x\nf\n");
        let mut sources =
            Sources { files: vec![main, file("./lib.sh", "f() {\n cat\n}\n\nread y")], current: 0 };
        let mut find = |line, inside, command: &str| {
            let found = sources.location(1, line, inside, command.as_bytes());
            found.map(|(function, file)| format!("{function} {file}"))
        };
        assert_eq!(find(2, None, "read").as_deref(), Some("main main.sh"));
        assert_eq!(find(5, None, "read").as_deref(), Some("source ./lib.sh"));
        assert_eq!(find(5, None, "./lib.sh").as_deref(), Some("source ./lib.sh"));
        assert_eq!(find(2, Some(1), "").as_deref(), Some("f ./lib.sh"));
        assert_eq!(find(3, None, "").as_deref(), Some("main main.sh"));
        assert_eq!(find(9, Some(7), ""), None);
    }
}
