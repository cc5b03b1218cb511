//! In place of `object` in a build without stores: there is none.

use std::convert::Infallible;

use clap::ArgMatches;
use fewer::{LineError, Lines};

use crate::{flags, hints};

pub(super) struct Object(Infallible);

impl Object {
    pub(super) fn of_address(_: &[u8], _: &ArgMatches) -> Option<Object> {
        None
    }

    pub(super) fn open(&self) -> Result<Lines<'static>, LineError> {
        match self.0 {}
    }

    pub(super) fn close(&self) -> Result<(), LineError> {
        match self.0 {}
    }
}

pub(super) fn refused(flags: &ArgMatches) -> Option<String> {
    hints::addresses(&flags::paths(flags))
}

pub(super) fn print_requests<'o>(_: impl Iterator<Item = &'o Object>, _: bool) {}
