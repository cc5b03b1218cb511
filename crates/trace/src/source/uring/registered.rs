//! Files that a ring knows by numbers of its own.

use crate::PathId;

/// Numbers beyond this are not remembered.
const MOST: usize = 1 << 16;

/// What the numbers stand for.
#[derive(Default)]
pub(crate) struct RegisteredFiles(Vec<PathId>);

impl RegisteredFiles {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// What a number stands for; `NONE` if that is not known.
    pub(crate) fn get(&self, number: u32) -> PathId {
        self.0.get(number as usize).copied().unwrap_or_default()
    }

    /// From now on a number stands for that.
    pub(crate) fn set(&mut self, number: u32, file: PathId) {
        let number = number as usize;
        if number >= MOST {
            return;
        }
        if self.0.len() <= number {
            self.0.resize(number + 1, PathId::NONE);
        }
        self.0[number] = file;
    }
}
