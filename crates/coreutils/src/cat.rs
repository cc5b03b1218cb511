//! `cat` without flags that change the text.

use fewer::{Kind, Stat};

use super::arguments::{Arguments, KnownOptions, Operands};
use super::messages::{complain, say};
use super::source::{Opener, each_block, files, is_same, of_file, open};
use crate::{Input, Io, ToolJob, ToolResult, quote};

const OPTIONS: KnownOptions = KnownOptions { short: b"u", long: &[], anywhere: true };

/// Prints the contents of files.
pub(crate) struct Cat<'a>(Operands<'a>);

impl<'a> Cat<'a> {
    pub(crate) fn parse(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<Cat<'a>> {
        let mut options = Arguments::new(&OPTIONS, arguments);
        while options.next()?.is_some() {}
        Some(Cat(files(options.operands(io)?)?))
    }
}

impl ToolJob for Cat<'_> {
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let target = io.output.stat().filter(|stat| stat.kind() == Kind::File);
        let mut status = 0;
        for &name in &self.0 {
            let mut file = None;
            let input = match of_file(open(name, Opener::new(io), io.input, &mut file))? {
                Ok(input) => input,
                Err(errno) => {
                    complain(io.errors, io.utf8, "cat", name, errno)?;
                    status = 1;
                    continue;
                }
            };
            if target.as_ref().is_some_and(|target| is_fed_by(target, input)) {
                let name = quote::for_colon(name, io.utf8);
                say(io.errors, &[b"cat: ", &name, b": input file is output file\n"])?;
                status = 1;
            } else if let Err(errno) = of_file(each_block(input, |block| io.output.write(block)))? {
                complain(io.errors, io.utf8, "cat", name, errno)?;
                status = 1;
            }
        }
        Ok(status)
    }
}

/// Whether a file would be copied to its own end for ever. (An empty one would not.)
fn is_fed_by(target: &Stat, input: &dyn Input) -> bool {
    input
        .stat()
        .is_some_and(|stat| is_same(&stat, target) && stat.kind() == Kind::File && stat.size() > 0)
}

#[cfg(test)]
mod tests {
    use crate::tests::compare::{Comparison, same, words};

    #[test]
    fn standard_input_and_files() {
        let folder = tempfile::tempdir().unwrap();
        let comparison = Comparison::new().within(folder.path());
        std::fs::write(folder.path().join("a b"), b"one\n\0two").unwrap();
        std::fs::write(folder.path().join("big"), vec![b'x'; 1 << 20]).unwrap();
        std::fs::create_dir(folder.path().join("d")).unwrap();
        for line in ["", "-", "a␣b", "a␣b - a␣b -", "big -u none", "d no␣such\nfile big ''"]
        {
            assert!(comparison.same("cat", &words(line), b"text\nwithout end"));
        }
    }

    /// As the real one says it where a file is copied to its own end.
    #[test]
    fn a_file_is_not_copied_to_its_own_end() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), b"one\n").unwrap();
        std::fs::write(folder.path().join("b"), b"two\n").unwrap();
        let real = std::process::Command::new("sh")
            .args(["-c", "cat a b a >>a"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert_eq!(std::fs::read(folder.path().join("a")).unwrap(), b"one\ntwo\n");
        let comparison =
            Comparison::new().within(folder.path()).into_file(&folder.path().join("a"));
        let ours = comparison.ours("cat", &["a", "b", "a"], b"").unwrap();
        assert_eq!(ours.stderr, real.stderr.escape_ascii().to_string());
        assert_eq!((ours.stdout.as_str(), ours.status), ("two\\n", 1));
        assert_eq!(real.status.code(), Some(1));
    }

    #[test]
    fn other_flags_are_left_to_the_real_one() {
        for line in ["-n", "--help", "/dev/stdin", "-v x"] {
            assert!(!same("cat", &words(line), b""));
        }
    }
}
