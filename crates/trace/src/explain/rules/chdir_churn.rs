//! The working directory changed there and back, or asked for though it is known.

use fewer::compact;
use fewer::path::join;

use super::prelude::*;
use crate::explain::caller;

pub(super) const ID: &str = "chdir-churn";

/// Processes and programs that are counted one by one.
const MOST: usize = 1 << 16;

/// Stacks that are told apart.
const MOST_STACKS: usize = 1024;

/// Moves that were taken back.
#[derive(Default)]
pub(crate) struct ChdirChurn {
    directories: FxHashMap<u32, WorkingDirectory>,
    wastes: FxHashMap<PathId, Waste>,
}

/// The working directory of a process.
#[derive(Default)]
struct WorkingDirectory {
    /// Changes that have not been taken back.
    out: Vec<DirectoryChange>,
    /// The first `getcwd` since something moved.
    asked: Option<Call>,
}

/// A change to another directory.
struct DirectoryChange {
    from: Vec<u8>,
    call: Call,
    /// The `getcwd` before it, which asked for the directory to go back to.
    asked: Option<Call>,
    /// The looks at each part of the way.
    way: Vec<Call>,
    /// Children made by then.
    forks: u32,
}

#[derive(Default)]
struct Waste {
    there_and_back: u64,
    asked: u64,
    /// Looks at parts of the way there or back.
    looks: u64,
    tally: Tally,
    /// `getcwd` though nothing had moved, from each stack.
    again: FxHashMap<StackId, Tally>,
}

impl Waste {
    /// Takes in what the program itself asked again. What its runtime asks, for a file that has a
    /// relative name, or inside of a library, is a part of another matter.
    fn take_in_asked(&mut self, registry: &Registry) {
        let mut again: Vec<_> = std::mem::take(&mut self.again).into_iter().collect();
        again.retain(|(stack, _)| !caller::is_directory_of_runtime(registry, *stack));
        compact::sort_by_key(&mut again, |(stack, _)| *stack);
        for (_, tally) in &again {
            self.asked += tally.count;
            self.tally.absorb(tally);
        }
    }

    /// Looks at each part of a path, to go there.
    fn go(&mut self, way: &[Call]) {
        way.iter().for_each(|call| self.tally.add(call));
        self.looks += way.len() as u64;
    }
}

impl ChdirChurn {
    fn waste(&mut self, program: PathId) -> &mut Waste {
        let known = self.wastes.len() < MOST || self.wastes.contains_key(&program);
        self.wastes.entry(if known { program } else { PathId::NONE }).or_default()
    }

    fn directory(&mut self, process: u32) -> &mut WorkingDirectory {
        if self.directories.len() >= MOST && !self.directories.contains_key(&process) {
            self.directories.clear();
        }
        self.directories.entry(process).or_default()
    }
}

impl Rule for ChdirChurn {
    fn directory_changed(&mut self, call: &Call, moved: &DirectoryMove, context: Context) {
        const DEEPEST: usize = 64;
        let program = context.process.program;
        let directory = self.directory(call.process);
        let asked = directory.asked.take();
        let to = join(b"/".to_vec(), context.registry.path(call.file));
        let from = join(b"/".to_vec(), context.registry.path(moved.from));
        if from == to {
            // By a descriptor (`fchdir`) it is descriptor-churn.
            if call.name == Name::Chdir {
                let waste = self.waste(program);
                waste.tally.add(call);
                waste.go(&moved.way);
            }
            return;
        }
        let back = directory.out.iter().rposition(|change| change.from == to);
        let Some(back) = back else {
            if directory.out.len() == DEEPEST {
                directory.out.remove(0);
            }
            directory.out.push(DirectoryChange {
                from,
                call: call.clone(),
                asked,
                way: moved.way.clone(),
                forks: context.process.forks,
            });
            return;
        };
        let changes: Vec<_> = directory.out.drain(back..).collect();
        // Children are started where the process is: then it had to be there.
        if changes.iter().any(|change| change.forks != context.process.forks) {
            return;
        }
        let waste = self.waste(program);
        for change in &changes {
            waste.tally.add(&change.call);
            change.asked.iter().for_each(|call| waste.tally.add(call));
            waste.go(&change.way);
        }
        waste.tally.add(call);
        waste.go(&moved.way);
        waste.there_and_back += 1;
    }

    fn sees(&self, class: Class) -> bool {
        matches!(class, Class::Getcwd)
    }

    fn call(&mut self, call: &Call, context: Context) {
        if call.name != Name::Getcwd || !call.succeeded() {
            return;
        }
        let directory = self.directory(call.process);
        let answer = |call: &Call| if call.second.is_some() { call.second } else { call.file };
        let Some(before) = &directory.asked else {
            directory.asked = Some(call.clone());
            return;
        };
        if answer(before) == answer(call) {
            let again = &mut self.waste(context.process.program).again;
            let known = again.len() < MOST_STACKS || again.contains_key(&call.stack);
            let stack = if known { call.stack } else { StackId::NONE };
            again.entry(stack).or_default().add(call);
        }
    }

    fn process_gone(&mut self, context: Context, _: bool) {
        self.directories.remove(&context.process.id);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        let mut wastes: Vec<_> = std::mem::take(&mut self.wastes).into_iter().collect();
        wastes.iter_mut().for_each(|(_, waste)| waste.take_in_asked(registry));
        wastes.retain(|(_, waste)| waste.tally.count > 0);
        compact::sort_by_key(&mut wastes, |(program, _)| registry.path(*program));
        wastes.iter().map(|(program, waste)| finding(*program, waste, registry)).collect()
    }
}

fn finding(program: PathId, waste: &Waste, registry: &Registry) -> Finding {
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
    if waste.looks > 0 {
        let looks = words::some(waste.looks, "look");
        said.push(format!("the parts of the path cost {looks}"));
    }
    let verdict = said.join(", and ");
    let case = (waste.asked == waste.tally.count).then_some("asked");
    Draft { id: ID, case, program, tally: &waste.tally, verdict }.finding(registry)
}
