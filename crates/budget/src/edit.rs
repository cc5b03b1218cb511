//! Writes budgets into a file's text, and leaves everything else in it as it is: comments, order,
//! what was laid out by hand.

use std::collections::BTreeMap;

use fewer::compact;
use fewer::present::lossless::Lossless;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use crate::command::{Command, CommandLine, Run, Scale};
use crate::measured::Status;
use crate::range::Range;
use crate::ratio::Ratio;
use trace::{Error, Name, Text};

/// What a new file begins with.
const HEAD: &str = "\
# What commands may ask of the file system. `fewer budget check` fails if one asks for more;
# `fewer budget check --bless` writes down what they ask for now.

";

/// The text of a file of budgets.
#[derive(Debug)]
pub(crate) struct Editor {
    document: DocumentMut,
    path: Box<[u8]>,
}

impl Editor {
    /// `text` has been read as a snapshot before.
    pub(crate) fn new(text: &str, path: &[u8]) -> Result<Editor, Error> {
        let document = text.parse().map_err(|error: toml_edit::TomlError| {
            let (line, why) = (0, error.message().to_owned());
            Error::Format { path: path.into(), line, why }
        })?;
        Ok(Editor { document, path: path.into() })
    }

    /// Writes a command's budget over the one with this number, or behind the last one.
    pub(crate) fn command(&mut self, at: Option<usize>, command: &Command) -> Result<(), Error> {
        let table = self.table("command", at)?;
        let is_new = at.is_none();
        run(table, &command.run, command.status);
        let allowed = &command.allowed;
        // What was taken out by hand is not judged, and stays out.
        let is_bare = ["total", "calls", "paths"].iter().all(|key| !table.contains_key(key));
        let wants = |table: &Table, key| is_new || is_bare || table.contains_key(key);
        let judged = ["total", "calls", "paths"].map(|key| wants(table, key));
        if let (true, Some(total)) = (judged[0], allowed.total) {
            set(table, "total", range(total));
        }
        if let Some(count) = command.proved {
            set(table, "proved", number(count));
        }
        if let (true, Some(names)) = (judged[1], &allowed.names) {
            let rows = names.iter().map(|(name, limit)| (name.to_string(), range(*limit)));
            rows_of(table, "calls", rows.collect());
        }
        if let (true, Some(files)) = (judged[2], &allowed.files) {
            let row = |names: &BTreeMap<_, _>| inline(names, |it| range(*it));
            let rows = files.lines().iter().map(|(it, names)| (it.written(), row(names)));
            rows_of(table, "paths", rows.collect());
        }
        if is_new || is_bare || table.contains_key("callers") {
            let rows = allowed.callers.iter();
            let rows = rows.map(|(it, names)| (it.clone(), inline(names, |count| number(*count))));
            rows_of(table, "callers", rows.collect());
        }
        Ok(())
    }

    /// Writes a budget per item over the one with this number, or behind the last one.
    pub(crate) fn scale(&mut self, at: Option<usize>, scale: &Scale) -> Result<(), Error> {
        let table = self.table("scale", at)?;
        run(table, &scale.run, scale.status);
        let n: Array = scale.n.iter().map(|n| number(*n)).collect();
        set(table, "n", n.into());
        let per_item = &scale.per_item;
        set(table, "total", ratio(per_item.total));
        let rows = per_item.names.iter().map(|(name, it)| (name.to_string(), ratio(*it)));
        rows_of(table, "calls", rows.collect());
        if at.is_none() || table.contains_key("callers") {
            let rows = per_item.callers.iter();
            let rows = rows.map(|(it, names)| (it.clone(), inline(names, |it| ratio(*it))));
            rows_of(table, "callers", rows.collect());
        }
        Ok(())
    }

    fn table(&mut self, key: &str, at: Option<usize>) -> Result<&mut Table, Error> {
        let path = self.path.clone();
        let head = self.head();
        let root = self.document.as_table_mut();
        let item = root.entry(key).or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
        let Some(tables) = item.as_array_of_tables_mut() else {
            let why = format!("'{key}' can only be changed if it is written as [[{key}]]");
            return Err(Error::Format { path, line: 0, why });
        };
        let at = at.unwrap_or_else(|| {
            let mut table = Table::new();
            table.decor_mut().set_prefix(head);
            tables.push(table);
            tables.len() - 1
        });
        let why = format!("there is no [[{key}]] number {}", at + 1);
        tables.get_mut(at).ok_or(Error::Format { path, line: 0, why })
    }

