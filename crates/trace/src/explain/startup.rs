//! What a runtime does to start and to load what it brings along. The author of a script cannot
//! act on it, so it is no finding of its own: it is folded into one line for each program.
//!
//! A stack belongs to that if its calls lie before the first opening of the script that the
//! process was started with; or if it leads to a runtime's loader, and the files that its calls
//! are about are those of the runtime. A search along places that the user chose is neither.

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::Finding;
use crate::stream::PathTable;
use crate::{
    Call, Class, Language, Location, PathId, Process, Registry, StackId, figures, own_frame,
};
use fewer::compact;
use fewer::path::base_name;

/// Stacks that are told apart; calls of further ones are the program's own.
const MOST_STACKS: usize = 1 << 18;
/// Parts of the paths of files that runtimes bring along, or load without being asked to. Each
/// begins with a slash.
const BROUGHT: [&str; 21] = [
    "/lib/ruby/", "/lib/python2", "/lib/python3", "/perl/", "/perl5/", "/perl-base/",
    "/site_perl/", "/lib/jvm/", "/lib/node_modules/", "/share/nodejs/", "/lib/php/", "/etc/php/",
    "/share/php/", "/lib/sbcl/", "/lib/ecl", "/lib/locale/", "/share/locale", "/lib/gems/",
    "/share/gem/ruby", "/.gem/ruby", "/rubygems-integration",
];
/// Functions that load: of runtimes, and of what they bring along.
const LOADERS: [&str; 11] = [
    "BEGIN", "ClassLoader::", "Perl_pp_require", "Perl_require_pv", "jdk.internal.loader.",
    "rb_f_require", "rb_require", "require", "setlocale", "java.net.URLClassLoader",
    "php_module_startup",
];
/// Files of such functions.
const LOADER_FILES: [&str; 5] =
    ["<frozen importlib", "<frozen zipimport", "bundled_gems.rb", "kernel_require.rb", "/rubygems"];

/// Which stacks are a runtime's own.
#[derive(Default)]
pub(super) struct Startup {
    /// Processes that have not opened their script yet.
    starting: FxHashMap<u32, Starting>,
    stacks: FxHashMap<StackId, Seen>,
    /// By the number of a path.
    brought: PathTable<Option<bool>>,
}

/// A process that has not opened its script yet.
struct Starting {
    /// The names that the script may have.
    names: Vec<Vec<u8>>,
    stacks: FxHashMap<StackId, u64>,
}

/// The calls of a stack.
#[derive(Default)]
struct Seen {
    calls: u64,
    /// Those before the script was opened.
    early: u64,
    /// Those about files that no runtime brings along.
    foreign: u64,
}

/// What was wasted inside the start of a program, in one line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InsideStart {
    /// The program.
    pub program: PathId,
    /// What it interprets.
    pub language: Language,
    /// Wasted calls.
    pub calls: u64,
    /// The kinds of waste, as findings have them.
    pub kinds: Vec<&'static str>,
}

impl Startup {
    /// A process begins, or becomes another program.
    pub(super) fn begin(&mut self, process: &Process, registry: &Registry) {
        const MOST: usize = 1 << 12;
        self.starting.remove(&process.id);
        let names = script_names(process, registry);
        if !names.is_empty() && self.starting.len() < MOST {
            self.starting.insert(process.id, Starting { names, stacks: FxHashMap::default() });
        }
    }

    /// A process ended. If it never opened what it was started with, nothing is known of its start.
    pub(super) fn end(&mut self, process: u32) {
        self.starting.remove(&process);
    }

    /// A call.
    pub(super) fn see(&mut self, call: &Call, registry: &Registry) {
        if self.stacks.len() >= MOST_STACKS && !self.stacks.contains_key(&call.stack) {
            return;
        }
        let is_foreign = call.file.is_some() && !self.is_brought(call.file, registry);
        let seen = self.stacks.entry(call.stack).or_default();
        seen.calls += 1;
        seen.foreign += u64::from(is_foreign);
        let Some(starting) = self.starting.get_mut(&call.process) else { return };
        let name = base_name(registry.path(call.file));
        let is_script = call.name.class() == Class::Open
            && call.succeeded()
            && starting.names.iter().any(|it| it == name);
        if !is_script {
            *starting.stacks.entry(call.stack).or_default() += 1;
            return;
        }
        for (stack, calls) in
            self.starting.remove(&call.process).into_iter().flat_map(|it| it.stacks)
        {
            self.stacks.entry(stack).or_default().early += calls;
        }
    }

    /// Whether it is a file that a runtime brings along, or a folder above such files.
    fn is_brought(&mut self, file: PathId, registry: &Registry) -> bool {
        *self.brought.of(file).get_or_insert_with(|| {
            /// What lies on the way to them.
            const ABOVE: [&str; 10] = [
                "/", "/etc", "/lib", "/usr", "/usr/lib", "/usr/local", "/usr/local/lib",
                "/usr/share", "/var", "/var/lib",
            ];
            let path = registry.path(file);
            let leads_there = |at: usize| {
                let rest = &path[at..];
                BROUGHT.iter().any(|part| {
                    rest.get(1) == part.as_bytes().get(1) && rest.starts_with(part.as_bytes())
                })
            };
            ABOVE.iter().any(|it| it.as_bytes() == path)
                || memchr::memchr_iter(b'/', path).any(leads_there)
        })
    }

