//! Ordinary commands.

use std::sync::atomic::{AtomicUsize, Ordering};

use fewer_trace::Name;

use super::runtimes::python_itself;
use super::tiers::{Case, TestFolder, compare_in};
use crate::fixture::installed;

/// Programs that have to be installed, and a script: in a folder with `fixed` and `tree`, which
/// stay as they are, and `scratch`, which is empty. They do not look into directories of the
/// system, where something may be installed meanwhile.
const COMMANDS: [(&str, &str); 46] = [
    ("ls", "ls -lR tree/ fixed"),
    ("ls", "ls -la tree/source tree/report"),
    ("find", "find tree/ -name 'c*'"),
    ("find", "find fixed -type f -newer fixed/a -exec echo {} +"),
    ("find", "find fixed -xdev -type l -exec readlink {} +"),
    ("find", "find fixed -name 'entry-1?' -exec cat {} ';'"),
    ("du", "du -s tree/"),
    ("cat", "cat fixed/* tree/*.rs"),
    ("cp", "cp -r fixed scratch/copy; ls scratch/copy"),
    ("cp", "cp -a tree/source scratch; rm -r scratch/source"),
    ("mv", "cp -r fixed scratch/x; mv scratch/x scratch/y; mv scratch/y/entry-1* scratch"),
    ("rm", "cp -r fixed scratch/x; rm -rf scratch/x"),
    ("ln", "cd scratch; for i in $(seq 150); do echo > $i; done; ln -s * /nowhere; ls"),
    ("touch", "cd scratch; touch $(seq 200); chmod 600 *; ls"),
    ("mkdir", "cd scratch; mkdir -p a/b/c $(seq 150); rmdir $(seq 150)"),
    ("grep", "grep -r hello fixed tree/"),
    ("grep", "grep -c root fixed/* tree/lib.rs"),
    ("sed", "sed -n 1p fixed/*; sed -i s/a/b/ scratch/* fixed/none"),
    ("awk", "awk '{ print FILENAME, $1 }' fixed/*"),
    ("sort", "sort fixed/* tree/lib.rs"),
    ("wc", "wc fixed/*"),
    ("head", "head -n 1 fixed/*"),
    ("tail", "tail -n 1 fixed/*"),
    ("cut", "cut -c1 fixed/*"),
    ("md5sum", "md5sum fixed/* tree/lib.rs"),
    ("cksum", "cksum fixed/*"),
    ("stat", "stat -c %s fixed/*"),
    ("file", "file fixed/*"),
    ("diff", "cp -r fixed scratch/x; echo > scratch/x/b; diff -r fixed scratch/x"),
    ("cmp", "for i in $(seq 60); do cmp fixed/a fixed/b; cmp fixed/a fixed/a; done"),
    ("tar", "tar cf scratch/x.tar fixed; mkdir scratch/y; tar xf scratch/x.tar -C scratch/y"),
    ("gzip", "cp fixed/* scratch; gzip scratch/entry-1*; gunzip scratch/*.gz"),
    ("cpio", "cd fixed; ls > ../scratch/list; cpio -o < ../scratch/list > ../scratch/x"),
    ("xargs", "ls fixed/* > scratch/list; xargs -n 20 cat < scratch/list"),
    ("dd", "dd if=tree/lib.rs of=scratch/x bs=16 status=none; cmp scratch/x tree/lib.rs"),
    (
        "split",
        "split -l 2 tree/lib.rs scratch/p-; cat scratch/p-* > scratch/all; cksum scratch/all",
    ),
    ("tee", "tee scratch/x scratch/y < tree/lib.rs"),
    ("sh", "while read line; do echo $line; done < tree/lib.rs"),
    ("sh", "i=0; while [ $i -lt 300 ]; do [ -e fixed/entry-$i ] && i=$((i+1)); done; echo $i"),
    ("bash", "bash -c 'for i in {1..300}; do read line < fixed/a; echo $line; done'"),
    ("bash", "bash -c 'for i in {1..40}; do x=$(cat fixed/b); echo $x; done'"),
    ("perl", "perl -e 'for (glob q(fixed/*)) { open F, $_; print <F>; print -s $_ }'"),
    (
        "python3",
        "PYTHONHASHSEED=0 python3 -B -c 'import os
for n in sorted(os.listdir(\"fixed\")): print(n, os.stat(\"fixed/\" + n).st_size)'",
    ),
    ("git", "git hash-object fixed/*; git diff --no-index --stat fixed/a fixed/b"),
    ("cc", "echo 'int main(void) { return 0; }' > scratch/x.c; cc -S scratch/x.c -o scratch/x.s"),
    ("make", "printf 'all:\\n\\tcat fixed/*\\n' > scratch/m; make -f scratch/m"),
];

/// What is not the same in every run (names by chance, the time) gets some chances: a fault of the
/// agent's is in all of them.
fn judge(needs: &str, script: &str) -> Option<String> {
    const CHANCES: usize = 5;
    let mut wrong = None;
    let script = match needs {
        "python3" => script.replace("python3", python_itself(needs)?.to_str().unwrap()),
        _ => script.to_owned(),
    };
    for _ in 0..CHANCES {
        let mut case = Case::shell(&script);
        case.by_agent = 0;
        // There is no agent where stacks can only be read at stops; and Python asks for memory in
        // other functions each time, and as often as the addresses that it gets make it.
        case.stacks = !["perl", "python3"].contains(&needs);
        case.apart = vec![Name::Getrandom, Name::Getpid, Name::Futex];
        if needs == "python3" {
            case.apart.extend([Name::Mmap, Name::Munmap]);
        }
        let of_chance = std::panic::catch_unwind(|| compare_in(&case, &TestFolder::new()));
        let Err(error) = of_chance else { return None };
        wrong = error.downcast_ref::<String>().cloned();
    }
    wrong.or(Some(script))
}

#[test]
fn ordinary_commands_make_the_same_calls() {
    let chosen = std::env::var("FEWER_TEST_COMMAND").unwrap_or_default();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut wrong = Vec::new();
        while let Some((needs, script)) = COMMANDS.get(next.fetch_add(1, Ordering::Relaxed)) {
            if !script.contains(&chosen) {
                continue;
            }
            match installed(needs) {
                None => eprintln!("{script}: skipped without {needs}"),
                Some(_) => wrong.extend(judge(needs, script)),
            }
        }
        wrong
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let workers = [scope.spawn(work), scope.spawn(work)];
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
