//! The abilities of this machine, and so which cases it can run.

use std::process::Command;

use super::file_system;
use super::format::Case;
use super::item::{Item, What};
use crate::checkout;

/// Set for the runner inside its own mount namespace; the value says whether there is one.
const NAMESPACE: &str = "FEWER_CASES_NAMESPACE";

pub(crate) struct Machine {
    root: bool,
    mounts: bool,
}

impl Machine {
    pub(crate) fn look() -> Machine {
        let mounts = std::env::var_os(NAMESPACE).is_some_and(|value| value == "own");
        Machine { root: checkout::is_root(), mounts }
    }

    /// The reason why the case cannot be run here on that file system, for the list of skips.
    pub(crate) fn why_not(&self, case: &Case, on: Option<&str>, native: &str) -> Option<String> {
        if let Some(reason) = &case.skip {
            return Some(reason.clone());
        }
        for need in &case.needs {
            match need.as_str() {
                "root" if self.root => {}
                "root" => return Some("needs root".to_owned()),
                program if checkout::has_program(program) => {}
                program => return Some(format!("{program} is not installed")),
            }
        }
        let items = case.tree.iter().chain(&case.meanwhile);
        let mut systems: Vec<&str> = items.clone().filter_map(mounted).collect();
        systems.extend(on.filter(|on| *on != native));
        let binds = items.clone().any(|item| matches!(item.what, What::Bind { .. }));
        if (binds || !systems.is_empty()) && !self.mounts {
            return Some("needs root in a mount namespace of its own".to_owned());
        }
        let owns = |item: &Item| item.owner.is_some() || matches!(item.what, What::Device { .. });
        if !self.root && items.clone().any(owns) {
            return Some("needs root".to_owned());
        }
        systems.into_iter().find_map(|name| match file_system::find(name) {
            Ok(fs) => fs.missing(),
            // A wrong name is a mistake in the case, and shows when it is mounted.
            Err(_) => None,
        })
    }
}

fn mounted(item: &Item) -> Option<&str> {
    match &item.what {
        What::Mount { fs } => Some(fs),
        _ => None,
    }
}

/// Starts this program again in a mount namespace of its own, so that no mount outlives it, however
/// it ends. Returns `None` if it is in one already, or if there cannot be one.
pub(crate) fn in_own_namespace() -> Result<Option<std::process::ExitStatus>, String> {
    if std::env::var_os(NAMESPACE).is_some() || !checkout::is_root() {
        return Ok(None);
    }
    let unshare = ["--mount", "--propagation", "private", "--"];
    let possible = Command::new("unshare").args(unshare).arg("true").output();
    if !possible.is_ok_and(|probe| probe.status.success()) {
        return Ok(None);
    }
    let again = std::env::current_exe().map_err(|why| format!("cannot find myself: {why}"))?;
    let mut command = Command::new("unshare");
    command.args(unshare).arg(again).args(std::env::args_os().skip(1)).env(NAMESPACE, "own");
    command.status().map(Some).map_err(|why| format!("cannot run unshare: {why}"))
}
