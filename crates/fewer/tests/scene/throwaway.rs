//! A root directory to lose: for tests of what must never remove the real one.
//!
//! A script runs in a mount namespace whose root is a small tmpfs. The machine's own root has been
//! unmounted there before the script begins, so a safeguard that fails costs nothing but the tmpfs.
//! The programs it needs are copies, bound read-only at /usr.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::program::copy_program;

/// Makes the root, and leaves the machine's own. `$1` is where, `$2` the copies, `$3` the script.
/// Should anything of the machine be left to see, the script is not run.
const OUTER: &str = r#"
set -e
mount -t tmpfs tmpfs "$1"
cd "$1"
mkdir usr old dev proc
mount --bind "$2" usr
mount -o remount,bind,ro usr
ln -s usr/bin bin
ln -s usr/lib lib
[ ! -d usr/lib64 ] || ln -s usr/lib64 lib64
: >dev/null
pivot_root . old
exec chroot . /usr/bin/sh -c '
mount -t proc proc /proc && umount -l /old && umount -l /proc || exit 97
rmdir /old /proc || exit 97
for path in /etc /home /proc /root /tmp /var; do [ ! -e $path ] || exit 98; done
unset OLDPWD
cd /
eval "$1"
' sh "$3"
"#;

/// What every script may use.
const PROGRAMS: [&str; 19] = [
    "cat", "chmod", "chown", "chroot", "cp", "find", "ln", "ls", "mkdir", "mount", "mv", "rm",
    "rmdir", "sh", "sort", "tee", "touch", "truncate", "umount",
];

/// Copies of programs, and where the root is mounted.
pub(crate) struct Throwaway {
    folder: tempfile::TempDir,
}

impl Throwaway {
    /// With these programs as well; why not, if there cannot be one here.
    pub(crate) fn new(more: &[&Path]) -> Result<Throwaway, String> {
        let folder = tempfile::tempdir().map_err(|why| why.to_string())?;
        let throwaway = Throwaway { folder };
        for folder in ["root", "usr/bin", "usr/lib"] {
            std::fs::create_dir_all(throwaway.folder.path().join(folder)).unwrap();
        }
        let standard = PROGRAMS.iter().map(|name| found(name)).collect::<Result<Vec<_>, _>>()?;
        for program in standard.iter().map(PathBuf::as_path).chain(more.iter().copied()) {
            throwaway.copy(program)?;
        }
        let probe = throwaway.run("echo there", &[]);
        match &probe.stdout[..] {
            b"there\n" => Ok(throwaway),
            _ => Err(format!("no root of its own: {}", String::from_utf8_lossy(&probe.stderr))),
        }
    }

    /// A program to /usr/bin, and the libraries that it is linked with to where it looks for them.
    fn copy(&self, program: &Path) -> Result<(), String> {
        let usr = self.folder.path().join("usr");
        let name = program.file_name().ok_or("a program without a name")?;
        copy_program(program, &usr.join("bin").join(name))?;
        for library in libraries(program) {
            let inside = library.strip_prefix("/usr").or_else(|_| library.strip_prefix("/"));
            let Ok(inside) = inside else { continue };
            let copy = usr.join(inside);
            std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
            copy_program(&library, &copy)?;
        }
        Ok(())
    }

    /// Runs the script in a root of its own, in no environment but `variables`.
    pub(crate) fn run(&self, script: &str, variables: &[(&str, &str)]) -> Output {
        // Who is not root may mount what the kernel tells of processes only of their own.
        let others: &[&str] = &["--map-root-user", "--pid", "--fork"];
        let user: &[&str] = if is_root() { &[] } else { others };
        Command::new("unshare")
            .args(user)
            .args(["--mount", "--propagation", "private", "sh", "-c", OUTER, "sh"])
            .args([self.folder.path().join("root"), self.folder.path().join("usr")])
            .arg(script)
            .env_clear()
            .env("PATH", "/usr/bin:/bin:/usr/sbin:/sbin")
            .env("LC_ALL", "C")
            .envs(variables.iter().copied())
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap()
    }
}

fn is_root() -> bool {
    let me = Command::new("id").arg("-u").output();
    me.is_ok_and(|me| me.stdout == b"0\n")
}

fn found(name: &str) -> Result<PathBuf, String> {
    let folders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];
    let mut paths = folders.iter().map(|folder| Path::new(folder).join(name));
    paths.find(|path| path.is_file()).ok_or_else(|| format!("{name} is not installed"))
}

/// What `ldd` says; nothing of a program that is linked with nothing.
fn libraries(program: &Path) -> BTreeSet<PathBuf> {
    let said = Command::new("ldd").arg(program).output();
    let said = said.map(|said| said.stdout).unwrap_or_default();
    let words = String::from_utf8_lossy(&said);
    words.split_whitespace().filter(|word| word.starts_with('/')).map(PathBuf::from).collect()
}
