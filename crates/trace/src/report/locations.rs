//! The frames of stacks, one by one with what was inlined, and where a finding's calls come from.

use crate::explain::Finding;
use crate::{Frame, Language, Location, Registry, StackId, own_frame};
use fewer::compact;
use fewer::path::base_name;
use fewer::present::escaped;
use rustc_hash::FxHashMap;

/// A function on a stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot<'r> {
    pub(crate) frame: &'r Frame,
    /// `None` if nothing is known of the address.
    pub(crate) location: Option<&'r Location>,
    /// Whether it is where the program's author can change something: the innermost such one.
    pub(crate) is_own: bool,
}

/// The functions of a stack, innermost first; what was inlined counts as a function.
pub(crate) fn spots(registry: &Registry, stack: StackId) -> Vec<Spot<'_>> {
    let own = own_frame::own_frame(registry, stack);
    let mut spots = Vec::new();
    for (depth, frame) in registry.stack(stack).enumerate() {
        let own = own.filter(|own| own.depth == depth);
        for location in &frame.locations {
            let is_own =
                own.and_then(|own| own.location).is_some_and(|own| std::ptr::eq(own, location));
            spots.push(Spot { frame, location: Some(location), is_own });
        }
        if frame.locations.is_empty() {
            spots.push(Spot { frame, location: None, is_own: own.is_some() });
        }
    }
    spots
}

impl Spot<'_> {
    /// The function; where there is no name, the address.
    pub(crate) fn function(&self) -> String {
        match self.location {
            Some(location) if !location.function.is_empty() => {
                escaped(location.function.as_bytes())
            }
            _ => format!("{:#x}", self.frame.address),
        }
    }

    /// File and line; of libraries, and where they are unknown, the name of the mapped file.
    pub(crate) fn site(&self, registry: &Registry) -> String {
        match self.location {
            // The source files of the C library mean nothing to its users.
            Some(_) if own_frame::is_runtime(registry.path(self.frame.module)) => {
                self.module(registry)
            }
            Some(location) if !location.file.is_empty() && location.line > 0 => {
                format!("{}:{}", escaped(location.file.as_bytes()), location.line)
            }
            Some(location) if !location.file.is_empty() => escaped(location.file.as_bytes()),
            _ => self.module(registry),
        }
    }

    /// The last part of the mapped file's path.
    pub(crate) fn module(&self, registry: &Registry) -> String {
        escaped(base_name(registry.path(self.frame.module)))
    }
}

/// A location of the program's own from which calls of a finding come.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub(crate) calls: u64,
    /// Function, and file and line.
    pub(crate) function: String,
    pub(crate) site: String,
    /// The stack with the most of them.
    pub(crate) stack: StackId,
    /// Why no line is known, and what would help.
    pub(crate) hint: Option<&'static str>,
}

/// Why a spot has no line.
fn hint(registry: &Registry, language: Language, spot: &Spot) -> Option<&'static str> {
    if spot.location.is_some_and(|location| location.line > 0) {
        return None;
    }
    let module = base_name(registry.path(spot.frame.module));
    let is = |name: &str| module.starts_with(name.as_bytes());
    match language {
        Language::Python if is("python") || is("libpython") => Some(
            "the interpreter itself: python -X perf (3.12 or later) names the script's functions",
        ),
        Language::Node if is("node") || is("libnode") => Some(
            "Node.js itself: which function asked is seen in programs that `why` starts, without \
             --no-preload",
        ),
        Language::Java if is("libj") || is("libnio") => {
            Some("the machine itself: none of the program's methods is on the stack")
        }
        Language::Shell | Language::Ruby | Language::Perl | Language::Php | Language::Lisp => None,
        _ => Some("no line is known: there is no debug information (built with -g there is)"),
    }
}

/// Where a finding's calls come from, the most first. Stacks that are empty come from nowhere.
pub(crate) fn origins(registry: &Registry, finding: &Finding) -> Vec<Origin> {
    let mut origins: Vec<Origin> = Vec::new();
    let mut known: FxHashMap<(String, String), usize> = FxHashMap::default();
    for (stack, calls) in &finding.callers {
        let spots = spots(registry, *stack);
        // A stack of nothing but libraries: its outermost function says most.
        let Some(spot) = spots.iter().find(|spot| spot.is_own).or(spots.last()) else { continue };
        let (function, site) = (spot.function(), spot.site(registry));
        let at = *known.entry((function.clone(), site.clone())).or_insert(origins.len());
        match origins.get_mut(at) {
            Some(origin) => origin.calls += calls,
            None => {
                let hint = hint(registry, finding.language, spot);
                origins.push(Origin { calls: *calls, function, site, stack: *stack, hint });
            }
        }
    }
    compact::sort_by_key(&mut origins, |origin| std::cmp::Reverse(origin.calls));
    origins
}

#[cfg(test)]
mod tests {
    use super::super::sample::{finding, run};
    use super::*;
    use crate::{Event, FrameId, PathId, Text};

    #[test]
    fn inlined_functions_stand_one_by_one() {
        let mut run = run();
        let location = |function: &str, line| Location {
            function: function.into(),
            line,
            ..Location::default()
        };
        let locations = vec![location("inner", 3), location("show_entry", 42)];
        run.see(Event::Locations { frame: FrameId(6), locations });
        let spots = spots(&run.registry, StackId(2));
        let found: Vec<_> = spots.iter().map(|spot| (spot.function(), spot.is_own)).collect();
        let expected = [("inner", true), ("show_entry", false), ("list", false), ("main", false)];
        assert_eq!(found, expected.map(|(function, own)| (function.to_owned(), own)));
    }

    #[test]
    fn who_has_no_line_is_told_what_helps() {
        let mut run = run();
        run.see(Event::Locations { frame: FrameId(6), locations: Vec::new() });
        run.see(Event::Locations { frame: FrameId(7), locations: Vec::new() });
        run.see(Event::Locations { frame: FrameId(8), locations: Vec::new() });
        let mut finding = finding();
        let hint = |run: &super::super::sample::Run, finding: &Finding| {
            origins(&run.registry, finding)[0].hint.unwrap_or_default()
        };
        assert!(hint(&run, &finding).contains("-g"));
        run.see(Event::Path { id: PathId(1), path: Text::from("/usr/bin/python3.12") });
        finding.language = Language::Python;
        assert!(hint(&run, &finding).contains("-X perf"));
        finding.language = Language::Shell;
        assert_eq!(hint(&run, &finding), "");
    }
}
