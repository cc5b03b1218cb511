//! `fewer scan`: one unit of a scan, for several processes or machines.
//!
//! | module | what is in it |
//! |---|---|
//! | here | the unit, its result, and the exit status |
//! | `part` | the rows of the unit, in a file or an object |
//! | `tree` | units of directories |
//! | `store` | units of addresses: ranges of keys, directories of HDFS |
//! | `levels` | prefixes of a store that has no ranges |

#[cfg(feature = "stores")]
mod levels;
mod part;
#[cfg(feature = "stores")]
mod store;
mod tree;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use fewer::present::escaped;
use fewer::scan::{Tree, Unit};
use fewer::{Action, Error, whole_file};
use sys::OsStrExt;
use tables::unit::{NamedUnit, Range, result_json};

use crate::{exit_status, flags, report};
use part::Part;

/// No unit is as large: it has the paths of the directories that are left of a budget.
const UNIT_BYTES: usize = 256 << 20;

/// So many bytes of standard input are read at once.
const BLOCK_BYTES: usize = 64 << 10;

/// Runs the command as the flags say, and returns the exit status.
pub(crate) fn run(flags: &ArgMatches) -> u8 {
    let status = scan(flags).unwrap_or_else(|message| report::fail(&message));
    if flags.get_flag("calls") {
        report::calls(false);
    }
    status
}

/// What is left of a unit: units, and of a bucket the ranges of keys.
type Left = Vec<(Unit, Vec<Range>)>;

/// A unit to scan, and how.
struct Request<'f> {
    flags: &'f ArgMatches,
    roots: Vec<PathBuf>,
    unit: NamedUnit,
    budget: usize,
}

fn scan(flags: &ArgMatches) -> Result<u8, String> {
    if let Some(&parent) = flags.get_one::<i32>("parent") {
        end_with(parent)?;
    }
    sys::note_ends();
    let roots = flags::paths(flags);
    let unit = match flags.get_one::<OsString>("unit") {
        Some(file) => read_unit(Path::new(file))?,
        None => NamedUnit::first(Unit::first(&tree::of_roots(&roots))),
    };
    let budget = flags.get_one("budget").copied().unwrap_or(usize::MAX);
    let request = Request { flags, roots, unit, budget };
    let mut part = Part::new(flags, &request.unit.id)?;
    let left = request.scan(&mut part);
    if let Some(signal) = sys::noted_end() {
        drop(part);
        sys::die_of(signal);
    }
    let (left, path) = (left?, part.path());
    let finished = part.finish();
    if let Some(signal) = sys::noted_end().filter(|_| finished.is_err()) {
        sys::die_of(signal);
    }
    let (name, contents) = finished?;
    let left = request.unit.children(left);
    let printed = report::print(&result_json(&request.unit, name.as_deref(), &contents, &left));
    if printed != exit_status::OK && name.is_some() {
        // It may have taken the place of one that has a result, so it is not removed.
        let path = escaped(path.as_os_str().as_bytes());
        let hint = format!("'{path}' belongs to no result: scan the unit again, which replaces it");
        report::complain(&hint);
    }
    let status = if contents.errors > 0 { exit_status::SOME_FAILED } else { exit_status::OK };
    Ok(status.max(printed))
}

impl Request<'_> {
    /// Scans the unit; returns what is left of it.
    fn scan(&self, part: &mut Part<'_>) -> Result<Left, String> {
        #[cfg(feature = "stores")]
        if let Some(left) = store::scan(self, part) {
            return left;
        }
        #[cfg(not(feature = "stores"))]
        if let Some(message) = crate::hints::addresses(&self.roots) {
            return Err(message);
        }
        tree::scan(self, part)
    }

    /// The root that a tree of the unit lies below, by the paths or addresses of the roots.
    fn root_of<'r>(
        &self,
        tree: &Tree,
        roots: &'r [Vec<u8>],
        is_below: fn(&[u8], &[u8]) -> bool,
    ) -> Result<&'r [u8], String> {
        let root = roots.iter().find(|root| is_below(root, &tree.path));
        root.map(Vec::as_slice).ok_or_else(|| {
            let path = escaped(&tree.path);
            format!("unit {} is of another scan: '{path}' is below no root", self.unit.id)
        })
    }
}

/// From now on this process ends with the one that started it.
fn end_with(parent: i32) -> Result<(), String> {
    match sys::end_with_parent(parent) {
        Ok(true) => Ok(()),
        Ok(false) => Err(format!("--parent: process {parent} did not start this one, or ended")),
        Err(errno) => Err(format!("--parent: {errno}")),
    }
}

/// The unit in a file.
fn read_unit(file: &Path) -> Result<NamedUnit, String> {
    let is_stdin = file == Path::new("-");
    let json = if is_stdin { read_stdin() } else { whole_file::read(file, UNIT_BYTES) };
    let failed = |errno| Error::new(errno, Action::READ, file.as_os_str().as_bytes()).to_string();
    let json = json.map_err(failed)?;
    // The defect may be a member of it.
    let wrong = |defect: String| {
        let defect = escaped(defect.as_bytes());
        format!("'{}' is no unit: {defect}", escaped(file.as_os_str().as_bytes()))
    };
    NamedUnit::parse(&json).map_err(wrong)
}

fn read_stdin() -> Result<Vec<u8>, sys::Errno> {
    let mut bytes = Vec::new();
    while bytes.len() <= UNIT_BYTES {
        bytes.reserve(BLOCK_BYTES);
        if sys::read_more(sys::STDIN, &mut bytes)? == 0 {
            return Ok(bytes);
        }
    }
    Err(sys::Errno::FBIG)
}
