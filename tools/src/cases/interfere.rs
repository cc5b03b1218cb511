//! Runs a program under strace that injects faults into its calls, or holds it at the entry of one.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::format::{Inject, Pause};

/// strace waits this long at a pause; the runner ends it as soon as `meanwhile` is done.
const HELD: &str = "delay_enter=100s";

/// strace that injects a fault into some calls.
pub(crate) fn faults(inject: &Inject, here: &Path, log: &Path) -> Vec<OsString> {
    let mut tracer: Vec<OsString> =
        ["strace", "--quiet=attach,path-resolution", "-f", "-o"].map(OsString::from).into();
    tracer.push(log.into());
    let expression = format!("inject={}:{}", inject.call, inject.fault);
    tracer.extend(["-e".into(), format!("trace={}", inject.call).into(), "-e".into()]);
    tracer.push(expression.into());
    if let Some(of) = &inject.of {
        tracer.extend(only_of(&of.0, here));
    }
    tracer
}

/// strace that holds the program at the entry of one call. It is a child of the program's (`-D`),
/// so that ending it does not end the program.
pub(crate) fn holding(pause: &Pause, here: &Path, log: &Path) -> Vec<OsString> {
    let call = &pause.before;
    let options =
        ["strace", "--quiet=attach,path-resolution", "-D", "-f", "-o"].map(OsString::from);
    let mut tracer: Vec<OsString> = options.into();
    tracer.push(log.into());
    tracer.extend(["-e".into(), format!("trace={call}").into()]);
    tracer.extend(["-e".into(), format!("inject={call}:{HELD}").into()]);
    tracer.extend(pause.of.iter().flat_map(|of| only_of(&of.0, here)));
    tracer
}

/// strace's options for "only calls on this path": as the case writes it, its full form (for calls
/// on descriptors), and its last name (for calls relative to a directory).
fn only_of(path: &[u8], here: &Path) -> Vec<OsString> {
    let written = Path::new(OsStr::from_bytes(path));
    let mut names = vec![written.as_os_str().to_owned(), here.join(written).into_os_string()];
    names.extend(written.file_name().map(|name| name.to_owned()));
    names.dedup();
    names.into_iter().flat_map(|name| ["-P".into(), name]).collect()
}
