//! What an engine can be pointed at.

use std::io;
use std::path::Path;

use super::dress::Dresser;
use super::flat::{FLATS, Flat};
use super::plan::{Plan, SHAPES, Shape};
use super::text::{TEXTS, Text};
use super::write::{self, Digest, Disk};
use crate::definition::Unit;

/// A reading block of `fewer`, which is what calls are counted by in a text.
const BLOCK_BYTES: u64 = 256 * 1024;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Subject {
    Tree(&'static Shape),
    Flat(&'static Flat),
    Text(&'static Text),
}

/// Everything there is.
pub(crate) fn all() -> impl Iterator<Item = Subject> {
    let trees = SHAPES.iter().map(Subject::Tree);
    let texts = TEXTS.iter().map(Subject::Text);
    trees.chain(FLATS.iter().map(Subject::Flat)).chain(texts)
}

/// The subject of that name, or that there is none.
pub(crate) fn subject(name: &str) -> Result<Subject, String> {
    all().find(|subject| subject.name() == name).ok_or(format!("no tree is called {name}"))
}

impl Subject {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Subject::Tree(shape) => shape.name,
            Subject::Flat(flat) => flat.name,
            Subject::Text(text) => text.name,
        }
    }

    /// What must be counted: all that find prints of a tree, the files of a flat directory, lines.
    pub(crate) fn counted(self) -> u64 {
        match self {
            Subject::Tree(shape) => shape.entries(),
            Subject::Flat(flat) => flat.files.into(),
            Subject::Text(text) => text.lines,
        }
    }

    /// How much of something it has; 0 if that makes no sense.
    pub(crate) fn units(self, unit: Unit) -> u64 {
        match (self, unit) {
            (Subject::Tree(shape), Unit::Directory) => shape.directories.into(),
            // No listing has the root.
            (Subject::Tree(shape), Unit::Entry) => shape.entries() - 1,
            (Subject::Flat(_), Unit::Directory) => 1,
            (Subject::Flat(flat), Unit::Entry) => flat.files.into(),
            (Subject::Text(text), Unit::Block) => text.bytes.div_ceil(BLOCK_BYTES),
            _ => 0,
        }
    }

    /// What calls are given by unless a definition says otherwise.
    pub(crate) fn unit(self) -> Unit {
        match self {
            Subject::Tree(_) => Unit::Directory,
            Subject::Flat(_) => Unit::Entry,
            Subject::Text(_) => Unit::Block,
        }
    }

    /// One of the same kind with nothing in it: what a command costs before its work begins.
    pub(crate) fn nothing(self) -> &'static str {
        match self {
            Subject::Tree(_) | Subject::Flat(_) => "empty",
            Subject::Text(_) => "no-lines",
        }
    }

    /// The numbers of the lines that are not UTF-8.
    pub(crate) fn invalid_lines(self) -> Vec<u64> {
        match self {
            Subject::Text(text) => text.invalid_lines().collect(),
            _ => Vec::new(),
        }
    }

    /// Whether files belong to the fifty people.
    pub(crate) fn is_of_people(self) -> bool {
        matches!(self, Subject::Flat(flat) if flat.owners > 0)
    }

    /// Whether its files have times that grow old.
    pub(super) fn is_dressed(self) -> bool {
        match self {
            Subject::Tree(shape) => shape.dressed,
            Subject::Flat(_) => true,
            Subject::Text(_) => false,
        }
    }

    /// For people.
    pub(crate) fn describe(self) -> String {
        match self {
            Subject::Tree(shape) => format!(
                "{} entries ({} directories, {} files, {} links; root included), seed {}",
                shape.entries(),
                shape.directories,
                shape.files,
                shape.links,
                shape.seed
            ),
            Subject::Flat(flat) => {
                let owners = match flat.owners {
                    0 => "one owner".into(),
                    owners => format!("{owners} owners"),
                };
                format!("one directory, {} files of {owners}, seed {}", flat.files, flat.seed)
            }
            Subject::Text(text) => format!(
                "{} bytes, {} lines, {} of them not UTF-8, {}, seed {}",
                text.bytes,
                text.lines,
                text.invalid,
                if text.foreign { "up to four bytes a character" } else { "ASCII" },
                text.seed
            ),
        }
    }

    /// What the stamp says; another text means another subject.
    pub(super) fn stamp(self) -> String {
        match self {
            Subject::Tree(shape) => format!(
                "seed = {}\ndirectories = {}\nfiles = {}\nlinks = {}\n",
                shape.seed, shape.directories, shape.files, shape.links
            ),
            Subject::Flat(flat) => {
                format!("seed = {}\nfiles = {}\nowners = {}\n", flat.seed, flat.files, flat.owners)
            }
            Subject::Text(text) => format!(
                "seed = {}\nbytes = {}\nlines = {}\ninvalid = {}\n",
                text.seed, text.bytes, text.lines, text.invalid
            ),
        }
    }

    /// Makes it at `root`, where nothing may be; returns what else the stamp says.
    pub(super) fn make(self, root: &Path) -> io::Result<String> {
        match self {
            Subject::Tree(shape) => {
                let plan = Plan::new(*shape);
                let mut digest = Digest::default();
                write::write(&plan, &mut digest)?;
                let dresser = shape.dressed.then(|| Dresser::new(!shape.seed, 0));
                write::write(&plan, &mut Disk::new(root, dresser)?)?;
                Ok(format!("depth = {}\ndigest = {:#018x}\n", digest.depth_most, digest.hash.0))
            }
            Subject::Flat(flat) => flat.make(root).map(|()| String::new()),
            Subject::Text(text) => text.make(root).map(|()| String::new()),
        }
    }
}
