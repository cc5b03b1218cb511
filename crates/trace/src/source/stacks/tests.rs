//! Stacks of programs whose chain of calls is known by hand.

use super::Stacks;
use super::trial::{Folder, Marked, each_call, marked, whose};
use crate::source::paths::Paths;
use crate::source::{Options, Subject, Tier, trace};
use crate::{Event, Registry};

/// Three functions deep, none of which can be left out or become a jump.
const CHAIN: &str = r#"
#include <unistd.h>
int t_sink;
__attribute__((noinline)) void t_inner(void) { access("/trial/a", 0); t_sink++; }
__attribute__((noinline)) void t_middle(int n) {
    volatile char room[5000]; room[n] = 1; t_inner(); t_sink += room[n];
}
__attribute__((noinline)) void t_outer(void) { t_middle(3); t_sink++; }
int main(void) { t_outer(); t_outer(); return t_sink == 0; }
"#;

fn only(found: &[Marked], mark: &str) -> Marked {
    found.iter().find(|marked| marked.mark == mark).unwrap_or_else(|| panic!("no {mark}")).clone()
}

#[test]
fn functions_without_frame_pointers_are_followed() {
    let folder = Folder::new("chain");
    for (name, flags) in [
        ("plain", &["-O2", "-fomit-frame-pointer"][..]),
        ("debug", &["-O2", "-g", "-fomit-frame-pointer"]),
        ("static", &["-O2", "-static"]),
        ("fixed", &["-O2", "-no-pie"]),
        ("static-pie", &["-O2", "-static-pie"]),
        ("pointers", &["-O1", "-fno-omit-frame-pointer"]),
        (
            "clang-like",
            &["-Os", "-fno-asynchronous-unwind-tables", "-g", "-fno-omit-frame-pointer"],
        ),
        // Nothing is said about its functions, though about those of the C library.
        ("bare", &["-O2", "-fno-asynchronous-unwind-tables", "-fomit-frame-pointer"]),
        ("bare-static", &["-O2", "-static", "-fno-asynchronous-unwind-tables"]),
        ("bare-debug", &["-O1", "-fno-asynchronous-unwind-tables", "-mno-red-zone"]),
    ] {
        let found = marked(&folder.c(name, CHAIN, flags), &[]);
        assert_eq!(found.len(), 2, "{name}");
        for stack in &found {
            let own = ["t_inner", "t_middle", "t_outer", "main"];
            assert_eq!(stack.functions(), own, "{name}: {:?}", stack.names());
            assert!(!stack.truncated, "{name}: {:?}", stack.names());
        }
        assert_ne!(found[0].frames, found[1].frames, "{name}: main called from two places");
    }
}

#[test]
fn a_signal_handler_stands_on_what_it_interrupted() {
    let folder = Folder::new("signal");
    let text = r#"
#include <signal.h>
#include <unistd.h>
#include <sys/mman.h>
volatile int t_sink;
__attribute__((noinline)) void t_handled(void) { access("/trial/h", 0); t_sink++; }
void t_handler(int number) { t_handled(); t_sink++; }
__attribute__((noinline)) void t_crash(volatile int *where) { *where = 1; t_sink++; }
__attribute__((noinline)) void t_other(int n) {
    if (n) { t_other(n - 1); t_sink++; } else raise(10);
}
int main(void) {
    struct sigaction what = { .sa_handler = t_handler, .sa_flags = SA_ONSTACK | SA_RESETHAND };
    static char room[65536];
    stack_t own = { .ss_sp = room, .ss_size = sizeof room };
    sigaltstack(&own, 0);
    sigaction(10, &what, 0);
    t_other(2);
    what.sa_flags = SA_RESETHAND;
    sigaction(10, &what, 0);
    t_other(0);
    return 0;
}
"#;
    for (name, flags) in [("plain", &["-O1"][..]), ("static", &["-O1", "-static"])] {
        let found = marked(&folder.c(name, text, flags), &[]);
        assert_eq!(found.len(), 2);
        let inner = ["t_handled", "t_handler"];
        let outer = ["t_other", "t_other", "t_other", "main"];
        assert_eq!(found[0].functions(), [&inner[..], &outer].concat(), "{:?}", found[0].names());
        assert_eq!(
            found[1].functions(),
            [&inner[..], &outer[2..]].concat(),
            "{:?}",
            found[1].names()
        );
        assert!(!found[0].truncated && !found[1].truncated);
    }
}

