//! Reads `cases/sh/*.toml`. `cases/sh/README.md` describes the fields.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::Deserialize;

use crate::cases::bytes::unescape;

/// The language that a script is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Dialect {
    Posix,
    Bash,
    Ksh,
}

impl Dialect {
    pub(crate) const ALL: [Dialect; 3] = [Dialect::Posix, Dialect::Bash, Dialect::Ksh];

    /// The reference shell of the language.
    pub(crate) fn judge(self) -> &'static str {
        match self {
            Dialect::Posix => "dash",
            Dialect::Bash => "bash",
            Dialect::Ksh => "ksh93",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            Dialect::Posix => "posix",
            Dialect::Bash => "bash",
            Dialect::Ksh => "ksh",
        })
    }
}

/// A script and its expected outcome.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) name: String,
    /// Why the case exists, if the name does not say it: for readers only.
    #[serde(default, rename = "about")]
    _about: Option<String>,
    #[serde(default)]
    pub(crate) skip: Option<String>,
    pub(crate) shells: Vec<Dialect>,
    /// Texts have the escapes of `cases/README.md`.
    #[serde(default)]
    escaped: bool,
    script: String,
    /// The script is the argument of `-c`, not a file.
    #[serde(default)]
    pub(crate) command: bool,
    /// Words before the script.
    #[serde(default)]
    pub(crate) options: Vec<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    stdin: String,
    #[serde(default)]
    pub(crate) env: BTreeMap<String, String>,
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// Those of `files` that are executable.
    #[serde(default)]
    pub(crate) executable: Vec<String>,
    stdout: Option<String>,
    status: Option<i32>,
    left: Option<BTreeMap<String, String>>,
    gone: Option<Vec<String>>,
    /// Where one of the shells does something else.
    #[serde(default)]
    but: BTreeMap<String, Different>,
    /// Processes that `fewer` may start at most: the last program may take the shell's place.
    #[serde(default)]
    pub(crate) processes: Option<i64>,
    /// Calls that `fewer` makes beyond those for an empty script, memory aside.
    #[serde(default)]
    pub(crate) calls: Option<i64>,
    #[serde(default)]
    pub(crate) at_most: Option<i64>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Different {
    stdout: Option<String>,
    status: Option<i32>,
    left: Option<BTreeMap<String, String>>,
    gone: Option<Vec<String>>,
}

/// The outcome of a run, or the expected one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) stdout: Vec<u8>,
    /// 128 and the signal's number, if it was killed.
    pub(crate) status: i32,
    pub(crate) left: Files,
}

/// The contents of a folder: files by path with their content, `PATH/` for directories, `PATH@` for
/// links with their target.
pub(crate) type Files = BTreeMap<Vec<u8>, Vec<u8>>;

impl Case {
    fn bytes(&self, text: &str) -> Result<Vec<u8>, String> {
        if self.escaped { unescape(text) } else { Ok(text.as_bytes().to_vec()) }
    }

    fn table(&self, table: &BTreeMap<String, String>) -> Result<Files, String> {
        table.iter().map(|(name, text)| Ok((self.bytes(name)?, self.bytes(text)?))).collect()
    }

    pub(crate) fn script(&self) -> Result<Vec<u8>, String> {
        self.bytes(&self.script)
    }

    pub(crate) fn stdin(&self) -> Result<Vec<u8>, String> {
        self.bytes(&self.stdin)
    }

    pub(crate) fn args(&self) -> Result<Vec<Vec<u8>>, String> {
        self.args.iter().map(|text| self.bytes(text)).collect()
    }

    pub(crate) fn files(&self) -> Result<Files, String> {
        self.table(&self.files)
    }

