//! A question about every entry, although the listing has just given the kind of each.
//!
//! Nobody outside sees what a program does with an answer. So this speaks only where nothing but
//! the kind can have been wanted: every entry was asked about, by its whole path and for all
//! fields; the process wrote no more than names; the files were not used afterwards; and either
//! directories among them were then listed, or names and nothing else were printed, or links were
//! not followed. Beyond that, functions that are known to want the kind alone, and places in source
//! texts that say so.

use std::path::Path;

use fewer::compact;

use super::prelude::*;
use super::purposes;
use crate::explain::caller;
use crate::own_frame::own_frame;
use crate::stream::PathTable;

pub(super) const ID: &str = "stat-per-entry";

/// Entries that are remembered, over all processes.
const MOST_ENTRIES: usize = 1 << 21;
/// Programs that are counted one by one.
const MOST_PROGRAMS: usize = 1024;

/// Functions that ask for metadata to learn the kind of a file.
const WANT_KIND: &[&str] = &[
    "isdir", "is_dir", "isfile", "is_file", "is_regular_file", "islink", "is_symlink", ASKS_ITSELF,
    "InternalModuleStat", "directory?", "file-kind", "Perl_pp_ftdir", "Perl_pp_ftfile",
    "Perl_pp_ftlink",
];
/// Functions that ask for it because it was asked for.
const WANT_ALL: &[&str] = &[
    "getsize", "getmtime", "getctime", "getatime", "DirEntry_stat", "lastModified",
    "getLastModifiedTime", "file_size", "last_write_time", "walkFileTree", "getSize", "getMTime",
    "filesize", "filemtime", "getLength", "Perl_pp_stat",
];
/// Java's walk that hands what it asked to the program; `Files.walk` throws it away.
const HANDS_ON: &str = "java.nio.file.Files.find";
/// The walk of Java that asks by itself: no other of its walks leaves that out.
const ASKS_ITSELF: &str = "FileTreeIterator";

/// Questions about entries.
#[derive(Default)]
pub(crate) struct StatPerEntry {
    walks: FxHashMap<u32, Walk>,
    entries: usize,
    programs: FxHashMap<PathId, Program>,
}

/// What a process asks about entries.
#[derive(Default)]
struct Walk {
    directories: FxHashMap<PathId, Directory>,
    /// Entries that were asked about, and from where.
    entries: PathTable<Option<StackId>>,
    entry_count: usize,
    /// Directories among the entries that were then listed, and how many of them were asked about
    /// from where.
    entered: u64,
    told_by: FxHashMap<StackId, u64>,
    /// Entries that were opened, removed, changed.
    used: FxHashSet<PathId>,
    has_moved: bool,
    reports_metadata: bool,
}

#[derive(Default)]
struct Directory {
    /// Bytes of its listing.
    bytes: u64,
    /// Bytes of the listing that entries asked about take.
    covered: u64,
    looks: u64,
    /// Looks at entries that were looked at before: more than the kind is wanted, unless each of
    /// these is made by a function that wants the kind alone.
    again: u64,
    again_from: FxHashSet<StackId>,
    /// Those of them that asked something new.
    again_for_more: Tally,
    /// Looks relative to a directory that is held.
    relative: u64,
    /// Looks for fields that no listing has.
    needed: u64,
    followed: u64,
    /// Bytes of the names, each with an end, and of the path arguments.
    names: u64,
    paths: u64,
    /// Entries used afterwards, and listed afterwards.
    used: u64,
    listed: u64,
    callers: Vec<(StackId, u64)>,
    example: Option<Box<Call>>,
}

/// What programs asked, by how sure it is.
#[derive(Default)]
struct Program {
    /// Only the kind can have been wanted.
    sure: Tally,
    /// Without following links; more may have been wanted.
    unsure: Tally,
    /// Following links; more may have been wanted.
    followed: Tally,
    /// Entries looked at more than once, and from where the later looks came.
    repeated: Tally,
    again_from: FxHashSet<StackId>,
    again_for_more: Tally,
    directories: u64,
    largest: (PathId, u64),
    /// Entries that were asked about and then opened, removed, changed.
    used: u64,
    /// As in `Walk`.
    entered: u64,
    told_by: FxHashMap<StackId, u64>,
}

impl Rule for StatPerEntry {
    fn process_started(&mut self, process: &Process, _: Option<&ProcessState>) {
        let words = process.arguments.iter().map(|word| &*word.0);
        if purposes::reports_metadata(words) {
            self.walks.entry(process.id).or_default().reports_metadata = true;
        }
    }