#[test]
fn the_first_instruction_of_a_function_can_be_interrupted() {
    let folder = Folder::new("first");
    let text = r#"
#include <signal.h>
#include <unistd.h>
volatile int t_sink;
void t_handler(int number) { access("/trial/h", 0); _exit(0); }
__asm__(".text\n.type t_before, @function\nt_before: nop\n ret\n.size t_before, .-t_before\n"
    ".globl t_breaks\n.type t_breaks, @function\nt_breaks:\n.cfi_startproc\nud2\nret\n"
    ".cfi_endproc\n.size t_breaks, .-t_breaks\n");
void t_breaks(void);
int main(void) { signal(SIGILL, t_handler); t_breaks(); return t_sink; }
"#;
    let found = marked(&folder.c("first", text, &["-O2"]), &[]);
    assert_eq!(found[0].functions(), ["t_handler", "t_breaks", "main"], "{:?}", found[0].names());
}

#[test]
fn a_thousand_frames_are_cut_and_that_is_said() {
    let folder = Folder::new("deep");
    let text = r#"
#include <unistd.h>
volatile int t_sink;
__attribute__((noinline)) void t_down(int n) {
    if (n) { t_down(n - 1); t_sink++; } else { access("/trial/d", 0); t_sink++; }
}
__attribute__((noinline)) void t_wide(int n) {
    volatile char room[100000]; room[n] = 1;
    if (n) { t_wide(n - 1); t_sink += room[n]; } else { access("/trial/w", 0); t_sink += room[1]; }
}
int main(void) { t_down(1000); t_down(100); t_wide(20); return 0; }
"#;
    let found = marked(&folder.c("deep", text, &["-O2"]), &[]);
    assert!(found[0].truncated);
    assert_eq!(found[0].functions(), vec!["t_down"; 127]);
    assert!(!found[1].truncated);
    assert_eq!(found[1].functions().len(), 102);
    let wide = only(&found, "w");
    assert_eq!(wide.functions().len(), 22, "{:?}", wide.names());
    assert!(!wide.truncated);
}

#[test]
fn what_was_remembered_is_what_would_be_found() {
    let folder = Folder::new("memo");
    std::fs::create_dir_all(folder.0.join("a/b/c")).unwrap();
    for name in 0..40 {
        std::fs::write(folder.0.join(format!("a/{name}")), b"x").unwrap();
    }
    let script = "for i in 1 2 3 4 5 6; do [ -e $i ]; read x < a/$i; cd a; cd ..; done";
    let python = "import os\nfor i in range(9): [os.stat(p) for p in os.listdir('.')]";
    let programs: [&[&str]; 5] = [
        &["find", ".", "-type", "f", "-newer", "a/3"],
        &["ls", "-lR", "."],
        &["bash", "-c", script],
        &["perl", "-e", "for (1..20) { open(F, '<', \"a/$_\"); @x = <F>; -e $_ }"],
        &["python3", "-c", python],
    ];
    for words in programs {
        let mut command = std::process::Command::new(words[0]);
        command.args(&words[1..]).current_dir(&folder.0);
        let (mut all, mut paths) = (Stacks::new(), Paths::new());
        let (mut registry, mut calls, mut unwound) = (Registry::default(), 0, 0);
        each_call(command, |process, registers, _| {
            let mut events = Vec::new();
            all.mapped(1);
            let before = all.unwound;
            let stack = all.capture(whose(process), registers, &mut paths, &mut events);
            unwound += all.unwound - before;
            calls += 1;
            events.iter().for_each(|event| registry.take(event));
            if calls % 7 != 0 {
                return;
            }
            let remembered: Vec<_> = registry
                .stack(stack)
                .map(|frame| (registry.path(frame.module).to_vec(), frame.address))
                .collect();
            let (mut fresh, mut events) = (Registry::default(), Vec::new());
            let stack =
                Stacks::new().capture(whose(process), registers, &mut Paths::new(), &mut events);
            events.iter().for_each(|event| fresh.take(event));
            let found: Vec<_> = fresh
                .stack(stack)
                .map(|frame| (fresh.path(frame.module).to_vec(), frame.address))
                .collect();
            assert_eq!(remembered, found, "{words:?}");
        });
        eprintln!("{words:?}: {calls} calls, {unwound} unwound");
    }
}

