//! `mktemp`

use fewer::{Errno, Fields};

use super::{Work, as_path, in_directory, number, random_name};
use crate::Text;
use crate::tools::arguments::{Arguments, Known};
use crate::tools::{Broken, Lent, Tool};

pub(in super::super) const MKTEMP: Tool = Tool {
    name: "mktemp",
    fits: |arguments, lent| Job::of(arguments, lent).is_some(),
    run: |arguments, lent| {
        let job = Job::of(arguments, lent).ok_or(Broken::Unfit)?;
        let mut work = Work::new("mktemp", lent);
        job.run(&mut work)?;
        Ok(work.status)
    },
};

const OPTIONS: Known = Known {
    short: b"dp:qtu",
    long: &[("directory", b'd', false), ("dry-run", b'u', false), ("quiet", b'q', false)],
    anywhere: true,
};

/// Fewer places than this are refused.
const LEAST_PLACES: usize = 3;

struct Job {
    /// The path, with an X at each place that is filled.
    template: Vec<u8>,
    /// Where those places are.
    places: std::ops::Range<usize>,
    directory: bool,
    only_name: bool,
}

impl Job {
    fn of(arguments: &[Text], lent: &Lent<'_>) -> Option<Job> {
        let (mut directory, mut only_name, mut for_all, mut given) = (false, false, false, None);
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, value)) = options.next()? {
            match letter {
                b'd' => directory = true,
                b'p' if value.is_empty() => return None,
                b'p' => given = Some(value),
                b't' => for_all = true,
                b'u' => only_name = true,
                _ => {}
            }
        }
        let operands = options.operands(lent)?;
        let set = || (lent.environment)(b"TMPDIR").filter(|value| !value.is_empty());
        let named = given.map(<[u8]>::to_vec);
        let elsewhere = given.is_some() || for_all || operands.is_empty();
        let name = match *operands {
            [] => b"tmp.XXXXXXXXXX".as_slice(),
            [name] => name,
            _ => return None,
        };
        if elsewhere && (name.starts_with(b"/") || for_all && name.contains(&b'/')) {
            return None;
        }
        let template = match elsewhere {
            false => name.to_vec(),
            true => {
                let folder = match for_all {
                    true => set().or(named),
                    false => named.or_else(set),
                };
                in_directory(&folder.unwrap_or_else(|| b"/tmp".to_vec()), name)
            }
        };
        let last = memchr::memrchr(b'X', &template)?;
        let first = template[..last].iter().rposition(|&byte| byte != b'X').map_or(0, |it| it + 1);
        let places = first..last + 1;
        let fits = places.len() >= LEAST_PLACES && !template[last..].contains(&b'/');
        fits.then_some(Job { template, places, directory, only_name })
    }

    /// Price: one `mknodat` or `mkdirat`, or one `statx` for a name only; one more for each name
    /// that is taken.
    fn run(&self, work: &mut Work<'_, '_>) -> Result<(), Broken> {
        let mut path = self.template.clone();
        for _ in 0..10_000 {
            path[self.places.clone()].copy_from_slice(&random_name(self.places.len()));
            match self.make(&path, work) {
                Ok(()) => return work.say(&[&path]),
                Err(Errno::EXIST) => {}
                Err(_) => return Err(Broken::Unfit),
            }
        }
        Err(Broken::Unfit)
    }

    fn make(&self, path: &[u8], work: &Work<'_, '_>) -> Result<(), Errno> {
        let (scope, path) = (work.scope(), as_path(path));
        match (self.only_name, self.directory) {
            (true, _) => match scope.stat(path, Fields::KIND).map_err(number) {
                Ok(_) => Err(Errno::EXIST),
                Err(Errno::NOENT) => Ok(()),
                Err(errno) => Err(errno),
            },
            (false, true) => scope.make_directory(path, 0o700).map_err(number),
            (false, false) => scope.make_file(path, 0o600).map_err(number),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use crate::Text;
    use crate::tools::files::scene::Twins;

    /// What is printed, with the letters that nobody knows as X.
    fn shape(line: &str, length: usize) -> (String, usize) {
        (line.chars().take(length).collect(), line.len())
    }

    #[test]
    fn names_have_the_shape_that_the_real_ones_have() {
        for (line, known) in [
            ("", 14),
            ("-d", 14),
            ("fooXXXX", 3),
            ("foo.XXXXXX.txt", 4),
            ("XXXfooXXX.X ?", 0),
            ("-d full/fooXXXX", 8),
            ("-p full", 9),
            ("-p full/ barXXX", 8),
            ("-p full d/XXXX ?", 0),
            ("-t fooXXX", 8),
            ("-p full -t fooXXXX", 8),
            ("-u fooXXXX", 3),
            ("-qd -p /tmp/ XXXXX", 5),
        ] {
            for set in ["/tmp/ours", ""] {
                let twins = Twins::new();
                let judge = twins.judge().within(&twins.ours()).with("TMPDIR", set);
                let words = line.split(' ').filter(|word| !word.is_empty() && *word != "?");
                let arguments: Vec<Text> =
                    words.map(|it| Text::from_slice(it.as_bytes())).collect();
                let Some(ours) = judge.ours("mktemp", &arguments, b"") else {
                    assert!(line.ends_with('?') || set == "/tmp/ours", "{line}");
                    continue;
                };
                let real = judge.real("mktemp", &arguments, b"");
                let known = if set.is_empty() { known.min(9) } else { known };
                assert_eq!(shape(&ours.stdout, known), shape(&real.stdout, known), "{line}");
                assert_eq!((ours.status, &ours.stderr), (real.status, &real.stderr), "{line}");
                let [ours, real] = [ours, real].map(|outcome| {
                    let path = twins.ours().join(outcome.stdout.trim_end_matches("\\n"));
                    let found = path.symlink_metadata().ok().map(|it| it.permissions().mode());
                    let _gone = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir(&path));
                    found
                });
                assert_eq!(ours, real, "{line}");
            }
        }
    }

    #[test]
    fn what_is_not_ours_is_left() {
        let twins = Twins::new();
        let judge = twins.judge().within(&twins.ours());
        for line in ["fooXX", "foo", "none/fooXXX", "XXX/foo", "-p /tmp /XXXX", "a b", "--suffix=x"]
        {
            let arguments: Vec<Text> =
                line.split(' ').map(|it| Text::from_slice(it.as_bytes())).collect();
            assert!(judge.ours("mktemp", &arguments, b"").is_none(), "{line}");
        }
    }
}
