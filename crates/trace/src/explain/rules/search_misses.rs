//! One name looked for in place after place.

use fewer::compact;

use super::opendir_stat::opens_directories;
use super::prelude::*;
use super::purposes;
use crate::bytes::parent;
use crate::content_hash;

pub(super) const ID: &str = "search-misses";

/// Programs that are counted one by one.
const MOST: usize = 4096;

/// So many places Python looks for modules without being told to. No author can spare a look
/// whether they have changed, which it makes for each import.
const USUAL_PLACES: u64 = 6;

/// Names that were not where they were looked for.
#[derive(Default)]
pub(crate) struct SearchMisses {
    wastes: FxHashMap<PathId, Waste>,
    /// Names that copies of a process looked for: if they find a program, and become it or start
    /// it, that search is a part of starting it.
    copies: FxHashMap<u32, Vec<Vec<Call>>>,
    /// The last search of any other process: if it then starts a program of that name, it searched
    /// for that one, as Ruby does before it makes a child.
    latest: FxHashMap<u32, Vec<Call>>,
}

#[derive(Default)]
struct Waste {
    /// How often something was looked for.
    searches: u64,
    misses: Tally,
    /// The search with the most misses: the first of them, and how many.
    longest: (Call, u64),
    /// The places of misses, by a hash of their paths, with the miss as long as there was but one.
    /// A list of places is gone through again and again; a file that some of many directories hold
    /// is not searched for.
    missed_in: FxHashMap<u64, Option<Box<Call>>>,
    /// Places that were looked at again.
    places: u64,
    looks: Tally,
    /// The place that was looked at the most.
    busiest: (PathId, u64),
}

impl Waste {
    /// A miss in a place. It does not count before the second one there: a place that is looked at
    /// but once may not be one of a list.
    fn miss(&mut self, call: &Call, place: u64, is_search: bool) {
        let has_room = self.missed_in.len() < MOST;
        match self.missed_in.get_mut(&place) {
            Some(once) => {
                if let Some(first) = once.take() {
                    self.misses.add(&first);
                }
            }
            None if has_room && !is_search => {
                self.missed_in.insert(place, Some(Box::new(call.clone())));
                return;
            }
            None if has_room => drop(self.missed_in.insert(place, None)),
            None => {}
        }
        self.misses.add(call);
    }

    /// A loader asks for folders inside of a place, too.
    fn take_in_folders(&mut self, registry: &Registry) {
        let is_inside = |call: &Call| {
            let place = parent(registry.path(call.file)).and_then(parent);
            place.is_some_and(|place| self.missed_in.get(&content_hash::of(place)) == Some(&None))
        };
        let single = self.missed_in.values().flatten().map(|call| &**call);
        let mut inside: Vec<_> = single.filter(|call| is_inside(call)).cloned().collect();
        compact::sort_by_key(&mut inside, |call| call.start);
        inside.iter().for_each(|call| self.misses.add(call));
    }
}

impl SearchMisses {
    fn of(&mut self, program: PathId) -> &mut Waste {
        let known = self.wastes.len() < MOST || self.wastes.contains_key(&program);
        self.wastes.entry(if known { program } else { PathId::NONE }).or_default()
    }
}

impl Rule for SearchMisses {
    fn search_ended(&mut self, calls: &[Call], context: Context) {
        const MOST_SEARCHES: usize = 64;
        if !context.process.is_copy {
            let before = self.latest.remove(&context.process.id);
            if self.latest.len() < MOST {
                self.latest.insert(context.process.id, calls.to_vec());
            } else {
                self.add(calls, context);
            }
            return before.iter().for_each(|calls| self.add(calls, context));
        }
        if self.copies.len() < MOST || self.copies.contains_key(&context.process.id) {
            let searches = self.copies.entry(context.process.id).or_default();
            if searches.len() < MOST_SEARCHES {
                searches.push(calls.to_vec());
            }
        }
    }

    fn sees(&self, class: Class) -> bool {
        matches!(class, Class::Execute)
    }

    fn call(&mut self, call: &Call, context: Context) {
        if call.name.class() == Class::Execute
            && call.succeeded()
            && let Some(parent) = context.registry.process(call.process).map(|it| it.parent)
            && self
                .latest
                .get(&parent)
                .is_some_and(|calls| looks_for(calls, call, context.registry))
        {
            self.latest.remove(&parent);
        }
    }

