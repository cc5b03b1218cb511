//! Programs that a runtime executes: functions and lines are the same in both tiers, call by call.

use std::path::{Path, PathBuf};
use std::process::Command;

use fewer_trace::{Call, Name};

use super::tiers::{Case, TestFolder, compare_in};
use crate::fixture::{Run, installed};

/// The program that a name of CPython stands for: by that name there may be a script that looks for
/// it in many processes.
pub(super) fn python_itself(name: &str) -> Option<PathBuf> {
    let words = ["-c", "import sys; print(sys.executable)"];
    let output = Command::new(name).args(words).output().ok()?;
    let path = String::from_utf8(output.stdout).unwrap();
    output.status.success().then(|| PathBuf::from(path.trim()))
}

/// Each CPython that is installed.
fn pythons() -> Vec<PathBuf> {
    let minors = [".8", ".9", ".10", ".11", ".12", ".13", ".14"];
    let own = |minor: &&str| python_itself(&format!("python3{minor}"));
    let found: Vec<PathBuf> = minors.iter().filter_map(own).collect();
    if found.is_empty() {
        eprintln!("skipped without a python3");
    }
    found
}

fn python(python: &Path, script: &str, by_agent: u64) -> Case {
    let words = ["PYTHONHASHSEED=0", python.to_str().unwrap(), "-B", "-c", script];
    // When it asks for memory depends on where that lies.
    let apart = vec![Name::Mmap, Name::Munmap, Name::Getrandom];
    Case { by_agent, apart, ..Case::new(Path::new("/usr/bin/env"), &words) }
}

