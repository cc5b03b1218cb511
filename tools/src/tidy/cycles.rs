//! No module cycles: of the modules of one folder, none uses another that leads back to it.
//!
//! A module is a file, or a folder with everything below it. A folder's own `mod.rs` and the files
//! in it may use each other. Uses are found in the text: `use` declarations and paths that begin
//! with `crate`, `super` or `self`, followed through re-exports (`pub use`) to the module that
//! defines the name. A method that another file's `impl` block adds to a type is not seen.

use std::collections::{BTreeMap, BTreeSet};

use super::rust::without_tests;
use super::system_boundary::is_test;
use super::{Finding, Tree};

/// Source folders without cycles. The next crate that has none is added here.
const CRATES: &[&str] = &[
    "crates/budget/src/", "crates/cli/src/", "crates/coreutils/src/", "crates/fewer/src/",
    "crates/shell/src/", "crates/stores/src/", "crates/sys/src/", "crates/tables/src/",
    "crates/trace/src/",
];

/// The keywords before an item's name.
const DEFINING: &[&str] = &["const", "enum", "fn", "static", "struct", "trait", "type", "union"];

/// How many re-exports a name is followed through.
const MOST_EXPORTS: usize = 8;

/// The path of a module from the root of its crate, or of a name as it is written.
type Segments = Vec<String>;

pub(crate) fn modules(tree: &Tree) -> Result<Vec<Finding>, String> {
    Ok(CRATES.iter().flat_map(|folder| Crate::read(tree, folder).findings()).collect())
}

/// One file.
struct Module<'t> {
    file: &'t str,
    /// The paths that are used, and their lines.
    paths: Vec<(Segments, usize)>,
    /// The names that are imported here, perhaps for others, and what they stand for.
    imports: BTreeMap<String, Segments>,
    /// Modules all names of which are imported.
    globs: Vec<Segments>,
    /// Names of items that are defined here.
    defined: BTreeSet<String>,
}

struct Crate<'t> {
    modules: BTreeMap<Segments, Module<'t>>,
}

/// A use of one module by another of the same folder.
struct Use<'t> {
    file: &'t str,
    line: usize,
    from: Segments,
    to: Segments,
}

impl<'t> Crate<'t> {
    fn read(tree: &'t Tree, folder: &str) -> Crate<'t> {
        let files = tree.files.iter().filter(|file| file.is_rust() && !is_test(file));
        let modules = files.filter_map(|file| {
            let path = file.name.strip_prefix(folder)?;
            Some((module_path(path), Module::read(&file.name, &without_tests(&file.code))))
        });
        Crate { modules: modules.collect() }
    }

    fn findings(&self) -> Vec<Finding> {
        let uses = self.uses();
        let mut reaches: BTreeMap<&Segments, BTreeSet<&Segments>> = BTreeMap::new();
        for one in &uses {
            reaches.entry(&one.from).or_default().insert(&one.to);
        }
        // A `use` tree may name several items of one module.
        let mut known = BTreeSet::new();
        let mut findings = Vec::new();
        for one in &uses {
            let is_new = known.insert((one.file, one.line, &one.to));
            if is_new && leads(&reaches, &one.to, &one.from) {
                let (from, to) = (one.from.join("::"), one.to.join("::"));
                let why = format!("module cycle: {from} uses {to}, which leads back to it");
                findings.push(Finding::new(one.file, one.line, why));
            }
        }
        findings
    }

    /// All uses between modules of one folder.
    fn uses(&self) -> Vec<Use<'t>> {
        let mut uses = Vec::new();
        for (path, module) in &self.modules {
            for (used, line) in &module.paths {
                let Some(target) = self.resolve(path, used, MOST_EXPORTS) else { continue };
                let shared = path.iter().zip(&target).take_while(|(a, b)| a == b).count();
                // One of them is the other's folder.
                if shared == path.len() || shared == target.len() {
                    continue;
                }
                let (from, to) = (path[..=shared].to_vec(), target[..=shared].to_vec());
                uses.push(Use { file: module.file, line: *line, from, to });
            }
        }
        uses
    }