    /// What stands in front of a new table: comments of a file that has nothing else.
    fn head(&mut self) -> String {
        if !self.document.as_table().is_empty() {
            return "\n".to_owned();
        }
        let comments = self.document.trailing().as_str().unwrap_or_default().to_owned();
        self.document.set_trailing("");
        if comments.trim().is_empty() { HEAD.to_owned() } else { comments + "\n" }
    }

    pub(crate) fn text(&self) -> String {
        self.document.to_string()
    }
}

fn run(table: &mut Table, run: &Run, status: Status) {
    let line = match &run.line {
        CommandLine::Shell(line) => Value::from(line.as_str()),
        CommandLine::Words(words) => words.iter().map(word).collect::<Array>().into(),
    };
    if !table.contains_key("run") {
        set(table, "run", line);
        if let Some(directory) = &run.directory {
            set(table, "directory", word(directory));
        }
        if run.all {
            set(table, "all", true.into());
        }
    }
    match status {
        Status::Exited(0) if !table.contains_key("exit") => {}
        Status::Exited(exit) => set(table, "exit", i64::from(exit).into()),
        Status::Killed(signal) => set(table, "signal", i64::from(signal).into()),
    }
    match status {
        Status::Exited(_) => drop(table.remove("signal")),
        Status::Killed(_) => drop(table.remove("exit")),
    }
}

fn word(word: &Text) -> Value {
    match Lossless::from(&*word.0) {
        Lossless::Text(text) => text.into(),
        Lossless::Base64(base64) => {
            let mut bytes = InlineTable::new();
            bytes.insert("bytes", base64.into());
            bytes.into()
        }
    }
}

fn number(count: u64) -> Value {
    i64::try_from(count).unwrap_or(i64::MAX).into()
}

fn range(range: Range) -> Value {
    match range.is_exact() {
        true => number(range.most),
        false => [range.least, range.most].into_iter().map(number).collect::<Array>().into(),
    }
}

fn ratio(ratio: Ratio) -> Value {
    ratio.whole().map_or_else(|| ratio.to_string().into(), Value::from)
}

fn inline<T>(names: &BTreeMap<Name, T>, value: impl Fn(&T) -> Value) -> Value {
    let mut rows: Rows = names.iter().map(|(name, it)| (name.to_string(), value(it))).collect();
    sort(&mut rows);
    Value::InlineTable(rows.into_iter().collect())
}

/// Rows of a table, in the order of their keys.
type Rows = Vec<(String, Value)>;

fn sort(rows: &mut Rows) {
    compact::sort_by(rows, |a, b| a.0.cmp(&b.0));
}

/// Sets a value; what stands around the old one (a comment behind it) stays.
fn set(table: &mut dyn TableLike, key: &str, mut value: Value) {
    match table.get_mut(key).and_then(Item::as_value_mut) {
        // The same, perhaps laid out by hand.
        Some(old) if old.to_string().trim() == value.to_string().trim() => {}
        Some(old) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        None => drop(table.insert(key, Item::Value(value))),
    }
}

