//! Names as they occur in /usr, in source checkouts and under node_modules. ASCII only: a Java
//! virtual machine in the C locale cannot name anything else.

use std::collections::HashSet;

use super::random::Random;

pub(super) const WORDS: &[&str] = &[
    "abstract", "account", "adapter", "address", "agent", "alpha", "animation", "api", "archive",
    "array", "async", "auth", "backend", "base", "batch", "binary", "block", "browser", "buffer",
    "build", "bundle", "cache", "call", "channel", "chunk", "client", "cluster", "codec", "color",
    "command", "commit", "compiler", "config", "connection", "context", "control", "core",
    "crypto", "cursor", "data", "database", "date", "debug", "decode", "default", "device",
    "dialog", "diff", "display", "document", "driver", "editor", "element", "encode", "engine",
    "entry", "error", "event", "example", "export", "extension", "factory", "feature", "field",
    "filter", "font", "format", "frame", "function", "gateway", "graph", "group", "handler",
    "hash", "header", "http", "icon", "image", "import", "index", "input", "internal", "iterator",
    "json", "kernel", "key", "label", "layout", "linear", "link", "list", "loader", "locale",
    "log", "main", "manager", "map", "matrix", "media", "memory", "message", "meta", "method",
    "mock", "model", "module", "network", "node", "number", "object", "option", "output",
    "package", "page", "parser", "path", "pattern", "pipeline", "platform", "plugin", "pool",
    "port", "process", "profile", "protocol", "provider", "proxy", "query", "queue", "reader",
    "record", "registry", "render", "request", "resource", "response", "result", "route",
    "runtime", "sample", "schema", "scope", "script", "search", "select", "server", "service",
    "session", "shader", "signal", "socket", "source", "state", "storage", "stream", "string",
    "style", "symbol", "system", "table", "target", "task", "template", "test", "text", "theme",
    "thread", "time", "token", "tool", "trace", "tree", "type", "unicode", "unit", "update",
    "user", "utility", "value", "vector", "version", "video", "view", "visitor", "widget",
    "window", "worker", "writer", "xml", "yaml", "zone",
];

const ENDINGS: &[&str] = &[
    ".c", ".h", ".rs", ".py", ".js", ".js", ".js", ".ts", ".d.ts", ".js.map", ".json", ".md",
    ".html", ".go", ".java", ".class", ".cpp", ".hpp", ".txt", ".yml", ".xml", ".png", ".svg",
    ".so.1", ".o", "", ".test.js", ".spec.ts", ".css", ".pyc",
];

/// How a name looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// `parser`, `http-client`
    Word,
    /// `@scope`
    Scope,
    /// 38 hexadecimal digits, as in `.git/objects/ab`
    Hash,
    /// `request-handler.test.js`
    File,
    /// `libnetwork-session3.so.1.4.2` and the like, up to 120 bytes
    Long,
}

/// Draws names that are unique within one directory.
pub(crate) struct Names {
    taken: HashSet<String>,
}

impl Names {
    pub(crate) fn new() -> Self {
        Names { taken: HashSet::new() }
    }

    /// Keeps `name` from being drawn.
    pub(crate) fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    pub(crate) fn draw(&mut self, random: &mut Random, style: Style) -> String {
        let mut name = spell(random, style);
        while !self.taken.insert(name.clone()) {
            // A number in front of the ending, as people do.
            let dot = name.find('.').filter(|&at| at > 0).unwrap_or(name.len());
            name.insert_str(dot, &random.below(1000).to_string());
        }
        name
    }
}

fn spell(random: &mut Random, style: Style) -> String {
    match style {
        Style::Word if random.once_in(3) => pair(random),
        Style::Word => random.pick(WORDS).to_owned(),
        Style::Scope => format!("@{}", random.pick(WORDS)),
        Style::Hash => {
            let digits =
                format!("{:016x}{:016x}{:016x}", random.next(), random.next(), random.next());
            digits[..38].to_owned()
        }
        Style::File => {
            let stem = if random.once_in(2) { pair(random) } else { random.pick(WORDS).to_owned() };
            let dot = if random.once_in(24) { "." } else { "" };
            format!("{dot}{stem}{}", random.pick(ENDINGS))
        }
        Style::Long => {
            let mut name = String::from("lib");
            for _ in 0..random.between(2, 12) {
                name.push_str(random.pick(WORDS));
                name.push('-');
            }
            format!("{name}{}.{}{}", random.below(20), random.below(100), random.pick(ENDINGS))
        }
    }
}

fn pair(random: &mut Random) -> String {
    let first = random.pick(WORDS);
    let separator = random.pick(&["-", "_", "-", ""]);
    format!("{first}{separator}{}", random.pick(WORDS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn are_unique_and_fit_a_directory_entry() {
        let mut names = Names::new();
        let mut random = Random::new(7);
        for _ in 0..20_000 {
            let name = names.draw(&mut random, Style::File);
            assert!(name.len() < 255 && !name.contains('/') && name != "." && name != "..");
        }
        assert_eq!(names.taken.len(), 20_000);
    }
}
