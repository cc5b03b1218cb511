//! From the words of a call to a [`Call`], with the descriptors and the directory of its process.

use fewer::path::has_parent;

use super::interner::Interner;
use super::number::register;
use super::paths::join;
use super::result::Outcome;
use super::tasks::{Open, Task};
use super::text::{Word, annotation, bare, members, quoted};
use crate::content_hash;
use crate::{Call, Class, Name, PathId, Shape, Text};

/// What the translation of a call needs to know and to change.
pub(super) struct CallTranslator<'a> {
    pub(super) interner: &'a mut Interner,
    pub(super) task: &'a mut Task,
    /// How many pipes and sockets got a number of ours, since the log says none.
    pub(super) unnamed: &'a mut u64,
}

const O_CLOEXEC: u64 = 0o2_000_000;

impl CallTranslator<'_> {
    /// Fills in what the words say. `call` has its name, its times and whose it is.
    pub(super) fn translate(&mut self, words: &[Word<'_>], outcome: &Outcome, call: &mut Call) {
        call.result = outcome.result;
        call.spent = outcome.spent;
        for (argument, word) in call.arguments.iter_mut().zip(words) {
            *argument = register(word);
        }
        if call.name == Name::Clone {
            // strace has names for them, in another order.
            let flags = words.iter().find_map(|word| word.strip_prefix(b"flags="));
            call.arguments = [flags.map_or(0, register), 0, 0, 0, 0, 0];
        }
        self.files(words, call);
        call.moved = moved(call);
        call.answer = answer(words, call, self.is_changing(words));
        if call.succeeded() {
            self.descriptors(words, outcome, call);
            self.others(words, call);
        }
    }

    /// The path arguments of the call, and the files that they mean.
    fn files(&mut self, words: &[Word<'_>], call: &mut Call) {
        let word = |at: usize| words.get(at).copied().unwrap_or_default();
        match call.name.shape() {
            Shape::Path(at) => (call.path, call.file) = self.path(None, word(at)),
            Shape::At(from, at) => (call.path, call.file) = self.path(Some(word(from)), word(at)),
            Shape::Paths(at, other) => {
                (call.path, call.file) = self.path(None, word(at));
                call.second = self.path(None, word(other)).1;
            }
            Shape::Ats(from, at, other_from, other) => {
                (call.path, call.file) = self.path(Some(word(from)), word(at));
                call.second = self.path(Some(word(other_from)), word(other)).1;
            }
            Shape::Descriptor(at) => call.file = self.file(word(at)),
            Shape::Descriptors(at, other) => {
                call.file = self.file(word(at));
                call.second = self.file(word(other));
            }
            Shape::Nothing | Shape::Unwatched => {}
        }
    }

    /// What a path argument says, and the file that it means: relative to `from`, or to the working
    /// directory. An empty one, or none, means what `from` is.
    fn path(&mut self, from: Option<Word<'_>>, word: Word<'_>) -> (PathId, PathId) {
        let directory = match from {
            Some(from) if bare(from) != b"AT_FDCWD" => self.descriptor(from),
            Some(from) => {
                if let Some(directory) = annotation(from) {
                    self.task.directory = Some(directory.into());
                }
                self.task.directory.as_deref().map(<[u8]>::to_vec)
            }
            None => self.task.directory.as_deref().map(<[u8]>::to_vec),
        };
        match quoted(word) {
            Some((path, true)) if !path.is_empty() => {
                let file = join(directory.as_deref(), &path);
                (self.interner.path(&path), self.interner.path(&file))
            }
            Some((_, false)) => (PathId::NONE, PathId::NONE),
            _ => (PathId::NONE, self.interner.path(&directory.unwrap_or_default())),
        }
    }

    fn file(&mut self, word: Word<'_>) -> PathId {
        let path = self.descriptor(word).unwrap_or_default();
        self.interner.path(&path)
    }

    /// What a descriptor stands for: as the program named it, if the log does not say that it is
    /// something else by now.
    fn descriptor(&self, word: Word<'_>) -> Option<Vec<u8>> {
        let written = annotation(word);
        let open = self.task.descriptors.get(&descriptor_number(word)?);
        match (open, &written) {
            (Some(open), Some(written)) if open.annotation.as_deref() != Some(&written[..]) => {}
            (Some(open), _) => return Some(open.path.to_vec()),
            (None, _) => {}
        }
        written
    }

    /// Whether what the descriptor stands for has another content at each look, though it may
    /// begin with the same words.
    fn is_changing(&self, words: &[Word<'_>]) -> bool {
        let path = words.first().and_then(|word| self.descriptor(word)).unwrap_or_default();
        [&b"/proc/"[..], b"/sys/", b"/dev/"].iter().any(|place| path.starts_with(place))
    }

    /// Keeps the table of descriptors, and says what a new one stands for.
    fn descriptors(&mut self, words: &[Word<'_>], outcome: &Outcome, call: &mut Call) {
        let word = |at: usize| words.get(at).copied().unwrap_or_default();
        let closes = |at: usize| call.arguments[at] & O_CLOEXEC != 0;
        let made = i32::try_from(call.result).unwrap_or(-1);
        match call.name {
            Name::Open => self.opened(made, outcome, call, closes(1)),
            Name::Openat => self.opened(made, outcome, call, closes(2)),
            Name::Openat2 => {
                let how = members(word(2));
                let flags = how.iter().find_map(|member| member.strip_prefix(b"flags="));
                let closes = flags.map_or(0, register) & O_CLOEXEC != 0;
                self.opened(made, outcome, call, closes);
            }
            Name::Creat => self.opened(made, outcome, call, false),
            Name::Dup | Name::Dup2 => self.duplicated(word(0), made, outcome, false),
            Name::Dup3 => self.duplicated(word(0), made, outcome, closes(2)),
            Name::Fcntl => self.controlled(word(0), made, outcome, call),
            Name::Close => drop(self.task.descriptors.remove(&call.int(0))),
            Name::CloseRange => {
                let (first, last) = (call.arguments[0] as u32, call.arguments[1] as u32);
                let is_in = |number: &i32| (first..=last).contains(&number.cast_unsigned());
                self.task.descriptors.retain(|number, _| !is_in(number));
            }
            Name::Pipe | Name::Pipe2 => self.pair(word(0), "pipe", closes(1)),
            Name::Socketpair => self.pair(word(3), "socket", closes(1)),
            Name::Socket => call.file = self.unnamed(made, outcome, "socket", closes(1)),
            Name::Accept => call.file = self.unnamed(made, outcome, "socket", false),
            Name::Accept4 => call.file = self.unnamed(made, outcome, "socket", closes(3)),
            name if name.class() == Class::Anonymous => {
                call.file = self.unnamed(made, outcome, "anon_inode", false);
            }
            _ => {}
        }
    }

    fn put(&mut self, number: i32, path: &[u8], annotation: Option<&[u8]>, closes: bool) {
        // The kernel gives none below zero; a log may say anything.
        if number >= 0 {
            let (path, annotation) = (path.into(), annotation.map(Into::into));
            self.task.descriptors.insert(number, Open { path, annotation, closes });
        }
    }

    fn opened(&mut self, number: i32, outcome: &Outcome, call: &mut Call, closes: bool) {
        let annotation = outcome.annotation.as_deref();
        let path = self.interner.bytes(call.file).map(<[u8]>::to_vec);
        // Where a `..` led cannot be known from the name.
        let goes_up = self.interner.bytes(call.path).is_some_and(has_parent);
        let path = if goes_up { annotation.or(path.as_deref()) } else { path.as_deref() };
        if let Some(path) = path.or(annotation) {
            call.file = self.interner.path(path);
            self.put(number, path, annotation, closes);
        }
    }

    fn duplicated(&mut self, old: Word<'_>, new: i32, outcome: &Outcome, closes: bool) {
        match self.descriptor(old) {
            Some(path) => {
                let annotation = outcome.annotation.clone().or_else(|| annotation(old));
                self.put(new, &path, annotation.as_deref(), closes);
            }
            None => drop(self.task.descriptors.remove(&new)),
        }
    }

    fn controlled(&mut self, word: Word<'_>, made: i32, outcome: &Outcome, call: &Call) {
        const DUPLICATE: u64 = 0;
        const SET_FLAGS: u64 = 2;
        const DUPLICATE_CLOEXEC: u64 = 1030;
        match call.arguments[1] {
            DUPLICATE => self.duplicated(word, made, outcome, false),
            DUPLICATE_CLOEXEC => self.duplicated(word, made, outcome, true),
            SET_FLAGS => {
                if let Some(open) = self.task.descriptors.get_mut(&call.int(0)) {
                    open.closes = call.arguments[2] & 1 != 0;
                }
            }
            _ => {}
        }
    }

    /// `[3<pipe:[7]>, 4<pipe:[7]>]`.
    fn pair(&mut self, word: Word<'_>, kind: &str, closes: bool) {
        *self.unnamed += 1;
        let unnamed = format!("{kind}:[{}]", self.unnamed).into_bytes();
        for end in members(word) {
            let written = annotation(end);
            let path = written.as_deref().unwrap_or(&unnamed);
            if let Some(number) = descriptor_number(end) {
                self.put(number, path, written.as_deref(), closes);
            }
        }
    }

    fn unnamed(&mut self, number: i32, outcome: &Outcome, kind: &str, closes: bool) -> PathId {
        let path = outcome.annotation.clone().unwrap_or_else(|| {
            *self.unnamed += 1;
            format!("{kind}:[{}]", self.unnamed).into_bytes()
        });
        self.put(number, &path, outcome.annotation.as_deref(), closes);
        self.interner.path(&path)
    }

    /// What else a call says or changes: the working directory, the text of a link, the program.
    fn others(&mut self, words: &[Word<'_>], call: &mut Call) {
        let word = |at: usize| words.get(at).copied().unwrap_or_default();
        let text = |at: usize| quoted(word(at)).and_then(|(text, whole)| whole.then_some(text));
        match call.name {
            Name::Chdir | Name::Fchdir => {
                let directory = self.interner.bytes(call.file);
                self.task.directory = directory.map(Into::into);
            }
            Name::Getcwd => {
                if let Some(directory) = text(0) {
                    call.second = self.interner.path(&directory);
                    self.task.directory = Some(directory.into());
                }
            }
            Name::Readlink => call.second = self.interner.path(&text(1).unwrap_or_default()),
            Name::Readlinkat => call.second = self.interner.path(&text(2).unwrap_or_default()),
            Name::Execve => self.run(call.file, word(1)),
            Name::Execveat => self.run(call.file, word(2)),
            _ => {}
        }
    }

    /// The process became another program.
    fn run(&mut self, program: PathId, arguments: Word<'_>) {
        let texts = members(arguments).into_iter().filter_map(quoted);
        self.task.arguments = texts.map(|(text, _)| Text::from(&text[..])).collect();
        self.task.program = program;
        self.task.descriptors.retain(|_, open| !open.closes);
    }
}

fn descriptor_number(word: Word<'_>) -> Option<i32> {
    std::str::from_utf8(bare(word)).ok()?.parse().ok()
}

/// Bytes read or written.
fn moved(call: &Call) -> u64 {
    if call.name.class().moves_bytes() { u64::try_from(call.result).unwrap_or(0) } else { 0 }
}

/// A hash of what the kernel answered, as far as the log shows it; 0 if it shows nothing.
fn answer(words: &[Word<'_>], call: &Call, is_changing: bool) -> u64 {
    if !call.succeeded() {
        return 0;
    }
    if call.name.class() == Class::Access {
        // That it may be done is all it says.
        return hash([&b"yes"[..]]);
    }
    let Some(place) = call.name.answer() else { return 0 };
    let word = words.get(place).copied().unwrap_or_default();
    let size = call.result.to_le_bytes();
    match word.first() {
        Some(b'{' | b'[') => {
            let is_access_time = |member: &&[u8]| {
                member.starts_with(b"st_atime") || member.starts_with(b"stx_atime")
            };
            hash(members(word).into_iter().filter(|member| !is_access_time(member)))
        }
        // A text that was cut says little where the beginning is always the same.
        Some(b'"') if is_changing && word.ends_with(b"...") => 0,
        Some(b'"') => hash([word, &size[..]]),
        _ => 0,
    }
}

fn hash<'t>(parts: impl IntoIterator<Item = &'t [u8]>) -> u64 {
    content_hash::of(&parts.into_iter().collect::<Vec<_>>().join(&0xff)).max(1)
}