/// Makes a table of rows hold these and no others. Rows that stay keep their place.
fn rows_of(table: &mut Table, key: &str, mut rows: Rows) {
    sort(&mut rows);
    let item = table.entry(key).or_insert_with(|| Item::Table(Table::new()));
    if !item.is_table_like() {
        *item = Item::Table(Table::new());
    }
    let Some(old) = item.as_table_like_mut() else { return };
    let gone: Vec<String> = old.iter().map(|(key, _)| key.to_owned()).collect();
    for key in gone.iter().filter(|key| !rows.iter().any(|(name, _)| name == *key)) {
        old.remove(key);
    }
    for (key, value) in rows {
        set(old, &key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::allowed::Allowed;
    use crate::snapshot::Snapshot;
    use crate::stream;

    fn command(calls: &[(&str, &str, &str, u64)]) -> Command {
        let line = CommandLine::Words(vec!["./lister".into(), "a b".into()]);
        let run = Run { line, ..Run::default() };
        let allowed = Allowed::of_runs(&[stream::run(calls)]);
        Command { run, allowed, ..Command::default() }
    }

    fn read(text: &str) -> Snapshot {
        Snapshot::parse(text.as_bytes(), b"b").unwrap_or_else(|why| panic!("{why}:\n{text}"))
    }

    #[test]
    fn what_is_written_is_read_as_it_was() {
        let mut first = command(&[("openat", "/home/a/t\n\x1b", "main a.c:1", 2)]);
        first.status = Status::Killed(15);
        first.run = Run { line: first.run.line, directory: Some("../x".into()), all: true };
        let words = vec![Text(b"\xff"[..].into()), "\"'\\\u{7f}".into()];
        let mut second = command(&[("read", "pipe:[3]", "", 1), ("clone", "", "f b:2", 1)]);
        second.run.line = CommandLine::Words(words);
        let limit = Range { least: 1, most: 7 };
        second.allowed.total = Some(limit);
        let per_item = crate::slope::PerItem {
            total: Ratio::new(3, 2).unwrap(),
            names: [(trace::Name::Openat, Ratio::new(1, 1).unwrap())].into(),
            callers: [("f at x:1".into(), [(trace::Name::Openat, Ratio::default())].into())].into(),
        };
        let run = Run { line: CommandLine::Shell("find {n}".into()), ..Run::default() };
        let scale = Scale { run, n: vec![1, 2], per_item, ..Scale::default() };

        let mut editor = Editor::new("", b"b").unwrap();
        editor.command(None, &first).unwrap();
        editor.scale(None, &scale).unwrap();
        editor.command(None, &second).unwrap();
        let snapshot = read(&editor.text());
        assert_eq!(snapshot.commands, [first, second]);
        assert_eq!(snapshot.scales, [scale]);
    }

    #[test]
    fn a_new_file_looks_like_this() {
        let mut editor = Editor::new("", b"b").unwrap();
        let calls = [("openat", "/home/a/t", "main a.c:1", 2), ("read", "/etc/x", "f a.c:9", 1)];
        editor.command(None, &command(&calls)).unwrap();
        let expected = r#"
[[command]]
run = ["./lister", "a b"]
total = 3

[command.calls]
openat = 2
read = 1

[command.paths]
"./t" = { openat = 2 }
"/etc/x" = { read = 1 }

[command.callers]
"f at a.c:9" = { read = 1 }
"main at a.c:1" = { openat = 2 }
"#;
        assert_eq!(editor.text(), format!("{}\n{expected}", HEAD.trim_end()));
    }

    #[test]
    fn comments_and_order_stay() {
        let text = r#"# mine
[[command]]
name = "lister"   # its name
total = 9   # too many
run = [
    "./lister",   # the program
    "a b",
]
calls = { read = 5, openat = 2 } # by name

# the second
[[command]]
run = ["other"]
total = 1
"#;
        let mut editor = Editor::new(text, b"b").unwrap();
        assert_eq!(editor.text(), text);
        editor.command(Some(0), &command(&[("openat", "x", "f a:1", 3)])).unwrap();
        let expected = text
            .replace("total = 9 ", "total = 3 ")
            .replace("{ read = 5, openat = 2 }", "{ openat = 3 }");
        assert_eq!(editor.text(), expected);
        assert_eq!(read(&editor.text()).commands.len(), 2);
    }

    #[test]
    fn comments_of_an_empty_file_stay_in_front() {
        let mut editor = Editor::new("# mine\n", b"b").unwrap();
        editor.command(None, &command(&[])).unwrap();
        assert!(editor.text().starts_with("# mine\n\n[[command]]\n"), "{}", editor.text());
    }

    #[test]
    fn what_cannot_be_changed_is_said() {
        let mut editor = Editor::new("command = [{ run = ['x'] }]", b"b").unwrap();
        let error = editor.command(None, &command(&[])).unwrap_err();
        assert!(error.to_string().contains("[[command]]"), "{error}");
    }
}
