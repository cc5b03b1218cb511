//! `true` and `false`.

use crate::{Io, ToolJob, ToolResult};

/// Ends with this exit status.
pub(crate) struct Nothing(u8);

impl Nothing {
    pub(crate) fn parse(arguments: &[&[u8]], status: u8) -> Option<Nothing> {
        let is_option = matches!(arguments, [only] if only.starts_with(b"--"));
        (!is_option).then_some(Nothing(status))
    }
}

impl ToolJob for Nothing {
    fn run(&self, _: &mut Io<'_>) -> ToolResult<u8> {
        Ok(self.0)
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::compare::{same, words};

    #[test]
    fn arguments_do_not_matter() {
        for tool in ["true", "false"] {
            for line in ["", "-x", "-- --help", "--help x"] {
                assert!(same(tool, &words(line), b""));
            }
            assert!(!same(tool, &["--help"], b""));
        }
    }
}
