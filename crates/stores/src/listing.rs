//! The listing of a bucket: requests side by side, whose pages are handed on as they come, or in
//! the order of their keys.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fewer::Answer;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::error::{Error, Reason};
use crate::levels::{Collections, Levels};
use crate::location::Location;
use crate::output::Output;
use crate::pace::Pace;
use crate::page::{Object, Page};
use crate::patience::Patience;
use crate::plan::{KeyRange, Plan, Wanted, Wrong};
use crate::request::{self, Client, Failure};
use crate::server::Server;
use crate::settings::Overrides;
use crate::visit::{Failed, KEPT_BYTES, MOST_REQUESTS, MOST_THREADS, Outcome, TICK, Visitor};

/// A closure for each object.
struct Each<F>(F);

impl<F: FnMut(Object<'_>) -> Answer> Visitor for Each<F> {
    fn object(&mut self, object: Object<'_>) -> Answer {
        (self.0)(object)
    }
}

/// A bucket to list, and how.
#[derive(Clone, Debug)]
pub struct List {
    location: Location,
    overrides: Overrides,
    sorted: bool,
    one_level: bool,
    requests: usize,
    needs_order: bool,
    ranges: Vec<KeyRange>,
    shares: usize,
}

impl List {
    /// All keys of a location, in no particular order.
    #[must_use]
    pub fn new(location: Location) -> List {
        List {
            location,
            overrides: Overrides::default(),
            sorted: false,
            one_level: false,
            requests: MOST_REQUESTS,
            needs_order: false,
            ranges: vec![KeyRange::ALL],
            shares: 1,
        }
    }

    /// What is otherwise than the environment says.
    #[must_use]
    pub fn overrides(self, overrides: Overrides) -> List {
        List { overrides, ..self }
    }

    /// In the order of the keys' bytes. Pages that come early are kept, up to 64 MiB; beyond that
    /// only what comes next is requested.
    #[must_use]
    pub fn sorted(self, sorted: bool) -> List {
        List { sorted, ..self }
    }

    /// Only what is directly below the prefix: objects, and common prefixes up to the next slash.
    /// The store leaves out the rest; requests are sent one after the other.
    #[must_use]
    pub fn one_level(self, one_level: bool) -> List {
        List { one_level, ..self }
    }

    /// At most so many requests at once; by default 64.
    #[must_use]
    pub fn requests(self, most: NonZero<usize>) -> List {
        List { requests: most.get(), ..self }
    }

    /// Only these ranges of keys, which must not overlap: what an earlier listing left.
    #[must_use]
    pub fn ranges(self, ranges: Vec<KeyRange>) -> List {
        List { ranges, ..self }
    }

    /// If the visitor stops it, what is left has so many ranges, as far as they are worth a request
    /// of their own: so several processes can go on with it.
    #[must_use]
    pub fn shares(self, shares: usize) -> List {
        List { shares, ..self }
    }

    /// What is left can be said in ranges at any time: a store that lists in no order is an error,
    /// as it is if the listing is sorted.
    #[must_use]
    pub fn in_ranges(self) -> List {
        List { needs_order: true, ..self }
    }

    /// The server that is asked, if it is not that of the store's owner.
    ///
    /// Price: no request; two small files are read.
    ///
    /// # Errors
    /// Settings that cannot be used.
    pub fn endpoint(&self) -> Result<Option<String>, Error> {
        Server::endpoint(&self.location, &self.overrides)
            .map_err(|reason| Error::new(&self.location.address(), reason))
    }

