//! A listing of levels under way: which is requested next.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fewer::Answer;
use tokio::task::JoinSet;

use super::kept::{Kept, Position};
use super::{Level, LevelVisitor, Levels};
use crate::error::{Error, Reason};
use crate::location::Location;
use crate::pace::Pace;
use crate::page::{Object, Page};
use crate::patience::Patience;
use crate::plan::From;
use crate::request::{Client, Failure};
use crate::visit::{KEPT_BYTES, Outcome, TICK};

/// A level to request, or what is left of one.
struct Wanted {
    from: From,
    patience: Patience,
}

/// The answer to a request, and which it was.
type Answered = (Position, Wanted, Result<Page, Failure>);

/// What cannot be listed: a prefix, and why.
type Refused = (String, Reason);

/// A listing under way.
pub(super) struct Progress<'v, V> {
    client: Arc<Client>,
    location: &'v Location,
    wanted: BTreeMap<Position, Wanted>,
    under_way: JoinSet<Answered>,
    kept: Kept,
    pace: Pace,
    /// Nothing is requested before this.
    resume: Instant,
    most_keys: u64,
    /// Those that came, handed on or not.
    came: u64,
    outcome: Outcome,
    left: Vec<Level>,
    visitor: &'v mut V,
}

impl<'v, V: LevelVisitor> Progress<'v, V> {
    pub(super) fn new(levels: &'v Levels, client: Arc<Client>, visitor: &'v mut V) -> Self {
        let now = Instant::now();
        let mut progress = Progress {
            client,
            location: &levels.location,
            wanted: BTreeMap::new(),
            under_way: JoinSet::new(),
            kept: Kept::default(),
            pace: Pace::new(levels.requests, now),
            resume: now,
            most_keys: levels.most_keys,
            came: 0,
            outcome: Outcome::default(),
            left: Vec::new(),
            visitor,
        };
        for (of, prefix) in levels.starts.iter().enumerate() {
            progress.want(Level { of, prefix: prefix.clone(), depth: 0 });
        }
        progress
    }

    /// What it came to, and what is left.
    pub(super) fn end(self) -> (Outcome, Vec<Level>) {
        (self.outcome, self.left)
    }

    pub(super) async fn run(&mut self) -> Result<(), Refused> {
        loop {
            let pause = self.resume.saturating_duration_since(Instant::now());
            if pause.is_zero() {
                self.request();
            }
            if self.under_way.is_empty() && self.wanted.is_empty() {
                // What was set aside last may have been waited for.
                self.kept.hand_on(self.visitor, &mut self.outcome.keys);
                return Ok(());
            }
            let wait = if pause.is_zero() { TICK } else { pause.min(TICK) };
            let mut answer = Answer::Continue;
            match tokio::time::timeout(wait, self.under_way.join_next()).await {
                Ok(Some(Ok((position, wanted, Ok(page))))) => {
                    answer = self.page(position, wanted, page)?;
                }
                Ok(Some(Ok((position, wanted, Err(failure))))) => {
                    answer = self.again(position, wanted, failure)?;
                }
                Ok(Some(Err(error))) => {
                    return Err((String::new(), Reason::Answer(error.to_string())));
                }
                Ok(None) => tokio::time::sleep(wait).await,
                Err(_) => {}
            }
            if answer == Answer::Stop || self.visitor.between_pages() == Answer::Stop {
                self.under_way.abort_all();
                self.set_aside();
                return Ok(());
            }
        }
    }

    fn want(&mut self, level: Level) {
        let position = (level.of, level.prefix.clone());
        if self.kept.wait_for(level) {
            self.wanted
                .insert(position, Wanted { from: From::Beginning, patience: Patience::default() });
        }
    }

    /// Leaves what was not begun.
    fn set_aside(&mut self) {
        let is_begun = |wanted: &Wanted| wanted.from != From::Beginning;
        let (begun, others): (BTreeMap<_, _>, BTreeMap<_, _>) =
            std::mem::take(&mut self.wanted).into_iter().partition(|(_, it)| is_begun(it));
        self.wanted = begun;
        self.left.extend(others.into_keys().filter_map(|position| self.kept.forget(&position)));
    }

