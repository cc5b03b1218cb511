//! Tests: one command after the other in the same trees, at random.

use proptest::prelude::*;

use super::twins::Twins;

/// Paths that meet each other often, none of which leads out of the tree: a link with a slash
/// behind it, given to the real `rm -r`, has its directory emptied.
fn path() -> impl Strategy<Value = String> {
    let name = || {
        prop::sample::select(vec![
            "f", "g", "d", "e", "x", "y", "lf", "ld", "dang", "loop", "full", "none", ".", "hf",
            "it's", "ro",
        ])
    };
    (prop::collection::vec(name(), 1..4), any::<bool>(), 0..8_u8).prop_map(
        |(mut names, deep, end)| {
            if !deep {
                names.truncate(1);
            }
            names.join("/") + if end == 0 { "/" } else { "" }
        },
    )
}

/// A command and its arguments.
fn command() -> impl Strategy<Value = Vec<String>> {
    let line = prop::sample::select(vec![
        "mkdir", "mkdir -p", "mkdir -pv", "mkdir -m 711", "rmdir", "rmdir -p", "rm", "rm -f",
        "rm -r", "rm -rf", "rm -d", "touch", "touch -c", "touch -r f", "mv", "mv -n", "mv -f",
        "mv -T", "mv -v", "cp", "cp -p", "cp -f", "cp -v", "ln", "ln -s", "ln -f", "ln -sf",
        "ln -sfn", "ln -sv", "ls", "ls -a", "ls -d", "ls -p", "readlink",
    ]);
    (line, prop::collection::vec(path(), 1..4)).prop_map(|(line, mut paths)| {
        let two = ["mv", "cp", "ln"].iter().any(|tool| line.starts_with(tool));
        if two && paths.len() == 1 {
            paths.push("y".into());
        }
        line.split(' ').map(String::from).chain(paths).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    #[ignore = "still finds words for rare failures behind others in one command"]
    fn trees_stay_the_same(commands in prop::collection::vec(command(), 12)) {
        let twins = Twins::new();
        for words in commands {
            let arguments: Vec<&str> = words[1..].iter().map(|word| &**word).collect();
            if !twins.same(&words[0], &arguments) {
                twins.real_in_both(&words[0], &arguments);
            }
        }
    }
}
