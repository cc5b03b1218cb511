//! From what a rule counted to a finding.

use crate::explain::finding::{Children, Finding};
use crate::explain::tally::Tally;
use crate::explain::{caller, remedies};
use crate::{Language, PathId, Registry};

/// The first sentence of a remedy where the script cannot change what the interpreter does.
const INTERPRETERS: &str = "The interpreter does this for itself, not for the script.";

/// A finding before its remedy is known.
pub(crate) struct Draft<'d> {
    /// The rule.
    pub(crate) id: &'static str,
    /// A special case of its remedy.
    pub(crate) case: Option<&'static str>,
    /// The program that made the calls.
    pub(crate) program: PathId,
    /// What was wasted.
    pub(crate) tally: &'d Tally,
    /// The sentence.
    pub(crate) verdict: String,
}

impl Draft<'_> {
    /// The finding.
    pub(crate) fn finding(self, registry: &Registry) -> Finding {
        let language = registry.language(self.program);
        let is_interpreters = caller::is_interpreters_own(language, self.tally, registry);
        let speaks = if is_interpreters { Language::C } else { language };
        let (mut remedy, careful) = remedies::remedy(self.id, self.case, speaks);
        if let Some(said) = remedies::of_tool(self.id, registry.path(self.program)) {
            remedy = said;
        } else if is_interpreters {
            remedy.text = format!("{INTERPRETERS} {}", remedy.text);
        }
        Finding {
            id: self.id,
            verdict: self.verdict,
            program: self.program,
            language,
            wasted: self.tally.count,
            made: 0,
            callers: self.tally.callers(),
            examples: self.tally.examples().to_vec(),
            spared: self.tally.spared(),
            children: Children::default(),
            replaces: Vec::new(),
            saved: None,
            remedy,
            careful,
        }
    }
}
