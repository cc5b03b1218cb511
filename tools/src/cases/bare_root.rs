//! A root that contains a static program and the folders of cases, and of a system only the users'
//! names and /dev/null.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::format::Case;
use super::item::{Item, What};
use crate::checkout;

/// The folder that is such a root.
#[derive(Clone, Debug)]
pub(crate) struct BareRoot(PathBuf);

impl BareRoot {
    /// Makes this folder one. Inside of it, it has the path that it has outside, too.
    pub(crate) fn new(folder: &Path) -> Result<BareRoot, String> {
        if !checkout::is_root() {
            return Err("only root can make another folder its root".to_owned());
        }
        let inside = folder.join(folder.strip_prefix("/").unwrap_or(folder));
        let made = || {
            fs::create_dir_all(inside.parent().unwrap_or(folder))?;
            symlink("/", &inside)?;
            fs::create_dir_all(folder.join("etc"))?;
            for file in ["etc/passwd", "etc/group"] {
                fs::copy(Path::new("/").join(file), folder.join(file))?;
            }
            fs::create_dir_all(folder.join("dev"))
        };
        made().map_err(|why| format!("{}: {why}", folder.display()))?;
        let null = folder.join("dev/null");
        let mut mknod = Command::new("mknod");
        checkout::output(mknod.args(["-m", "666"]).arg(null).args(["c", "1", "3"]))?;
        Ok(BareRoot(folder.to_owned()))
    }

    /// The words of a shell that stand before a program, so that it begins in this root, in the
    /// same folder, as a user.
    pub(crate) fn entry(&self, user: Option<&str>) -> String {
        let user = user.map_or(String::new(), |user| {
            format!("--setuid=$(id -u {user}) --setgid=$(id -g {user}) ")
        });
        format!("env -u PWD unshare '--root={}' \"--wd=$PWD\" {user}-- ", self.0.display())
    }

    /// The same as words of their own, for a folder that is known.
    pub(crate) fn words(&self, folder: &Path) -> Vec<OsString> {
        let option = |name: &str, path: &Path| {
            let mut option = OsString::from(name);
            option.push(path);
            option
        };
        let root = option("--root=", &self.0);
        vec!["unshare".into(), root, option("--wd=", folder), "--".into()]
    }

    /// The reason why a case cannot be run here.
    pub(crate) fn why_not(&self, case: &Case) -> Option<String> {
        let verb = case.run.first().map_or(&b""[..], |word| &word.0);
        let has = |start: &[u8]| case.run.iter().any(|word| word.0.starts_with(start));
        let is_bound = |item: &Item| matches!(item.what, What::Bind { .. });
        let zone = case.env.get("TZ").is_some_and(|zone| zone.0.contains(&b'/'));
        let is_absolute = verb == b"walk" && case.run.iter().any(|word| word.0 == b"-a");
        let needs_git = case.needs.iter().any(|program| program == "git");
        let is_below_repository = needs_git && has(b"--gitignore") && case.cwd.is_some();
        let reasons = [
            (case.program.is_some(), "starts programs"),
            (matches!(verb, b"sh" | b"why" | b"count" | b"budget"), "starts programs"),
            (has(b"-x") || has(b"-X") || has(b"--exec"), "starts programs"),
            (has(b"/"), "looks at what is not in its folder"),
            (
                has(b"--hyperlink") || has(b"--absolute-path") || is_absolute,
                "prints a path from the machine's root",
            ),
            // What is above a root is known from /proc.
            (is_below_repository, "has a repository above its folder, which takes /proc"),
            (zone, "needs the file of a zone"),
            (case.tree.iter().any(is_bound), "needs the table of mounts"),
        ];
        reasons.iter().find(|(is_so, _)| *is_so).map(|(_, reason)| (*reason).to_owned())
    }
}
