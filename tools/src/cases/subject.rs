//! The program that the cases are run through: `fewer` itself, or an adapter of another language.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::adapter::{Adapter, Mode, Placeholders};
use super::bare_root::BareRoot;
use super::budget::{self, Programs};
use super::format::Case;
use super::resident::Resident;
use super::spawn::{Outcome, Words};
use super::windows::{self, Wine};
use crate::checkout;

/// The exit status of an adapter that cannot do a case,
const NOT_EXPRESSIBLE: i32 = 125;
/// and the beginning of its standard error; the reason follows.
const BECAUSE: &[u8] = b"not expressible: ";

pub(crate) enum Subject {
    Fewer {
        fewer: PathBuf,
        empty: PathBuf,
        host: Host,
        musl: bool,
    },
    /// The program for Windows, by Wine.
    Windows {
        fewer: PathBuf,
        wine: Wine,
        /// It is the program of this adapter.
        adapter: Option<Adapter>,
    },
    Process {
        adapter: Adapter,
        command: Words,
        empty: Words,
        for_others: bool,
    },
    Resident {
        adapter: Adapter,
        resident: Resident,
    },
}

/// Where `fewer` runs.
pub(crate) struct Host {
    pub(crate) bare_root: Option<BareRoot>,
    /// What runs it, if it is for another machine.
    pub(crate) emulator: Option<String>,
    /// Whether the programs are for another machine; they have no tracer.
    pub(crate) is_elsewhere: bool,
    /// Whether its calls are judged. What is not there is not read, another machine's calls have
    /// other names, and an emulator makes calls of its own.
    pub(crate) is_counted: bool,
}

impl Host {
    /// The words of a program of ours here.
    fn words(&self, program: PathBuf) -> Words {
        let emulator = self.emulator.iter().map(OsString::from);
        let line = emulator.chain([program.into()]).collect();
        Words::plain(line).within(self.bare_root.as_ref())
    }

    /// The reason why the case cannot be run here.
    fn why_not(&self, case: &Case) -> Option<String> {
        let is_disturbed = case.inject.is_some() || case.pause.is_some();
        if self.emulator.is_some() && is_disturbed {
            return Some("what strace would disturb is the emulator".to_owned());
        }
        // 32-bit machines wait by calls with times of 64 bits.
        if self.is_elsewhere && case.pause.as_ref().is_some_and(|pause| pause.before == "ppoll") {
            return Some("the call before which it pauses has another name".to_owned());
        }
        let verb = case.run.first().map_or(&b""[..], |word| &word.0);
        if self.is_elsewhere && matches!(verb, b"why" | b"count" | b"budget") {
            return Some("there is no tracer".to_owned());
        }
        self.bare_root.as_ref()?.why_not(case)
    }
}

impl Subject {
    /// The programs are copied to where every user may run them.
    pub(crate) fn fewer(
        (fewer, empty): (&Path, &Path),
        copies: &Path,
        host: Host,
        musl: bool,
    ) -> Result<Subject, String> {
        copy(&empty.with_file_name("scope"), &copies.join("scope"))?;
        let (from, to) = ((fewer, empty), (copies.join("fewer"), copies.join("empty")));
        let (fewer, empty) = (copy(from.0, &to.0)?, copy(from.1, &to.1)?);
        Ok(Subject::Fewer { fewer, empty, host, musl })
    }

    /// Programs are copied beside it, as far as they are there.
    pub(crate) fn windows(fewer: &Path, copies: &Path, wine: Wine) -> Result<Subject, String> {
        let scope = fewer.with_file_name(windows::SCOPE);
        if scope.exists() {
            copy(&scope, &copies.join(windows::SCOPE))?;
        }
        let fewer = copy(fewer, &copies.join("fewer.exe"))?;
        Ok(Subject::Windows { fewer, wine, adapter: None })
    }

    /// The program of an adapter, built with the library for Windows that is beside `fewer`.
    pub(crate) fn windows_adapter(
        adapter: Adapter,
        fewer: &Path,
        places: &Placeholders,
        wine: Wine,
    ) -> Result<Subject, String> {
        let why = || format!("{} has no program for Windows", adapter.name);
        let script = places.root.join(adapter.windows.as_ref().ok_or_else(why)?);
        let library = fewer.parent().ok_or_else(why)?;
        checkout::output(Command::new(script).arg(library).arg(&places.copies))?;
        let fewer = places.copies.join("conformance.exe");
        Ok(Subject::Windows { fewer, wine, adapter: Some(adapter) })
    }

    /// Builds the adapter if it has to be built, and prepares it for its start.
    pub(crate) fn adapter(adapter: Adapter, places: &Placeholders) -> Result<Subject, String> {
        let fill = |words: &[String]| places.fill(words, &adapter);
        if let Some((program, rest)) = fill(&adapter.build)?.split_first() {
            checkout::output(Command::new(program).args(rest).current_dir(&places.root))?;
        }
        for (name, from) in &adapter.copy {
            let from = places.fill_one(from, &adapter)?;
            copy(Path::new(&from), &places.copies.join(name))?;
        }
        let variables = adapter.env.iter().map(|(name, value)| {
            Ok((name.clone(), OsString::from(places.fill_one(value, &adapter)?)))
        });
        let variables = variables.collect::<Result<Vec<_>, String>>()?;
        let command = Words::plain(fill(&adapter.command)?).variables(variables.clone());
        let does_not = |why| format!("{} does not start: {why}", adapter.name);
        if adapter.mode == Mode::Resident {
            // Without a request: code that is compiled at the first start is compiled now, however
            // long that takes.
            start(&command).map_err(does_not)?;
            let resident = Resident::new(command, &places.copies);
            return Ok(Subject::Resident { adapter, resident });
        }
        let empty = Words::plain(fill(&adapter.empty)?).variables(variables);
        start(&empty).map_err(does_not)?;
        let for_others = checkout::is_root() && start(&empty.clone().behind(AS_NOBODY)).is_ok();
        Ok(Subject::Process { adapter, command, empty, for_others })
    }

