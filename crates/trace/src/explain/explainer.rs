//! Hands each event to the rules, and collects their findings at the end of the stream.

use super::history::{Fact, History, Life, Scene};
use super::rules::{self, Rule};
use super::{Finding, Thresholds, words};
use crate::watch::Listener;
use crate::{Call, Event, World};

/// Explains a stream.
pub struct Explainer {
    rules: Vec<Box<dyn Rule>>,
    history: History,
    made: u64,
    below: Option<Finding>,
}

impl Listener for Explainer {
    fn hear(&mut self, event: &Event, world: &World) {
        self.see(event, world);
    }
}

impl Default for Explainer {
    fn default() -> Explainer {
        Explainer { rules: rules::all(), history: History::default(), made: 0, below: None }
    }
}

impl Explainer {
    /// Shows the rules an event that `world` has taken in already.
    pub fn see(&mut self, event: &Event, world: &World) {
        match event {
            Event::Call(call) => self.call(call, world),
            Event::Path { id, .. } => self.history.path(*id, world),
            Event::Process(process) => {
                if let Some(before) = self.history.begin(process) {
                    self.gone(before, true, world);
                }
                let parent = self.history.life(process.parent);
                for rule in &mut self.rules {
                    rule.began(process, parent);
                }
            }
            Event::Ended { process, at, .. } => {
                if let Some(life) = self.history.end(*process) {
                    self.gone(life, false, world);
                }
                for rule in &mut self.rules {
                    rule.ended(*process, *at);
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, call: &Call, world: &World) {
        self.made += 1;
        self.history.see(call, world);
        let mut facts = self.history.take_facts();
        if let Some(life) = self.history.life(call.process) {
            let scene = self.history.scene(life, world);
            tell(&mut self.rules, &facts, Some(call), scene);
            for rule in &mut self.rules {
                rule.call(call, scene);
            }
        }
        facts.clear();
        self.history.reuse(facts);
    }

    fn gone(&mut self, mut life: Life, replaced: bool, world: &World) {
        self.history.settle(&mut life, world);
        let facts = self.history.take_facts();
        let scene = self.history.scene(&life, world);
        tell(&mut self.rules, &facts, None, scene);
        for rule in &mut self.rules {
            rule.gone(scene, replaced);
        }
    }

    /// All findings beyond the thresholds of count and share, the most wasted calls first. They
    /// have no time yet. To be called once, at the end.
    #[must_use]
    pub fn findings(&mut self, world: &World, thresholds: &Thresholds) -> Vec<Finding> {
        for life in self.history.end_all() {
            self.gone(life, false, world);
        }
        let mut findings: Vec<Finding> =
            self.rules.iter_mut().flat_map(|rule| rule.findings(world)).collect();
        for finding in &mut findings {
            finding.made = self.made;
        }
        let key = |finding: &Finding| (std::cmp::Reverse(finding.wasted), finding.id);
        findings.sort_by(|a, b| key(a).cmp(&key(b)).then_with(|| a.verdict.cmp(&b.verdict)));
        let (worth, below): (Vec<_>, Vec<_>) =
            findings.into_iter().partition(|finding| thresholds.lacks(finding).is_none());
        self.below = below.into_iter().find(|finding| finding.wasted > 0);
        worth
    }

    /// The largest waste that was not worth a word, once `findings` has been asked.
    #[must_use]
    pub fn below(&self) -> Option<&Finding> {
        self.below.as_ref()
    }

    /// How many calls there were.
    #[must_use]
    pub fn made(&self) -> u64 {
        self.made
    }
}

fn tell(rules: &mut [Box<dyn Rule>], facts: &[Fact], call: Option<&Call>, scene: Scene) {
    for fact in facts {
        for rule in &mut *rules {
            match (fact, call) {
                (Fact::Asked(asked), Some(call)) => rule.asked(call, *asked, scene),
                (Fact::Moved { from }, Some(call)) => rule.moved(call, *from, scene),
                (Fact::Climbed(calls), _) => rule.climbed(calls, scene),
                (Fact::Searched(calls), _) => rule.searched(calls, scene),
                (Fact::Closed(round), _) => rule.closed(round, scene),
                (Fact::Asked(_) | Fact::Moved { .. }, None) => {}
            }
        }
    }
}

/// Why nothing is worth mending, in words: "the largest waste is 3 calls, below 100 calls (reopen:
/// …)".
#[must_use]
pub fn clean(below: Option<&Finding>, thresholds: &Thresholds) -> String {
    let Some(below) = below else { return "there is no waste among them".to_owned() };
    let limit = thresholds.lacks(below).unwrap_or_else(|| "too little".to_owned());
    let wasted = words::some(below.wasted, "call");
    format!("the largest waste is {wasted}, {limit} ({}: {})", below.id, below.verdict)
}