    /// Sends as many requests as may be under way, for what comes first.
    fn request(&mut self) {
        if self.came >= self.most_keys {
            self.set_aside();
        }
        while self.under_way.len() < self.pace.limit() {
            let Some(first) = self.wanted.first_entry() else { return };
            let is_early = !self.kept.is_next(first.key());
            if self.kept.bytes() > KEPT_BYTES && is_early {
                return;
            }
            // Each that is under way will bring one at least.
            let to_come = self.came.saturating_add(self.under_way.len() as u64);
            if first.get().from == From::Beginning && to_come >= self.most_keys {
                return;
            }
            let (position, wanted) = first.remove_entry();
            self.send(position, wanted, Duration::ZERO);
        }
    }

    fn send(&mut self, position: Position, wanted: Wanted, after: Duration) {
        self.outcome.requests += 1;
        let client = self.client.clone();
        let location = self.location.with_prefix(&position.1);
        self.under_way.spawn(async move {
            tokio::time::sleep(after).await;
            let answer = client.level(&location, &wanted.from).await;
            (position, wanted, answer)
        });
    }

    fn page(
        &mut self,
        position: Position,
        mut wanted: Wanted,
        page: Page,
    ) -> Result<Answer, Refused> {
        self.pace.page(Instant::now(), self.under_way.len() + 1);
        let next = page.token().map(|token| From::Token(token.to_owned()));
        self.came += page.len() as u64;
        if page.len() == 0 && next.is_none() && wanted.from == From::Beginning {
            self.came += 1;
        }
        let folders = self.folders(&position, &page).map_err(|why| (position.1.clone(), why))?;
        for folder in folders {
            self.want(folder);
        }
        self.kept.add(&position, page, next.is_none());
        if let Some(from) = next {
            if from == wanted.from {
                let why = "the store gives the same page or token again and again".to_owned();
                return Err((position.1, Reason::Answer(why)));
            }
            wanted = Wanted { from, patience: Patience::default() };
            self.wanted.insert(position, wanted);
        }
        Ok(self.kept.hand_on(self.visitor, &mut self.outcome.keys))
    }

    /// The levels below a page that are to be listed.
    fn folders(&mut self, position: &Position, page: &Page) -> Result<Vec<Level>, Reason> {
        let Some(level) = self.kept.level(position) else { return Ok(Vec::new()) };
        let mut folders = Vec::new();
        let has_collections = self.location.store().has_collections();
        let is_level = |object: &Object<'_>| {
            object.is_common_prefix || has_collections && object.key.ends_with(b"/")
        };
        for object in page.objects().filter(is_level) {
            let prefix = std::str::from_utf8(object.key).ok();
            // Otherwise there would be no end.
            let prefix =
                prefix.filter(|it| it.starts_with(&*level.prefix) && **it != *level.prefix);
            let Some(prefix) = prefix else {
                let name = String::from_utf8_lossy(object.key);
                return Err(Reason::Answer(format!("'{name}' is no prefix of this level")));
            };
            if self.visitor.enters(level, object.key) {
                let prefix = prefix.to_owned();
                folders.push(Level { of: level.of, prefix, depth: level.depth + 1 });
            }
        }
        Ok(folders)
    }

    /// Sends a request again, later: at once unless the store wants fewer.
    fn again(
        &mut self,
        position: Position,
        mut wanted: Wanted,
        failure: Failure,
    ) -> Result<Answer, Refused> {
        let is_first = self.came == 0;
        let refused = |reason| (position.1.clone(), reason);
        match failure {
            Failure::Final(reason) => return self.refused(&position, reason),
            Failure::Again(why) => {
                let after = wanted.patience.failed(why, is_first).map_err(refused)?;
                self.outcome.repeated += 1;
                self.send(position, wanted, after);
            }
            Failure::SlowDown(why, at_least) => {
                let now = Instant::now();
                let pause = wanted.patience.refused(why, at_least).map_err(refused)?;
                self.outcome.repeated += 1;
                self.outcome.slowed += 1;
                self.pace.slow_down(now);
                self.resume = self.resume.max(now + pause);
                self.wanted.insert(position, wanted);
            }
        }
        Ok(Answer::Continue)
    }

    /// What to do about a level that the store does not list.
    fn refused(&mut self, position: &Position, reason: Reason) -> Result<Answer, Refused> {
        let has_collections = self.location.store().has_collections();
        if let Some(level) = self.kept.level(position).filter(|_| has_collections) {
            let error = Error::new(&(self.location.front() + &level.prefix), reason.clone());
            if self.visitor.failed(level, &error) != Answer::Stop {
                self.outcome.unlisted += 1;
                self.kept.add(position, Page::default(), true);
                return Ok(self.kept.hand_on(self.visitor, &mut self.outcome.keys));
            }
        }
        Err((position.1.clone(), reason))
    }
}
