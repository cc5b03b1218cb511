//! What rows are printed with: the same for all listings of one run.

use super::names::Names;
use super::options::{Layout, Options};
use super::owner_names::OwnerNames;
use super::times::Times;

/// What rows are printed with: shared by all threads.
pub(super) struct Renderer<'o> {
    pub(super) options: &'o Options,
    pub(super) names: Names<'o>,
    pub(super) owner_names: OwnerNames,
    pub(super) times: Times<'o>,
}

impl<'o> Renderer<'o> {
    pub(super) fn new(options: &'o Options) -> Renderer<'o> {
        Renderer {
            options,
            names: Names::new(options),
            owner_names: OwnerNames::new(options.details.numeric),
            times: Times::new(&options.details.time_style, options.layout == Layout::Long),
        }
    }
}
