//! Which measures a finding has, or why it has none.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::functions::{Functions, library};
use super::searches::Searches;
use crate::explain::Finding;
use crate::source::Answers;
use crate::source::scratch::{STDOUT, Variant, has_agent};
use crate::{Language, Registry, read_file};

/// What can be done to a run from outside.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Measure {
    /// Variables of the environment are set, or taken away.
    Environment(Vec<(OsString, Option<OsString>)>),
    /// Functions of the C library are replaced.
    Functions(Functions),
    /// Calls that only look are answered by an agent in the program, which has no C library that
    /// functions could be put before.
    Agent,
}

impl Measure {
    /// What a run with it begins with; an error says why it cannot be had.
    ///
    /// # Errors
    /// This build has no library of functions.
    pub fn variant(&self) -> Result<Variant, &'static str> {
        match self {
            Measure::Environment(changes) => {
                Ok(Variant { environment: changes.clone(), ..Variant::default() })
            }
            Measure::Functions(functions) => loaded(&[*functions]),
            Measure::Agent => Ok(with_agent(Answers::Remembered)),
        }
    }

    /// What a run begins with that has all that the measure brings along, but does nothing: its
    /// price is no part of the gain. `None` if there is nothing.
    #[must_use]
    pub fn control(&self) -> Option<Variant> {
        match self {
            Measure::Environment(_) => None,
            Measure::Functions(_) => loaded(&[]).ok(),
            Measure::Agent => Some(with_agent(Answers::Asked)),
        }
    }

    /// What a run begins with that its runs are compared with. With an agent that makes all calls,
    /// if there is to be one: a run with it takes longer than one without, whatever it answers.
    #[must_use]
    pub fn base(&self) -> Variant {
        match self {
            Measure::Environment(_) | Measure::Functions(_) => Variant::default(),
            Measure::Agent => with_agent(Answers::Asked),
        }
    }

    /// The measure in words: "TZ=:/etc/localtime".
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Measure::Environment(changes) => {
                let one = |(name, value): &(OsString, Option<OsString>)| match value {
                    Some(value) => format!("{}={}", name.display(), value.display()),
                    None => format!("without {}", name.display()),
                };
                changes.iter().map(one).collect::<Vec<_>>().join(" ")
            }
            Measure::Functions(Functions::LocalTime) => {
                "localtime_r for localtime, after one tzset".to_owned()
            }
            Measure::Functions(Functions::Owners) => {
                "getpwuid and getgrgid that remember their answers".to_owned()
            }
            Measure::Functions(Functions::Reads) => "read from a block of 128 KiB".to_owned(),
            Measure::Functions(Functions::Answers) | Measure::Agent => {
                "stat, access, readlink, and open of what is not there, answered from memory"
                    .to_owned()
            }
            Measure::Functions(Functions::Streams) => {
                "standard output flushed when its block is full".to_owned()
            }
        }
    }
}

fn loaded(chosen: &[Functions]) -> Result<Variant, &'static str> {
    let library = library(chosen).ok_or("this build of fewer has no functions to load")?;
    Ok(Variant { library: Some(library), ..Variant::default() })
}

fn with_agent(answers: Answers) -> Variant {
    Variant { agent: Some(answers), ..Variant::default() }
}

/// A measure for a finding.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Candidate {
    /// The finding's place among all.
    pub finding: usize,
    /// How many calls it wastes.
    pub wasted: u64,
    /// The measure, or why there is none.
    pub measure: Result<Measure, String>,
}

/// All candidates, in the order of the findings; each finding has one at least.
#[must_use]
pub(super) fn candidates(
    findings: &[Finding],
    registry: &Registry,
    searches: &Searches,
) -> Vec<Candidate> {
    let mut all = Vec::new();
    for (number, finding) in findings.iter().enumerate() {
        let candidate = |measure| Candidate { finding: number, wasted: finding.wasted, measure };
        match measures(finding, registry, searches) {
            Ok(measures) => {
                for measure in measures {
                    all.push(candidate(Ok(measure)));
                }
            }
            Err(why) => all.push(candidate(Err(why))),
        }
    }
    all
}

