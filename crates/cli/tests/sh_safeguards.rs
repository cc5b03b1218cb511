//! Files and directories that must not be removed, moved or overwritten stay: `fewer sh` and the
//! real tools side by side, each in a root directory of its own.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../../fewer/tests/scene/program.rs"]
mod program;
#[path = "../../fewer/tests/scene/throwaway.rs"]
mod throwaway;

use std::io::Write;
use std::path::Path;

use throwaway::Throwaway;

/// `alias` is `/` by another name, `same` is `d`, `far` is another file system.
const TREE: &str = r"
mkdir -p /w/alias /w/same /w/far /w/d/sub /w/e /w/full/d/x /w/a /w/b /w/k /w/r/in /w/r/d
cd /w
echo f >f; echo other >g; echo one >d/1; echo below >full/f; echo a >a/f; echo b >b/f
echo two >r/d/2; ln f hf; ln f k/f; ln -s g k/g; ln -s none k/dang; ln -s f lf; ln -s none dang
ln -s d ld; ln -s / slash; mkdir dirs; echo x >dirs/-rf
mount --bind / alias
mount --bind d same
mount -t tmpfs tmpfs far
mount --bind far r/in
echo far >far/a; echo far >far/f; mkdir far/d
";

/// What is left, apart from the programs.
const PICTURE: &str = r"
find / ( -path /usr -o -path /dev ) -prune -o -printf '%y %m %n %s %p %l\n' | sort
";

