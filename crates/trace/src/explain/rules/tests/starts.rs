//! What lies inside the start of a runtime is no finding.

use super::*;
use crate::Language;
use crate::explain::Thresholds;

/// Ruby, which looks at a file of its own again and again before it opens `opens`, and then the
/// script at another one.
fn ruby(opens: &str) -> Stream {
    let mut stream = Stream::of("/usr/bin/ruby3.1", Language::Ruby, &["ruby", "-w", "tool.rb"]);
    stream.stack = 3;
    stream.repeat(401, "stat /var/lib/gems/3.1.0 5");
    stream.stack = 4;
    stream.repeat(1, opens);
    stream.stack = 5;
    stream.then(301, "stat /w/settings 6")
}

#[test]
fn what_comes_before_the_script_is_folded() {
    let (findings, inside) = ruby("open /w/tool.rb; close").explained(&Thresholds::default());
    let found: Vec<_> = findings.iter().map(|it| (it.id, it.wasted)).collect();
    assert_eq!(found, [("same-stat", 300)]);
    assert_eq!(inside.len(), 1);
    let line = &inside[0];
    assert_eq!((line.language, line.calls), (Language::Ruby, 400));
    assert_eq!(line.kinds, ["same-stat"]);
    // Little of it is not worth a word.
    let mut few = Thresholds::default();
    few.set("calls=401").unwrap();
    assert_eq!(ruby("open /w/tool.rb; close").explained(&few).1, []);
}

#[test]
fn without_a_script_nothing_is_known_of_the_start() {
    let (findings, inside) = ruby("open /w/other.rb; close").explained(&Thresholds::default());
    let wasted: Vec<_> = findings.iter().map(|it| it.wasted).collect();
    assert_eq!((wasted, inside), (vec![400, 300], vec![]));
}

/// A Python that looks at `file` again and again, from `function` below a function of the script.
fn loading(file: &str, function: &str, of: &str) -> Stream {
    let mut stream = Stream::of("/usr/bin/python3.11", Language::Python, &["python3", "-c", "x"]);
    stream.stack = 9;
    stream.repeat(401, &format!("stat {file} 5"));
    stream.frames(9, &[(function, of), ("main", "/w/tool.py")]);
    stream
}

#[test]
fn what_a_loader_asks_about_its_own_files_is_folded() {
    let all = |file, function, of| loading(file, function, of).explained(&Thresholds::default());
    let bootstrap = "<frozen importlib._bootstrap_external>";
    let (findings, inside) = all("/usr/lib/python3.11/json", "_path_stat", bootstrap);
    assert_eq!((findings.len(), inside[0].calls), (0, 400));
    // A place of the user's; a walk of the runtime's files by the user.
    let (findings, inside) = all("/w/places/one", "_path_stat", bootstrap);
    assert_eq!((findings.len(), inside.len()), (1, 0));
    let (findings, inside) = all("/usr/lib/python3.11/json", "walk", "/w/tool.py");
    assert_eq!((findings.len(), inside.len()), (1, 0));
}

#[test]
fn the_gems_that_are_installed_are_the_runtimes_own() {
    let mut stream = Stream::of("/usr/bin/ruby3.1", Language::Ruby, &["ruby", "-e", "x"]);
    stream.frames(
        9,
        &[
            ("gem", "/usr/lib/ruby/vendor_ruby/rubygems/core_ext/kernel_gem.rb"),
            ("<main>", "/w/tool.rb"),
        ],
    );
    stream.stack = 9;
    for place in ["/var/lib/gems/3.1.0/specifications", "/usr/share/rubygems-integration/all"] {
        stream.repeat(201, &format!("stat {place} 5"));
    }
    let (findings, inside) = stream.explained(&Thresholds::default());
    assert_eq!((findings.len(), inside[0].calls), (0, 400));
}

#[test]
fn what_javas_machine_asks_for_itself_is_folded() {
    const MACHINE: &str = "/usr/lib/jvm/21/lib/server/libjvm.so";
    let limits = |asks: &[(&str, &str)]| {
        let mut stream = Stream::of("/usr/lib/jvm/21/bin/java", Language::Java, &["java", "App"]);
        stream.stack = 9;
        stream.repeat(201, "stat /sys/fs/cgroup/cpu.max 5");
        let machine = [("fopen", "/lib/x86_64-linux-gnu/libc.so.6"), ("cpu_quota", MACHINE)];
        stream.frames(9, &[&machine[..], asks].concat());
        let (findings, inside) = stream.explained(&Thresholds::default());
        (findings.len(), inside.len())
    };
    assert_eq!(limits(&[("JavaThread::run", MACHINE)]), (0, 1));
    assert_eq!(limits(&[("App.main", "App.java")]), (1, 0));
    // Compiled, and without a name.
    assert_eq!(limits(&[("", "")]), (1, 0));
}
