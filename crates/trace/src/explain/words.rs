//! Numbers and names as verdicts have them.

use crate::{PathId, Registry, figures};

/// How often: `once`, `twice`, `10,002 times`.
pub(crate) fn times(count: u64) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{} times", figures::count(count)),
    }
}

/// How many of what: `1 file`, `1,056 files`, `2 directories`.
pub(crate) fn some(count: u64, what: &str) -> String {
    let what = match (count, what.strip_suffix('y')) {
        (1, _) => what.to_owned(),
        (_, Some(stem)) => format!("{stem}ies"),
        _ if what.ends_with("ch") => format!("{what}es"),
        _ => format!("{what}s"),
    };
    format!("{} {what}", figures::count(count))
}

/// A path as a verdict has it. Bytes that are no text are replaced: the path itself is to be had
/// from the calls.
pub(crate) fn path(path: PathId, registry: &Registry) -> String {
    let bytes = registry.path(path);
    if bytes.is_empty() {
        return "a file whose name is not known".to_owned();
    }
    format!("`{}`", String::from_utf8_lossy(bytes))
}

/// The last name of a program.
pub(crate) fn program(program: PathId, registry: &Registry) -> String {
    let path = registry.path(program);
    if path.is_empty() {
        return "a program".to_owned();
    }
    format!("`{}`", String::from_utf8_lossy(fewer::path::base_name(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_agree_with_their_number() {
        assert_eq!(times(1), "once");
        assert_eq!(times(10_002), "10,002 times");
        assert_eq!(some(1, "directory"), "1 directory");
        assert_eq!(some(1056, "directory"), "1,056 directories");
        assert_eq!(some(3, "file"), "3 files");
    }
}