#[test]
fn go_is_followed_with_and_without_its_tables() {
    if std::process::Command::new("go").arg("version").output().is_err() {
        eprintln!("skipped: go is not installed");
        return;
    }
    let folder = Folder::new("go");
    let text = r#"
package main
import ("os"; "syscall")
//go:noinline
func t_inner(n int) int { syscall.Access("/trial/g", 0); return n + 1 }
//go:noinline
func t_middle(n int) int { return t_inner(n) + len(os.Args) }
func main() { os.Exit(t_middle(1) & 1) }
"#;
    let source = folder.0.join("t.go");
    std::fs::write(&source, text).unwrap();
    let mut addresses = Vec::new();
    for flags in [&[][..], &["-buildmode=pie"], &["-ldflags=-w"], &["-ldflags=-s -w"]] {
        let program = folder.0.join("t");
        let mut go = std::process::Command::new("go");
        go.args(["build", "-o"]).arg(&program).args(flags).arg(&source).current_dir(&folder.0);
        go.env("CGO_ENABLED", "0").env("GO111MODULE", "off").env("HOME", &folder.0);
        assert!(go.status().unwrap().success());
        let stack = only(&marked(&program, &[]), "g");
        assert!(!stack.truncated, "{flags:?}: {:?}", stack.names());
        let names = stack.names();
        if names[0] != "??" {
            let of_main = names.iter().filter(|name| name.starts_with("main."));
            assert!(of_main.eq(["main.t_inner", "main.t_middle", "main.main"]), "{names:?}");
            assert!(names[0].ends_with(".Syscall6"), "{names:?}");
        }
        addresses.push(stack.frames.iter().map(|frame| frame.1).collect::<Vec<_>>());
    }
    // Without any table the frame pointers lead to the same places.
    assert_eq!(addresses[2], addresses[3]);
}

#[test]
fn rust_is_followed_through_the_standard_library() {
    let folder = Folder::new("rust");
    let text = r#"
#[inline(never)] fn t_inner() { let _ = std::fs::File::open("/trial/r"); std::hint::black_box(1); }
#[inline(never)] fn t_middle(n: &mut dyn FnMut(u32)) { n(1); std::hint::black_box(2); }
fn main() { t_middle(&mut |_| { t_inner(); std::hint::black_box(3); }); std::hint::black_box(4); }
"#;
    let source = folder.0.join("t.rs");
    std::fs::write(&source, text).unwrap();
    let program = folder.0.join("t");
    let mut rustc = std::process::Command::new("rustc");
    rustc.args(["-O", "-o"]).arg(&program);
    assert!(rustc.arg(&source).status().unwrap().success());
    let stack = only(&marked(&program, &[]), "r");
    let names = stack.names();
    let at = |part: &str| names.iter().position(|name| name.contains(part));
    assert!(at("t_inner") < at("t_middle") && at("t_inner").is_some(), "{names:?}");
    assert!(at("t_middle") < at("main"), "{names:?}");
    assert_eq!(names.last().map(String::as_str), Some("_start"));
    assert!(!stack.truncated);
}

#[test]
fn code_is_found_where_its_file_is_gone_or_another() {
    let folder = Folder::new("gone");
    let text = CHAIN.replace("t_outer(); t_outer();", "unlink(name[0]); t_outer();");
    let text = text.replace("main(void)", "main(int n, char **name)");
    let program = folder.c("gone", &text, &["-O2"]);
    let kept = folder.0.join("kept");
    std::fs::copy(&program, &kept).unwrap();
    let mut stack = only(&marked(&program, &[]), "a");
    let module = format!("{} (deleted)", program.display());
    let own = stack.frames.iter_mut().filter(|frame| frame.0 == module);
    let count = own.map(|frame| frame.0 = kept.display().to_string()).count();
    assert_eq!(count, 5, "{:?}", stack.frames);
    assert_eq!(stack.functions(), ["t_inner", "t_middle", "t_outer", "main"]);
    assert!(!stack.truncated);
}

