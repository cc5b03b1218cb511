//! Names of files that match a pattern.

use std::ffi::CString;
use std::os::fd::AsFd;

use fewer::Scope;
use sys::{Buffer, Fields, FileSystem, Kind};

use super::{Options, Pattern};

/// How names of files are matched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileOptions {
    /// A dot at the beginning of a name is matched by anything (bash's `dotglob`).
    pub dotglob: bool,
    /// `**` goes through directories (bash's and ksh's `globstar`).
    pub globstar: bool,
    /// Upper and lower case are the same (bash's `nocaseglob`).
    pub nocaseglob: bool,
    /// `@(…)` and the like are groups (bash's `extglob`; ksh always).
    pub extended: bool,
    /// Characters are UTF-8.
    pub utf8: bool,
    /// `.` and `..` are matched by `.*` (dash; bash only without `globskipdots`).
    pub dots: bool,
    /// Classes are dash's.
    pub plain_classes: bool,
}

/// A part of a pattern between slashes.
enum Part {
    /// This name.
    Name(Vec<u8>),
    /// Names that match.
    Pattern(Pattern, Dot),
    /// `**`, behind a pattern or not.
    Through { is_behind: bool },
}

/// Whether names that begin with a dot are matched.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dot {
    Hidden,
    /// By anything.
    Seen,
    /// The pattern begins with one.
    Written,
    /// By a dot in the group that the pattern begins with.
    InGroup,
}

impl FileOptions {
    fn dot(&self) -> Dot {
        if self.dotglob { Dot::Seen } else { Dot::Hidden }
    }
}

/// What kinds of offsets mark the end of a directory: a block whose last entry has such a one needs
/// no further call to learn that it was the last. No file system gives them to an entry that
/// another one follows.
const ENDS: FileSystem = FileSystem::BTRFS;

/// More than most directories fill.
const BLOCK_BYTES: usize = 32 << 10;

/// Whether pattern text can match anything but itself; free.
#[must_use]
pub fn is_pattern(text: &[u8], extended: bool) -> bool {
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 1,
            b'*' | b'?' => return true,
            b'[' if text[at + 1..].contains(&b']') => return true,
            b'+' | b'@' | b'!' if extended && text.get(at + 1) == Some(&b'(') => return true,
            _ => {}
        }
        at += 1;
    }
    false
}

/// The files that pattern text matches, in the order of their bytes; none if it is no pattern, or
/// nothing matches. What cannot be read matches nothing.
///
/// Price: three calls for each directory that is read (`openat`, `getdents64`, `close`; one more
/// `getdents64` per 32 KiB of entries, or where the file system does not mark a directory's end);
/// one `statx` for each name without a pattern behind one that has, and for `x/` where the
/// directory does not tell that a match is a directory. None if it is no pattern.
#[must_use]
pub fn expand(scope: &Scope, pattern: &[u8], options: &FileOptions) -> Vec<Vec<u8>> {
    if !is_pattern(pattern, options.extended) {
        return Vec::new();
    }
    let parts = split(pattern, options);
    let mut search = Search { scope, options, buffer: Buffer::new(BLOCK_BYTES), found: Vec::new() };
    search.go(&mut Vec::new(), &parts);
    search.found.sort_unstable();
    search.found
}

/// The parts between slashes; slashes themselves are kept as part of names without a pattern.
fn split(text: &[u8], options: &FileOptions) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut name = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let end = end_of_part(text, start);
        let part = &text[start..end];
        if is_pattern(part, options.extended) {
            if !name.is_empty() {
                parts.push(Part::Name(std::mem::take(&mut name)));
            }
            let is_behind = parts.iter().any(|part| !matches!(part, Part::Name(_)));
            let part = pattern_part(part, is_behind, options);
            match (&part, &parts[..]) {
                // `**/**` says what `**` says.
                (Part::Through { .. }, [.., Part::Through { .. }, Part::Name(name)])
                    if name == b"/" =>
                {
                    parts.pop();
                }
                _ => parts.push(part),
            }
        } else {
            unescape(part, &mut name);
        }
        start = end;
        while text.get(start) == Some(&b'/') || text[start..].starts_with(b"\\/") {
            start += if text[start] == b'/' { 1 } else { 2 };
            // As they are written at the beginning, one for many behind a pattern.
            if parts.is_empty() || !name.ends_with(b"/") {
                name.push(b'/');
            }
        }
    }
    if !name.is_empty() {
        parts.push(Part::Name(name));
    }
    parts
}