    /// Takes what lies inside a start out of the findings.
    pub(super) fn fold(
        &self,
        findings: &mut Vec<Finding>,
        registry: &Registry,
    ) -> Vec<InsideStart> {
        let mut inside: Vec<InsideStart> = Vec::new();
        findings.retain_mut(|finding| {
            let calls = self.cut(finding, registry);
            if calls == 0 {
                return true;
            }
            let known = inside.iter_mut().find(|it| it.program == finding.program);
            match known {
                Some(line) => {
                    line.calls += calls;
                    line.kinds.push(finding.id);
                }
                None => inside.push(InsideStart {
                    program: finding.program,
                    language: finding.language,
                    calls,
                    kinds: vec![finding.id],
                }),
            }
            finding.wasted > 0
        });
        for line in &mut inside {
            compact::sort_by_key(&mut line.kinds, |kind| *kind);
            line.kinds.dedup();
        }
        inside
    }

    /// Takes the calls inside the start out of a finding. How many there were.
    fn cut(&self, finding: &mut Finding, registry: &Registry) -> u64 {
        /// Such a part of the calls is worth a word.
        const MANY: u64 = 20;
        if !starts_much(finding.language) {
            return 0;
        }
        let before = finding.wasted;
        let mut inside = 0;
        finding.callers.retain(|(stack, calls)| {
            let is_inside = self.is_inside(*stack, registry);
            inside += if is_inside { *calls } else { 0 };
            !is_inside
        });
        if inside == 0 {
            return 0;
        }
        finding.wasted = before.saturating_sub(inside);
        for spared in &mut finding.spared {
            let left = u128::from(spared.count) * u128::from(finding.wasted);
            spared.count = u64::try_from(left / u128::from(before.max(1))).unwrap_or(spared.count);
        }
        finding.examples.retain(|call| !self.is_inside(call.stack, registry));
        // A few more or less in a sentence do not matter.
        if inside.saturating_mul(MANY) >= before {
            let (inside, language) = (figures::count(inside), finding.language);
            finding.verdict += &format!("; {inside} of that inside the start of {language}");
        }
        inside
    }

    fn is_inside(&self, stack: StackId, registry: &Registry) -> bool {
        /// So many of ten calls before the script is opened make a stack the start's.
        const NEARLY: u64 = 9;
        /// Of so many calls of a loader one may be about a file of the user's.
        const FEW: u64 = 4;
        let Some(seen) = self.stacks.get(&stack).filter(|_| stack != StackId::NONE) else {
            return false;
        };
        seen.early * 10 >= seen.calls * NEARLY
            || seen.foreign * FEW <= seen.calls && is_loading(stack, registry)
            || is_machines_own(stack, registry)
    }
}

/// Whether programs in this language have a runtime that loads much before they begin.
fn starts_much(language: Language) -> bool {
    match language {
        Language::C | Language::Cpp | Language::Rust | Language::Go | Language::Shell => false,
        Language::Python
        | Language::Node
        | Language::Java
        | Language::Ruby
        | Language::Perl
        | Language::Php
        | Language::Lisp => true,
    }
}

/// Whether a stack leads to a runtime's loader before it leads to a function of the user's.
fn is_loading(stack: StackId, registry: &Registry) -> bool {
    for frame in registry.stack(stack) {
        for location in &frame.locations {
            if is_loader(location) {
                return true;
            }
            let is_script = own_frame::is_of_script(registry, frame, location);
            let is_brought = BROUGHT.iter().any(|part| location.file.contains(part))
                || location.file.starts_with('<')
                || location.file.starts_with("node:");
            if is_script && !is_brought {
                return false;
            }
        }
    }
    false
}

/// Whether a stack is one of Java's virtual machine, with nothing in it that Java was asked to do:
/// threads that compile and collect look at the limits of the container now and then.
fn is_machines_own(stack: StackId, registry: &Registry) -> bool {
    /// It is started by the rest.
    const MACHINE: [&[u8]; 3] = [b"libjvm.so", b"libjli.so", b"java"];
    let modules = || registry.stack(stack).map(|frame| registry.path(frame.module));
    modules().any(|module| base_name(module) == MACHINE[0])
        && modules().all(|it| own_frame::is_runtime(it) || MACHINE.contains(&base_name(it)))
        && !registry.is_truncated(stack)
}

fn is_loader(location: &Location) -> bool {
    let (file, function) = (location.file.as_str(), location.function.as_str());
    let name = function.rsplit("::").next().unwrap_or(function);
    file.starts_with("node:internal/modules/")
        || LOADER_FILES.iter().any(|part| file.contains(part))
        || LOADERS.iter().any(|loader| name == *loader || is_family(loader, function))
}

/// Whether a name stands for all functions that begin with it.
fn is_family(loader: &str, function: &str) -> bool {
    (loader.ends_with("::") || loader.contains(['.', '_'])) && function.starts_with(loader)
}

/// The names of the files that a process may have been started to run.
fn script_names(process: &Process, registry: &Registry) -> Vec<Vec<u8>> {
    const MOST: usize = 16;
    let program = base_name(registry.path(process.program));
    let mut names = Vec::new();
    for (at, word) in process.arguments.iter().take(MOST).enumerate() {
        let name = base_name(&word.0);
        let is_program = at == 0 && (program.starts_with(name) || name.starts_with(program));
        if name.is_empty() || is_program || word.0.starts_with(b"-") {
            continue;
        }
        names.push(name.to_vec());
        // A class of Java.
        names.push([name, b".class"].concat());
    }
    names
}
