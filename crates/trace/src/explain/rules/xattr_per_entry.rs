//! Extended attributes asked of every file, and none has any.

use super::prelude::*;

pub(super) const ID: &str = "xattr-per-entry";

/// Programs whose work is to show attributes.
const REPORTERS: &[&str] = &["getfattr", "getfacl", "getcap", "lsattr"];
/// Programs that keep them if everything is to be kept: `cp -a`.
const COPIERS: &[&str] = &["cp", "install", "mv"];
/// Words that ask others to.
const WORDS: &[&str] =
    &["--xattrs", "--acls", "--xattr", "--preserve=all", "--preserve=xattr", "-Z"];

/// Processes that are remembered.
const MOST: usize = 1 << 16;

/// Questions for attributes that are not there.
#[derive(Default)]
pub(crate) struct XattrPerEntry {
    wastes: ByFile,
    /// Files that had some, by program; and those that were given some, because to keep the
    /// attributes of what is copied is the program's work.
    found: FxHashMap<PathId, u64>,
    /// Processes that were started to show or keep attributes.
    reporters: FxHashSet<u32>,
}

impl Rule for XattrPerEntry {
    fn process_started(&mut self, process: &Process, _: Option<&ProcessState>) {
        let words = || process.arguments.iter().map(|word| base_name(&word.0));
        let is_among = |list: &[&str], word: &[u8]| list.iter().any(|it| it.as_bytes() == word);
        let program = words().next().unwrap_or_default();
        let copies = is_among(COPIERS, program) && words().any(keeps_all);
        let reports = is_among(REPORTERS, program) || words().any(|word| is_among(WORDS, word));
        let reports = reports || copies;
        if reports && self.reporters.len() < MOST {
            self.reporters.insert(process.id);
        } else {
            self.reporters.remove(&process.id);
        }
    }

    fn sees(&self, class: Class) -> bool {
        matches!(class, Class::Change | Class::GetXattr | Class::ListXattr)
    }

    fn call(&mut self, call: &Call, context: Context) {
        const ENODATA: i32 = 61;
        const EOPNOTSUPP: i32 = 95;
        if is_setting(call.name) {
            return self.found(context.process.program);
        }
        if !matches!(call.name.class(), Class::GetXattr | Class::ListXattr) {
            return;
        }
        if self.reporters.contains(&call.process) {
            return;
        }
        let program = context.process.program;
        let is_none = matches!(call.errno(), Some(ENODATA | EOPNOTSUPP)) || call.result == 0;
        if is_none {
            let waste = self.wastes.of(program, call.file);
            waste.tally.add(call);
        } else if call.succeeded() {
            self.found(program);
        }
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let groups = self.wastes.whole(registry);
        let found = |group: &Group| self.found.get(&group.program).copied().unwrap_or_default();
        let none = groups.iter().filter(|group| found(group) * 10 <= group.waste.tally.count);
        none.map(|group| finding(group, registry)).collect()
    }
}

impl XattrPerEntry {
    fn found(&mut self, program: PathId) {
        if self.found.len() < MOST || self.found.contains_key(&program) {
            *self.found.entry(program).or_default() += 1;
        }
    }
}

/// Whether a call gives a file an attribute.
fn is_setting(name: Name) -> bool {
    matches!(name, Name::Setxattr | Name::Lsetxattr | Name::Fsetxattr | Name::Setxattrat)
}

/// Whether a word among a copier's is an option to keep what can be kept.
fn keeps_all(word: &[u8]) -> bool {
    let is_short = word.starts_with(b"-") && !word.starts_with(b"--");
    word == b"--archive" || is_short && word.iter().any(|byte| matches!(byte, b'a' | b'p'))
}

fn finding(group: &Group, registry: &Registry) -> Finding {
    let tally = &group.waste.tally;
    let verdict = format!(
        "{} were asked for extended attributes {}, and had none",
        group.some("file"),
        words::times(tally.count)
    );
    group.finding(ID, None, verdict, registry)
}