    /// The module that defines the item that `path`, written in the module `from`, names; `None`
    /// for other crates.
    fn resolve(&self, from: &[String], path: &[String], exports: usize) -> Option<Segments> {
        let mut at = from.to_vec();
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" => at.clear(),
            "self" => {}
            "super" => drop(at.pop()),
            _ => return self.follow(at, rest, exports),
        }
        rest = &rest[1..];
        while rest.first().is_some_and(|name| name == "super") {
            at.pop();
            rest = &rest[1..];
        }
        self.follow(at.clone(), rest, exports).or(Some(at))
    }

    /// Follows `path` from the module `at` as far as possible; `None` if its first name is not
    /// known there.
    fn follow(&self, at: Segments, path: &[String], exports: usize) -> Option<Segments> {
        let Some(name) = path.first() else { return Some(at) };
        let mut child = at.clone();
        child.push(name.clone());
        if self.modules.contains_key(&child) {
            return self.follow(child.clone(), &path[1..], exports).or(Some(child));
        }
        let module = self.modules.get(&at)?;
        if module.defined.contains(name) {
            return Some(at);
        }
        let exports = exports.checked_sub(1)?;
        if let Some(import) = module.imports.get(name) {
            let whole: Segments = import.iter().chain(&path[1..]).cloned().collect();
            return self.resolve(&at, &whole, exports);
        }
        module.globs.iter().find_map(|glob| {
            let folder = self.resolve(&at, glob, exports)?;
            self.follow(folder, path, exports)
        })
    }
}

/// Whether uses lead from one module to another, over any number of others.
fn leads(
    reaches: &BTreeMap<&Segments, BTreeSet<&Segments>>,
    from: &Segments,
    to: &Segments,
) -> bool {
    let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(at) = open.pop() {
        if at == to {
            return true;
        }
        if seen.insert(at) {
            open.extend(reaches.get(at).into_iter().flatten());
        }
    }
    false
}

/// `a/b.rs` and `a/b/mod.rs` are `a::b`; `lib.rs` and `main.rs` are the root.
fn module_path(file: &str) -> Segments {
    let mut path: Segments = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    path.pop_if(|last| ["lib", "main", "mod"].contains(&last.as_str()));
    path
}

impl<'t> Module<'t> {
    fn read(file: &'t str, code: &str) -> Module<'t> {
        let (imports, defined) = (BTreeMap::new(), BTreeSet::new());
        let mut module = Module { file, paths: Vec::new(), imports, globs: Vec::new(), defined };
        let (mut line, mut rest, mut before) = (1, code, "");
        while !rest.is_empty() {
            let word = rest.len() - rest.trim_start_matches(is_word).len();
            let (name, after) = rest.split_at(word);
            if name == "use" {
                let end = after.find(';').unwrap_or(after.len());
                module.declaration(&after[..end], line);
                line += after[..end].matches('\n').count();
                rest = &after[end..];
            } else if ["crate", "self", "super"].contains(&name) && after.starts_with("::") {
                let path = rest.split(|char| !(is_word(char) || char == ':')).next();
                module.paths.push((segments(path.unwrap_or_default()), line));
                rest = &rest[path.map_or(word, str::len)..];
            } else if word > 0 {
                if DEFINING.contains(&before) {
                    module.defined.insert(name.to_owned());
                }
                (before, rest) = (name, after);
            } else {
                line += usize::from(rest.starts_with('\n'));
                rest = &rest[rest.chars().next().map_or(1, char::len_utf8)..];
            }
        }
        module
    }

    /// Notes the names of a `use` declaration.
    fn declaration(&mut self, text: &str, line: usize) {
        for (path, alias) in leaves(text) {
            let (path, alias) = (segments(&path), alias);
            let Some((last, above)) = path.split_last() else { continue };
            self.paths.push((path.clone(), line));
            match last.as_str() {
                "*" => self.globs.push(above.to_vec()),
                "self" => drop(
                    self.imports.insert(above.last().cloned().unwrap_or_default(), above.to_vec()),
                ),
                _ => drop(self.imports.insert(alias.unwrap_or_else(|| last.clone()), path)),
            }
        }
    }
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

fn segments(path: &str) -> Segments {
    path.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// The paths of a `use` tree, each with its other name if it has one.
fn leaves(text: &str) -> Vec<(String, Option<String>)> {
    let text = text.trim();
    let Some(brace) = text.find('{') else {
        return match text.split_once(" as ") {
            Some((path, alias)) => vec![(path.to_owned(), Some(alias.trim().to_owned()))],
            None => vec![(text.to_owned(), None)],
        };
    };
    let (prefix, inside) =
        (&text[..brace], &text[brace + 1..text.rfind('}').unwrap_or(text.len())]);
    let mut found = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, char) in inside.char_indices().chain([(inside.len(), ',')]) {
        match char {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = leaves(&inside[start..at]).into_iter();
                found.extend(part.map(|(path, alias)| (format!("{prefix}{path}"), alias)));
                start = at + 1;
            }
            _ => {}
        }
    }
    found.retain(|(path, _)| *path != prefix);
    found
}

#[cfg(test)]
mod tests {
    use super::super::File;
    use super::*;

