//! How many passed, failed and were skipped; printed the way `./check` reads it.

use std::fmt;
use std::process::ExitCode;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) skipped: usize,
}

impl Tally {
    pub(crate) fn count(&mut self, passed: bool) {
        if passed {
            self.passed += 1;
        } else {
            self.failed += 1;
        }
    }

    /// Nothing run at all is a failure: a chore that found nothing to do checks nothing.
    pub(crate) fn exit_code(self) -> ExitCode {
        ExitCode::from(u8::from(self.failed > 0 || self.passed == 0))
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { passed, failed, skipped } = self;
        write!(out, "{passed} passed, {failed} failed, {skipped} skipped")
    }
}