    /// The reason why the case is not for this subject.
    pub(crate) fn why_not(&self, file: &str, case: &Case) -> Option<String> {
        match self {
            Subject::Fewer { host, .. } => host.why_not(case),
            Subject::Windows { fewer, adapter: None, .. } => {
                windows::why_not(case, Some(fewer.as_path()))
            }
            Subject::Windows { adapter: Some(adapter), .. } => {
                windows::why_not(case, None).or_else(|| adapter.why_not(file, case))
            }
            Subject::Resident { adapter, .. } => adapter.why_not(file, case),
            Subject::Process { for_others: false, .. } if case.user.is_some() => {
                Some("the adapter cannot be started by other users".to_owned())
            }
            Subject::Process { adapter, .. } => adapter.why_not(file, case),
        }
    }

    /// Whether the calls of cases are judged.
    pub(crate) fn is_counted(&self) -> bool {
        !matches!(self, Subject::Fewer { host: Host { is_counted: false, .. }, .. })
    }

    /// Whether it is the command, which can do all that a case asks for.
    pub(crate) fn is_fewer(&self) -> bool {
        matches!(self, Subject::Fewer { .. } | Subject::Windows { adapter: None, .. })
    }

    /// For people: the words in front of a case's own.
    pub(crate) fn shown(&self, case: &Case) -> String {
        let program = case.program.as_deref();
        match self {
            Subject::Fewer { .. } | Subject::Windows { .. } => case.program().to_owned(),
            Subject::Process { adapter, .. } | Subject::Resident { adapter, .. } => program
                .map_or(adapter.name.clone(), |program| format!("{} {program}", adapter.name)),
        }
    }

    /// The command lines of the case; a resident has none.
    pub(crate) fn programs(&self, case: &Case, here: &Path) -> Option<Programs> {
        match self {
            Subject::Fewer { fewer, empty, host, musl } => {
                // All of them are in one folder.
                let program = host.words(fewer.with_file_name(case.program()));
                let reporting = program.clone().with(&case.arguments(true), here);
                Some(Programs {
                    judged: program.with(&case.arguments(false), here),
                    reporting: Some(reporting),
                    empty: Some(host.words(empty.clone())),
                    is_fewer: true,
                    is_musl: *musl,
                    uncounted: if *musl { named(budget::OF_MUSL) } else { Vec::new() },
                })
            }
            Subject::Windows { fewer, wine, adapter } => {
                let (program, words): (_, fn(&Case, bool) -> _) = match adapter {
                    Some(_) => (wine.words(fewer), Case::words),
                    None => (wine.words(&fewer.with_file_name(case.program())), Case::arguments),
                };
                Some(Programs {
                    reporting: Some(program.clone().with(&words(case, true), here)),
                    judged: program.with(&words(case, false), here),
                    empty: None,
                    is_fewer: adapter.is_none(),
                    is_musl: false,
                    uncounted: Vec::new(),
                })
            }
            Subject::Process { adapter, command, empty, .. } => {
                let with = |calls| command.clone().with(&case.words(calls), here);
                Some(Programs {
                    judged: with(false),
                    reporting: adapter.reports_calls.then(|| with(true)),
                    empty: Some(empty.clone()),
                    is_fewer: false,
                    is_musl: false,
                    uncounted: [named(budget::FOR_MEMORY), adapter.uncounted.clone()].concat(),
                })
            }
            Subject::Resident { .. } => None,
        }
    }
}

/// The reason of an adapter that cannot do the case.
pub(crate) fn not_expressible(outcome: &Outcome) -> Option<String> {
    let first = outcome.stderr.split(|&byte| byte == b'\n').next()?;
    let reason = first.strip_prefix(BECAUSE)?;
    let is_said = outcome.status.code() == Some(NOT_EXPRESSIBLE);
    is_said.then(|| String::from_utf8_lossy(reason).into_owned())
}

fn copy(from: &Path, to: &Path) -> Result<PathBuf, String> {
    fs::copy(from, to)
        .and_then(|_| fs::set_permissions(to, fs::Permissions::from_mode(0o755)))
        .map_err(|why| format!("{}: {why}; build it first", from.display()))?;
    Ok(to.to_owned())
}

const AS_NOBODY: &[&str] =
    &["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--inh-caps=-all", "--"];

fn start(words: &Words) -> Result<(), String> {
    let mut command = words.command();
    checkout::output(command.stdin(Stdio::null()).current_dir("/")).map(drop)
}

fn named(calls: &[&str]) -> Vec<String> {
    calls.iter().map(|&name| name.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    use super::*;

    #[test]
    fn an_adapter_says_for_itself_what_it_cannot_do() {
        let said = |code: i32, stderr: &str| {
            let status = ExitStatus::from_raw(code << 8);
            not_expressible(&Outcome { status, stdout: Vec::new(), stderr: stderr.into() })
        };
        assert_eq!(said(125, "not expressible: no sizes\nmore\n").unwrap(), "no sizes");
        assert_eq!(said(1, "not expressible: no sizes\n"), None);
        assert_eq!(said(125, "fewer: not expressible: no\n"), None);
    }
}