    /// Lists; the closure is called on this thread. [`Answer::Prune`] is as `Continue`: nothing is
    /// below an object.
    ///
    /// Price: at most 1.1 requests for 1,000 keys of a large bucket, one for a bucket of at most
    /// 1,000 keys. What fails on its way is sent again, up to ten times in a row, and five before
    /// the first key.
    ///
    /// It waits for the store, and is not for asynchronous code: there it belongs on a thread of
    /// its own.
    ///
    /// # Errors
    /// Settings that cannot be used; a store that refuses, does not answer, or lists in no order
    /// once ranges of keys are listed side by side. What was handed on before stays so.
    pub fn run(&self, visit: impl FnMut(Object<'_>) -> Answer) -> Result<Outcome, Failed> {
        self.visit(&mut Each(visit))
    }

    /// As [`List::run`], with a visitor that may look at what is left on the way.
    ///
    /// # Errors
    /// As [`List::run`].
    pub fn visit(&self, visitor: &mut impl Visitor) -> Result<Outcome, Failed> {
        let address = self.location.address();
        if self.location.store().has_collections() && !self.one_level {
            return self.visit_collections(visitor);
        }
        let prepared = self.prepare();
        let (client, runtime) = prepared.map_err(|reason| Failed {
            error: Error::new(&address, reason),
            outcome: Box::new(Outcome { left: self.ranges.clone(), ..Outcome::default() }),
        })?;
        let mut progress = Progress::new(self, Arc::new(client), visitor);
        let result = runtime.block_on(progress.run());
        // Requests that are under way are not waited for.
        runtime.shutdown_background();
        let mut outcome = progress.outcome;
        match result {
            Ok(Answer::Continue | Answer::Prune) => Ok(outcome),
            Ok(Answer::Stop) => {
                progress.plan.share_out(self.shares);
                outcome.left = left(&progress.output, &progress.plan, &self.ranges);
                Ok(outcome)
            }
            Err(reason) => {
                outcome.left = left(&progress.output, &progress.plan, &self.ranges);
                Err(Failed { error: Error::new(&address, reason), outcome: Box::new(outcome) })
            }
        }
    }

    fn visit_collections(&self, visitor: &mut impl Visitor) -> Result<Outcome, Failed> {
        let failed = |reason| Failed {
            error: Error::new(&self.location.address(), reason),
            outcome: Box::default(),
        };
        if self.needs_order || self.ranges != [KeyRange::ALL] {
            return Err(failed(Reason::NoRanges));
        }
        if self.sorted {
            return Err(failed(Reason::NoOrder));
        }
        let starts = vec![self.location.prefix().to_owned()];
        let requests = NonZero::new(self.requests).unwrap_or(NonZero::<usize>::MIN);
        let levels = Levels::new(self.location.clone(), starts).requests(requests);
        let levels = levels.overrides(self.overrides.clone());
        levels.visit(&mut Collections(visitor)).map(|(outcome, _)| outcome)
    }

    fn prepare(&self) -> Result<(Client, Runtime), Reason> {
        let needs_ranges = self.needs_order || self.ranges != [KeyRange::ALL];
        if needs_ranges && !self.location.store().lists_ranges() {
            return Err(Reason::NoRanges);
        }
        let client = Client::new(self.location.clone(), &self.overrides)?;
        Ok((client, request::runtime(MOST_THREADS)?))
    }

    fn plan(&self) -> Plan {
        let plan = Plan::new(self.location.prefix().as_bytes(), self.ranges.clone());
        let lists_ranges = self.location.store().lists_ranges();
        let plan = if self.one_level || !lists_ranges { plan.serial() } else { plan };
        match self.sorted || self.needs_order {
            true => plan.ordered(),
            false if lists_ranges => plan,
            false => plan.unordered(),
        }
    }
}

/// The answer to a request, and which it was.
type Answered = (Wanted, Result<Page, Failure>);

/// What comes next.
enum Next {
    Answer(Box<Wanted>, Result<Page, Failure>),
    /// Nothing has come, and something may.
    Nothing,
    /// All is listed.
    End,
}

/// A listing under way.
struct Progress<'v, V> {
    client: Arc<Client>,
    one_level: bool,
    plan: Plan,
    pace: Pace,
    patience: BTreeMap<Vec<u8>, Patience>,
    /// Nothing is requested before this.
    resume: Instant,
    output: Output,
    under_way: JoinSet<Answered>,
    outcome: Outcome,
    visitor: &'v mut V,
    /// The ranges that it began with.
    all: &'v [KeyRange],
}