/// What the time zone's variable is set to: what the C library reads without it.
const ZONE: (&str, &str) = ("TZ", ":/etc/localtime");

/// The measures for a finding, those that change the least first.
fn measures(
    finding: &Finding,
    registry: &Registry,
    searches: &Searches,
) -> Result<Vec<Measure>, String> {
    let mut found = Vec::new();
    let is_zone = || {
        let mut files = finding.examples.iter().map(|call| registry.path(call.file));
        files.any(|path| path == b"/etc/localtime")
    };
    match finding.id {
        "same-stat" if is_zone() => {
            if std::env::var_os(ZONE.0).is_none() {
                found.push(Measure::Environment(vec![(ZONE.0.into(), Some(ZONE.1.into()))]));
            }
            match answers(finding, registry) {
                Ok(Measure::Agent) => found.push(Measure::Agent),
                Ok(_) => found.push(Measure::Functions(Functions::LocalTime)),
                Err(_) => {}
            }
        }
        "search-misses" => {
            let shorter = searches.shorter();
            if !shorter.is_empty() {
                found.push(Measure::Environment(shorter));
            }
            match answers(finding, registry) {
                Ok(measure) => found.push(measure),
                Err(_) if found.is_empty() => {
                    let why = "the places are not those of a variable of the environment";
                    return Err(why.to_owned());
                }
                Err(_) => {}
            }
        }
        "same-stat" | "double-stat" | "path-components" => {
            found.push(answers(finding, registry)?);
        }
        "owner-lookup" => {
            can_be_loaded(finding, registry)?;
            found.push(Measure::Functions(Functions::Owners));
        }
        "small-reads" => {
            can_be_loaded(finding, registry)?;
            found.push(Measure::Functions(Functions::Reads));
        }
        "small-writes" if matches!(finding.language, Language::C | Language::Cpp) => {
            can_be_loaded(finding, registry)?;
            if !finding.examples.iter().any(|call| registry.path(call.file) == STDOUT) {
                return Err("only standard output can be buffered from outside".to_owned());
            }
            found.push(Measure::Functions(Functions::Streams));
        }
        _ => return Err("it takes a change of the program's source".to_owned()),
    }
    if found.is_empty() {
        return Err("TZ is set, and no function can be replaced".to_owned());
    }
    Ok(found)
}

/// How calls that only look can be answered from memory.
fn answers(finding: &Finding, registry: &Registry) -> Result<Measure, String> {
    match can_be_loaded(finding, registry) {
        Ok(()) => Ok(Measure::Functions(Functions::Answers)),
        Err(_) if has_agent() => Ok(Measure::Agent),
        Err(why) => Err(why),
    }
}

/// Whether functions can be put before those that the program calls.
fn can_be_loaded(finding: &Finding, registry: &Registry) -> Result<(), String> {
    if finding.language == Language::Go {
        return Err("Go makes its calls without the C library".to_owned());
    }
    if finding.language == Language::Shell {
        return Err("a shell reads so that its children find the rest".to_owned());
    }
    let program = OsStr::from_bytes(registry.path(finding.program));
    match read_file(Path::new(program)).ok().map(|bytes| is_dynamic(&bytes)) {
        Some(false) => Err("the program is static".to_owned()),
        _ => Ok(()),
    }
}

/// Whether a program has an interpreter: the loader.
fn is_dynamic(program: &[u8]) -> bool {
    use object::read::elf::{ElfFile64, ProgramHeader};
    let Ok(file) = ElfFile64::<object::Endianness>::parse(program) else { return false };
    let endian = file.endian();
    file.elf_program_headers().iter().any(|it| it.p_type(endian) == object::elf::PT_INTERP)
}