    fn path_asked(&mut self, call: &Call, asked: PathQuestion, context: Context) {
        if asked.novelty == Novelty::Again
            && let Some(walk) = self.walks.get_mut(&call.process)
            && let Some(directory) = walk.directories.get_mut(&asked.entry_of)
        {
            directory.again += 1;
            directory.again_from.insert(call.stack);
        }
        let is_ours = asked.entry_of.is_some()
            && asked.novelty == Novelty::New
            && !asked.ends_path
            && matches!(asked.question, Question::Stat | Question::Lstat)
            && call.succeeded()
            && self.entries < MOST_ENTRIES;
        if !is_ours {
            return;
        }
        let walk = self.walks.entry(call.process).or_default();
        let is_first = walk.entries.of(call.file).replace(call.stack).is_none();
        walk.entry_count += usize::from(is_first);
        self.entries += usize::from(is_first);
        let has_moved = walk.has_moved;
        let directory = walk.directories.entry(asked.entry_of).or_default();
        directory.look(call, asked, is_first, has_moved, context.registry);
    }

    fn sees(&self, _: Class) -> bool {
        true
    }

    fn call(&mut self, call: &Call, context: Context) {
        if self.walks.is_empty() && call.name != Name::Getdents64 {
            return;
        }
        match call.name.class() {
            Class::ReadDirectory if call.name == Name::Getdents64 && call.result > 0 => {
                self.listed(call, context);
            }
            Class::Stat | Class::Access | Class::Readlink | Class::GetXattr | Class::ListXattr => {}
            _ if call.path.is_some() && !is_missing(call) => {
                if let Shape::Path(_) | Shape::Paths(..) | Shape::At(..) | Shape::Ats(..) =
                    call.name.shape()
                {
                    self.used(call, context);
                }
            }
            _ => {}
        }
    }

    fn directory_changed(&mut self, call: &Call, _: &DirectoryMove, _: Context) {
        self.walks.entry(call.process).or_default().has_moved = true;
    }

    fn process_gone(&mut self, context: Context, _: bool) {
        let Some(walk) = self.walks.remove(&context.process.id) else { return };
        self.entries = self.entries.saturating_sub(walk.entry_count);
        let known = self.programs.len() < MOST_PROGRAMS;
        if walk.reports_metadata || !known && !self.programs.contains_key(&context.process.program)
        {
            return;
        }
        let all: Vec<_> = walk.directories.iter().filter(|(_, dir)| dir.is_asked_all()).collect();
        let once: Vec<_> = all.iter().filter(|(_, it)| !it.is_repeated()).copied().collect();
        let certain = only_the_kind(&once, context.process.written);
        let program = self.programs.entry(context.process.program).or_default();
        program.entered += walk.entered;
        for (stack, count) in &walk.told_by {
            *program.told_by.entry(*stack).or_default() += count;
        }
        for (id, directory) in all {
            let tally = match (certain, directory.followed) {
                _ if directory.is_repeated() => {
                    program.again_from.extend(&directory.again_from);
                    program.again_for_more.absorb(&directory.again_for_more);
                    &mut program.repeated
                }
                (true, _) => &mut program.sure,
                (false, 0) => &mut program.unsure,
                (false, _) => &mut program.followed,
            };
            directory.count_into(tally);
            program.directories += 1;
            program.used += directory.used;
            if directory.looks > program.largest.1 {
                program.largest = (*id, directory.looks);
            }
        }
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let mut programs: Vec<_> = std::mem::take(&mut self.programs).into_iter().collect();
        compact::sort_by_key(&mut programs, |(program, _)| registry.path(*program));
        let of_program = |(id, program): &(PathId, Program)| {
            [finding(*id, program, registry), behind_walk(*id, program, registry)]
        };
        programs.iter().flat_map(of_program).flatten().collect()
    }
}

impl StatPerEntry {
    fn listed(&mut self, call: &Call, context: Context) {
        let walk = self.walks.entry(call.process).or_default();
        let bytes = u32::try_from(call.result).map_or(0, u64::from);
        let directory = walk.directories.entry(call.file).or_default();
        let is_new = directory.bytes == 0;
        directory.bytes += bytes;
        if is_new && walk.directories.contains_key(&context.parent(call.file)) {
            walk.entered += 1;
            if let Some(Some(stack)) = walk.entries.get(call.file) {
                *walk.told_by.entry(*stack).or_default() += 1;
            }
        }
        if walk.used.remove(&call.file)
            && let Some(above) = walk.directories.get_mut(&context.parent(call.file))
        {
            above.used = above.used.saturating_sub(1);
            above.listed += 1;
        }
    }

    fn used(&mut self, call: &Call, context: Context) {
        let Some(walk) = self.walks.get_mut(&call.process) else { return };
        if walk.entries.get(call.file).is_some_and(Option::is_some)
            && walk.used.insert(call.file)
            && let Some(directory) = walk.directories.get_mut(&context.parent(call.file))
        {
            directory.used += 1;
        }
    }
}

