//! The same path looked at again and again, with the same answer.

use super::prelude::*;

/// Looks whose answer was known.
#[derive(Default)]
pub(crate) struct SameStat {
    wastes: ByFile,
}

pub(super) const ID: &str = "same-stat";

impl Rule for SameStat {
    fn process_gone(&mut self, context: Context, _: bool) {
        self.wastes.add_asked_again(context, Repetition::Same, 1);
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        self.wastes.groups(registry).iter().map(|group| finding(group, registry)).collect()
    }
}

fn finding(group: &Group, registry: &Registry) -> Finding {
    let times = words::times(group.waste.times);
    let path = words::path(group.file, registry);
    let missing = group.waste.tally.examples().iter().all(|call| !call.succeeded());
    let verdict = match (group.is_one(), missing) {
        (true, false) => format!("{path} was looked at {times} and never changed"),
        (true, true) => format!("{path} was looked for {times} and was never there"),
        (false, _) => {
            let files = group.some("file");
            format!("{files} were looked at {times} and never changed, {path} the most")
        }
    };
    let zone = registry.path(group.file) == b"/etc/localtime";
    group.finding(ID, zone.then_some("localtime"), verdict, registry)
}