fn end_of_part(text: &[u8], start: usize) -> usize {
    let mut at = start;
    while at < text.len() && text[at] != b'/' {
        if text[at] == b'\\' {
            if text.get(at + 1) == Some(&b'/') {
                break;
            }
            at += 1;
        }
        at += 1;
    }
    at.min(text.len())
}

fn pattern_part(text: &[u8], is_behind: bool, options: &FileOptions) -> Part {
    if options.globstar && text == b"**" {
        return Part::Through { is_behind };
    }
    let is_written = text.starts_with(b".") || text.starts_with(b"\\.");
    let (extended, utf8) = (options.extended, options.utf8);
    let fold_case = options.nocaseglob;
    let plain_classes = options.plain_classes;
    let pattern = Pattern::new(text, Options { extended, utf8, fold_case, plain_classes });
    let dot = match options.dot() {
        _ if is_written => Dot::Written,
        Dot::Hidden if pattern.begins_with_group() => Dot::InGroup,
        dot => dot,
    };
    Part::Pattern(pattern, dot)
}

/// The text without the backslashes that escape.
fn unescape(text: &[u8], out: &mut Vec<u8>) {
    let mut at = 0;
    while at < text.len() {
        if text[at] == b'\\' && at + 1 < text.len() {
            at += 1;
        }
        out.push(text[at]);
        at += 1;
    }
}

struct Search<'a> {
    scope: &'a Scope,
    options: &'a FileOptions,
    buffer: Buffer,
    found: Vec<Vec<u8>>,
}

