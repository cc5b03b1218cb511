//! `ls` of names, as it is when its output is no terminal: one a line, as they are.

use std::os::unix::ffi::OsStrExt;

use fewer::list::{By, Hidden, ListOrder, Listing, Moment, OperandLinks};
use fewer::{Kind, List};

use super::{Work, as_path, is_of_process, reason};
use crate::Text;
use crate::tools::arguments::{Arguments, Known, Operands};
use crate::tools::{Broken, Lent, Tool};

pub(in super::super) const LS: Tool = Tool {
    name: "ls",
    fits: |arguments, lent| Job::of(arguments, lent).is_some(),
    run: |arguments, lent| {
        let job = Job::of(arguments, lent).ok_or(Broken::Unfit)?;
        let mut work = Work::new("ls", lent);
        job.run(&mut work)?;
        Ok(work.status)
    },
};

const OPTIONS: Known = Known {
    short: b"1AaSUcdprtu",
    long: &[
        ("all", b'a', false),
        ("almost-all", b'A', false),
        ("directory", b'd', false),
        ("reverse", b'r', false),
    ],
    anywhere: true,
};

struct Job<'a> {
    paths: Operands<'a>,
    hidden: Hidden,
    order: ListOrder,
    /// Directories are listed like anything else.
    themselves: bool,
    /// A slash stands behind the name of a directory.
    slashes: bool,
}

impl<'a> Job<'a> {
    fn of(arguments: &'a [Text], lent: &Lent<'_>) -> Option<Job<'a>> {
        let (paths, hidden, order) = (Operands::new(), Hidden::Skip, ListOrder::default());
        let mut job = Job { paths, hidden, order, themselves: false, slashes: false };
        let (mut by, mut moment) = (None, None);
        let mut options = Arguments::new(&OPTIONS, arguments);
        while let Some((letter, _)) = options.next()? {
            match letter {
                b'a' => job.hidden = Hidden::ShowDots,
                b'A' => job.hidden = Hidden::Show,
                b'c' => moment = Some(Moment::Changed),
                b'd' => job.themselves = true,
                b'p' => job.slashes = true,
                b'r' => job.order.reversed = true,
                b'S' | b'U' | b't' => by = Some(letter),
                b'u' => moment = Some(Moment::Accessed),
                _ => {}
            }
        }
        // Without `-l`, `-c` and `-u` sort, too.
        job.order.by = match (by, moment) {
            (None, None) => By::Name,
            (Some(b'S'), _) => By::Size,
            (Some(b'U'), _) => By::Nothing,
            (_, moment) => By::Time(moment.unwrap_or_default()),
        };
        job.paths = options.operands(lent)?;
        let strange = job.paths.iter().any(|path| is_of_process(path));
        let quotes = (lent.environment)(b"QUOTING_STYLE").is_some();
        (!strange && !quotes && !lent.terminal && sorts_bytes(lent)).then_some(job)
    }

    fn list(&self, path: &[u8], work: &Work<'_, '_>) -> List {
        let list = List::new(as_path(path)).within(work.scope()).threads(1);
        let list = list.hidden(self.hidden).order(self.order);
        if self.slashes { list.kinds() } else { list }
    }

    /// Price: for each operand one `statx`, or two for a link; for each directory `openat`,
    /// `getdents64` for each 32 KiB or more and for the end, `close`. For an order by size or time,
    /// one `statx` for each entry.
    fn run(&self, work: &mut Work<'_, '_>) -> Result<(), Broken> {
        if self.paths.is_empty() {
            return match self.themselves {
                true if self.slashes => work.say(&[b"./"]),
                true => work.say(&[b"."]),
                false => self.directory(b".", false, true, work).map(drop),
            };
        }
        let paths = self.paths.iter().map(|path| as_path(path));
        let links = match self.themselves {
            true => OperandLinks::Keep,
            false => OperandLinks::FollowToDirectory,
        };
        let list = self.list(b".", work);
        let (listing, errors) = list.operands(paths, links, !self.themselves);
        for error in errors {
            let name = work.quoted(error.path().as_os_str().as_bytes());
            work.complain(&[b"cannot access ", &name, b": ", reason(error.errno()).as_bytes()])?;
            work.status = 2;
        }
        let is_listed = |kind| kind == Kind::Directory && !self.themselves;
        let mut first = true;
        let mut text = Vec::new();
        for row in listing.rows().filter(|row| !is_listed(row.kind())) {
            self.push(row.name_bytes(), row.kind(), &mut text);
            first = false;
        }
        if !text.is_empty() {
            work.begun = true;
            work.lent.output.write(&text)?;
        }
        let header = self.paths.len() > 1;
        for row in listing.rows().filter(|row| is_listed(row.kind())) {
            first &= self.directory(row.name_bytes(), header, first, work)?;
        }
        Ok(())
    }

    /// Whether it is still nothing that has been listed.
    fn directory(
        &self,
        path: &[u8],
        header: bool,
        first: bool,
        work: &mut Work<'_, '_>,
    ) -> Result<bool, Broken> {
        let listing = match self.list(path, work).read() {
            Ok(listing) => listing,
            Err(error) => {
                let name = work.quoted(path);
                work.fail(&[b"cannot open directory ", &name], error.errno())?;
                work.status = 2;
                return Ok(first);
            }
        };
        if listing.failures().next().is_some() || listing.broken_off().is_some() {
            work.odd()?;
        }
        let mut text = Vec::new();
        if header {
            let gap: &[u8] = if first { b"" } else { b"\n" };
            text = [gap, path, b":\n"].concat();
        }
        self.rows(&listing, &mut text);
        work.begun = true;
        work.lent.output.write(&text)?;
        if let Some(error) = listing.broken_off() {
            let name = work.quoted(path);
            work.fail(&[b"reading directory ", &name], error.errno())?;
            work.status = 2;
        }
        Ok(false)
    }

    fn rows(&self, listing: &Listing, text: &mut Vec<u8>) {
        for row in listing.rows() {
            self.push(row.name_bytes(), row.kind(), text);
        }
    }

    fn push(&self, name: &[u8], kind: Kind, text: &mut Vec<u8>) {
        text.extend_from_slice(name);
        if self.slashes && kind == Kind::Directory {
            text.push(b'/');
        }
        text.push(b'\n');
    }
}