impl Directory {
    fn look(
        &mut self,
        call: &Call,
        asked: PathQuestion,
        is_first: bool,
        has_moved: bool,
        registry: &Registry,
    ) {
        const MOST_CALLERS: usize = 4;
        const FDCWD: i32 = -100;
        let argument = registry.path(call.path);
        let entry = base_name(registry.path(call.file)).len() as u64;
        self.looks += 1;
        if !is_first {
            self.again += 1;
            self.again_from.insert(call.stack);
            self.again_for_more.add(call);
        }
        if is_first {
            // A record: 19 bytes, the name, its end, filled up to a multiple of 8.
            self.covered += (19 + entry + 1).next_multiple_of(8);
            self.names += entry + 1;
            self.paths += argument.len() as u64 + 1;
        }
        let held = matches!(call.name.shape(), Shape::At(at, _) if call.int(at) != FDCWD);
        let by_name = !argument.contains(&b'/') && (held || has_moved);
        self.relative += u64::from(by_name);
        self.needed += u64::from(wants_more(fields(call)));
        self.followed += u64::from(asked.question == Question::Stat);
        let known = self.callers.iter().position(|(stack, _)| *stack == call.stack);
        match known {
            Some(place) => self.callers[place].1 += 1,
            None if self.callers.len() < MOST_CALLERS => self.callers.push((call.stack, 1)),
            None => self.callers[0].1 += 1,
        }
        if self.example.is_none() {
            self.example = Some(Box::new(call.clone()));
        }
    }

    /// Whether (nearly) every entry was asked about, and for all fields.
    fn is_asked_all(&self) -> bool {
        // "." and ".." are never asked about.
        let entries = self.bytes.saturating_sub(48);
        entries > 0
            && self.covered * 10 >= entries * 9
            && self.relative * 2 <= self.looks
            && self.needed * 2 <= self.looks
    }

    /// Whether entries were looked at more than once.
    fn is_repeated(&self) -> bool {
        self.again * 3 > self.looks
    }

    fn count_into(&self, tally: &mut Tally) {
        let Some(example) = &self.example else { return };
        tally.show(example);
        for (stack, count) in &self.callers {
            tally.blame(*stack, *count);
        }
        tally.spare(crate::explain::Act::of(example), self.looks);
    }
}

/// Whether a `statx` asks for some fields only, and one of them is in no listing: then the program
/// needs it.
fn wants_more(fields: u32) -> bool {
    const STATX_TYPE: u32 = 1;
    const STATX_INO: u32 = 0x100;
    const STATX_BASIC_STATS: u32 = 0x7ff;
    fields & STATX_BASIC_STATS != STATX_BASIC_STATS && fields & !(STATX_TYPE | STATX_INO) != 0
}

/// Whether nothing but the kind can have been wanted by a process that wrote so many bytes.
fn only_the_kind(directories: &[(&PathId, &Directory)], written: u64) -> bool {
    let sum = |part: fn(&Directory) -> u64| directories.iter().map(|(_, d)| part(d)).sum::<u64>();
    let (looks, names, paths) = (sum(|d| d.looks), sum(|d| d.names), sum(|d| d.paths));
    let around = |bytes: u64| written * 20 >= bytes * 19 && written <= bytes + 2 * looks + 512;
    let printed_names = around(names) || around(paths);
    let printed_more = written > names + 2 * looks + 512 && !around(paths);
    let is_used = sum(|d| d.used) * 10 > looks;
    let walked = sum(|d| d.listed) > 0;
    let without_following = sum(|d| d.followed) == 0;
    !is_used && !printed_more && (walked || printed_names || without_following)
}

/// What a stack says about what was wanted.
fn wanted(stack: StackId, registry: &Registry) -> Option<bool> {
    let functions = || {
        let locations = registry.stack(stack).flat_map(|frame| &frame.locations);
        locations.flat_map(|location| {
            let file = Path::new(&location.file).file_stem().and_then(|stem| stem.to_str());
            [location.function.as_str(), file.unwrap_or_default()]
        })
    };
    let has = |list: &[&str]| functions().any(|text| list.iter().any(|word| text.contains(word)));
    if has(WANT_ALL) || has(&[ASKS_ITSELF]) && registry.has_function(HANDS_ON) {
        return Some(true);
    }
    if has(WANT_KIND) {
        return Some(false);
    }
    // What the program's own text says.
    let frame = own_frame(registry, stack)?.frame;
    frame.only_kind.map(|only_kind| !only_kind)
}