    /// The outcome that the case expects in a language.
    pub(crate) fn expected(&self, dialect: Dialect) -> Result<Outcome, String> {
        let same = Different::default();
        let own = self.but.get(&dialect.to_string()).unwrap_or(&same);
        let stdout = own.stdout.as_ref().or(self.stdout.as_ref());
        let mut left = with_folders(self.files()?);
        for name in own.gone.as_ref().or(self.gone.as_ref()).into_iter().flatten() {
            left.remove(&self.bytes(name)?).ok_or_else(|| format!("{name} was never there"))?;
        }
        if let Some(more) = own.left.as_ref().or(self.left.as_ref()) {
            left.extend(self.table(more)?);
        }
        Ok(Outcome {
            stdout: self.bytes(stdout.map_or("", String::as_str))?,
            status: own.status.or(self.status).unwrap_or(0),
            left,
        })
    }
}

/// The same, with the folders of its paths.
fn with_folders(mut files: Files) -> Files {
    let names: Vec<Vec<u8>> = files.keys().cloned().collect();
    for name in names {
        let ends = name.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        for (end, _) in ends.filter(|(end, _)| *end > 0) {
            files.entry(name[..=end].to_vec()).or_default();
        }
    }
    files
}

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

/// All cases, by file, in order.
pub(crate) fn read(folder: &Path) -> Result<Vec<(String, Vec<Case>)>, String> {
    let wrong = |why: std::io::Error| format!("{}: {why}", folder.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        let Some(name) = path.file_stem().filter(|_| path.extension().is_some_and(|e| e == "toml"))
        else {
            continue;
        };
        let wrong = |why: &dyn fmt::Display| format!("{}: {why}", path.display());
        let text = std::fs::read_to_string(&path).map_err(|why| wrong(&why))?;
        files.push((name.to_string_lossy().into_owned(), parse(&text).map_err(|why| wrong(&why))?));
    }
    files.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(files)
}

pub(crate) fn parse(text: &str) -> Result<Vec<Case>, String> {
    let cases: Cases = toml::from_str(text).map_err(|why| why.to_string())?;
    let mut names = std::collections::BTreeSet::new();
    for case in &cases.case {
        if !names.insert(&case.name) {
            return Err(format!("'{}' is there twice", case.name));
        }
        if case.shells.is_empty() {
            return Err(format!("'{}' is for no shell", case.name));
        }
        let named = |name: &String| case.shells.iter().any(|shell| shell.to_string() == *name);
        if let Some(name) = case.but.keys().find(|name| !named(name)) {
            return Err(format!("'{}': {name} is not one of its shells", case.name));
        }
    }
    Ok(cases.case)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_may_do_something_else() {
        let text = "[[case]]\nname = 'a'\nshells = ['posix', 'ksh']\nscript = 'x'\n\
                    files = { f = 'old' }\nstdout = 'one'\nstatus = 3\nbut.ksh.stdout = 'two'\n\
                    but.ksh.gone = ['f']\n";
        let case = &parse(text).unwrap()[0];
        let (posix, ksh) = (case.expected(Dialect::Posix), case.expected(Dialect::Ksh));
        assert_eq!(posix.as_ref().unwrap().stdout, b"one");
        assert_eq!(posix.unwrap().left[&b"f"[..]], b"old");
        assert_eq!(ksh.as_ref().unwrap().stdout, b"two");
        assert_eq!(ksh.as_ref().unwrap().status, 3);
        assert!(ksh.unwrap().left.is_empty());
    }

    #[test]
    fn a_case_without_a_shell_is_an_error() {
        let twice = "[[case]]\nname = 'a'\nshells = ['ksh']\nscript = 'x'\n".repeat(2);
        assert!(parse(&twice).unwrap_err().contains("twice"));
        let no_shell = "[[case]]\nname = 'a'\nshells = []\nscript = 'x'\n";
        assert!(parse(no_shell).unwrap_err().contains("no shell"));
        let stranger = "[[case]]\nname = 'a'\nshells = ['ksh']\nscript = ''\nbut.bash.status = 1\n";
        assert!(parse(stranger).unwrap_err().contains("not one of its shells"));
    }
}
