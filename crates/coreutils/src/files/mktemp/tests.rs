//! `mktemp` beside the real one.

use std::os::unix::fs::PermissionsExt;

use crate::tests::compare::words;
use crate::tests::twins::Twins;

/// What is printed up to the random letters, and how long it is.
fn shape(line: &str, length: usize) -> (String, usize) {
    (line.chars().take(length).collect(), line.len())
}

#[test]
fn names_have_the_shape_that_the_real_ones_have() {
    for (line, known) in [
        ("", 14),
        ("-d", 14),
        ("fooXXXX", 3),
        ("foo.XXXXXX.txt", 4),
        ("XXXfooXXX.X ?", 0),
        ("-d full/fooXXXX", 8),
        ("-p full", 9),
        ("-p full/ barXXX", 8),
        ("-p full d/XXXX ?", 0),
        ("-t fooXXX", 8),
        ("-p full -t fooXXXX", 8),
        ("-u fooXXXX", 3),
        ("-qd -p /tmp/ XXXXX", 5),
    ] {
        for set in ["/tmp/ours", ""] {
            let twins = Twins::new();
            let comparison = twins.comparison().within(&twins.ours()).with("TMPDIR", set);
            let arguments = words(line.trim_end_matches(" ?"));
            let Some(ours) = comparison.ours("mktemp", &arguments, b"") else {
                assert!(line.ends_with('?') || set == "/tmp/ours", "{line}");
                continue;
            };
            let real = comparison.real("mktemp", &arguments, b"");
            let known = if set.is_empty() { known.min(9) } else { known };
            assert_eq!(shape(&ours.stdout, known), shape(&real.stdout, known), "{line}");
            assert_eq!((ours.status, &ours.stderr), (real.status, &real.stderr), "{line}");
            let [ours, real] = [ours, real].map(|outcome| {
                let path = twins.ours().join(outcome.stdout.trim_end_matches("\\n"));
                let found = path.symlink_metadata().ok().map(|it| it.permissions().mode());
                let _gone = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir(&path));
                found
            });
            assert_eq!(ours, real, "{line}");
        }
    }
}

#[test]
fn what_is_not_ours_is_left() {
    let twins = Twins::new();
    let comparison = twins.comparison().within(&twins.ours());
    for line in ["fooXX", "foo", "none/fooXXX", "XXX/foo", "-p /tmp /XXXX", "a b", "--suffix=x"] {
        assert!(comparison.ours("mktemp", &words(line), b"").is_none(), "{line}");
    }
}