/// Where in the program a look is made: recursion makes many stacks of one place.
fn place(stack: StackId, registry: &Registry) -> Option<(PathId, &str, u64)> {
    let own = own_frame(registry, stack)?;
    Some(match own.location.filter(|location| location.line > 0) {
        Some(location) => (PathId::NONE, location.file.as_str(), u64::from(location.line)),
        None => (own.frame.module, "", own.frame.address),
    })
}

/// Whether the looks from this place can have been made to learn which entries are directories: a
/// program that enters directories and did not ask about them there knew it from elsewhere.
fn may_ask_the_kind(stack: StackId, program: &Program, registry: &Registry) -> bool {
    let here = place(stack, registry);
    // A function that asks for the kind by its name does so for itself.
    let told = |(other, _): (&StackId, &u64)| {
        let is_here = *other == stack || here.is_some() && place(*other, registry) == here;
        is_here && wanted(*other, registry).is_none()
    };
    program.entered == 0 || program.told_by.iter().any(told)
}

/// Whether the usual way to list a directory gives the kind of each entry, so that none of several
/// looks at it is needed.
fn hands_on(language: Language) -> bool {
    matches!(
        language,
        Language::C | Language::Cpp | Language::Rust | Language::Go | Language::Python
    )
}

/// Looks behind those of Java's own walk, which had asked for all there is: `Files.find` and
/// `Files.walkFileTree` hand it on.
fn behind_walk(id: PathId, program: &Program, registry: &Registry) -> Option<Finding> {
    const WALKS: &str = "java.nio.file.FileTreeWalker.";
    let is_walk = |stack: StackId| {
        let mut locations = registry.stack(stack).flat_map(|frame| &frame.locations);
        locations.any(|location| location.function.starts_with(WALKS))
    };
    let again = &program.again_for_more;
    let is_ours = registry.language(id) == Language::Java
        && again.count > 0
        && program.repeated.callers().iter().any(|(stack, _)| is_walk(*stack))
        && !again.callers().iter().any(|(stack, _)| is_walk(*stack));
    is_ours.then(|| {
        let verdict = format!(
            "{} were looked at again, though the walk had just asked about each; {}",
            entries(again.count, program),
            has_the_most(program, registry)
        );
        Draft { id: ID, case: None, program: id, tally: again, verdict }.finding(registry)
    })
}

/// How many entries, of how many directories.
fn entries(count: u64, program: &Program) -> String {
    let directories = match program.directories {
        1 => "a directory".to_owned(),
        more => words::some(more, "directory"),
    };
    format!("{} of {directories}", words::some(count, "entry"))
}

fn has_the_most(program: &Program, registry: &Registry) -> String {
    format!("`{}` has the most", String::from_utf8_lossy(registry.path(program.largest.0)))
}

fn finding(id: PathId, program: &Program, registry: &Registry) -> Option<Finding> {
    // Java's own library gives the kind to nobody who lists a directory.
    let is_handed_on = registry.language(id) != Language::Java;
    let mut tally = Tally::default();
    let mut parts =
        vec![(&program.sure, is_handed_on), (&program.unsure, false), (&program.followed, false)];
    let is_for_kind = |stack: &StackId| wanted(*stack, registry) == Some(false);
    if hands_on(registry.language(id)) && program.again_from.iter().all(is_for_kind) {
        parts.push((&program.repeated, false));
    }
    for (part, is_kind) in parts {
        let mut of_part = Tally::default();
        for (stack, count) in part.callers() {
            let may = || is_kind && may_ask_the_kind(stack, program, registry);
            if !wanted(stack, registry).unwrap_or_else(|| !may()) {
                of_part.blame(stack, count);
            }
        }
        if of_part.count > 0 {
            part.examples().iter().for_each(|call| of_part.show(call));
            let mut left = of_part.count;
            for spared in part.spared() {
                let count = spared.count.min(left);
                left -= count;
                of_part.spare(spared.act, count);
            }
            tally.absorb(&of_part);
        }
    }
    // What is worked on is not gone through for its names.
    let asks_itself = asks_itself(&tally, registry);
    if tally.count == 0 || asks_itself && program.used * 10 > tally.count {
        return None;
    }
    let case = asks_itself.then_some("walk");
    let verdict = format!(
        "{} were looked at one by one, though the listings have their kind; {}",
        entries(tally.count, program),
        has_the_most(program, registry)
    );
    Some(Draft { id: ID, case, program: id, tally: &tally, verdict }.finding(registry))
}

/// Whether most of the looks are those of Java's own walk.
fn asks_itself(tally: &Tally, registry: &Registry) -> bool {
    caller::locations(tally, registry).any(|location| location.function.contains(ASKS_ITSELF))
}
