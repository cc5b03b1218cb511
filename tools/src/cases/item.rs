//! The tables inside a case: the items of a tree, and the expected lines. Both have the same
//! generators, so that a tree of 100,000 files and its listing are one line each.

use serde::Deserialize;
use toml::{Table, Value};

use super::bytes::unescape;
use super::format::Signal;

/// One item to make (or, in `meanwhile`, to do), and its metadata afterwards.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(try_from = "Table")]
pub(crate) struct Item {
    pub(crate) what: What,
    /// Its path, relative to the case's folder.
    pub(crate) path: Vec<u8>,
    pub(crate) mode: Option<u32>,
    pub(crate) owner: Option<(u32, u32)>,
    /// Seconds since 1970.
    pub(crate) mtime: Option<i64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    Directory,
    File(Content),
    Link { to: Vec<u8> },
    HardLink { to: Vec<u8> },
    Fifo,
    Socket,
    Device { letter: char, major: u32, minor: u32 },
    Files { numbers: Numbers, content: Content },
    Directories(Numbers),
    Chain(Chain),
    Mount { fs: String },
    Bind { from: Vec<u8> },
    Subvolume,
    Remove,
    Rename { to: Vec<u8> },
    Send(Signal),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Content {
    /// These bytes, behind a hole of so many.
    Bytes(Vec<u8>, u64),
    /// A hole of that many bytes.
    Size(u64),
}

/// The numbers that `{i}` in a path stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Numbers {
    pub(crate) from: u64,
    pub(crate) count: u64,
}

/// Directories one inside the other, all of one name, with a file at the bottom.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chain {
    pub(crate) name: Vec<u8>,
    pub(crate) depth: usize,
    pub(crate) leaf: Option<Vec<u8>>,
}

/// One or more expected lines.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(try_from = "Value")]
pub(crate) enum Expected {
    Line(Vec<u8>),
    /// Any one line that matches; `*` stands for any bytes.
    Like(Vec<u8>),
    Each {
        pattern: Vec<u8>,
        numbers: Numbers,
    },
    Chain {
        path: Vec<u8>,
        chain: Chain,
    },
}

impl Expected {
    /// The lines in full; none for a pattern.
    pub(crate) fn lines(&self) -> Vec<Vec<u8>> {
        match self {
            Expected::Line(line) => vec![line.clone()],
            Expected::Like(_) => Vec::new(),
            Expected::Each { pattern, numbers } => numbers.fill(pattern),
            Expected::Chain { path, chain } => chain.paths(path),
        }
    }
}

impl Numbers {
    /// The pattern once for each number.
    pub(crate) fn fill(self, pattern: &[u8]) -> Vec<Vec<u8>> {
        let place = pattern.windows(3).position(|window| window == b"{i}");
        let (before, after) = match place {
            Some(at) => (&pattern[..at], &pattern[at + 3..]),
            None => (pattern, &b""[..]),
        };
        let numbers = self.from..self.from + self.count;
        numbers.map(|number| [before, number.to_string().as_bytes(), after].concat()).collect()
    }
}

impl Chain {
    /// The path of every link, top to bottom.
    fn paths(&self, top: &[u8]) -> Vec<Vec<u8>> {
        let mut paths = Vec::with_capacity(self.depth + 1);
        let mut path = top.to_owned();
        let names = std::iter::repeat_n(&self.name, self.depth).chain(&self.leaf);
        for name in names {
            path.push(b'/');
            path.extend_from_slice(name);
            paths.push(path.clone());
        }
        paths
    }
}

impl TryFrom<Table> for Item {
    type Error = String;

    fn try_from(table: Table) -> Result<Item, String> {
        let mut fields = Fields(table);
        let (kind, path) = fields.kind()?;
        let what = fields.what(&kind)?;
        let item = Item {
            what,
            path,
            mode: fields.octal("mode")?,
            owner: fields.owner()?,
            mtime: fields.number("mtime")?,
        };
        fields.nothing_left(&kind).map(|()| item)
    }
}

impl TryFrom<Value> for Expected {
    type Error = String;

    fn try_from(value: Value) -> Result<Expected, String> {
        let table = match value {
            Value::String(line) => return unescape(&line).map(Expected::Line),
            Value::Table(table) => table,
            other => return Err(format!("{other} is not a line")),
        };
        let mut fields = Fields(table);
        let expected = if let Some(pattern) = fields.bytes("like")? {
            Expected::Like(pattern)
        } else if let Some(pattern) = fields.bytes("each")? {
            Expected::Each { pattern, numbers: fields.numbers()? }
        } else if let Some(path) = fields.bytes("chain")? {
            Expected::Chain { path, chain: fields.chain()? }
        } else {
            return Err("a line is a string, or has like, each or chain".to_owned());
        };
        fields.nothing_left("line").map(|()| expected)
    }
}

const KINDS: &[&str] = &[
    "dir", "file", "link", "hardlink", "fifo", "socket", "char", "block", "files", "dirs", "chain",
    "mount", "bind", "subvolume", "remove", "rename", "send",
];

/// The fields of a table that have not been parsed yet.
struct Fields(Table);

impl Fields {
    /// The one field that names the kind of item; its value is the path.
    fn kind(&mut self) -> Result<(String, Vec<u8>), String> {
        let mut kinds = KINDS.iter().filter(|kind| self.0.contains_key(**kind));
        let (kind, more) = (kinds.next(), kinds.next());
        match (kind, more) {
            (Some(&kind), None) => {
                let path = self.bytes(kind)?.ok_or("a path is missing")?;
                Ok((kind.to_owned(), path))
            }
            _ => Err(format!("{} does not say which one of {KINDS:?} it is", self.0)),
        }
    }