/// One command in one tree, done by the real tools and by `fewer sh`.
fn same(throwaway: &Throwaway, setup: &str, commands: &[&str]) {
    let picture = PICTURE.replace('(', "\\(").replace(')', "\\)");
    let mut wrong = Vec::new();
    for command in commands {
        let [real, ours] = ["sh", "fewer sh"].map(|shell| {
            let script = format!(
                "{TREE}\n{setup}\n{shell} -c \"$COMMAND\"; echo \"status $?\"; cd /; {picture}"
            );
            let output = throwaway.run(&script, &[("COMMAND", *command)]);
            String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
        });
        // The order in which a directory is read does not matter here.
        let [real, ours] = [real, ours].map(|text| {
            let mut lines: Vec<&str> = text.lines().collect();
            lines.sort_unstable();
            lines.join("\n")
        });
        if real != ours {
            wrong.push(format!("{command}\n{}", difference(&real, &ours)));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// The lines that only one of the two has.
fn difference(real: &str, ours: &str) -> String {
    let only = |these: &str, others: &str, mark: &str| {
        let others: Vec<&str> = others.lines().collect();
        let lines = these.lines().filter(|line| !others.contains(line));
        lines.take(12).map(|line| format!("  {mark} {line}\n")).collect::<String>()
    };
    only(real, ours, "real:") + &only(ours, real, "ours:")
}

/// A root for it, or a line that says why not.
fn throwaway() -> Option<Throwaway> {
    match Throwaway::new(&[Path::new(env!("CARGO_BIN_EXE_fewer"))]) {
        Ok(throwaway) => Some(throwaway),
        Err(why) => {
            // Not by `eprintln`, which the test harness keeps to itself.
            let _ = writeln!(std::io::stderr(), "SKIPPED: {}", why.trim_end());
            None
        }
    }
}

#[test]
fn rm_keeps_the_root_directory_by_whatever_name() {
    let Some(throwaway) = throwaway() else { return };
    let commands = [
        "rm -rf alias", "rm -r alias/", "rm -rf ./alias///", "rm -rf ../w/alias", "rm -R /w/alias",
        "rm -rf d/../alias", "rm -rf slash/", "rm -rf slash", "rm -rf slash/.",
        "rm -rf alias/. alias/..", "rm -rf / // /. /..", "rm -rf . .. d/.. d/. ./",
        "rm -rf e alias f", "rm -r e alias f none", "rm -rf f slash/ g", "rm -rf g alias/w/alias",
        "rm -rf alias/w", "rm -rf same", "rm -rf r", "rm -rf same/", "rm -rf same//", "rm -r r///",
        "cd alias && rm -rf ../alias", "cd alias/w && rm -rf ../../w/alias",
        "cd / && rm -rf w/alias", "rm -d alias", "rm -f alias", "rm alias", "rmdir alias",
        "rmdir -p same/sub", "rmdir . .. e/. slash/", "rm -rf --preserve-root alias",
        "rm -rf --preserve-root=all same", "rm -rf --one-file-system r", "cd dirs && rm -- *",
        "cd dirs && rm *", "for i in alias e alias; do rm -r $i; echo $?; done",
    ];
    same(&throwaway, "", &commands);
    // The root of a chroot, met below another mount: no mount point itself.
    let jail = "mkdir -p /jail/m /jail/usr /jail/w /jail/dev; echo keep >/jail/w/keep
        mount --bind /usr /jail/usr; ln -s usr/lib /jail/lib; ln -s usr/lib64 /jail/lib64
        mount --bind / /jail/m; cd /jail; alias sh='chroot /jail /usr/bin/sh'
        alias fewer='chroot /jail /usr/bin/fewer'";
    same(
        &throwaway,
        jail,
        &["rm -rf /m/jail", "cd w; rm -rf ../m/jail/", "rm -r m/jail/w m/jail", "rm -rf /m/jail/w"],
    );
}

#[test]
fn nothing_is_moved_onto_itself() {
    let Some(throwaway) = throwaway() else { return };
    let commands = [
        "mv d d/sub", "mv d d/x", "mv d same/sub", "mv d same/x", "mv same d/sub", "mv d d",
        "mv ld d", "mv d ld", "mv f f", "mv f ./f", "mv f hf", "mv f lf", "mv lf f",
        "mv d/1 same/1", "mv g f k", "mv g lf dang k", "mv . x", "mv .. x", "mv d/. x", "mv / x",
        "mv alias x", "mv alias/w d", "mv d full", "mv -T d full", "mv -T e full", "mv -f d full",
        "mv e d/1", "mv f full/d/x f", "mv a/f b/f k", "mv d e k d", "mv f d d", "mv k e d d/sub",
        "mv f far/a e", "mv e far/d far/a d", "mv f far/f k", "mv f far", "mv -n f g",
        "mv -n g far/f k", "mv f none/", "mv f ld/", "mv ld/ x", "mv g slash/", "mv f g none k",
        "mv f f k",
    ];
    same(&throwaway, "", &commands);
}

#[test]
fn nothing_is_copied_onto_itself() {
    let Some(throwaway) = throwaway() else { return };
    let commands = [
        "cp f f", "cp f ./f", "cp f hf", "cp f lf", "cp lf f", "cp lf hf", "cp d/1 same/1",
        "cp d/1 same", "cp -f f f", "cp -f f hf", "cp -f f lf", "cp -p f hf", "cp g dang",
        "cp g f k", "cp -f g f k", "cp g dang k", "cp f dang g k", "cp -p a/f g k", "cp d/1 f e",
        "cp a/f b/f e", "cp d e", "cp -r d d/sub", "cp -r d same/x", "cp -r d d", "cp -r d f",
        "cp -R alias/w e", "cp -a f hf", "cp f full", "cp f full/d", "cp f g full/d", "cp -T f d",
        "cp f d/1/x", "cp f slash/w/hf", "cp alias/w/f f", "cp --remove-destination f lf",
        "cp f g none k",
    ];
    same(&throwaway, "", &commands);
}

#[test]
fn what_links_and_modes_could_harm_is_as_with_the_real_tools() {
    let Some(throwaway) = throwaway() else { return };
    let commands = [
        "ln -sf f f", "ln -f f f", "ln -f f hf", "ln -f f lf", "ln -sf lf lf", "ln -sf d ld",
        "ln -sfn d ld", "ln -sfT e d", "ln -f d x", "ln d x", "ln -s none dang", "ln -f g f k",
        "ln -sf g f k", "ln a/f b/f e", "ln -sf a/f b/f e", "ln -f d/1 same/1", "ln -f g d k",
        "ln -f g far/a k", "ln -sf / e", "ln -s / alias", "mkdir -p / . .. alias d/1", "mkdir e f",
        "touch / . alias dang", "echo x | tee d same/1 dang", "truncate -s 0 same/1 d",
        "chmod -R 700 alias", "chmod -R 700 ld", "chmod -R 700 slash/",
        "chmod -R --preserve-root 700 /", "chmod -R 700 k", "chown -R 1:1 --preserve-root alias",
        "chown -R 1:1 k",
    ];
    same(&throwaway, "", &commands);
}