impl<'v, V: Visitor> Progress<'v, V> {
    fn new(list: &'v List, client: Arc<Client>, visitor: &'v mut V) -> Progress<'v, V> {
        let now = Instant::now();
        Progress {
            client,
            one_level: list.one_level,
            plan: list.plan(),
            pace: Pace::new(list.requests, now),
            patience: BTreeMap::new(),
            resume: now,
            output: Output::new(list.sorted, &list.ranges),
            under_way: JoinSet::new(),
            outcome: Outcome::default(),
            visitor,
            all: &list.ranges,
        }
    }

    async fn run(&mut self) -> Result<Answer, Reason> {
        loop {
            let answer = match self.next_answer().await? {
                Next::Answer(wanted, Ok(page)) => self.page(&wanted, page)?,
                Next::Answer(wanted, Err(failure)) => {
                    self.again(*wanted, failure)?;
                    Answer::Continue
                }
                Next::Nothing => Answer::Continue,
                Next::End => {
                    debug_assert!(self.plan.is_listed(), "nothing requests what is left");
                    return Ok(Answer::Continue);
                }
            };
            let (output, plan, all) = (&self.output, &self.plan, self.all);
            let left = || left(output, plan, all);
            if answer == Answer::Stop || self.visitor.between_pages(&left) == Answer::Stop {
                return Ok(Answer::Stop);
            }
        }
    }

    /// Sends as many requests as may be under way.
    fn request(&mut self) {
        let only_first = self.output.kept_bytes() > KEPT_BYTES;
        while self.under_way.len() < self.pace.limit() {
            let Some(wanted) = self.plan.next(only_first) else { return };
            self.output.begin(&wanted.range);
            self.send(wanted, Duration::ZERO);
        }
    }

    fn send(&mut self, wanted: Wanted, after: Duration) {
        self.outcome.requests += 1;
        let (client, one_level) = (self.client.clone(), self.one_level);
        let request = async move {
            tokio::time::sleep(after).await;
            let answer = client.page(&wanted.from, one_level).await;
            (wanted, answer)
        };
        self.under_way.spawn(request);
    }

    /// Sends what may be sent, and waits for an answer, but not for long.
    async fn next_answer(&mut self) -> Result<Next, Reason> {
        let pause = self.resume.saturating_duration_since(Instant::now());
        if pause.is_zero() {
            self.request();
            if self.under_way.is_empty() {
                return Ok(Next::End);
            }
        }
        let wait = if pause.is_zero() { TICK } else { pause.min(TICK) };
        match tokio::time::timeout(wait, self.under_way.join_next()).await {
            Ok(Some(Ok((wanted, answer)))) => return Ok(Next::Answer(Box::new(wanted), answer)),
            Ok(Some(Err(error))) => return Err(Reason::Answer(error.to_string())),
            Ok(None) => tokio::time::sleep(wait).await,
            Err(_) => {}
        }
        Ok(Next::Nothing)
    }

    fn page(&mut self, wanted: &Wanted, page: Page) -> Result<Answer, Reason> {
        self.pace.page(Instant::now(), self.under_way.len() + 1);
        self.patience.remove(&wanted.range);
        let taken = self.plan.take(&wanted.range, &page).map_err(described)?;
        self.output.add(&wanted.range, page, taken);
        let (visitor, keys) = (&mut self.visitor, &mut self.outcome.keys);
        Ok(self.output.hand_on(&wanted.range, &mut |object| {
            *keys += 1;
            visitor.object(object)
        }))
    }

    /// Sends a request again, later: at once and in its old place unless the store wants fewer.
    fn again(&mut self, wanted: Wanted, failure: Failure) -> Result<(), Reason> {
        let patience = self.patience.entry(wanted.range.clone()).or_default();
        match failure {
            Failure::Final(reason) => Err(reason),
            Failure::Again(why) => {
                let after = patience.failed(why, self.outcome.keys == 0)?;
                self.outcome.repeated += 1;
                self.send(wanted, after);
                Ok(())
            }
            Failure::SlowDown(why, at_least) => {
                let now = Instant::now();
                let pause = patience.refused(why, at_least)?;
                self.outcome.repeated += 1;
                self.outcome.slowed += 1;
                self.pace.slow_down(now);
                self.resume = self.resume.max(now + pause);
                self.plan.refused(&wanted.range);
                Ok(())
            }
        }
    }
}

/// What was not handed on: in no order it is no range, so all of it.
fn left(output: &Output, plan: &Plan, all: &[KeyRange]) -> Vec<KeyRange> {
    if plan.is_unordered() { all.to_vec() } else { output.left(plan) }
}

fn described(wrong: Wrong) -> Reason {
    let text = |key: Vec<u8>| String::from_utf8_lossy(&key).into_owned();
    match wrong {
        Wrong::Unordered(after, came) => Reason::Unordered { after: text(after), came: text(came) },
        Wrong::Repeats => {
            Reason::Answer("the store gives the same page or token again and again".to_owned())
        }
    }
}
