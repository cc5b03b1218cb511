//! `basename` and `dirname`.

use super::arguments::{Arguments, Known, Operands};
use super::{Broken, Lent, Tool};
use crate::Text;

pub(super) const BASENAME: Tool = Tool {
    name: "basename",
    fits: |arguments, lent| Job::of_basename(arguments, lent).is_some(),
    run: basename,
};

pub(super) const DIRNAME: Tool = Tool {
    name: "dirname",
    fits: |arguments, lent| Job::of_dirname(arguments, lent).is_some(),
    run: dirname,
};

const BASENAME_OPTIONS: Known = Known {
    short: b"as:z",
    long: &[("multiple", b'a', false), ("suffix", b's', true), ("zero", b'z', false)],
    anywhere: false,
};

const DIRNAME_OPTIONS: Known =
    Known { short: b"z", long: &[("zero", b'z', false)], anywhere: true };

struct Job<'a> {
    names: Operands<'a>,
    suffix: &'a [u8],
    end: &'static [u8],
}

impl<'a> Job<'a> {
    fn of_basename(arguments: &'a [Text], lent: &Lent<'_>) -> Option<Job<'a>> {
        let mut job = Job { names: Operands::new(), suffix: b"", end: b"\n" };
        let mut many = false;
        let mut options = Arguments::new(&BASENAME_OPTIONS, arguments);
        while let Some((letter, value)) = options.next()? {
            match letter {
                b's' => (job.suffix, many) = (value, true),
                b'z' => job.end = b"\0",
                _ => many = true,
            }
        }
        job.names = options.operands(lent)?;
        if !many && job.names.len() == 2 {
            job.suffix = job.names.pop()?;
        }
        let count = job.names.len();
        (count == 1 || many && count > 0).then_some(job)
    }

    fn of_dirname(arguments: &'a [Text], lent: &Lent<'_>) -> Option<Job<'a>> {
        let mut end: &[u8] = b"\n";
        let mut options = Arguments::new(&DIRNAME_OPTIONS, arguments);
        while options.next()?.is_some() {
            end = b"\0";
        }
        let names = options.operands(lent)?;
        (!names.is_empty()).then_some(Job { names, suffix: b"", end })
    }
}

fn basename(arguments: &[Text], lent: &mut Lent<'_>) -> Result<u8, Broken> {
    let Some(job) = Job::of_basename(arguments, lent) else { return Ok(1) };
    for name in &job.names {
        lent.output.write(without_suffix(last_name(name), job.suffix))?;
        lent.output.write(job.end)?;
    }
    Ok(0)
}

fn dirname(arguments: &[Text], lent: &mut Lent<'_>) -> Result<u8, Broken> {
    let Some(job) = Job::of_dirname(arguments, lent) else { return Ok(1) };
    for name in &job.names {
        lent.output.write(directory(name))?;
        lent.output.write(job.end)?;
    }
    Ok(0)
}

/// The last name of a path, as `basename` prints it: `/` for what is nothing but slashes.
pub(super) fn last_name(path: &[u8]) -> &[u8] {
    let whole = without_slashes(path);
    if whole.is_empty() {
        return &path[..path.len().min(1)];
    }
    &whole[memchr::memrchr(b'/', whole).map_or(0, |slash| slash + 1)..]
}

/// A name without its suffix, unless it is nothing else: what `basename NAME SUFFIX` takes off.
pub(super) fn without_suffix<'a>(name: &'a [u8], suffix: &[u8]) -> &'a [u8] {
    match name.strip_suffix(suffix) {
        Some(stem) if !stem.is_empty() && !name.starts_with(b"/") => stem,
        _ => name,
    }
}

/// What stands before the last name of a path, as `dirname` prints it.
pub(super) fn directory(path: &[u8]) -> &[u8] {
    let whole = without_slashes(path);
    match memchr::memrchr(b'/', whole) {
        _ if whole.is_empty() && !path.is_empty() => b"/",
        None => b".",
        Some(slash) => match without_slashes(&whole[..slash]) {
            b"" => b"/",
            above => above,
        },
    }
}

fn without_slashes(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|&byte| byte != b'/').map_or(0, |last| last + 1);
    &path[..end]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::tools::judge::same;

    #[test]
    fn usual_paths() {
        for path in ["", "/", "//", "///", "a", "a/", "/a", "//a", "a/b", "a//b//", "./a.txt"] {
            assert!(same("basename", &[path], b""));
            assert!(same("basename", &[path, ".txt"], b""));
            assert!(same("basename", &[path, ""], b""));
            assert!(same("dirname", &[path], b""));
        }
        assert!(same("basename", &[".txt", ".txt"], b""));
        assert!(same("basename", &["/", "/"], b""));
    }

    #[test]
    fn options() {
        assert!(same("basename", &["-a", "x/y", "z"], b""));
        assert!(same("basename", &["-as", "y", "x/zy", "z"], b""));
        assert!(same("basename", &["--suffix=y", "x/zy", "-q"], b""));
        assert!(same("basename", &["-z", "--", "-a"], b""));
        assert!(same("basename", &["x", "-a"], b""));
        assert!(same("dirname", &["-z", "x/y", "z"], b""));
        assert!(same("dirname", &["x/y", "-z"], b""));
    }

    #[test]
    fn wrong_usage_is_left_to_the_real_one() {
        for tool in ["basename", "dirname"] {
            for arguments in [&[][..], &["-q", "x"], &["--zer", "x"], &["--help"], &["--zero=1"]] {
                assert!(!same(tool, arguments, b""));
            }
        }
        assert!(!same("basename", &["a", "b", "c"], b""));
        assert!(!same("basename", &["-s"], b""));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn any_paths(paths in prop::collection::vec("[/ab.]{0,8}", 20), suffix in "[ab.]{0,2}") {
            let mut arguments = vec!["-s", &suffix, "--"];
            arguments.extend(paths.iter().map(|path| &path[..]));
            assert!(same("basename", &arguments, b""));
            assert!(same("dirname", &arguments[2..], b""));
        }
    }
}
