//! `readlink` beside the real one.

use crate::tests::twins::Twins;

const PATHS: &[&str] = &[
    "f", "lf", "ld", "dang", "loop", "none", "none/x", "none/", "none/../f", "full/../f", "d/.",
    "f/", "f/x", "ns/f", "ns/none", "ns/x/y", "secret", "ro/d/x", "f/.", "f/..", "ld/", "ld/..",
    "ld/up", "ld/up/x", "dang/", "dang/x", "loop/x", "", ".", "..", "./", "/", "//", "/tmp",
    "/tmp/", "/none", "/none/x", "full//x///", "it's", "n\nl", "gr\u{fc}n", "it's/x", "full/none",
    "full/none/", "full/../none/..", "d/up", "lf/", "none/..", "none/.", "full/x/../../d/up",
    "ld/../none", "e/f/1", "e/f/2", "p",
];

/// Both in the same tree: they tell where it is.
fn same(twins: &Twins, tool: &str, arguments: &[&str]) -> bool {
    let comparison = twins.comparison().within(&twins.ours());
    comparison.same(tool, arguments, b"") | comparison.bytes().same(tool, arguments, b"")
}

#[test]
fn each_path_is_told() {
    let twins = Twins::new();
    for path in PATHS {
        for options in ["--", "-f", "-e", "-m", "-n", "-zf"] {
            let supported = same(&twins, "readlink", &[options, path]);
            assert!(supported || path.contains("loop"), "readlink {options} {path}");
        }
        for options in ["--", "-e", "-m", "-q", "-z"] {
            let supported = same(&twins, "realpath", &[options, path]);
            assert!(supported || path.contains("loop"), "realpath {options} {path}");
        }
    }
    assert!(same(&twins, "readlink", &["lf", "f", "ld"]));
    assert!(same(&twins, "realpath", &["lf", "none/x", "ld"]));
}

#[test]
fn what_is_not_ours_is_left() {
    let twins = Twins::new();
    for path in ["/proc/self/exe", "/dev/stdin", "/dev/fd/0"] {
        assert!(!same(&twins, "readlink", &["-f", path]));
        assert!(!same(&twins, "realpath", &[path]));
    }
    assert!(!same(&twins, "realpath", &["-s", "f"]));
    assert!(!same(&twins, "readlink", &["-n", "f", "g"]));
    assert!(!same(&twins, "readlink", &[]));
}
