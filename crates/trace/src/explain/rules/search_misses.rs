//! One name looked for in place after place.

use fewer::compact;

use super::prelude::*;
use crate::bytes::parent;
use crate::content_hash;

pub(super) const ID: &str = "search-misses";

/// Programs that are counted one by one.
const MOST: usize = 4096;

/// Names that were not where they were looked for.
#[derive(Default)]
pub(crate) struct SearchMisses {
    wastes: FxHashMap<PathId, Waste>,
    /// Names that copies of a process looked for: if they find a program, and become it or start
    /// it, that search is a part of starting it.
    copies: FxHashMap<u32, Vec<Vec<Call>>>,
}

#[derive(Default)]
struct Waste {
    /// How often something was looked for.
    searches: u64,
    misses: Tally,
    /// The search with the most misses: the first of them, and how many.
    longest: (Call, u64),
    /// The places of misses, by a hash of their paths. A list of places is gone through again and
    /// again; a file that some of many directories hold is not searched for.
    missed_in: FxHashSet<u64>,
    /// Whether it was for opening or starting it: that is a search, however often.
    wants_it: bool,
    places: u64,
    looks: Tally,
    /// The place that was looked at the most.
    busiest: (PathId, u64),
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
        let waste = self.of(context.process.program);
        let wants_it = |call: &Call| matches!(call.name.class(), Class::Open | Class::Execute);
        waste.wants_it |= calls.iter().any(wants_it);
        let room = MOST.saturating_sub(waste.missed_in.len());
        for call in calls.iter().take(room) {
            let directory = parent(context.registry.path(call.file));
            waste.missed_in.insert(content_hash::of(directory.unwrap_or_default()));
        }
        if !context.process.is_copy {
            return self.add(context.process.program, calls);
        }
        if self.copies.len() < MOST || self.copies.contains_key(&context.process.id) {
            let searches = self.copies.entry(context.process.id).or_default();
            if searches.len() < MOST_SEARCHES {
                searches.push(calls.to_vec());
            }
        }
    }

    fn process_gone(&mut self, context: Context, replaced: bool) {
        let started = replaced || context.process.forks > 0;
        let searches = self.copies.remove(&context.process.id).filter(|_| !started);
        for calls in searches.into_iter().flatten() {
            self.add(context.process.program, &calls);
        }
        self.places(context);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let mut wastes: Vec<_> = std::mem::take(&mut self.wastes).into_iter().collect();
        compact::sort_by_key(&mut wastes, |(program, _)| registry.path(*program));
        for (_, waste) in &mut wastes {
            // Each place but once: that is no search through a list.
            let is_list = waste.misses.count >= 2 * waste.missed_in.len() as u64;
            if !is_list && !waste.wants_it {
                (waste.searches, waste.misses) = (0, Tally::default());
            }
        }
        let both = wastes.iter().map(|(program, waste)| finding(*program, waste, registry));
        both.filter(|finding| finding.wasted > 0).collect()
    }
}

impl SearchMisses {
    fn add(&mut self, program: PathId, calls: &[Call]) {
        let Some(first) = calls.first() else { return };
        let waste = self.of(program);
        waste.searches += 1;
        let misses = calls.len() as u64;
        if misses > waste.longest.1 {
            waste.longest = (first.clone(), misses);
        }
        for call in calls {
            waste.misses.add(call);
        }
    }

    fn places(&mut self, context: Context) {
        let mut places: Vec<_> = context.process.asked_again().collect();
        places.retain(|(_, _, repetition)| *repetition == Repetition::Search);
        if places.is_empty() {
            return;
        }
        let waste = self.of(context.process.program);
        waste.places = waste.places.max(places.len() as u64);
        for (key, again, _) in places {
            waste.looks.absorb(&again.tally(key.file()));
            if again.count > waste.busiest.1 {
                waste.busiest = (key.file(), again.count);
            }
        }
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
        is_access.then_some("program")
    }
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
