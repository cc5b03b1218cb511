//! Pages on their way to the visitor: as they come, or in the order of their keys.

use std::collections::{BTreeMap, VecDeque};

use fewer::Answer;

use crate::page::{Object, Page};
use crate::plan::{KeyRange, Plan, Taken};

/// The pages of each range that were not handed on yet, by where the range begins.
#[derive(Debug)]
pub(crate) struct Output {
    sorted: bool,
    ranges: BTreeMap<Vec<u8>, Pages>,
    kept_bytes: usize,
}

#[derive(Debug, Default)]
struct Pages {
    /// Each with the objects that are still to be handed on.
    pages: VecDeque<(Page, usize, usize)>,
    /// The last key that was handed on.
    last: Option<Vec<u8>>,
    /// Nothing comes behind these pages.
    is_whole: bool,
}

impl Output {
    /// For a listing that begins with these ranges.
    pub(crate) fn new(sorted: bool, ranges: &[KeyRange]) -> Output {
        let ranges = ranges.iter().map(|range| (range.after.clone(), Pages::default()));
        Output { sorted, ranges: ranges.collect(), kept_bytes: 0 }
    }

    /// The memory of pages that are kept.
    pub(crate) fn kept_bytes(&self) -> usize {
        self.kept_bytes
    }

    /// A range is requested, perhaps for the first time.
    pub(crate) fn begin(&mut self, range: &[u8]) {
        if !self.ranges.contains_key(range) {
            self.ranges.insert(range.to_owned(), Pages::default());
        }
    }

    /// Adds a page; without one the range is gone.
    pub(crate) fn add(&mut self, range: &[u8], page: Page, taken: Option<Taken>) {
        let Some(Taken { from, to, is_last }) = taken else {
            self.ranges.remove(range);
            return;
        };
        let pages = self.ranges.entry(range.to_owned()).or_default();
        // A range that was whole may have been taken up again.
        pages.is_whole = is_last;
        if from < to {
            self.kept_bytes += page.bytes();
            pages.pages.push_back((page, from, to));
        }
    }

    /// Hands on what may be after a page of this range came.
    pub(crate) fn hand_on(
        &mut self,
        range: &[u8],
        visit: &mut dyn FnMut(Object<'_>) -> Answer,
    ) -> Answer {
        let mut next = match self.sorted {
            true => self.ranges.keys().next().cloned(),
            false => Some(range.to_owned()),
        };
        while let Some(start) = next.take() {
            let Some(pages) = self.ranges.get_mut(&start) else { break };
            if pages.hand_on(&mut self.kept_bytes, visit) == Answer::Stop {
                return Answer::Stop;
            }
            if pages.is_whole {
                self.ranges.remove(&start);
                next = self.ranges.keys().next().filter(|_| self.sorted).cloned();
            }
        }
        Answer::Continue
    }

    /// What was not handed on.
    pub(crate) fn left(&self, plan: &Plan) -> Vec<KeyRange> {
        let mut left: BTreeMap<&[u8], KeyRange> = plan.open().collect();
        for (start, pages) in &self.ranges {
            let last = pages.pages.back().and_then(|(page, _, to)| page.get(to - 1));
            let Some(last) = last else { continue };
            let after = pages.last.as_ref().unwrap_or(start).clone();
            let end = match left.get(&**start) {
                Some(open) => open.end.clone(),
                None => Some(last.key.to_owned()),
            };
            left.insert(start, KeyRange { after, end });
        }
        left.into_values().collect()
    }
}

impl Pages {
    fn hand_on(
        &mut self,
        kept_bytes: &mut usize,
        visit: &mut dyn FnMut(Object<'_>) -> Answer,
    ) -> Answer {
        while let Some((page, from, to)) = self.pages.front_mut() {
            while let Some(object) = page.get(*from).filter(|_| from < to) {
                *from += 1;
                let answer = visit(object);
                if answer == Answer::Stop || from == to {
                    self.last = Some(object.key.to_owned());
                }
                if answer == Answer::Stop {
                    return self.stop(kept_bytes);
                }
            }
            self.drop_first(kept_bytes);
        }
        Answer::Continue
    }

    fn stop(&mut self, kept_bytes: &mut usize) -> Answer {
        if self.pages.front().is_some_and(|(_, from, to)| from == to) {
            self.drop_first(kept_bytes);
        }
        Answer::Stop
    }

    fn drop_first(&mut self, kept_bytes: &mut usize) {
        if let Some((page, ..)) = self.pages.pop_front() {
            *kept_bytes -= page.bytes();
        }
    }
}
