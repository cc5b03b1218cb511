//! `env` that lists.

use crate::arguments::{Arguments, KnownOptions};
use crate::{Io, ToolJob, ToolResult};

const OPTIONS: KnownOptions = KnownOptions { short: b"0", long: &["null=0"], anywhere: false };

/// Lists variables, each followed by this byte.
pub(crate) struct Env {
    end: u8,
}

impl Env {
    pub(crate) fn parse(arguments: &[&[u8]], io: &Io<'_>) -> Option<Env> {
        let mut end = b'\n';
        let mut options = Arguments::new(&OPTIONS, arguments);
        while options.next()?.is_some() {
            end = 0;
        }
        options.operands(io)?.is_empty().then_some(Env { end })
    }
}

impl ToolJob for Env {
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let mut all = Vec::new();
        (io.variables)(&mut |variable| {
            all.extend_from_slice(variable);
            all.push(self.end);
        });
        io.output.write(&all)?;
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::compare::{Comparison, words};

    #[test]
    fn variables_are_listed() {
        let comparison = Comparison::new().with("A", "1").with("B", "two\nlines").with("EMPTY", "");
        assert!(comparison.same("env", &[] as &[&str], b""));
        assert!(comparison.same("env", &["-0"], b""));
        assert!(comparison.same("env", &["--null"], b""));
        for line in ["-i", "A=2", "true", "-u A"] {
            assert!(!comparison.same("env", &words(line), b""));
        }
    }
}
