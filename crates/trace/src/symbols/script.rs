//! What interpreters call the functions that they have compiled: CPython, Node.

use crate::Location;

/// The location that a name in a perf map stands for.
pub(super) fn location(name: &str) -> Location {
    python(name)
        .or_else(|| node(name))
        .unwrap_or_else(|| Location { function: name.to_owned(), ..Location::default() })
}

/// `py::Class.method:/path/file.py`
fn python(name: &str) -> Option<Location> {
    let (function, file) = name.strip_prefix("py::")?.split_once(':')?;
    Some(Location { function: function.to_owned(), file: file.to_owned(), line: 0 })
}

/// `JS:*name /path/file.js:3:10`, older `LazyCompile:~name /path/file.js:12`. The sign says how far
/// it is compiled; a function may have no name. The line is that where the function begins.
fn node(name: &str) -> Option<Location> {
    const KINDS: [&str; 7] =
        ["JS", "LazyCompile", "Function", "Script", "Eval", "InterpretedFunction", "Callback"];
    let (kind, rest) = name.split_once(':')?;
    if !KINDS.contains(&kind) {
        return None;
    }
    let rest = rest.trim_start_matches(['~', '*', '^', '+', '\'']);
    let starts = [" /", " file:", " node:", " internal/"];
    let at = starts.iter().filter_map(|start| rest.find(start)).min();
    let (function, site) = rest.split_at(at.or_else(|| rest.find(' '))?);
    let (file, line) = lines(site.trim_start());
    let function = if function.is_empty() { "(anonymous)" } else { function };
    let file = file.strip_prefix("file://").unwrap_or(file).to_owned();
    Some(Location { function: function.to_owned(), file, line })
}

/// `/path/file.js:3:10` and `/path/file.js:3`.
fn lines(site: &str) -> (&str, u32) {
    let number = |site| -> Option<(&str, u32)> {
        let (before, number): (&str, &str) = str::rsplit_once(site, ':')?;
        Some((before, number.parse().ok()?))
    };
    match number(site) {
        None => (site, 0),
        Some((before, last)) => number(before).unwrap_or((before, last)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_as_python_and_node_write_them() {
        for (name, function, file, line) in [
            ("py::A.meth:/srv/a b.py", "A.meth", "/srv/a b.py", 0),
            ("py::f.<locals>.<lambda>:/p.py", "f.<locals>.<lambda>", "/p.py", 0),
            (
                "py::_find:<frozen importlib._bootstrap>", "_find",
                "<frozen importlib._bootstrap>", 0,
            ),
            ("JS:^inner /srv/dir with space/n.js:2:15", "inner", "/srv/dir with space/n.js", 2),
            ("JS:~ /srv/n.js:3:131", "(anonymous)", "/srv/n.js", 3),
            ("JS:*fn file:///x.mjs:3:10", "fn", "/x.mjs", 3),
            ("JS:~get size node:internal/url:52:36", "get size", "node:internal/url", 52),
            ("LazyCompile:~name /path/file.js:12", "name", "/path/file.js", 12),
            ("Eval:~ /srv/n.js:1:1", "(anonymous)", "/srv/n.js", 1),
            ("Builtin:ArrayForEach", "Builtin:ArrayForEach", "", 0),
            ("BytecodeHandler:LdaZero", "BytecodeHandler:LdaZero", "", 0),
            ("JS:nothing", "JS:nothing", "", 0),
            ("Lcom/foo/Bar;::method", "Lcom/foo/Bar;::method", "", 0),
            ("", "", "", 0),
        ] {
            let expected = Location { function: function.to_owned(), file: file.to_owned(), line };
            assert_eq!(location(name), expected, "{name}");
        }
    }
}
