//! Fifty people who own files, with names that the engines can look up.
//!
//! Nobody is added to the machine. The runner moves into a mount namespace of its own and puts
//! copies of /etc/passwd and /etc/group over the real ones there, with these fifty at their end.
//! Engines inherit that; it costs them no call. Without root they see numbers for names.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::mount::mount_bind;

use crate::namespace;

pub(crate) const COUNT: u32 = 50;

const NAMES: &[&str] =
    &["ada", "grace", "edsger", "barbara", "ken", "margaret", "donald", "radia", "leslie", "jo"];

/// User and group of the given one of the fifty. Nobody hands out ids from here by themselves.
pub(crate) fn id(which: u32) -> u32 {
    30_001 + which
}

fn name(which: u32) -> String {
    let names = NAMES.len() as u32;
    format!("{}{}", NAMES[(which % names) as usize], which / names + 1)
}

/// From here on this process and its children know the fifty, unless they do already; must be
/// called before it has threads. The copies lie in `folder`.
pub(crate) fn introduce(folder: &Path) -> Result<(), String> {
    let say = |what: &str, error: std::io::Error| format!("{what}: {error}");
    let known = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    if known.ends_with(&passwd(COUNT - 1)) {
        return Ok(());
    }
    std::fs::create_dir_all(folder).map_err(|error| say("trees", error))?;
    let copies = [("/etc/passwd", passwd as fn(u32) -> String), ("/etc/group", group)];
    namespace::enter()?;
    for (original, line) in copies {
        let text = std::fs::read_to_string(original).map_err(|error| say(original, error))?;
        let copy = folder.join(original.replace("/etc/", "."));
        let more = (0..COUNT).map(line).collect::<String>();
        std::fs::write(&copy, with(text, &more)).map_err(|error| say(original, error))?;
        let copy = CString::new(copy.as_os_str().as_bytes()).map_err(|error| error.to_string())?;
        mount_bind(&*copy, original).map_err(|error| say(original, error.into()))?;
    }
    Ok(())
}

fn passwd(which: u32) -> String {
    format!("{}:x:{id}:{id}::/nonexistent:/usr/sbin/nologin\n", name(which), id = id(which))
}

fn group(which: u32) -> String {
    format!("{}:x:{}:\n", name(which), id(which))
}

fn with(mut text: String, more: &str) -> String {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text + more
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_fifty_are_somebody_else() {
        let lines: std::collections::BTreeSet<String> = (0..COUNT).map(name).collect();
        assert_eq!(lines.len(), 50);
        assert_eq!(passwd(11), "grace2:x:30012:30012::/nonexistent:/usr/sbin/nologin\n");
        assert_eq!(group(0), "ada1:x:30001:\n");
    }

    #[test]
    fn a_file_without_a_last_newline_gets_one() {
        assert_eq!(with("root:x:0:".into(), "ada1:x:1:\n"), "root:x:0:\nada1:x:1:\n");
    }
}