    fn process_gone(&mut self, context: Context, replaced: bool) {
        if let Some(calls) = self.latest.remove(&context.process.id) {
            self.add(&calls, context);
        }
        let started = replaced || context.process.forks > 0;
        let searches = self.copies.remove(&context.process.id).filter(|_| !started);
        for calls in searches.into_iter().flatten() {
            self.add(&calls, context);
        }
        self.places(context);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let mut wastes: Vec<_> = std::mem::take(&mut self.wastes).into_iter().collect();
        compact::sort_by_key(&mut wastes, |(program, _)| registry.path(*program));
        for (program, waste) in &mut wastes {
            waste.take_in_folders(registry);
            let imports = registry.language(*program) == Language::Python;
            if imports && waste.places <= USUAL_PLACES {
                waste.looks = Tally::default();
            }
        }
        wastes.retain(|(program, _)| !purposes::works_alone(registry.path(*program)));
        let both = wastes.iter().map(|(program, waste)| finding(*program, waste, registry));
        both.filter(|finding| finding.wasted > 0).collect()
    }
}

impl SearchMisses {
    fn add(&mut self, calls: &[Call], context: Context) {
        let waste = self.of(context.process.program);
        let is_search = calls.iter().any(wants_it);
        for call in calls {
            let directory = parent(context.registry.path(call.file)).unwrap_or_default();
            waste.miss(call, content_hash::of(directory), is_search);
        }
        let path = |call: &Call| context.registry.path(call.file);
        let is_folder = |at: usize| {
            calls.get(at + 1).is_some_and(|next| parent(path(next)) == Some(path(&calls[at])))
        };
        let looks: Vec<_> = (0..calls.len()).filter(|at| !is_folder(*at)).collect();
        let Some(first) = looks.first() else { return };
        waste.searches += 1;
        let misses = looks.len() as u64;
        if misses > waste.longest.1 {
            waste.longest = (calls[*first].clone(), misses);
        }
    }

    fn places(&mut self, context: Context) {
        let places: Vec<_> = context.process.asked_again(Repetition::Search).collect();
        if places.is_empty() {
            return;
        }
        let waste = self.of(context.process.program);
        waste.places = waste.places.max(places.len() as u64);
        for (key, again) in places {
            waste.looks.absorb(&again.tally(key.file()));
            if again.count > waste.busiest.1 {
                waste.busiest = (key.file(), again.count);
            }
        }
    }
}

/// Whether a search was for what is then started.
pub(super) fn looks_for(search: &[Call], started: &Call, registry: &Registry) -> bool {
    let name = |call: &Call| base_name(registry.path(call.file)).to_vec();
    search.first().is_some_and(|first| name(first) == name(started))
}

/// Whether it is to be opened or started: that is a search, however often. A directory may be one
/// that each of many has, or has not.
fn wants_it(call: &Call) -> bool {
    match call.name.class() {
        Class::Open => !opens_directories(call.open_flags()),
        class => class == Class::Execute,
    }
}

/// What has a remedy of its own by what was looked for.
fn case(first: &Call, registry: &Registry) -> Option<&'static str> {
    const X_OK: i32 = 1;
    let name = base_name(registry.path(first.file));
    let contains = |text: &[u8]| memchr::memmem::find(name, text).is_some();
    let is_access = match first.name {
        Name::Access => first.int(1) == X_OK,
        Name::Faccessat | Name::Faccessat2 => first.int(2) == X_OK,
        name => name == Name::Execve,
    };
    if name.ends_with(b".mo") {
        Some("messages")
    } else if name.starts_with(b"lib") && contains(b".so") {
        Some("library")
    } else {
        is_access.then_some("program").or_else(|| is_data(name).then_some("files"))
    }
}

/// Whether a file is none that the loader of a language looks for, by its name.
fn is_data(name: &[u8]) -> bool {
    const CODE: &[&[u8]] = &[
        b".asd", b".cjs", b".class", b".fasl", b".inc", b".jar", b".js", b".json", b".lisp",
        b".mjs", b".node", b".php", b".pl", b".pm", b".pmc", b".py", b".pyc", b".rb", b".so",
    ];
    memchr::memchr(b'.', name).is_some_and(|at| at > 0) && !CODE.iter().any(|it| name.ends_with(it))
}

fn finding(program: PathId, waste: &Waste, registry: &Registry) -> Finding {
    let mut said = Vec::new();
    if waste.misses.count > 0 {
        let (first, misses) = &waste.longest;
        let looked_for = base_name(registry.path(first.file)).escape_ascii();
        said.push(format!(
            "{} went to places that had not what was looked for, in {}: `{looked_for}` in {}",
            words::some(waste.misses.count, "look"),
            words::some(waste.searches, "search"),
            words::some(*misses, "place")
        ));
    }
    if waste.looks.count > 0 {
        said.push(format!(
            "{} to search were looked at again {} and never changed, {} the most",
            words::some(waste.places, "place"),
            words::times(waste.looks.count),
            words::path(waste.busiest.0, registry)
        ));
    }
    let mut tally = waste.misses.clone();
    tally.absorb(&waste.looks);
    let verdict = said.join("; ");
    let case = case(&waste.longest.0, registry).filter(|_| waste.misses.count > 0);
    Draft { id: ID, case, program, tally: &tally, verdict }.finding(registry)
}
