//! Wine, which runs programs for Windows: a prefix that is gone afterwards, and one server for all
//! of them.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cases::spawn::Words;
use crate::cases::strace::Calls;
use crate::checkout;

/// What programs call a folder of this machine: its root is drive Z.
pub(crate) fn seen(here: &Path) -> PathBuf {
    let mut seen = OsString::from("Z:");
    seen.push(here);
    seen.into()
}

/// What stands before a variable that Wine keeps for itself, for programs to have it.
pub(crate) fn variable_prefix(name: &str) -> &'static str {
    if matches!(name, "PWD" | "HOME" | "TEMP" | "TMP") { "WINE" } else { "" }
}

/// What a program of this machine printed, as one of Windows would have.
pub(crate) fn as_seen(printed: &[u8], here: &Path) -> Vec<u8> {
    let (here, seen) = (here.as_os_str().as_bytes(), seen(here));
    let mut out = Vec::with_capacity(printed.len());
    let mut start = 0;
    for at in memchr::memmem::find_iter(printed, here) {
        out.extend_from_slice(&printed[start..at]);
        out.extend_from_slice(seen.as_os_str().as_bytes());
        start = at + here.len();
    }
    out.extend_from_slice(&printed[start..]);
    out
}

/// A running Wine.
pub(crate) struct Wine {
    prefix: PathBuf,
    /// The script that starts and ends it.
    script: PathBuf,
    /// Whether it refuses the records that are read first; then a volume is asked once more.
    refuses_records: bool,
}

impl Wine {
    /// Makes a prefix in this folder.
    pub(crate) fn start(root: &Path, folder: &Path) -> Result<Wine, String> {
        let script = root.join("tools/wine/prefix");
        let mut wine = Wine { prefix: folder.join("wine"), script, refuses_records: false };
        checkout::output(Command::new(&wine.script).arg(&wine.prefix).stdin(Stdio::null()))?;
        let (source, probe) = (root.join("tools/wine/records.c"), folder.join("records.exe"));
        let mut compiler = Command::new("x86_64-w64-mingw32-gcc");
        checkout::output(compiler.arg("-o").arg(&probe).arg(source).arg("-lntdll"))?;
        let mut probed = Command::new("wine");
        probed.arg(&probe).envs(wine.variables()).current_dir(folder).stdin(Stdio::null());
        let status = probed.status().map_err(|why| format!("cannot run wine: {why}"))?;
        wine.refuses_records = match status.code() {
            Some(0) => false,
            Some(1) => true,
            _ => return Err(format!("{} failed under Wine: {status}", probe.display())),
        };
        Ok(wine)
    }

    /// The words of a program for Windows.
    pub(crate) fn words(&self, program: &Path) -> Words {
        let line = vec!["wine".into(), program.with_extension("exe").into()];
        Words::plain(line).variables(self.variables()).for_windows()
    }

    /// The environment of programs. In another locale Wine would not know the bytes of names for
    /// UTF-8.
    fn variables(&self) -> Vec<(String, OsString)> {
        vec![
            ("WINEPREFIX".to_owned(), self.prefix.clone().into()),
            ("WINEDEBUG".to_owned(), "-all".into()),
            ("LC_ALL".to_owned(), "C.UTF-8".into()),
        ]
    }

    /// What a program on one volume would have spent on Windows.
    pub(crate) fn as_on_windows(&self, mut spent: Calls) -> Calls {
        if self.refuses_records {
            let asked = spent.entry("NtQueryDirectoryFile".to_owned());
            asked.and_modify(|count| *count -= 1);
        }
        spent
    }
}

impl Drop for Wine {
    fn drop(&mut self) {
        let _ = Command::new(&self.script).arg("--end").arg(&self.prefix).status();
    }
}
