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
    fn components_asked_again(&mut self, climb: &Climb, context: Context) {
        let program = context.process.program;
        for call in &climb.again {
            if is_ours(call, context) {
                self.wastes.of(program, call.file).add(call);
            }
        }
        // It belongs to the directory above: that is what is resolved again for each file.
        if let (Some(end), Some(above)) = (&climb.end, climb.again.last())
            && is_ours(end, context)
            && is_ours(above, context)
        {
            self.wastes.of(program, above.file).tally.add(end);
        }
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        self.wastes.whole(registry).iter().map(|group| finding(group, registry)).collect()
    }
}

fn is_ours(call: &Call, context: Context) -> bool {
    let path = context.registry.path(call.file);
    let is_descriptors = descriptor_path::descriptor(path, call.process).is_some();
    !context.kind(call.file).is_database() && !is_descriptors
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
