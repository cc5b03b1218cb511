//! Cases on Windows, by a program for it that Wine runs: what is different there, and which cases
//! it cannot have.

mod rules;
mod wine;

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::budget::{Programs, over_budget, report, with_at_most};
use super::format::Case;
use super::item::Expected;
use super::spawn;

pub(crate) use rules::why_not;
pub(crate) use wine::{Wine, as_seen, seen, variable_prefix};

/// The program that makes steps with a scope, beside `fewer.exe`.
pub(crate) const SCOPE: &str = "scope.exe";

/// What a case says of Windows.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OnWindows {
    /// Why it is not run there.
    skip: Option<String>,
    /// In place of the case's own.
    stdout: Option<Vec<Expected>>,
    stderr: Option<Vec<Expected>>,
    stderr_has: Option<Vec<Expected>>,
    exit: Option<i32>,
    /// The calls there have other names: of the case's own only those of `lines` count.
    #[serde(default)]
    calls: BTreeMap<String, i64>,
    #[serde(default)]
    at_most: BTreeMap<String, i64>,
}

impl Case {
    /// The case as it is on Windows.
    pub(crate) fn with_windows(mut self) -> Case {
        let windows = std::mem::take(&mut self.windows);
        if self.on.iter().any(|on| rules::PLAIN_FILE_SYSTEMS.contains(&on.as_str())) {
            self.on = Vec::new();
        }
        self.skip = self.skip.or(windows.skip);
        let is_lines = self.run.first().is_some_and(|verb| verb.0 == b"lines");
        for (own, there) in [(&mut self.calls, windows.calls), (&mut self.at_most, windows.at_most)]
        {
            let before = std::mem::take(own);
            *own = if is_lines { of_lines(&before) } else { BTreeMap::new() };
            own.extend(there);
        }
        self.stdout = windows.stdout.or(self.stdout);
        self.stderr = windows.stderr.unwrap_or(self.stderr);
        self.stderr_has = windows.stderr_has.or(self.stderr_has);
        self.exit = windows.exit.unwrap_or(self.exit);
        self
    }
}

/// What `lines` does is done by the same calls under other names; a read from a place is a read.
fn of_lines(calls: &BTreeMap<String, i64>) -> BTreeMap<String, i64> {
    let of = |name: &str| calls.get(name).copied();
    let pairs = [
        ("NtCreateFile", of("openat")),
        ("NtReadFile", of("read").map(|reads| reads + of("pread64").unwrap_or(0))),
        ("NtWriteFile", of("write")),
        ("NtClose", of("close")),
    ];
    pairs.into_iter().filter_map(|(name, number)| Some((name.to_owned(), number?))).collect()
}

/// Everything that is wrong with the calls that the program itself has counted.
pub(crate) fn complaints(
    case: &Case,
    programs: Programs,
    here: &Path,
    wine: &Wine,
) -> Result<Vec<String>, String> {
    let is_fewer = programs.is_fewer;
    let reporting = programs.reporting.ok_or("the program reports no calls")?;
    let outcome = spawn::start(case, here, &[], reporting)?.finish()?;
    Ok(match report(&outcome.stderr) {
        Some(mut spent) => {
            spent.remove("total");
            let case = match is_fewer {
                true => case.clone(),
                false => with_at_most(case, "NtWriteFile"),
            };
            over_budget(&case, &wine.as_on_windows(spent))
        }
        None => vec!["calls: --calls printed no report".to_owned()],
    })
}

#[cfg(test)]
mod tests {
    use crate::cases::format::parse;

    #[test]
    fn windows_has_its_own_numbers_and_texts() {
        let text = "[[case]]\nname = 'a'\nrun = ['walk']\nexit = 1\nstderr = ['x']\n\
                    calls = { openat = 3 }\nwindows = { calls = { NtClose = 2 }, stderr = ['y'] }";
        let case = parse(text).unwrap().remove(0).with_windows();
        assert_eq!(case.calls.into_iter().collect::<Vec<_>>(), [("NtClose".to_owned(), 2)]);
        assert_eq!((case.stderr[0].lines(), case.exit), (vec![b"y".to_vec()], 1));
    }

    #[test]
    fn lines_makes_the_same_calls() {
        let text = "[[case]]\nname = 'a'\nrun = ['lines']\n\
                    calls = { openat = 2, read = 2, pread64 = 1, statx = 1 }\n\
                    at_most = { pread64 = 3 }\nwindows.calls = { NtCreateFile = 4 }";
        let case = parse(text).unwrap().remove(0).with_windows();
        let calls: Vec<_> = case.calls.iter().map(|(name, number)| (&**name, *number)).collect();
        assert_eq!(calls, [("NtCreateFile", 4), ("NtReadFile", 3)]);
        assert!(case.at_most.is_empty());
    }
}
