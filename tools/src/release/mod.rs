//! `release`: everything that can be installed, in one folder, with check sums and bills of
//! materials. With `--try` the packages are installed, used and removed again, in folders of their
//! own.
//!
//! | module | what is in it |
//! |---|---|
//! | `targets` | the machines and systems that there are archives for, and what each takes |
//! | `programs` | the command, its manual and its completions; archives of them |
//! | `deb` | the Debian package |
//! | `libraries` | libfewer for C, and wheels for Python |
//! | `sbom` | bills of materials |
//! | `archive` | tar, zip and ar files that are the same at every run |
//! | `third_party` | the licences of the crates in a package |
//! | `trial` | what `--try` does with packages |
//! | `program_trial` | what `--try` does with archives of the command |

mod archive;
mod deb;
mod libraries;
mod program_trial;
mod programs;
mod sbom;
mod targets;
mod third_party;
mod trial;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use self::targets::{TARGETS, Target};
use crate::checkout;
use crate::tally::Tally;

/// A part of a release: an archive of the command for a target, or a package.
enum Part {
    Target(&'static Target),
    Package(&'static Package),
}

/// A package: its name, the artefacts as `--list` shows them, what makes it, and what tries it.
struct Package {
    name: &'static str,
    artefacts: &'static str,
    make: fn(&Release) -> Result<Vec<String>, String>,
    check: fn(&Release) -> Result<(), String>,
}

const PACKAGES: &[Package] = &[
    Package { name: "deb", artefacts: "fewer_*.deb", make: deb::make, check: trial::deb },
    Package {
        name: "wheel",
        artefacts: "fewer-*.whl",
        make: libraries::wheel,
        check: trial::wheel,
    },
    Package {
        name: "c",
        artefacts: "libfewer-*-linux-gnu.tar.gz",
        make: libraries::prefix,
        check: trial::prefix,
    },
    // Bills of materials are read by nothing here.
    Package { name: "sbom", artefacts: "*.cdx.json", make: sbom::make, check: |_| Ok(()) },
];

/// What became of a trial that did not fail.
enum Tried {
    Fine,
    /// Not here, for this reason.
    Skipped(String),
}

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
    let (mut release, mut trying, mut listing) = (Release::of(root)?, false, false);
    let mut wanted = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("what belongs to {argument} is missing"));
        match argument.as_str() {
            "--out" => {
                release.out = std::path::absolute(value()?).map_err(|why| why.to_string())?
            }
            "--profile" => value()?.clone_into(&mut release.profile),
            "--try" => trying = true,
            "--list" => listing = true,
            name => wanted.push(Part::of(name)?),
        }
    }
    if wanted.is_empty() {
        wanted = Part::all().collect();
    }
    let mut tally = Tally::default();
    if listing {
        wanted.iter().for_each(|part| part.list(&release, &mut tally));
        return Ok(tally);
    }
    fs::create_dir_all(&release.out).map_err(|why| format!("{}: {why}", release.out.display()))?;
    wanted.iter().for_each(|part| part.run(&release, trying, &mut tally));
    release.sum()?;
    Ok(tally)
}

impl Part {
    fn all() -> impl Iterator<Item = Part> {
        TARGETS.iter().map(Part::Target).chain(PACKAGES.iter().map(Part::Package))
    }

    /// The part of this name; a target may be called by its triple.
    fn of(name: &str) -> Result<Part, String> {
        let is_it = |part: &Part| {
            part.name() == name || matches!(part, Part::Target(target) if target.triple == name)
        };
        Part::all().find(is_it).ok_or_else(|| {
            let names: Vec<&str> = Part::all().map(|part| part.name()).collect();
            format!("'{name}' is not an option or one of {}", names.join(", "))
        })
    }

    fn name(&self) -> &'static str {
        match self {
            Part::Target(target) => target.name,
            Part::Package(package) => package.name,
        }
    }

    /// Says what would be made, or what would have to be installed for it.
    fn list(&self, release: &Release, tally: &mut Tally) {
        let (artefacts, missing) = match self {
            Part::Target(target) => (target.archive(release), target.missing(release)),
            Part::Package(package) => (package.artefacts.to_owned(), Ok(None)),
        };
        let missing = missing.unwrap_or_else(Some);
        let first = missing.as_ref().map_or(String::new(), |command| format!("  first: {command}"));
        println!("{:<14} {artefacts}{first}", self.name());
        tally.count(missing.is_none());
    }

    fn run(&self, release: &Release, trying: bool, tally: &mut Tally) {
        let made = match self {
            Part::Target(target) => programs::make(release, target),
            Part::Package(package) => (package.make)(release),
        };
        match &made {
            Ok(files) => println!("made: {}", files.join(" ")),
            Err(why) => println!("failed: {}: {why}", self.name()),
        }
        tally.count(made.is_ok());
        if !trying || made.is_err() {
            return;
        }
        let tried = match self {
            Part::Target(target) => program_trial::run(release, target),
            Part::Package(package) => (package.check)(release).map(|()| Tried::Fine),
        };
        match tried {
            Ok(Tried::Fine) => tally.passed += 1,
            Ok(Tried::Skipped(why)) => {
                println!("skipped: {}, not tried: {why}", self.name());
                tally.skipped += 1;
            }
            Err(why) => {
                println!("failed: {}, tried: {why}", self.name());
                tally.failed += 1;
            }
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
