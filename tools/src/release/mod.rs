//! `release`: everything that can be installed, in one folder, with check sums and bills of
//! materials. With `--try` the packages are installed, used and removed again, in folders of their
//! own.
//!
//! | module | what is in it |
//! |---|---|
//! | `programs` | the command, its manual and its completions; static archives |
//! | `deb` | the Debian package |
//! | `libraries` | libfewer for C, and wheels for Python |
//! | `sbom` | bills of materials |
//! | `archive` | tar and ar files that are the same at every run |
//! | `third_party` | the licences of the crates in a package |
//! | `trial` | what `--try` does |

mod archive;
mod deb;
mod libraries;
mod programs;
mod sbom;
mod third_party;
mod trial;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::checkout;
use crate::tally::Tally;

/// What a part has made: names of files, or why it could not.
enum Made {
    Files(Vec<String>),
    Skipped(String),
}

/// A part of a release: its name, what makes it, and what tries it.
struct Part {
    name: &'static str,
    make: fn(&Release) -> Result<Made, String>,
    check: fn(&Release) -> Result<(), String>,
}

const PARTS: &[Part] = &[
    Part { name: "x86_64", make: |release| programs::make(release, X86_64), check: trial::none },
    Part { name: "aarch64", make: |release| programs::make(release, AARCH64), check: trial::none },
    Part { name: "deb", make: deb::make, check: trial::deb },
    Part { name: "wheel", make: libraries::wheel, check: trial::wheel },
    Part { name: "c", make: libraries::prefix, check: trial::prefix },
    Part { name: "sbom", make: sbom::make, check: trial::none },
];

const X86_64: &str = "x86_64-unknown-linux-musl";
const AARCH64: &str = "aarch64-unknown-linux-musl";

/// What all parts need to know.
struct Release {
    root: PathBuf,
    /// Where artefacts go.
    out: PathBuf,
    /// Where folders are made that become archives, and packages are tried.
    stage: PathBuf,
    /// Cargo's folder.
    target: PathBuf,
    profile: String,
    version: String,
    /// The time of all files in archives, in seconds since 1970.
    time: String,
}

pub(crate) fn run(arguments: &[String]) -> Result<Tally, String> {
    let root = checkout::root()?;
    let (mut release, mut trying, mut wanted) = (Release::of(root)?, false, Vec::new());
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("what belongs to {argument} is missing"));
        match argument.as_str() {
            "--out" => {
                release.out = std::path::absolute(value()?).map_err(|why| why.to_string())?
            }
            "--profile" => value()?.clone_into(&mut release.profile),
            "--try" => trying = true,
            name if PARTS.iter().any(|part| part.name == name) => wanted.push(name),
            other => {
                let names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
                return Err(format!("'{other}' is not an option or one of {}", names.join(", ")));
            }
        }
    }
    fs::create_dir_all(&release.out).map_err(|why| format!("{}: {why}", release.out.display()))?;
    let mut tally = Tally::default();
    for part in PARTS.iter().filter(|part| wanted.is_empty() || wanted.contains(&part.name)) {
        part.run(&release, trying, &mut tally);
    }
    release.sum()?;
    Ok(tally)
}

impl Part {
    fn run(&self, release: &Release, trying: bool, tally: &mut Tally) {
        let made = (self.make)(release);
        match &made {
            Ok(Made::Files(files)) => println!("made: {}", files.join(" ")),
            Ok(Made::Skipped(why)) => {
                println!("skipped: {}: {why}", self.name);
                tally.skipped += 1;
                return;
            }
            Err(why) => println!("failed: {}: {why}", self.name),
        }
        tally.count(made.is_ok());
        if trying && made.is_ok() {
            let tried = (self.check)(release);
            if let Err(why) = &tried {
                println!("failed: {}, tried: {why}", self.name);
            }
            tally.count(tried.is_ok());
        }
    }
}

impl Release {
    fn of(root: PathBuf) -> Result<Release, String> {
        let target = checkout::target(&root)?;
        let mut log = Command::new("git");
        log.args(["log", "-1", "--format=%ct"]).current_dir(&root);
        let time = match std::env::var("SOURCE_DATE_EPOCH") {
            Ok(time) => time,
            Err(_) => String::from_utf8_lossy(&checkout::output(&mut log)?).trim().to_owned(),
        };
        Ok(Release {
            out: target.join("packages"),
            stage: target.join("packages-stage"),
            profile: "dist".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            root,
            target,
            time,
        })
    }

    /// Cargo's folder for what is built with this profile.
    fn built(&self, triple: Option<&str>) -> PathBuf {
        self.target.join(triple.unwrap_or_default()).join(match self.profile.as_str() {
            "dev" => "debug",
            profile => profile,
        })
    }

    /// An empty folder below the stage.
    fn folder(&self, name: &str) -> Result<PathBuf, String> {
        let folder = self.stage.join(name);
        let made = match folder.exists() {
            true => fs::remove_dir_all(&folder),
            false => Ok(()),
        };
        made.and_then(|()| fs::create_dir_all(&folder))
            .map_err(|why| format!("{}: {why}", folder.display()))?;
        Ok(folder)
    }

    /// The only artefact whose name ends like this.
    fn artefact(&self, end: &str) -> Result<PathBuf, String> {
        let listed = fs::read_dir(&self.out).map_err(|why| why.to_string())?;
        let mut found = listed.flatten().map(|entry| entry.path());
        let is_it = |name: &str| name.contains(&self.version) && name.ends_with(end);
        found
            .find(|path| is_it(&path.to_string_lossy()))
            .ok_or_else(|| format!("there is no artefact *{end}"))
    }

    /// SHA256SUMS of all artefacts, for `sha256sum -c`.
    fn sum(&self) -> Result<(), String> {
        let sums = "rm -f SHA256SUMS; sha256sum -- * >.sums; mv .sums SHA256SUMS";
        checkout::output(Command::new("sh").args(["-ec", sums]).current_dir(&self.out)).map(drop)
    }
}

/// Copies a file, and makes the folders above its new place.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    to.parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::copy(from, to).map(drop))
        .map_err(|why| format!("{} to {}: {why}", from.display(), to.display()))
}

/// Writes a file, and makes the folders above it.
fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
    path.parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(path, content))
        .map_err(|why| format!("{}: {why}", path.display()))
}