/// The calls of a run to which a script gave a path that begins so.
pub(super) fn marked<'r>(run: &'r Run, begin: &'r str) -> impl Iterator<Item = (&'r Call, String)> {
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
import os, pathlib, sys
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
for folder in 'fixed', 'tree/':
    for root, folders, files in os.walk(folder):
        for name in files: os.stat(root + '/' + name, follow_symlinks=False)
for path in sorted(pathlib.Path('tree').glob('*/*')): path.is_file()
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

/// Threads that come and go, of which the next one has its stack, and its state, where others had
/// theirs, while nothing is known any more each time that code is mapped.
const THREADS: &str = "
import mmap, os, sys, threading, types
def here():
    frame, names = sys._getframe(1), []
    while frame:
        name = getattr(frame.f_code, 'co_qualname', frame.f_code.co_name)
        names.append(f'{name} {frame.f_lineno}')
        frame = frame.f_back
    return '/marked/' + ','.join(names)
def near():
    os.access(here(), 0)
def far():

    os.access(here(), 0)
codes = near.__code__, far.__code__
def fresh(i):
    names = dict.fromkeys(['co_name', 'co_qualname'], 'abcdefgh'[i // 5 % 8] * 3)
    names = {key: name for key, name in names.items() if hasattr(codes[0], key)}
    types.FunctionType(codes[i % 5 // 3].replace(**names), globals())()
def deep(n):
    if n:
        deep(n - 1)
    os.access(here(), 0)
def one(n):
    for i in range(60):
        deep((i + n) % 4)
        near()
        fresh(i)
def other(n):
    for i in range(60):
        far()
        deep(n)
for i in range(8):
    works = [one, other, one, other, one][i % 2:][:4]
    threads = [threading.Thread(target=it, args=(n,)) for n, it in enumerate(works)]
    for thread in threads: thread.start()
    for j in range(i):
        near()
        mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC).close()
    for thread in threads: thread.join()
";

#[test]
fn threads_have_functions_of_their_own() {
    for path in pythons() {
        let case = Case { in_order: false, same_calls: false, ..python(&path, THREADS, 1500) };
        let run = compare_in(&case, &TestFolder::new());
        are_as_marked(&run, &path, 7700);
    }
}

/// Generators, one in the other, of which each lies where none has lain.
const GENERATORS: &str = "
import os
def some(at):
    yield os.access('/marked/some 4,more 7,<module> 11', 0)
    yield at
def more(at):
    yield from some(at)
kept = []
for i in range(9000):
    kept.append(more(i))
    next(kept[-1])
";

#[test]
fn generators_hardly_stop() {
    for path in pythons() {
        let run = compare_in(&python(&path, GENERATORS, 8000), &TestFolder::new());
        are_as_marked(&run, &path, 9000);
    }
}

/// Code of which each lies where none has lain.
const NEW: &str = "
import os
kept = []
for i in range(5000):
    kept.append(compile('os.access(\"/marked/<module> 1,<module> 6\", 0)', 'new', 'exec'))
    exec(kept[-1])
def plain():
    os.access('/marked/plain 8,<module> 10', 0)
for i in range(9000):
    plain()
";

#[test]
fn a_site_whose_stacks_are_new_each_time_stops_and_may_be_patched_again() {
    for path in pythons() {
        let run = compare_in(&python(&path, NEW, 2000), &TestFolder::new());
        are_as_marked(&run, &path, 14_000);
    }
}

/// The table of lines of a function that is called becomes memory that cannot be read, which
/// nothing but the agent does. What the program does about faults stays as it was.
const UNREADABLE: &str = "
import ctypes, os, signal, sys
def look():
    os.access('/marked/look 4,<module> 23', 0)
libc = ctypes.CDLL(None)
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
name = 'co_linetable' if hasattr(look.__code__, 'co_linetable') else 'co_lnotab'
table = getattr(look.__code__, name) + b'\\xff\\0' * (1 << 19)
look.__code__ = look.__code__.replace(**{name: table})
page = id(table) & -4096
what = sys.argv[1]
if what == 'ignored': signal.signal(signal.SIGSEGV, signal.SIG_IGN)
if what == 'held': signal.signal(signal.SIGSEGV, lambda *_: os._exit(1))
if what == 'held': signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGSEGV])
def state():
    with open('/proc/self/status') as lines:
        print([int(line[8:], 16) >> 10 & 1 for line in lines if line[:6] in ('SigBlk', 'SigIgn')])
state()
for i in range(3):
    if i == 1: libc.mprotect(page, 4096, 0)
    if i == 2: libc.mprotect(page, 4096, 3)
    for j in range(500 if i == 1 else 1000):
        look()
state()
";

#[test]
fn memory_that_can_be_read_no_more_is_no_fault_of_the_programs() {
    for path in pythons() {
        for what in ["default", "ignored", "held"] {
            let mut case = python(&path, UNREADABLE, 1500);
            case.command.push(what.into());
            // How long the text is by which it sees that.
            case.apart.push(Name::Read);
            let run = compare_in(&case, &TestFolder::new());
            let known = marked(&run, "/marked/").filter(|(call, path)| {
                let said: Vec<&str> = path["/marked/".len()..].split(',').collect();
                functions(&run, call) == said
            });
            assert!(known.count() >= 2000, "{path:?} {what}");
        }
    }
}

/// Goroutines that do the same, and were created by two statements: stacks end with that. Each
/// lies where others have lain, and runs on any thread.
const GOROUTINES: &str = "package main
import (\"os\"; \"sync\")
func look(path string, times int) {
	for i := 0; i < times; i++ { os.Stat(path) }
}
func main() {
	var group sync.WaitGroup
	path := \"\"
	work := func() { look(path, 60); group.Done() }
	for i := 0; i < 40; i++ {
		path = \"fixed/a\"
		group.Add(1)
		go work()
		group.Wait()
		path = \"fixed/b\"
		group.Add(1)
		go work()
		group.Wait()
	}
	path = \"fixed/link\"
	group.Add(4)
	for i := 0; i < 4; i++ { go work() }
	group.Wait()
	look(\"fixed/empty\", 1000)
	os.Exit(0)
}
";

#[test]
fn goroutines_end_at_the_statement_that_created_them() {
    if installed("go").is_none() {
        return eprintln!("skipped without go");
    }
    let place = TestFolder::new();
    let (source, program) = (place.path().join("a.go"), place.path().join("a"));
    std::fs::write(&source, GOROUTINES).unwrap();
    let mut go = Command::new("go");
    go.args(["build", "-o"]).arg(&program).arg(&source).env("CGO_ENABLED", "0");
    go.env("GOCACHE", std::env::temp_dir().join("fewer-go-cache"));
    assert!(go.status().unwrap().success());
    // How many threads there are, and when memory is asked for, is by chance. Each second it is
    // looked at how many processors there are.
    let debug = "GODEBUG=asyncpreemptoff=1,updatemaxprocs=0";
    let words = ["GOGC=off", debug, program.to_str().unwrap()];
    let apart = vec![Name::Mmap, Name::Clone, Name::Clone3];
    let case = Case::new(Path::new("/usr/bin/env"), &words);
    compare_in(&Case { by_agent: 4000, in_order: false, apart, ..case }, &place);
}

const SHELL: &str = "
inner() {
    [ -e /marked/inner-3 ]
}
outer() {
    [ -e /marked/outer-6 ]
    inner
}
i=0
while [ $i -lt 2000 ]; do
    [ -e /marked/main-11 ]
    [ -e /marked/main-12 ]
    outer
    i=$((i + 1))
done
while read -r line; do
    [ -e /marked/main-17 ]
done < scratch/lines
. ./scratch/sourced
sourced
i=0
while [ $i -lt 500 ]; do
    [ -e /marked/main-23 ]
    sourced
    i=$((i + 1))
done
";

#[test]
fn the_lines_of_a_shell_are_those_of_its_commands() {
    for (shell, least) in [("bash", 4000), ("dash", 4000), ("zsh", 4000)] {
        let Some(path) = installed(shell) else {
            eprintln!("skipped without {shell}");
            continue;
        };
        let script = format!(
            "printf 'sourced() {{\\n [ -e /marked/sourced-2 ]\\n}}\\n' > scratch/sourced\n\
             seq 300 > scratch/lines\nexec {} -c '{SHELL}'",
            path.display()
        );
        let case = Case { by_agent: least, ..Case::shell(&script) };
        let run = compare_in(&case, &TestFolder::new());
        for (call, path) in marked(&run, "/marked/") {
            let innermost = functions(&run, call).into_iter().next().unwrap_or_default();
            assert_eq!(innermost.replace(' ', "-"), path["/marked/".len()..], "{shell}");
        }
    }
}

const LOOKS: &str = "
const fs = require('fs');
function look(depth) {
  return depth > 0 ? look(depth - 1) : fs.existsSync('/marked/a');
}
for (let i = 0; i < 30000; i++) look(i % 5);
";

/// Its code is made while it runs, and lies elsewhere than the program's file says.
#[test]
fn javascript_hardly_stops() {
    let Some(node) = installed("node") else {
        eprintln!("skipped without node");
        return;
    };
    // Its own threads do something else each time.
    let case = Case {
        in_order: false,
        same_calls: false,
        by_agent: 28_000,
        ..Case::new(&node, &["-e", LOOKS])
    };
    let run = compare_in(&case, &TestFolder::new());
    assert_eq!(marked(&run, "/marked/a").count(), 30_000);
}
