//! A call in JSON, short: one letter for each field, and nothing for what is 0.
//!
//! | letter | field |
//! |---|---|
//! | `n` | name |
//! | `t` | start |
//! | `d` | spent |
//! | `p` | process |
//! | `h` | thread, less the process |
//! | `a` | arguments, as signed numbers, without the zeros at the end |
//! | `x` | path |
//! | `f` | file |
//! | `g` | second |
//! | `r` | result |
//! | `m` | moved |
//! | `w` | answer |
//! | `s` | stack |

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Call, Name, PathId, StackId};

#[derive(Serialize, Deserialize)]
struct Short {
    #[serde(rename = "n")]
    name: Name,
    #[serde(rename = "t", default, skip_serializing_if = "is_zero")]
    start: u64,
    #[serde(rename = "d", default, skip_serializing_if = "is_zero")]
    spent: u64,
    #[serde(rename = "p", default, skip_serializing_if = "is_zero")]
    process: u32,
    #[serde(rename = "h", default, skip_serializing_if = "is_zero")]
    thread: u32,
    #[serde(rename = "a", default, skip_serializing_if = "Arguments::is_empty")]
    arguments: Arguments,
    #[serde(rename = "x", default, skip_serializing_if = "is_zero")]
    path: PathId,
    #[serde(rename = "f", default, skip_serializing_if = "is_zero")]
    file: PathId,
    #[serde(rename = "g", default, skip_serializing_if = "is_zero")]
    second: PathId,
    #[serde(rename = "r", default, skip_serializing_if = "is_zero")]
    result: i64,
    #[serde(rename = "m", default, skip_serializing_if = "is_zero")]
    moved: u64,
    #[serde(rename = "w", default, skip_serializing_if = "is_zero")]
    answer: u64,
    #[serde(rename = "s", default, skip_serializing_if = "is_zero")]
    stack: StackId,
}

/// All that is left out is 0, and that is the default of each.
fn is_zero<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Signed, so that `AT_FDCWD` is -100 rather than 18446744073709551516.
#[derive(Default)]
struct Arguments([i64; 6]);

impl Arguments {
    fn is_empty(&self) -> bool {
        is_zero(&self.0)
    }
}

impl Serialize for Arguments {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let used = self.0.iter().rposition(|value| *value != 0).map_or(0, |last| last + 1);
        self.0[..used].serialize(to)
    }
}

impl<'de> Deserialize<'de> for Arguments {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Arguments, D::Error> {
        let values = Vec::<i64>::deserialize(from)?;
        let mut arguments = [0; 6];
        let room = arguments.get_mut(..values.len());
        let why = "a system call has six arguments at most";
        room.ok_or_else(|| serde::de::Error::custom(why))?.copy_from_slice(&values);
        Ok(Arguments(arguments))
    }
}

pub(crate) fn serialize<S: Serializer>(call: &Call, to: S) -> Result<S::Ok, S::Error> {
    // By name, so that a new field is not forgotten.
    let Call { start, spent, process, thread, name, path, file, second, .. } = *call;
    let Call { arguments, result, moved, answer, stack, .. } = *call;
    let arguments = Arguments(arguments.map(u64::cast_signed));
    let thread = thread.wrapping_sub(process);
    let short = Short {
        name,
        start,
        spent,
        process,
        thread,
        arguments,
        path,
        file,
        second,
        result,
        moved,
        answer,
        stack,
    };
    short.serialize(to)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Call, D::Error> {
    let short = Short::deserialize(from)?;
    Ok(Call {
        start: short.start,
        spent: short.spent,
        process: short.process,
        thread: short.process.wrapping_add(short.thread),
        name: short.name,
        arguments: short.arguments.0.map(i64::cast_unsigned),
        path: short.path,
        file: short.file,
        second: short.second,
        result: short.result,
        moved: short.moved,
        answer: short.answer,
        stack: short.stack,
    })
}