impl Search<'_> {
    /// Goes on from a path, which ends with a slash unless it is empty.
    fn go(&mut self, path: &mut Vec<u8>, parts: &[Part]) {
        let length = path.len();
        match parts {
            [] => {}
            [Part::Name(name)] => {
                path.extend_from_slice(name);
                if self.exists(path) {
                    self.found.push(path.clone());
                }
            }
            [Part::Name(name), rest @ ..] => {
                path.extend_from_slice(name);
                self.go(path, rest);
            }
            [Part::Pattern(pattern, dot), rest @ ..] => {
                for (name, kind) in self.read(path, pattern, *dot) {
                    path.truncate(length);
                    path.extend_from_slice(&name);
                    self.match_at(path, kind, rest);
                }
            }
            [Part::Through { is_behind }, rest @ ..] => {
                // The directory itself: with its slash, unless a pattern has found it.
                if rest.is_empty() && !path.is_empty() && self.is_directory(path) {
                    self.found.push(path[..length - usize::from(*is_behind)].to_vec());
                }
                let has_links = length > 0 || matches!(rest, [Part::Name(name)] if name == b"/");
                self.through(path, rest, has_links);
            }
        }
        path.truncate(length);
    }

    /// A name matched; what stands behind it?
    fn match_at(&mut self, path: &mut Vec<u8>, kind: Kind, rest: &[Part]) {
        match rest {
            [] => self.found.push(path.clone()),
            [Part::Name(slashes)] if slashes.iter().all(|&byte| byte == b'/') => {
                let is_directory =
                    kind == Kind::Directory || may_lead(kind) && self.is_directory(path);
                if is_directory {
                    path.extend_from_slice(slashes);
                    self.found.push(path.clone());
                }
            }
            _ if kind == Kind::Directory || may_lead(kind) => self.go(path, rest),
            _ => {}
        }
    }

    /// `**`: this directory and all below, links not followed: with `has_links` what stands behind
    /// is looked for in what they lead to, but not below. It begins with a slash, if there is
    /// something.
    fn through(&mut self, path: &mut Vec<u8>, rest: &[Part], has_links: bool) {
        let length = path.len();
        let Some(entries) = self.entries(path, self.options.dot(), |_| true) else { return };
        self.here(path, rest);
        for (name, kind) in entries {
            path.truncate(length);
            path.extend_from_slice(&name);
            let is_directory = match kind {
                Kind::Unknown => self.kind(path, false) == Some(Kind::Directory),
                kind => kind == Kind::Directory,
            };
            if rest.is_empty() {
                self.found.push(path.clone());
            }
            path.push(b'/');
            if is_directory {
                self.through(path, rest, has_links);
            } else if has_links && may_lead(kind) && !rest.is_empty() && self.is_directory(path) {
                self.here(path, rest);
            }
        }
        path.truncate(length);
    }

    /// What is behind `**` in this directory itself.
    fn here(&mut self, path: &mut Vec<u8>, rest: &[Part]) {
        let length = path.len();
        match rest {
            [] => {}
            [Part::Name(name), after @ ..] => {
                path.extend_from_slice(name.strip_prefix(b"/").unwrap_or(name));
                match after {
                    _ if path.is_empty() => self.go(path, after),
                    [] if path.len() == length || self.exists(path) => {
                        self.found.push(path.clone());
                    }
                    [] => {}
                    _ => self.go(path, after),
                }
            }
            _ => self.go(path, rest),
        }
        path.truncate(length);
    }

    fn read(&mut self, path: &[u8], pattern: &Pattern, dot: Dot) -> Vec<(Vec<u8>, Kind)> {
        let matches = |name: &[u8]| match dot {
            Dot::InGroup if name.starts_with(b".") => pattern.matches_dot(name),
            _ => pattern.matches(name),
        };
        self.entries(path, dot, matches).unwrap_or_default()
    }

    fn entries(
        &mut self,
        path: &[u8],
        dot: Dot,
        keep: impl Fn(&[u8]) -> bool,
    ) -> Option<Vec<(Vec<u8>, Kind)>> {
        let mut names = Vec::new();
        let path = if path.is_empty() { b"." } else { path };
        let path = CString::new(path).ok()?;
        let dir = sys::open_dir(self.scope.as_fd(), &path, true).ok()?;
        while let Ok(mut entries) = sys::read_entries(&dir, &mut self.buffer, ENDS) {
            if self.options.dots {
                entries = entries.with_dots();
            }
            for entry in entries.by_ref() {
                let name = entry.name();
                // `.` and `..` come by a pattern that begins with a dot, and by nothing else.
                let is_seen = match name {
                    b"." | b".." => dot == Dot::Written,
                    _ => dot != Dot::Hidden || !name.starts_with(b"."),
                };
                if is_seen && keep(name) {
                    names.push((name.to_vec(), entry.kind));
                }
            }
            if entries.ended() || entries.is_malformed() {
                break;
            }
        }
        Some(names)
    }

    fn exists(&self, path: &[u8]) -> bool {
        self.kind(path, false).is_some()
    }

    fn is_directory(&self, path: &[u8]) -> bool {
        self.kind(path, true) == Some(Kind::Directory)
    }

    fn kind(&self, path: &[u8], follow: bool) -> Option<Kind> {
        let path = CString::new(path).ok()?;
        let stat = sys::stat(self.scope.as_fd(), &path, follow, Fields::KIND);
        stat.ok().map(|stat| stat.kind())
    }
}

/// Whether it may lead to a directory without being one.
fn may_lead(kind: Kind) -> bool {
    matches!(kind, Kind::Symlink | Kind::Unknown)
}
