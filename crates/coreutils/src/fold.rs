//! `fold`: long lines in several.

use super::arguments::{Arguments, KnownOptions, Operands, decimal};
use super::messages::complain;
use super::source::{FileResult, Opener, each_block, files, hand_over, of_file, open};
use crate::{Input, Io, Output, ToolJob, ToolResult};

const OPTIONS: KnownOptions =
    KnownOptions { short: b"bsw:", long: &["bytes=b", "spaces=s", "width=w:"], anywhere: true };

/// Breaks lines that are wider than so many columns.
pub(crate) struct Fold<'a> {
    /// Whether tabs, backspaces and carriage returns are one column, as all other bytes.
    bytes: bool,
    /// Whether lines are broken behind a blank, if there is one.
    spaces: bool,
    width: u64,
    files: Operands<'a>,
}

impl<'a> Fold<'a> {
    pub(crate) fn parse(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<Fold<'a>> {
        let (mut bytes, mut spaces, mut width) = (false, false, 80);
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, value)) = options.next()? {
            match letter {
                b'b' => bytes = true,
                b's' => spaces = true,
                _ => width = decimal(value).filter(|width| (1..1 << 60).contains(width))?,
            }
        }
        Some(Fold { bytes, spaces, width, files: files(options.operands(io)?)? })
    }

    /// The column behind a byte.
    fn column(&self, column: u64, byte: u8) -> u64 {
        match byte {
            b'\x08' if !self.bytes => column.saturating_sub(1),
            b'\r' if !self.bytes => 0,
            b'\t' if !self.bytes => column + 8 - column % 8,
            _ => column + 1,
        }
    }

    fn fold(&self, input: &mut dyn Input, output: &mut dyn Output) -> FileResult {
        let (mut line, mut column) = (Vec::new(), 0);
        let mut out = Vec::new();
        let done = of_file(each_block(input, |block| {
            for &byte in block {
                column = self.add(byte, column, &mut line, &mut out);
                hand_over(&mut out, output)?;
            }
            Ok(())
        }))?;
        out.append(&mut line);
        output.write(&out)?;
        Ok(done?)
    }

    /// Adds a byte to the line that stands before it, and moves to `out` what is complete. Returns
    /// the column behind it.
    fn add(&self, byte: u8, column: u64, line: &mut Vec<u8>, out: &mut Vec<u8>) -> u64 {
        if byte == b'\n' {
            out.append(line);
            out.push(byte);
            return 0;
        }
        let mut column = self.column(column, byte);
        while column > self.width && !line.is_empty() {
            let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
            let blank = line.iter().rposition(is_blank).filter(|_| self.spaces);
            out.extend(line.drain(..blank.map_or(line.len(), |at| at + 1)));
            out.push(b'\n');
            column = line.iter().fold(0, |column, &byte| self.column(column, byte));
            column = self.column(column, byte);
        }
        line.push(byte);
        column
    }
}

impl ToolJob for Fold<'_> {
    /// Price: for each file one `openat`, its reads and one `close`.
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let mut status = 0;
        for &name in &self.files {
            let mut file = None;
            let done = match of_file(open(name, Opener::new(io), io.input, &mut file))? {
                Ok(input) => of_file(self.fold(input, io.output))?,
                Err(errno) => Err(errno),
            };
            if let Err(errno) = done {
                complain(io.errors, io.utf8, "fold", name, errno)?;
                status = 1;
            }
        }
        Ok(status)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::tests::compare::{Comparison, same, words};

    #[test]
    fn standard_input_and_files() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), "a long line of words ".repeat(9)).unwrap();
        std::fs::write(folder.path().join("big"), "x".repeat(100_000)).unwrap();
        std::fs::create_dir(folder.path().join("d")).unwrap();
        let comparison = Comparison::new().within(folder.path());
        for line in ["", "a - none -s", "d big a", "-w 7 a"] {
            assert!(comparison.same("fold", &words(line), b"text\nwithout end"), "{line}");
        }
    }

    #[test]
    fn other_forms_are_left_to_the_real_one() {
        for line in ["-w 0", "-w x", "-20", "--help", "--wid=3"] {
            assert!(!same("fold", &words(line), b""), "{line}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn any_text(
            input in "[ab \t\r\\x08\u{e9}\n]{0,60}",
            flags in prop::sample::subsequence(vec!["-s", "-b"], 0..=2),
            width in 1_u8..20,
            pieces in 1_usize..9,
        ) {
            let width = format!("-w{width}");
            let arguments = [&flags[..], &[&width]].concat();
            let comparison = Comparison::new().pieces(pieces);
            assert!(comparison.same("fold", &arguments, input.as_bytes()));
        }
    }
}
