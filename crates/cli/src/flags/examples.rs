//! Examples of each verb, for its help and for the manual page.

/// A command line, and what it does.
type Example = (&'static str, &'static str);

/// The examples of a verb.
pub(crate) fn of(verb: &str) -> &'static [Example] {
    match verb {
        "walk" => WALK,
        "snapshot" => SNAPSHOT,
        "changes" => CHANGES,
        "watch" => WATCH,
        "ls" => LS,
        "lines" => LINES,
        "size" => SIZE,
        "scan" => SCAN,
        "sh" => SH,
        "why" => WHY,
        "count" => COUNT,
        "budget" => BUDGET,
        _ => &[],
    }
}

const WALK: &[Example] = &[
    ("fewer walk src", "everything below src"),
    ("fewer walk -g '*.rs' src", "names that match a glob"),
    ("fewer walk -i -r '^readme' -t f", "files by a regular expression"),
    ("fewer walk -e jpg -x convert {} {.}.png", "a command for each"),
    ("fewer walk -e rs -X wc -l", "one command for all"),
    ("fewer walk --changed-within 1d -t f", "files of the last day"),
    ("fewer walk --format '{size} {path}' -t f", "with metadata"),
    ("fewer walk --gitignore --no-hidden", "what fd and git would show"),
];

const SNAPSHOT: &[Example] = &[
    ("fewer snapshot src -o src.snapshot", "make one"),
    ("fewer walk --since src.snapshot --update src", "list src, and keep it current"),
];

const CHANGES: &[Example] = &[
    ("fewer changes src.snapshot", "what changed since it was made"),
    ("fewer changes --update --json src.snapshot", "for programs, and from now on"),
];

const WATCH: &[Example] = &[
    ("fewer watch src", "what changes below src, to Ctrl-C"),
    ("fewer watch -e rs -e toml src", "only such names"),
    ("fewer watch --json -E target", "a tree for programs"),
    ("fewer watch --since src.snapshot --update", "what changed since, and go on"),
    ("fewer watch --window 2s", "one line for 2 seconds of changes"),
];

const LS: &[Example] = &[
    ("fewer ls -la", "all, with metadata"),
    ("fewer ls -lt --time-style=long-iso", "the latest first"),
    ("fewer ls -lSh", "the largest first"),
    ("fewer ls --tree -lh src", "a tree behind sizes and times"),
    ("fewer ls --json -R src", "a tree for programs"),
];

const LINES: &[Example] = &[
    ("fewer lines --count FILE", "how many lines"),
    ("fewer lines --from 100 --to 120 FILE", "some of them"),
    ("fewer lines --first 10 FILE", "the beginning"),
    ("fewer lines --last 10 FILE", "the end"),
    ("fewer lines --last 10 -f FILE", "the end, and what is appended"),
    ("fewer lines --invalid FILE", "what is not UTF-8"),
];

const SIZE: &[Example] = &[
    ("fewer size", "the directories here, the largest last"),
    ("fewer size -s /usr /var", "one row each"),
    ("fewer size -d 3 -n 20 /usr", "the 20 largest, down to level 3"),
    ("fewer size -a --gitignore src", "files too, but what git ignores"),
    ("fewer size -x --json /", "one file system, for programs"),
];

const SCAN: &[Example] = &[
    ("fewer scan /data --out parts", "the first unit of a scan"),
    ("fewer scan /data --unit unit.json --out parts", "one that was left"),
    ("fewer scan /data --budget 1000000 --out parts", "more entries in a part"),
];

const SH: &[Example] = &[
    ("fewer sh build.sh", "a script, in its own language"),
    ("fewer sh -c 'for f in *; do echo $f; done'", "a command"),
    ("fewer sh --strict build.sh", "nothing left to another shell"),
];

const WHY: &[Example] = &[
    ("fewer why -- make", "what make wastes"),
    ("fewer why --html report.html -- npm test", "a page of it"),
    ("fewer why --record run.trace -- make", "keep all calls"),
    ("fewer why --from run.trace", "explain them later"),
    ("fewer why -p 1234 --for 30s", "a service, which runs on"),
    ("fewer why --top -p 1234", "what it wastes now, until Ctrl-C"),
];

const COUNT: &[Example] = &[
    ("fewer count -- ls -l", "by name, path and caller"),
    ("fewer count --pid 1234", "a running process, until Ctrl-C"),
];

const BUDGET: &[Example] = &[
    ("fewer budget record calls.toml -- ./tool", "what it may do from now on"),
    ("fewer budget check calls.toml", "fails if it does more"),
];

/// What stands behind the flags in the help of a verb: its examples, and `exit`.
pub(super) fn help(verb: &str, exit: &str) -> String {
    let width = of(verb).iter().map(|(line, _)| line.len()).max().unwrap_or(0);
    let rows = of(verb).iter().map(|(line, what)| format!("  {line:<width$}  {what}\n"));
    format!("Examples:\n{}\n{exit}", rows.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_has_examples_that_the_parser_takes_and_that_fit_a_terminal() {
        for verb in crate::flags::fewer().get_subcommands() {
            let name = verb.get_name();
            assert!(!of(name).is_empty() || ["completions", "man"].contains(&name), "{name}");
            for (line, _) in of(name).iter().filter(|_| name != "sh") {
                let words = line.split(' ').map(|word| word.trim_matches('\''));
                let parsed = crate::flags::fewer().try_get_matches_from(words);
                assert!(parsed.is_ok(), "{line}: {parsed:?}");
            }
            assert!(help(name, "").lines().all(|line| line.len() <= 79), "{}", help(name, ""));
        }
    }
}
