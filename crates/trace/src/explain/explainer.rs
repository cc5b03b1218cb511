//! Hands each event to the rules, and collects their findings at the end of the stream.

use fewer::compact;
use rustc_hash::FxHashSet;

use super::history::{Context, Fact, History, ProcessState};
use super::rules::{self, Rule};
use super::startup::{InsideStart, Startup};
use super::{Finding, Thresholds, words};
use crate::watch::EventSink;
use crate::{Call, Class, Event, Registry};

/// An event sink that explains a stream.
pub struct Explainer {
    rules: Vec<Box<dyn Rule>>,
    seeing: Seeing,
    history: History,
    made: u64,
    below: Option<Finding>,
    startup: Startup,
    inside_start: Vec<InsideStart>,
}

impl EventSink for Explainer {
    fn event(&mut self, event: &Event, registry: &Registry) {
        self.see(event, registry);
    }
}

impl Default for Explainer {
    fn default() -> Explainer {
        let rules = rules::all().into_iter().map(|(_, rule)| rule).collect();
        Explainer {
            rules,
            seeing: Seeing::default(),
            history: History::default(),
            made: 0,
            below: None,
            startup: Startup::default(),
            inside_start: Vec::new(),
        }
    }
}

impl Explainer {
    /// Shows the rules an event that `registry` has taken in already.
    pub fn see(&mut self, event: &Event, registry: &Registry) {
        match event {
            Event::Call(call) => self.call(call, registry),
            Event::Path { id, .. } => self.history.path(*id, registry),
            Event::Process(process) => {
                if let Some(before) = self.history.begin(process, registry) {
                    self.gone(before, true, registry);
                }
                self.startup.begin(process, registry);
                let parent = self.history.process(process.parent);
                for rule in &mut self.rules {
                    rule.process_started(process, parent);
                }
            }
            Event::Slept { process, thread, .. } => {
                self.history.slept(*process, *thread, registry);
            }
            Event::Ended { process, at, processor, .. } => {
                self.startup.end(*process);
                if let Some(state) = self.history.end(*process) {
                    self.gone(state, false, registry);
                }
                for rule in &mut self.rules {
                    rule.process_ended(*process, *at, *processor);
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, call: &Call, registry: &Registry) {
        self.made += 1;
        self.startup.see(call, registry);
        self.history.see(call, registry);
        let mut facts = self.history.take_facts();
        if let Some(state) = self.history.process(call.process) {
            let context = self.history.context(state, registry);
            hand_facts(&mut self.rules, &facts, Some(call), context);
            for at in self.seeing.of(call.name.class(), &self.rules) {
                self.rules[*at].call(call, context);
            }
        }
        facts.clear();
        self.history.reuse(facts);
    }

    fn gone(&mut self, mut state: ProcessState, replaced: bool, registry: &Registry) {
        self.history.finish(&mut state, registry);
        let facts = self.history.take_facts();
        let context = self.history.context(&state, registry);
        hand_facts(&mut self.rules, &facts, None, context);
        for rule in &mut self.rules {
            rule.process_gone(context, replaced);
        }
    }

    /// All findings beyond the thresholds of count and share, the most wasted calls first. They
    /// have no time yet. To be called once, at the end.
    #[must_use]
    pub fn findings(&mut self, registry: &Registry, thresholds: &Thresholds) -> Vec<Finding> {
        for state in self.history.end_all() {
            self.gone(state, false, registry);
        }
        let mut findings: Vec<Finding> =
            self.rules.iter_mut().flat_map(|rule| rule.findings(registry)).collect();
        for finding in &mut findings {
            finding.made = self.made;
        }
        self.inside_start = self.startup.fold(&mut findings, registry);
        let made = self.made;
        self.inside_start.retain(|line| {
            let as_one = Finding { wasted: line.calls, made, ..Finding::default() };
            thresholds.lacks(&as_one).is_none()
        });
        let key = |finding: &Finding| (std::cmp::Reverse(finding.wasted), finding.id);
        compact::sort_by(&mut findings, |a, b| {
            key(a).cmp(&key(b)).then_with(|| a.verdict.cmp(&b.verdict))
        });
        let (mut worth, below): (Vec<_>, Vec<_>) =
            findings.into_iter().partition(|finding| thresholds.lacks(finding).is_none());
        let replaced: FxHashSet<_> =
            worth.iter().flat_map(|finding| finding.replaces.iter().copied()).collect();
        worth.retain(|finding| !replaced.contains(&finding.program));
        self.below = below.into_iter().find(|finding| finding.wasted > 0);
        worth
    }

    /// The largest waste below the thresholds; known once `findings` was called.
    #[must_use]
    pub fn below(&self) -> Option<&Finding> {
        self.below.as_ref()
    }

    /// What lies inside the start of runtimes; known once `findings` was called.
    #[must_use]
    pub fn inside_start(&self) -> &[InsideStart] {
        &self.inside_start
    }

    /// How many calls there were.
    #[must_use]
    pub fn made(&self) -> u64 {
        self.made
    }
}

/// Which rules see the calls of a class: most see few.
#[derive(Default)]
struct Seeing {
    /// By the number of the class; nothing before the first call of it.
    rules: Vec<Option<Box<[usize]>>>,
}

impl Seeing {
    fn of(&mut self, class: Class, rules: &[Box<dyn Rule>]) -> &[usize] {
        let number = class as usize;
        if self.rules.len() <= number {
            self.rules.resize(number + 1, None);
        }
        self.rules[number].get_or_insert_with(|| {
            let all = rules.iter().enumerate();
            all.filter(|(_, rule)| rule.sees(class)).map(|(at, _)| at).collect()
        })
    }
}

fn hand_facts(rules: &mut [Box<dyn Rule>], facts: &[Fact], call: Option<&Call>, context: Context) {
    for fact in facts {
        for rule in &mut *rules {
            match (fact, call) {
                (Fact::Asked(asked), Some(call)) => rule.path_asked(call, *asked, context),
                (Fact::Moved(to), Some(call)) => rule.directory_changed(call, to, context),
                (Fact::Climbed(climb), _) => rule.components_asked_again(climb, context),
                (Fact::Searched(calls), _) => rule.search_ended(calls, context),
                (Fact::Closed(session), _) => rule.descriptor_closed(session, context),
                (Fact::Asked(_) | Fact::Moved(_), None) => {}
            }
        }
    }
}

/// Why there are no findings, in words: "the largest waste is 3 calls, below 100 calls (reopen:
/// …)".
#[must_use]
pub fn clean(below: Option<&Finding>, thresholds: &Thresholds) -> String {
    let Some(below) = below else { return "there is no waste among them".to_owned() };
    let limit = thresholds.lacks(below).unwrap_or_else(|| "too little".to_owned());
    let wasted = words::some(below.wasted, "call");
    format!("the largest waste is {wasted}, {limit} ({}: {})", below.id, below.verdict)
}