/// Whether the locale sorts by bytes.
fn sorts_bytes(lent: &Lent<'_>) -> bool {
    let set = |name: &[u8]| (lent.environment)(name).filter(|value| !value.is_empty());
    let names = [&b"LC_ALL"[..], b"LC_COLLATE", b"LANG"];
    let locale = names.into_iter().find_map(set).unwrap_or_default();
    matches!(&*locale, b"" | b"C" | b"POSIX" | b"C.UTF-8" | b"C.utf8")
}

#[cfg(test)]
mod tests {
    use crate::tools::files::scene::{Twins, all_same};

    #[test]
    fn names_are_listed() {
        in_one_tree(&[
            "",
            "-1",
            "-a",
            "-A",
            "-d",
            "-dp",
            "-p",
            "-r",
            "-t",
            "-S",
            "-U",
            "-tr",
            "-Sr",
            "-rt full e",
            ".",
            "full",
            "full/",
            "f",
            "f g",
            "g f full d",
            "-r g f full d",
            "ld",
            "-d ld",
            "lf",
            "dang",
            "-d full ld f",
            "-p full ld f",
            "-dp full ld f",
            "-a full",
            "-A full d",
            "-t f g lf full",
            "-S f g it's",
            "-U g f full d it's",
            "d d d",
            "it's n\nl gr\u{fc}n",
            "-1a full/..",
            "-- -dash",
            "--all -r",
            "loop",
            "-d .",
            "-dr . ..",
            "-u full",
            "-c -r d",
            "-ap",
            "p",
            "-tU",
            "-Ut",
            "-aA full",
        ]);
    }

    /// Two trees have different times.
    fn in_one_tree(lines: &[&str]) {
        let twins = Twins::new();
        let judge = twins.judge().within(&twins.ours());
        for line in lines {
            let arguments: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
            assert!(judge.same("ls", &arguments, b""), "ls {line}");
        }
    }

    #[test]
    fn what_is_not_there_is_told() {
        all_same(
            "ls",
            &[
                "none",
                "none f",
                "f none full",
                "none full",
                "f/ d",
                "none/x f/x",
                "ro",
                "ns",
                "ns/f",
                "ns d",
                "-t ns ?",
                "ro ns d none",
                "''",
                "'' d",
                "it's/x",
                "loop/",
                "dang/",
                "-d none",
                "n\nl/",
            ],
        );
    }

    #[test]
    fn what_is_not_ours_is_left() {
        for line in ["-l", "-C", "-F", "-R", "--color=always", "-i", "-s", "-x", "-m", "-Q", "-h"] {
            all_same("ls", &[&format!("{line} ?")]);
        }
    }
}
