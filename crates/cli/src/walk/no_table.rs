//! In place of `table` in a build without tables: there are no flags for them, and so there is
//! none.

use std::convert::Infallible;
use std::marker::PhantomData;

use clap::ArgMatches;

use super::Request;

pub(super) struct Table<'f>(Infallible, PhantomData<&'f ()>);

impl<'f> Table<'f> {
    pub(super) fn from_flags(_: &'f ArgMatches, _: bool) -> Result<Option<Table<'f>>, String> {
        Ok(None)
    }
}

#[cfg(feature = "stores")]
impl Table<'_> {
    pub(super) fn file(_: &ArgMatches) -> Option<&std::ffi::OsString> {
        None
    }

    pub(super) fn is_flag(_: &str) -> bool {
        false
    }

    pub(super) fn push_object(
        &mut self,
        _: &fewer::Entry<'_>,
        _: Option<&stores::Object<'_>>,
    ) -> fewer::Answer {
        match self.0 {}
    }

    pub(super) fn is_stopped(&self) -> bool {
        match self.0 {}
    }

    pub(super) fn push_failure(&mut self, _: &[u8], _: &str) -> fewer::Answer {
        match self.0 {}
    }

    pub(super) fn finish(self, _: u8) -> u8 {
        match self.0 {}
    }
}

pub(super) fn run(_: &Request<'_>, table: Table<'_>) -> u8 {
    match table.0 {}
}
