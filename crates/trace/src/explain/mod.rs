//! From calls to findings. Pure: the same stream gives the same findings. Nothing here asks the
//! machine; what a finding saves is found out later, by `price`.
//!
//! `history` turns calls into facts, once for all rules: a question that was asked before, a
//! descriptor that was closed. Rules judge facts and calls, and say in the end what was wasted.

pub(crate) mod caller;
mod draft;
mod finding;
pub(crate) mod history;
mod remedies;
pub(crate) mod tally;
mod thresholds;
pub(crate) mod words;

pub(crate) use draft::Draft;
pub use finding::{Act, Basis, Finding, Remedy, Saved, Spared};
pub use thresholds::{Different, Limits, Thresholds};

use history::{Asked, Fact, History, Life, Round, Scene};

use crate::rules;
use crate::{Call, Event, PathId, Process, World};

/// One kind of waste: sees what happens, and says in the end what was wasted. What it remembers
/// grows with distinct files, callers and programs, not with calls, and has a limit.
pub(crate) trait Rule: Send {
    /// The stable id of its findings, as `docs/why.md` has it.
    fn id(&self) -> &'static str;

    /// A process began (`parent` is whoever made it), or became another program.
    fn began(&mut self, _process: &Process, _parent: Option<&Life>) {}

    /// A call was made.
    fn call(&mut self, _call: &Call, _scene: Scene) {}

    /// A call asked about a path.
    fn asked(&mut self, _call: &Call, _asked: Asked, _scene: Scene) {}

    /// Components of a path were asked about again, one after the other.
    fn climbed(&mut self, _calls: &[Call], _scene: Scene) {}

    /// A name was not found in several places.
    fn searched(&mut self, _calls: &[Call], _scene: Scene) {}

    /// A descriptor was closed.
    fn closed(&mut self, _round: &Round, _scene: Scene) {}

    /// A call set the working directory, which was `from` before.
    fn moved(&mut self, _call: &Call, _from: PathId, _scene: Scene) {}

    /// A process ended or became another program (`replaced`).
    fn gone(&mut self, _scene: Scene, _replaced: bool) {}

    /// A process ended at that time.
    fn ended(&mut self, _process: u32, _at: u64) {}

    /// Says what was wasted. `world` knows the names of frames and programs by now.
    fn findings(&mut self, world: &World) -> Vec<Finding>;
}

/// Explains a stream.
pub struct Explainer {
    rules: Vec<Box<dyn Rule>>,
    history: History,
    made: u64,
    below: Option<Finding>,
}

impl crate::watch::Listener for Explainer {
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
