//! What rules are written with.

pub(super) use fewer::path::base_name;
pub(super) use rustc_hash::{FxHashMap, FxHashSet};

pub(super) use super::Rule;
pub(super) use super::by_file::{ByFile, Group, Waste};
pub(super) use crate::explain::draft::Draft;
pub(super) use crate::explain::finding::{Act, Children, Finding};
pub(super) use crate::explain::history::{
    Climb, Context, DescriptorOrigin, DescriptorSession, DirectoryMove, FileKind, Key, Novelty,
    PathQuestion, ProcessState, Question, Reads, Repeats, Repetition, bytes, fields, is_aside,
    is_missing,
};
pub(super) use crate::explain::tally::Tally;
pub(super) use crate::explain::words;
pub(super) use crate::figures;
pub(super) use crate::{
    Call, Class, Language, Machine, Name, PathId, Process, Registry, Shape, StackId,
};