    fn what(&mut self, kind: &str) -> Result<What, String> {
        Ok(match kind {
            "dir" => What::Directory,
            "file" => {
                let size = self.number("size")?.unwrap_or(0);
                What::File(match (self.bytes("text")?, self.bytes("each")?) {
                    (Some(text), None) => Content::Bytes(text, size),
                    (None, Some(line)) => {
                        Content::Bytes(self.numbers()?.fill(&line).concat(), size)
                    }
                    (None, None) => Content::Size(size),
                    (Some(_), Some(_)) => return Err("a file has text or each".to_owned()),
                })
            }
            "link" => What::Link { to: self.required("to")? },
            "hardlink" => What::HardLink { to: self.required("to")? },
            "fifo" => What::Fifo,
            "socket" => What::Socket,
            "char" | "block" => What::Device {
                letter: if kind == "char" { 'c' } else { 'b' },
                major: self.number("major")?.ok_or("a device has major and minor")?,
                minor: self.number("minor")?.ok_or("a device has major and minor")?,
            },
            "files" => {
                let size = self.number("size")?.unwrap_or(0);
                let content = match self.bytes("text")? {
                    Some(text) => Content::Bytes(text, size),
                    None => Content::Size(size),
                };
                What::Files { numbers: self.numbers()?, content }
            }
            "dirs" => What::Directories(self.numbers()?),
            "chain" => What::Chain(self.chain()?),
            "mount" => What::Mount { fs: self.text("fs")?.ok_or("a mount has fs")? },
            "bind" => What::Bind { from: self.required("from")? },
            "subvolume" => What::Subvolume,
            "remove" => What::Remove,
            "rename" => What::Rename { to: self.required("to")? },
            _ => What::Send(self.signal()?),
        })
    }

    fn signal(&mut self) -> Result<Signal, String> {
        let value = self.0.remove("signal").ok_or("send has signal")?;
        value.try_into().map_err(|error| format!("signal: {error}"))
    }

    fn text(&mut self, key: &str) -> Result<Option<String>, String> {
        match self.0.remove(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(format!("{key} = {other} is not a string")),
        }
    }

    fn bytes(&mut self, key: &str) -> Result<Option<Vec<u8>>, String> {
        self.text(key)?.as_deref().map(unescape).transpose()
    }

    fn required(&mut self, key: &str) -> Result<Vec<u8>, String> {
        self.bytes(key)?.ok_or_else(|| format!("{key} is missing"))
    }

    fn number<N: TryFrom<i64>>(&mut self, key: &str) -> Result<Option<N>, String> {
        let Some(value) = self.0.remove(key) else { return Ok(None) };
        let number = value.as_integer().and_then(|number| N::try_from(number).ok());
        number.map(Some).ok_or_else(|| format!("{key} = {value} is not such a number"))
    }

    fn octal(&mut self, key: &str) -> Result<Option<u32>, String> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        u32::from_str_radix(&text, 8)
            .map(Some)
            .map_err(|_| format!("{key} = '{text}' is not octal"))
    }

    fn owner(&mut self) -> Result<Option<(u32, u32)>, String> {
        let Some(text) = self.text("owner")? else { return Ok(None) };
        let ids = text
            .split_once(':')
            .and_then(|(user, group)| Some((user.parse().ok()?, group.parse().ok()?)));
        ids.map(Some).ok_or_else(|| format!("owner = '{text}' is not UID:GID"))
    }

    fn numbers(&mut self) -> Result<Numbers, String> {
        let from = self.number("from")?.unwrap_or(0);
        Ok(Numbers { from, count: self.number("count")?.ok_or("count is missing")? })
    }

    fn chain(&mut self) -> Result<Chain, String> {
        let name = self.required("name")?;
        let depth = self.number("depth")?.ok_or("depth is missing")?;
        Ok(Chain { name, depth, leaf: self.bytes("leaf")? })
    }

    fn nothing_left(&self, kind: &str) -> Result<(), String> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(key) => Err(format!("'{key}' means nothing for a {kind}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(text: &str) -> Result<Item, String> {
        Item::try_from(text.parse::<Table>().unwrap())
    }

    #[test]
    fn the_first_field_says_what_it_is() {
        let made =
            item("file = 'd/a'\nsize = 3\nmode = '0640'\nowner = '1:2'\nmtime = -5").unwrap();
        assert_eq!(made.what, What::File(Content::Size(3)));
        assert_eq!((made.mode, made.owner, made.mtime), (Some(0o640), Some((1, 2)), Some(-5)));
    }

    #[test]
    fn what_means_nothing_is_an_error() {
        for wrong in [
            "dir = 'd'\nsize = 3", "dir = 'd'\nfile = 'e'", "name = 'd'", "link = 'd'",
            "file = 'a'\nmode = '9'", "files = 'a'", "char = 'a'\nmajor = -1\nminor = 1",
            "send = ''\nsignal = 'WINCH'",
        ] {
            assert!(item(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn generators_write_the_lines_that_the_tree_has() {
        let numbers = Numbers { from: 9, count: 2 };
        assert_eq!(numbers.fill(b"d/{i}.x"), [&b"d/9.x"[..], b"d/10.x"]);
        let chain = Chain { name: b"n".into(), depth: 2, leaf: Some(b"f".into()) };
        assert_eq!(chain.paths(b"d"), [&b"d/n"[..], b"d/n/n", b"d/n/n/f"]);
    }
}