    /// The lines of `module cycle` findings, file by file.
    fn found(files: &[(&str, &str)]) -> Vec<(String, usize)> {
        let file = |(name, text): &(&str, &str)| {
            File::new(&format!("crates/fewer/src/{name}"), (*text).to_owned())
        };
        let tree = Tree { root: "/".into(), files: files.iter().map(file).collect() };
        let findings = modules(&tree).unwrap().into_iter();
        let name = |file: String| file.trim_start_matches("crates/fewer/src/").to_owned();
        findings.map(|finding| (name(finding.file), finding.line)).collect()
    }

    #[test]
    fn two_files_that_use_each_other_are_a_cycle() {
        let a = ("a.rs", "\nuse super::b::B;\nfn f() {}");
        assert_eq!(found(&[("lib.rs", "mod a; mod b;"), a, ("b.rs", "pub struct B;")]), []);
        let b = ("b.rs", "fn g() { crate::a::f() }");
        let both = [("a.rs".to_owned(), 2), ("b.rs".to_owned(), 1)];
        assert_eq!(found(&[("lib.rs", "mod a; mod b;"), a, b]), both);
    }

    #[test]
    fn a_cycle_may_be_long_and_lead_through_folders() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a/mod.rs", "mod deep;"),
            ("a/deep.rs", "use std::fmt;\nuse crate::{fmt, b::{self, B}};"),
            ("b.rs", "use super::c;"),
            ("c.rs", "use crate::a::deep;"),
        ];
        let names: Vec<_> = found(&files).into_iter().map(|(file, _)| file).collect();
        assert_eq!(names, ["a/deep.rs", "b.rs", "c.rs"]);
    }

    #[test]
    fn re_exports_are_followed_to_where_a_name_is_defined() {
        let lib = ("lib.rs", "mod a; mod b;\npub use a::A as Other;\npub use b::*;");
        let files = [lib, ("a.rs", "use crate::B;"), ("b.rs", "use super::Other;\npub struct B;")];
        assert_eq!(found(&files), [("a.rs".to_owned(), 1), ("b.rs".to_owned(), 1)]);
        let b = ("b/mod.rs", "mod inner;\npub use inner::B;\nuse super::Other;");
        assert_eq!(found(&[lib, files[1], b, ("b/inner.rs", "pub struct B;")]).len(), 2);
    }

    #[test]
    fn a_folder_and_its_files_may_use_each_other_and_tests_what_they_like() {
        let files = [
            ("lib.rs", "mod a;\nuse a::A;\nstruct Root;"),
            ("a/mod.rs", "mod b;\nuse b::B;\npub struct A;"),
            ("a/b.rs", "use super::A;\nuse crate::Root;\npub struct B;"),
            ("c.rs", "#[cfg(test)]\nmod tests { use crate::d::D; }"),
            ("d.rs", "use crate::c::C; // use crate::a;"),
            ("c/tests.rs", "use crate::d::D;"),
        ];
        assert_eq!(found(&files), []);
    }
}
