//! Machines for which there is no agent yet: nothing is ever put into a program.

/// The agent in an address space: there is none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SpaceAgent;

impl SpaceAgent {
    pub(crate) fn copy(self) -> SpaceAgent {
        self
    }

    /// The address behind a site's instruction: there are no stubs.
    pub(crate) fn site(self, ip: u64) -> u64 {
        ip
    }
}
