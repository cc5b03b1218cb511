//! One question per component of a path, for every path, though the parents are the same.

use super::descriptor_path;
use super::prelude::*;

pub(super) const ID: &str = "path-components";

/// Components asked about again.
#[derive(Default)]
pub(crate) struct PathComponents {
    wastes: ByFile,
}

impl Rule for PathComponents {
    fn components_asked_again(&mut self, calls: &[Call], context: Context) {
        for call in calls {
            let path = context.registry.path(call.file);
            let is_descriptors = descriptor_path::descriptor(path, call.process).is_some();
            if !context.kind(call.file).is_database() && !is_descriptors {
                let waste = self.wastes.of(context.process.program, call.file);
                waste.add(call);
            }
        }
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        self.wastes.whole(registry).iter().map(|group| finding(group, registry)).collect()
    }
}

fn finding(group: &Group, registry: &Registry) -> Finding {
    let tally = &group.waste.tally;
    let links = tally.examples().iter().any(|call| call.name.to_string().starts_with("readlink"));
    let how = if links { "read as links" } else { "looked at" };
    let (path, times) = (words::path(group.file, registry), words::times(tally.count));
    let verdict = match group.is_one() {
        true => format!("{path} was {how} {times} more than needed"),
        false => format!(
            "{} on the way to files were {how} {times} more than needed, {path} the most",
            group.some("directory"),
        ),
    };
    group.finding(ID, None, verdict, registry)
}
