//! `cat`, without the flags that show what cannot be seen.

use fewer::{Errno, Kind, Stat};

use super::arguments::{Arguments, Known, Operands};
use super::source::{complain, failed, files, open, say};
use super::{Broken, Input, Lent, Output, Tool, quote};
use crate::Text;

pub(super) const CAT: Tool =
    Tool { name: "cat", fits: |arguments, lent| names(arguments, lent).is_some(), run };

const OPTIONS: Known = Known { short: b"u", long: &[], anywhere: true };

fn names<'a>(arguments: &'a [Text], lent: &Lent<'_>) -> Option<Operands<'a>> {
    let mut options = Arguments::new(&OPTIONS, arguments);
    while options.next()?.is_some() {}
    files(options.operands(lent)?)
}

fn run(arguments: &[Text], lent: &mut Lent<'_>) -> Result<u8, Broken> {
    let Some(names) = names(arguments, lent) else { return Ok(1) };
    let target = lent.output.stat().filter(|stat| stat.kind() == Kind::File);
    let mut status = 0;
    for name in names {
        let mut file = None;
        let input = match open(name, lent.place(), lent.input, &mut file)? {
            Ok(input) => input,
            Err(errno) => {
                complain(lent.errors, lent.utf8, "cat", name, errno)?;
                status = 1;
                continue;
            }
        };
        if target.as_ref().is_some_and(|target| is_same(target, input)) {
            let name = quote::for_colon(name, lent.utf8);
            say(lent.errors, &[b"cat: ", &name, b": input file is output file\n"])?;
            status = 1;
        } else if let Err(errno) = copy(input, lent.output)? {
            complain(lent.errors, lent.utf8, "cat", name, errno)?;
            status = 1;
        }
    }
    Ok(status)
}

/// Whether a file would be copied to its own end, and never reach it. Nothing comes of an empty
/// one.
fn is_same(target: &Stat, input: &dyn Input) -> bool {
    input.stat().is_some_and(|stat| {
        let same = stat.inode() == target.inode() && stat.device() == target.device();
        same && stat.kind() == Kind::File && stat.size() > 0
    })
}

fn copy(input: &mut dyn Input, output: &mut dyn Output) -> Result<Result<(), Errno>, Broken> {
    loop {
        let block = match input.fill() {
            Ok(b"") => return Ok(Ok(())),
            Ok(block) => block,
            Err(errno) => return failed(errno),
        };
        output.write(block)?;
        let used = block.len();
        input.consume(used);
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::judge::{Judge, same};

    #[test]
    fn standard_input_and_files() {
        let folder = tempfile::tempdir().unwrap();
        let judge = Judge::new().within(folder.path());
        std::fs::write(folder.path().join("a b"), b"one\n\0two").unwrap();
        std::fs::write(folder.path().join("big"), vec![b'x'; 1 << 20]).unwrap();
        std::fs::create_dir(folder.path().join("d")).unwrap();
        for arguments in [
            &[][..],
            &["-"],
            &["a b"],
            &["a b", "-", "a b", "-"],
            &["big", "-u", "none"],
            &["d", "no such\nfile", "big", ""],
        ] {
            assert!(judge.same("cat", arguments, b"text\nwithout end"));
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
        let judge = Judge::new().within(folder.path()).into_file(&folder.path().join("a"));
        let words: Vec<crate::Text> = [b"a", b"b", b"a"].map(|word| word[..].into()).to_vec();
        let ours = judge.ours("cat", &words, b"").unwrap();
        assert_eq!(ours.stderr, real.stderr.escape_ascii().to_string());
        assert_eq!((ours.stdout.as_str(), ours.status), ("two\\n", 1));
        assert_eq!(real.status.code(), Some(1));
    }

    #[test]
    fn other_flags_are_left_to_the_real_one() {
        for arguments in [&["-n"][..], &["--help"], &["/dev/stdin"], &["-v", "x"]] {
            assert!(!same("cat", arguments, b""));
        }
    }
}
