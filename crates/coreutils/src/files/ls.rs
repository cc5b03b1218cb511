//! `ls` without details, as it prints to what is no terminal: one unquoted name a line.

use std::os::unix::ffi::OsStrExt;

use fewer::list::{By, Hidden, ListOrder, Listing, Moment, OperandLinks};
use fewer::{Kind, List};

use super::{Work, as_path, is_plain};
use crate::arguments::{Arguments, KnownOptions, Operands};
use crate::{Io, ToolJob, ToolResult};

const OPTIONS: KnownOptions = KnownOptions {
    short: b"1AaSUcdprtu",
    long: &["all=a", "almost-all=A", "directory=d", "reverse=r"],
    anywhere: true,
};

/// Lists names.
pub(crate) struct Ls<'a> {
    paths: Operands<'a>,
    hidden: Hidden,
    order: ListOrder,
    /// `-d`: directories are listed themselves, not what is in them.
    themselves: bool,
    /// A slash stands behind the name of a directory.
    slashes: bool,
}

impl ToolJob for Ls<'_> {
    fn run(&self, io: &mut Io<'_>) -> ToolResult<u8> {
        let mut work = Work::new("ls", io);
        self.list_all(&mut work)?;
        Ok(work.status)
    }
}

impl<'a> Ls<'a> {
    pub(crate) fn parse(arguments: &'a [&'a [u8]], io: &Io<'_>) -> Option<Ls<'a>> {
        let (paths, hidden, order) = (Operands::new(), Hidden::Skip, ListOrder::default());
        let mut job = Ls { paths, hidden, order, themselves: false, slashes: false };
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
        job.paths = options.operands(io)?;
        let strange = job.paths.iter().any(|path| !is_plain(path));
        let quotes = (io.environment)(b"QUOTING_STYLE").is_some();
        (!strange && !quotes && !io.output_is_terminal && sorts_bytes(io)).then_some(job)
    }

    fn list(&self, path: &[u8], work: &Work) -> List {
        let list = List::new(as_path(path)).within(work.scope()).threads(1);
        let list = list.hidden(self.hidden).order(self.order);
        if self.slashes { list.kinds() } else { list }
    }

    /// Price: for each operand one `statx`, or two for a link; for each directory `openat`,
    /// `getdents64` for each 32 KiB or more and for the end, `close`. For an order by size or time,
    /// one `statx` for each entry.
    fn list_all(&self, work: &mut Work) -> ToolResult {
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
            work.complain(&[
                b"cannot access ",
                &name,
                b": ",
                error.errno().to_string().as_bytes(),
            ])?;
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
            work.io.output.write(&text)?;
        }
        let header = self.paths.len() > 1;
        for row in listing.rows().filter(|row| is_listed(row.kind())) {
            first &= self.directory(row.name_bytes(), header, first, work)?;
        }
        Ok(())
    }

    /// Lists one directory. Returns whether still nothing has been listed.
    fn directory(
        &self,
        path: &[u8],
        header: bool,
        first: bool,
        work: &mut Work,
    ) -> ToolResult<bool> {
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
            work.unsupported()?;
        }
        let mut text = Vec::new();
        if header {
            let gap: &[u8] = if first { b"" } else { b"\n" };
            text = [gap, path, b":\n"].concat();
        }
        self.rows(&listing, &mut text);
        work.begun = true;
        work.io.output.write(&text)?;
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
fn sorts_bytes(io: &Io<'_>) -> bool {
    let locale = fewer::locale::locale(b"LC_COLLATE", io.environment).unwrap_or_default();
    matches!(&*locale, b"" | b"C" | b"POSIX" | b"C.UTF-8" | b"C.utf8")
}

#[cfg(test)]
mod tests;
