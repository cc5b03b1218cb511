//! Programs that a runtime executes: functions and lines are the same in both tiers, call by call.

use std::path::{Path, PathBuf};
use std::process::Command;

use fewer_trace::{Call, Name};

use super::tiers::{Case, TestFolder, compare_in};
use crate::fixture::Run;

/// Each CPython that is installed, by its own program and not what chooses one.
fn pythons() -> Vec<PathBuf> {
    let minors = [".8", ".9", ".10", ".11", ".12", ".13", ".14"];
    let own = |minor: &&str| {
        let words = ["-c", "import sys; print(sys.executable)"];
        let output = Command::new(format!("python3{minor}")).args(words).output().ok()?;
        let path = String::from_utf8(output.stdout).unwrap();
        output.status.success().then(|| PathBuf::from(path.trim()))
    };
    let found: Vec<PathBuf> = minors.iter().filter_map(own).collect();
    if found.is_empty() {
        eprintln!("skipped without a python3");
    }
    found
}

fn python(python: &Path, script: &str, by_agent: u64) -> Case {
    let words = ["PYTHONHASHSEED=0", python.to_str().unwrap(), "-B", "-c", script];
    // When it asks for memory depends on where that lies.
    let apart = vec![Name::Mmap, Name::Getrandom];
    Case { by_agent, apart, ..Case::new(Path::new("/usr/bin/env"), &words) }
}

/// The calls of a run to which a script gave a path that begins so.
fn marked<'r>(run: &'r Run, begin: &'r str) -> impl Iterator<Item = (&'r Call, String)> {
    let calls = run.calls.iter().map(|call| (call, run.path(call.path)));
    calls.filter(move |(_, path)| path.starts_with(begin))
}

/// The functions and lines of a call, innermost first: `inner 3`.
fn functions(run: &Run, call: &Call) -> Vec<String> {
    let locations = run.registry.stack(call.stack).flat_map(|frame| &frame.locations);
    locations.map(|it| format!("{} {}", it.function, it.line)).collect()
}

const PLAIN: &str = "
import os
def look(path):
    os.stat(path)
def main():
    for i in range(20_000):
        look('/marked/a')
        os.stat('/marked/b') if i < 0 else None
        try: os.stat('/marked/c')
        except OSError: pass
os.stat = lambda path, stat=os.stat: stat('/etc')
main()
";

#[test]
fn a_plain_loop_hardly_stops() {
    for path in pythons() {
        let run = compare_in(&python(&path, PLAIN, 30_000), &TestFolder::new());
        let all = run.calls.len() as u64;
        assert!(run.by_agent * 100 >= all * 95, "{path:?}: {} of {all}", run.by_agent);
    }
}

/// A path says from where it is looked at, as the program itself sees it.
const NESTED: &str = "
import itertools, os, pathlib, sys
def here():
    frame, names = sys._getframe(1), []
    while frame:
        name = getattr(frame.f_code, 'co_qualname', frame.f_code.co_name)
        names.append(f'{name} {frame.f_lineno}')
        frame = frame.f_back
    return '/marked/' + ','.join(names)
def one():
    os.access(here(), 0)
def two():
    one()
    os.access(here(), 0)
    [os.access(here(), 0) for x in (1,
        2)]
def deep(n):
    if n:
        deep(n - 1)
    os.access(here(), 0)
def twice(n):
    return os.access(here(), 0) if n == 0 else (twice(n - 1),
        twice(n - 1))
def some(n):
    for i in range(n):
        yield os.access(here(), 0)
    yield from (os.access(here(), 0) for i in range(2))
class Kept:
    def __getitem__(self, at):
        return os.access(here(), 0)
    def __lt__(self, other):
        os.access(here(), 0)
        return True
for i in range(150):
    one(); two()
    deep(i % 9)
    twice(i % 4)
    for x in some(i % 3): pass
    a, b = some(2), some(3)
    next(a), next(b), next(a)
    Kept()[3]
    sorted([Kept(), Kept()])
    list(map(lambda x: os.access(here(), 0), range(2)))
for folder in '/etc/init.d', '/usr/share/doc':
    for root, folders, files in itertools.islice(os.walk(folder), 200):
        for name in files: os.stat(root + '/' + name, follow_symlinks=False)
for path in sorted(pathlib.Path('/usr/share').glob('*/*')): path.is_file()
";

#[test]
fn functions_are_those_that_the_program_sees() {
    for path in pythons() {
        let run = compare_in(&python(&path, NESTED, 4000), &TestFolder::new());
        are_as_marked(&run, &path, 3000);
    }
}

/// Each marked call has the functions and lines that its mark says.
fn are_as_marked(run: &Run, python: &Path, least: usize) {
    let mut count = 0;
    for (call, path) in marked(run, "/marked/") {
        let said: Vec<&str> = path["/marked/".len()..].split(',').collect();
        assert_eq!(functions(run, call), said, "{python:?}");
        count += 1;
    }
    assert!(count >= least, "{python:?}: {count}");
}

/// The code of each function is freed before that of the next one is made, so that this lies where
/// the other did, with its name and its table of lines, and all else is the same.
const FREED: &str = "
import os, types
def near(p):
    os.access(p, 0)
def far(p):

    os.access(p, 0)
codes = near.__code__, far.__code__
has = lambda name: hasattr(codes[0], name)
table = 'co_linetable' if has('co_linetable') else 'co_lnotab'
first = codes[0].co_firstlineno
def run(i):
    # Either the name is another one, or the line.
    name, line = 'abcdefgh'[i // 5 % 8] * 3, i % 5 // 3
    changed = {table: bytes(bytearray(getattr(codes[line], table))), 'co_name': name}
    if has('co_qualname'): changed['co_qualname'] = name
    mark = f'/marked/{name} {first + 1 + line},run 18,<module> 20'
    types.FunctionType(codes[0].replace(**changed), globals())(mark)
for i in range(3000):
    run(i)
";

#[test]
fn code_that_was_freed_is_not_taken_for_what_lies_there_now() {
    for path in pythons() {
        let run = compare_in(&python(&path, FREED, 0), &TestFolder::new());
        are_as_marked(&run, &path, 3000);
    }
}
