//! Levels on their way to the visitor: pages that came early are kept until their turn.

use std::collections::{BTreeMap, VecDeque};

use fewer::Answer;

use super::{Level, LevelVisitor};
use crate::page::Page;

/// Where a level is handed on: behind the levels above it, as their prefixes are shorter.
pub(super) type Position = (usize, String);

/// The levels that were not handed on to their ends.
#[derive(Debug, Default)]
pub(super) struct Kept {
    levels: BTreeMap<Position, Pages>,
    bytes: usize,
}

#[derive(Debug)]
struct Pages {
    level: Level,
    pages: VecDeque<Page>,
    /// Nothing comes behind these pages.
    is_whole: bool,
}

impl Kept {
    /// The memory of pages that are kept.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether nothing is handed on before a level.
    pub(super) fn is_next(&self, position: &Position) -> bool {
        self.levels.first_key_value().is_some_and(|(first, _)| first == position)
    }

    /// Waits for a level; `false` if it is waited for already.
    pub(super) fn wait_for(&mut self, level: Level) -> bool {
        let position = (level.of, level.prefix.clone());
        if self.levels.contains_key(&position) {
            return false;
        }
        let pages = Pages { level, pages: VecDeque::new(), is_whole: false };
        self.levels.insert(position, pages);
        true
    }

    /// No longer waits for a level, of which nothing came.
    pub(super) fn forget(&mut self, position: &Position) -> Option<Level> {
        self.levels.remove(position).map(|pages| pages.level)
    }

    pub(super) fn level(&self, position: &Position) -> Option<&Level> {
        self.levels.get(position).map(|pages| &pages.level)
    }

    /// Adds a page of a level.
    pub(super) fn add(&mut self, position: &Position, page: Page, is_last: bool) {
        if let Some(pages) = self.levels.get_mut(position) {
            self.bytes += page.bytes();
            pages.pages.push_back(page);
            pages.is_whole = is_last;
        }
    }

    /// Hands on what may be; `keys` counts it.
    pub(super) fn hand_on(&mut self, visitor: &mut impl LevelVisitor, keys: &mut u64) -> Answer {
        while let Some(mut first) = self.levels.first_entry() {
            let Pages { level, pages, is_whole } = first.get_mut();
            while let Some(page) = pages.pop_front() {
                self.bytes -= page.bytes();
                *keys += page.len() as u64;
                if visitor.objects(level, &mut page.objects()) == Answer::Stop {
                    return Answer::Stop;
                }
            }
            if !*is_whole {
                break;
            }
            first.remove();
        }
        Answer::Continue
    }
}
