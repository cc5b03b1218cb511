//! The path of an open file asked for, though the program opened it by that path.

use super::prelude::*;

pub(super) const ID: &str = "descriptor-path";

/// Looks at `/proc/self/fd`.
#[derive(Default)]
pub(crate) struct DescriptorPath {
    wastes: ByFile,
}

/// The descriptor that a path stands for, if it is one of this process.
pub(super) fn descriptor(path: &[u8], process: u32) -> Option<i32> {
    let number = path.strip_prefix(b"/dev/fd/".as_slice()).or_else(|| {
        let (of, rest) = path.strip_prefix(b"/proc/")?.split_at_checked(4)?;
        let rest = match of {
            b"self" => rest,
            _ => {
                let rest = path.strip_prefix(b"/proc/")?;
                rest.strip_prefix(b"thread-self".as_slice())
                    .or_else(|| rest.strip_prefix(process.to_string().as_bytes()))?
            }
        };
        rest.strip_prefix(b"/fd/".as_slice())
    })?;
    std::str::from_utf8(number).ok()?.parse().ok()
}

impl Rule for DescriptorPath {
    fn path_asked(&mut self, call: &Call, asked: PathQuestion, context: Context) {
        if asked.question != Question::Link || !call.succeeded() {
            return;
        }
        let path = context.registry.path(call.file);
        let is_own =
            descriptor(path, call.process).is_some_and(|it| context.process.has_opened(it));
        if is_own {
            // There are as many links as descriptors, and each leads to many files.
            self.wastes.of(context.process.program, call.second).add(call);
        }
    }

    fn findings(&mut self, registry: &Registry) -> Vec<Finding> {
        self.wastes.whole(registry).iter().map(|group| finding(group, registry)).collect()
    }
}

fn finding(group: &Group, registry: &Registry) -> Finding {
    let (what, times) = (group.subject("file", registry), words::times(group.waste.times));
    let what = what.trim_end_matches(',');
    let verdict = format!("an open file was asked {times} for the path that opened it: {what}");
    group.finding(ID, None, verdict, registry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_have_paths() {
        for (path, expected) in [
            ("/proc/self/fd/7", Some(7)),
            ("/proc/thread-self/fd/7", Some(7)),
            ("/proc/42/fd/7", Some(7)),
            ("/proc/43/fd/7", None),
            ("/proc/421/fd/7", None),
            ("/dev/fd/7", Some(7)),
            ("/proc/self/fd", None),
            ("/proc/self/fdinfo/7", None),
            ("/proc/self/exe", None),
        ] {
            assert_eq!(descriptor(path.as_bytes(), 42), expected, "{path}");
        }
    }
}
