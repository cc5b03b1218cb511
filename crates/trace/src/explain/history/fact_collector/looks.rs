//! Questions about paths, chains of them, and searches.

use super::FactCollector;
use crate::explain::history::fact::{Climb, Fact, PathQuestion};
use crate::explain::history::process_state::Novelty;
use crate::explain::history::questions::{Key, Question, answer, is_missing};
use crate::explain::history::thread_looks::{Chain, Miss, Search, Step};
use crate::{Call, Name, PathId};

impl FactCollector<'_> {
    /// A look at a path.
    pub(super) fn path_asked(&mut self, call: &Call, question: Question, fields: u32) {
        if call.was_interrupted() {
            return;
        }
        self.used_as_directory(call);
        let registry = self.registry;
        let key = Key::new(call.file, question, fields);
        if is_missing(call) {
            let novelty = if self.state.knows(key) { Novelty::Again } else { Novelty::New };
            let entry_of = PathId::NONE;
            self.facts.push(Fact::Asked(PathQuestion {
                question,
                novelty,
                entry_of,
                ends_path: false,
                answered_by_fstat: false,
            }));
            return self.missed_as(call, key);
        }
        self.found(call.thread, key);
        let novelty = self.state.look(key, answer(call), call.stack, registry);
        let entry_of = match self.paths.parent(call.file, registry) {
            parent if parent.is_some() && self.state.has_listed(parent) => parent,
            _ => PathId::NONE,
        };
        let answered_by_fstat = novelty == Novelty::New
            && call.name != Name::Statx
            && self.state.has_just_answered(call.file, call.answer);
        // Python and Node learn so whether it is a link.
        let ends_path = novelty == Novelty::New
            && question == Question::Lstat
            && self.state.thread_looks(call.thread).leads_to(call.file, registry);
        self.facts.push(Fact::Asked(PathQuestion {
            question,
            novelty,
            entry_of,
            ends_path,
            answered_by_fstat,
        }));
        let is_first = novelty == Novelty::New && question == Question::Link && !call.succeeded();
        let step = Step {
            key,
            call: call.clone(),
            is_again: novelty == Novelty::Again,
            is_no_link: is_first || ends_path,
            at: self.state.calls,
            before: None,
        };
        if let Some(chain) = self.state.thread_looks(call.thread).step(step, registry) {
            self.climbed(chain);
        }
    }

    pub(super) fn climbed(&mut self, chain: Chain) {
        let (steps, is_climb) = match chain {
            Chain::Components(steps) => (steps, true),
            Chain::Loose(steps) => (steps, false),
        };
        // Who has resolved the way already need not ask about what is at its end, either.
        let (last, way) = steps.split_last().map_or((None, &[][..]), |(l, w)| (Some(l), w));
        let is_known = is_climb && way.iter().all(|step| step.is_again);
        let end = last.filter(|step| is_known && step.is_no_link).map(|step| step.call.clone());
        let mut climbed = Vec::new();
        for step in steps {
            if !step.is_again || self.is_polled(step.key) {
                continue;
            }
            if is_climb || step.key.question() == Question::Link {
                climbed.push(step.call);
            } else {
                self.state.count(step.key, &step.call, step.at, step.before);
            }
        }
        if !climbed.is_empty() {
            self.facts.push(Fact::Climbed(Climb { again: climbed, end }));
        }
    }

    pub(super) fn is_polled(&self, key: Key) -> bool {
        self.state.polls.is_polled(key.file())
    }

    pub(super) fn missed(&mut self, call: &Call) {
        self.missed_as(call, Key::new(call.file, Question::Missing, 0xfff));
    }

    fn missed_as(&mut self, call: &Call, key: Key) {
        if !call.file.is_some() {
            return;
        }
        let registry = self.registry;
        let miss = Miss { key, call: call.clone(), at: self.state.calls };
        for search in self.state.thread_looks(call.thread).miss(miss, registry) {
            self.searched(search);
        }
    }

    /// Something is there: a search for it ends.
    pub(super) fn found(&mut self, thread: u32, key: Key) {
        let registry = self.registry;
        if let Some(search) = self.state.thread_looks(thread).found(key, registry) {
            self.searched(search);
        }
    }

    pub(super) fn searched(&mut self, search: Search) {
        match search {
            // Who waits until one of several files is there does not search.
            Search::Places(misses) if misses.iter().all(|it| self.is_polled(it.key)) => {}
            Search::Places(misses) => {
                let calls = misses.into_iter().map(|miss| miss.call).collect();
                self.facts.push(Fact::Searched(calls));
            }
            Search::Loose(misses) => {
                for miss in misses {
                    let (answer, stack) = (answer(&miss.call), miss.call.stack);
                    let novelty = self.state.look(miss.key, answer, stack, self.registry);
                    if novelty == Novelty::Again {
                        self.state.count(miss.key, &miss.call, miss.at, None);
                    }
                }
            }
        }
    }
}
