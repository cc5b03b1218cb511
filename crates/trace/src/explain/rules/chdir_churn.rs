//! The working directory changed there and back, or asked for though it is known.

use crate::explain::draft::Draft;
use crate::explain::finding::Finding;
use crate::explain::history::Scene;
use crate::explain::rules::Rule;
use crate::explain::tally::Tally;
use crate::explain::words;
use crate::quick::Map;
use crate::{Call, Name, PathId, World};

const ID: &str = "chdir-churn";

/// Processes and programs that are told apart.
const MOST: usize = 1 << 16;

/// Moves that were taken back.
#[derive(Default)]
pub(crate) struct ChdirChurn {
    places: Map<u32, Place>,
    wastes: Map<PathId, Waste>,
}

/// Where a process is.
#[derive(Default)]
struct Place {
    /// Ways out that have not been taken back.
    out: Vec<Way>,
    /// The first `getcwd` since something moved.
    asked: Option<Call>,
}

/// A way out.
struct Way {
    from: Vec<u8>,
    call: Call,
    /// The `getcwd` before it, which asked for the way back.
    asked: Option<Call>,
    /// Children made by then.
    forks: u32,
}

#[derive(Default)]
struct Waste {
    there_and_back: u64,
    asked: u64,
    tally: Tally,
}

impl ChdirChurn {
    fn waste(&mut self, program: PathId) -> &mut Waste {
        let known = self.wastes.len() < MOST || self.wastes.contains_key(&program);
        self.wastes.entry(if known { program } else { PathId::NONE }).or_default()
    }

    fn place(&mut self, process: u32) -> &mut Place {
        if self.places.len() >= MOST && !self.places.contains_key(&process) {
            self.places.clear();
        }
        self.places.entry(process).or_default()
    }
}

impl Rule for ChdirChurn {
    fn id(&self) -> &'static str {
        ID
    }

    fn moved(&mut self, call: &Call, from: PathId, scene: Scene) {
        const DEEPEST: usize = 64;
        let program = scene.life.program;
        let place = self.place(call.process);
        let asked = place.asked.take();
        let to = plain(scene.world.path(call.file));
        let from = plain(scene.world.path(from));
        if from == to {
            // A descriptor's way to where the process is already is descriptor-churn.
            if call.name == Name::Chdir {
                self.waste(program).tally.add(call);
            }
            return;
        }
        let back = place.out.iter().rposition(|way| way.from == to);
        let Some(back) = back else {
            if place.out.len() == DEEPEST {
                place.out.remove(0);
            }
            place.out.push(Way { from, call: call.clone(), asked, forks: scene.life.forks });
            return;
        };
        let ways: Vec<_> = place.out.drain(back..).collect();
        // Children are started where the process is: then it had to be there.
        if ways.iter().any(|way| way.forks != scene.life.forks) {
            return;
        }
        let waste = self.waste(program);
        for call in ways.iter().flat_map(|way| [Some(&way.call), way.asked.as_ref()]).flatten() {
            waste.tally.add(call);
        }
        waste.tally.add(call);
        waste.there_and_back += 1;
    }

    fn call(&mut self, call: &Call, scene: Scene) {
        if call.name != Name::Getcwd || !call.succeeded() {
            return;
        }
        let place = self.place(call.process);
        let answer = |call: &Call| if call.second.is_some() { call.second } else { call.file };
        let Some(before) = &place.asked else {
            place.asked = Some(call.clone());
            return;
        };
        if answer(before) == answer(call) {
            let waste = self.waste(scene.life.program);
            waste.tally.add(call);
            waste.asked += 1;
        }
    }

    fn gone(&mut self, scene: Scene, _: bool) {
        self.places.remove(&scene.life.id);
    }

    fn findings(&mut self, world: &World) -> Vec<Finding> {
        let mut wastes: Vec<_> = std::mem::take(&mut self.wastes).into_iter().collect();
        wastes.retain(|(_, waste)| waste.tally.count > 0);
        wastes.sort_by_key(|(program, _)| world.path(*program));
        wastes.iter().map(|(program, waste)| finding(*program, waste, world)).collect()
    }
}

/// A path without `..`, as far as names tell.
fn plain(path: &[u8]) -> Vec<u8> {
    let mut plain: Vec<&[u8]> = Vec::new();
    for name in path.split(|byte| *byte == b'/') {
        match name {
            b"" | b"." => {}
            b".." => drop(plain.pop()),
            _ => plain.push(name),
        }
    }
    plain.join(&b'/')
}

fn finding(program: PathId, waste: &Waste, world: &World) -> Finding {
    let mut said = Vec::new();
    if waste.there_and_back > 0 {
        let times = words::times(waste.there_and_back);
        said.push(format!("the working directory was changed there and back {times}"));
    }
    if waste.asked > 0 {
        let times = words::times(waste.asked);
        let what = if said.is_empty() { "the working directory" } else { "it" };
        said.push(format!("{what} was asked for {times} more though nothing had moved"));
    }
    if said.is_empty() {
        let times = words::times(waste.tally.count);
        said.push(format!("the working directory was set {times} to what it was"));
    }
    let verdict = said.join(", and ");
    let case = (waste.asked == waste.tally.count).then_some("asked");
    Draft { id: ID, case, program, tally: &waste.tally, verdict }.finding(world)
}