/// Calls a function through code that it puts into memory of its own, and returns.
fn through_jit(name: &str, code: &str) -> Marked {
    let folder = Folder::new(name);
    let text = r#"
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
volatile int t_sink;
void t_called(void) { access("/trial/j", 0); t_sink++; }
char code[] = "CODE";
int main(void) {
    char *jit = mmap((void *)0x700000000000, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(jit, code, sizeof code);
    ((void (*)(void (*)(void)))jit)(t_called);
    return t_sink == 0;
}
"#;
    let program = folder.c("jit", &text.replace("CODE", code), &["-O2"]);
    let stack = only(&marked(&program, &[]), "j");
    let names = stack.names();
    let jit = names.iter().position(|name| name == "[jit]").unwrap();
    assert_eq!((&*names[jit - 1], &*names[jit + 1]), ("t_called", "main"), "{names:?}");
    assert!(!stack.truncated);
    stack
}

#[test]
#[cfg(target_arch = "x86_64")]
fn code_that_nobody_describes_is_followed_by_frame_pointers() {
    // push %rbp; mov %rsp,%rbp; sub $32,%rsp; call *%rdi; nop; leave; ret
    let stack = through_jit("pointers", r"\x55\x48\x89\xe5\x48\x83\xec\x20\xff\xd7\x90\xc9\xc3");
    assert!(stack.frames.contains(&("[jit]".to_owned(), 0x7000_0000_0009)));
}

#[test]
#[cfg(target_arch = "x86_64")]
fn code_that_only_returns_needs_no_frame_pointer() {
    // sub $8,%rsp; call *%rdi; add $8,%rsp; ret
    through_jit("trampoline", r"\x48\x83\xec\x08\xff\xd7\x48\x83\xc4\x08\xc3");
    // push %rbp; push %r12; push %rbx; call *%rdi; pop %rbx; pop %r12; pop %rbp; ret
    through_jit("pops", r"\x55\x41\x54\x53\xff\xd7\x5b\x41\x5c\x5d\xc3");
}

/// A program that writes down what its stack is, by its own account, wherever it makes a marked
/// call: functions called by functions, by C, by generators, in classes, at import, in threads.
const PYTHON: &str = r#"
import functools, json, os, sys, threading
sys.path.insert(0, os.path.dirname(__file__))
found = []
def mark(name):
    frame, stack = sys._getframe(), []
    while frame:
        code = frame.f_code
        name_of = getattr(code, 'co_qualname', code.co_name)
        stack.append([name_of, code.co_filename, frame.f_lineno])
        frame = frame.f_back
    stack[0][2] = mark.__code__.co_firstlineno + 8
    os.access('/trial/' + name, 0)
    found.append([name, stack])
class Walker:
    def visit(self, deep):
        if deep:
            return self.visit(
                deep - 1)
        mark('method')
    def __lt__(self, other):
        mark('sort')
        return True
def generate():
    mark('next')
    yield 1
    mark('again')
def wrapped(function):
    @functools.wraps(function)
    def inner(*rest):
        return function(*rest)
    return inner
@wrapped
def decorated(n):
    return [mark('list') for _ in range(n)]
Walker().visit(5)
sorted([Walker(), Walker()])
list(generate())
decorated(1)
exec(compile("mark('exec')", '<made up>', 'exec'))
(lambda: functools.reduce(lambda a, b: mark('reduce'), [1, 2]))()
import helper
for round in range(3): exec(compile("\n" * round + "mark('round')", f'/made/up{round}', 'exec'))
class Ünder:
    def größe(self): mark('unicode')
Ünder().größe()
def down(n):
    if n: down(n - 1)
    else: mark('deep')
down(300)
json.dump(found, open(sys.argv[1], 'w'))
"#;

type ScriptLine = (String, String, u32);

fn written_by_script(path: &std::path::Path) -> Vec<(String, Vec<ScriptLine>)> {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// The interpreters of Python on this machine, of versions that are known.
fn pythons() -> Vec<std::path::PathBuf> {
    let root = std::env::var_os("PYENV_ROOT").map(std::path::PathBuf::from).unwrap_or_default();
    let versions = root.join("versions");
    let own = ["3.9", "3.10", "3.11", "3.12", "3.13", "3.14"]
        .map(|version| format!("/usr/bin/python{version}"));
    let mut found: Vec<_> = own.into_iter().map(std::path::PathBuf::from).collect();
    for version in std::fs::read_dir(versions).into_iter().flatten().flatten() {
        let minor = version.file_name().to_string_lossy().split('.').nth(1).map(str::to_owned);
        if matches!(minor.as_deref(), Some("8" | "9" | "10" | "11" | "12" | "13" | "14")) {
            found.push(version.path().join("bin/python3"));
        }
    }
    found.retain(|python| python.is_file());
    found
}

#[test]
fn python_functions_are_as_python_itself_tells_them() {
    let folder = Folder::new("python");
    let script = folder.0.join("t.py");
    std::fs::write(&script, PYTHON).unwrap();
    std::fs::write(folder.0.join("helper.py"), "import __main__\n\n__main__.mark('import')\n")
        .unwrap();
    let output = folder.0.join("found");
    for python in pythons() {
        for flags in [&["-S", "-E"][..], &["-X", "perf"]] {
            let older = ["3.8", "3.9", "3.10", "3.11"];
            let is_older = older.iter().any(|older| python.to_string_lossy().contains(older));
            if is_older && flags[0] == "-X" {
                continue;
            }
            let words = [flags, &[script.to_str().unwrap(), output.to_str().unwrap()]].concat();
            let found = marked(&python, &words);
            let expected = written_by_script(&output);
            assert_eq!(found.len(), expected.len(), "{python:?}");
            for (found, (mark, mut expected)) in found.iter().zip(expected) {
                assert_eq!(found.mark, mark);
                expected.truncate(128);
                assert_eq!(found.locations, expected, "{python:?} {mark}: {:?}", found.names());
            }
        }
    }
    assert!(!pythons().is_empty());
}

#[test]
fn threads_and_children_of_python_have_their_own_functions() {
    let folder = Folder::new("threads");
    let script = folder.0.join("t.py");
    let text = "import os, threading\n\
        def look(name):\n    os.access('/trial/' + name, 0)\n\
        def other():\n    look('thread')\n\
        thread = threading.Thread(target=other); thread.start(); thread.join()\n\
        def child():\n    look('child')\n    os._exit(0)\n\
        if os.fork() == 0: child()\n\
        os.wait()\n\
        look('main')\n";
    std::fs::write(&script, text).unwrap();
    for python in pythons() {
        let command = vec![python.clone().into_os_string(), script.clone().into_os_string()];
        let options = Options { stacks: true, tier: Tier::of_tests(), ..Options::default() };
        let (mut registry, mut calls) = (Registry::default(), Vec::new());
        let mut sink = |events: Vec<Event>| {
            for event in &events {
                registry.take(event);
                if let Event::Call(call) = event {
                    calls.push(call.clone());
                }
            }
        };
        trace(&Subject::Command(command), &options, &mut sink).unwrap();
        for (mark, expected) in [
            ("thread", &[("look", 3), ("other", 5)][..]),
            ("child", &[("look", 3), ("child", 8), ("<module>", 10)]),
            ("main", &[("look", 3), ("<module>", 12)]),
        ] {
            let path = format!("/trial/{mark}");
            let call =
                calls.iter().find(|call| registry.path(call.path) == path.as_bytes()).unwrap();
            let locations = registry.stack(call.stack).flat_map(|frame| &frame.locations);
            let own = locations.filter(|it| it.file == script.to_str().unwrap());
            let found: Vec<(&str, u32)> = own.map(|it| (&*it.function, it.line)).collect();
            assert_eq!(found, expected, "{python:?} {mark}");
        }
    }
}
