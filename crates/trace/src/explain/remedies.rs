//! What to do instead, by kind of waste and language. It is data: `remedies.toml`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use fewer::path::base_name;
use serde::Deserialize;

use crate::Language;
use crate::explain::Remedy;
use crate::packed::packed;

/// What the file says about a rule.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Advice {
    /// What could make the finding wrong.
    pub(crate) careful: String,
    /// What to do instead.
    text: String,
    /// The same, in languages where it cannot be done like that.
    #[serde(default)]
    said: BTreeMap<String, String>,
    /// The same, by language; `any` for those that are not named.
    snippet: BTreeMap<String, String>,
    /// What is different in special cases.
    #[serde(default)]
    case: BTreeMap<String, Case>,
    /// What to say to programs whose options decide it, by name: their user cannot change them.
    #[serde(default)]
    tool: BTreeMap<String, Remedy>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    careful: Option<String>,
    text: Option<String>,
    #[serde(default)]
    said: BTreeMap<String, String>,
    #[serde(default)]
    snippet: BTreeMap<String, String>,
}

/// The languages by name.
#[cfg(test)]
pub(crate) const KEYS: [&str; 12] =
    ["c", "cpp", "rust", "go", "python", "node", "java", "ruby", "perl", "php", "lisp", "shell"];

static ADVICE: OnceLock<BTreeMap<String, Advice>> = OnceLock::new();

fn advice() -> &'static BTreeMap<String, Advice> {
    // A test reads the file; without it findings would have no remedies.
    ADVICE.get_or_init(|| toml_edit::de::from_str(&packed!("remedies.toml")).unwrap_or_default())
}

/// The remedy for a kind of waste, and what could make the finding wrong.
pub(crate) fn remedy(id: &str, case: Option<&str>, language: Language) -> (Remedy, String) {
    let Some(advice) = advice().get(id) else {
        return Default::default();
    };
    let case = case.and_then(|case| advice.case.get(case));
    let general = || in_language(&advice.said, language).unwrap_or(&advice.text);
    let text = match case.and_then(|case| case.text.as_deref().map(|text| (case, text))) {
        Some((case, text)) => in_language(&case.said, language).unwrap_or(text),
        None => general(),
    };
    let careful = case.and_then(|case| case.careful.as_ref()).unwrap_or(&advice.careful);
    let special = case.and_then(|case| in_language(&case.snippet, language));
    let snippet = special.or_else(|| in_language(&advice.snippet, language)).unwrap_or_default();
    let remedy = Remedy { text: text.to_owned(), snippet: snippet.trim_end().to_owned() };
    (remedy, careful.clone())
}

/// What the options of a well-known program do about it.
pub(crate) fn of_tool(id: &str, program: &[u8]) -> Option<Remedy> {
    let name = std::str::from_utf8(base_name(program)).ok()?;
    advice().get(id)?.tool.get(name).cloned()
}

/// The text or snippet in that language, or what is the same in all.
pub(crate) fn in_language(snippets: &BTreeMap<String, String>, language: Language) -> Option<&str> {
    let keys: &[&str] = match language {
        Language::C => &["c"],
        Language::Cpp => &["cpp", "c"],
        Language::Rust => &["rust"],
        Language::Go => &["go"],
        Language::Python => &["python"],
        Language::Node => &["node"],
        Language::Java => &["java"],
        Language::Ruby => &["ruby"],
        Language::Perl => &["perl"],
        Language::Php => &["php"],
        Language::Lisp => &["lisp"],
        Language::Shell => &["shell"],
    };
    keys.iter().chain(&["any"]).find_map(|key| snippets.get(*key)).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::rules;

    const LANGUAGES: [Language; 12] = [
        Language::C,
        Language::Cpp,
        Language::Rust,
        Language::Go,
        Language::Python,
        Language::Node,
        Language::Java,
        Language::Ruby,
        Language::Perl,
        Language::Php,
        Language::Lisp,
        Language::Shell,
    ];

    #[test]
    fn every_rule_has_a_remedy_in_every_language() {
        let read: BTreeMap<String, Advice> =
            toml_edit::de::from_str(include_str!("remedies.toml")).unwrap();
        let ids = rules::ids();
        assert!(read.keys().all(|id| ids.contains(&id.as_str())), "{:?}", read.keys());
        for id in ids {
            let cases = read[id].case.keys().map(|case| Some(case.as_str()));
            for case in cases.chain([None]) {
                for language in LANGUAGES {
                    let (remedy, careful) = remedy(id, case, language);
                    assert!(!remedy.text.is_empty() && !careful.is_empty(), "{id} {case:?}");
                    assert!(!remedy.snippet.is_empty(), "{id} {case:?} {language}");
                    assert!(remedy.snippet.lines().count() <= 16, "{id} {case:?} {language}");
                }
            }
        }
    }

    #[test]
    fn well_known_programs_are_told_their_options() {
        let said = |id, program: &str| of_tool(id, program.as_bytes()).map(|it| it.snippet);
        assert!(said("small-reads", "/usr/bin/tar").unwrap().starts_with("tar -b 512 "));
        assert!(said("small-reads", "/bin/dd").unwrap().contains("bs=1M"));
        assert_eq!(said("small-reads", "/usr/bin/prog"), None);
        assert_eq!(said("reopen", "/usr/bin/tar"), None);
        for (id, advice) in advice() {
            for (tool, remedy) in &advice.tool {
                assert!(!remedy.text.is_empty(), "{id} {tool}");
                assert!(remedy.snippet.contains(tool.as_str()), "{id} {tool}");
            }
        }
    }

    #[test]
    fn no_language_is_told_to_do_what_it_cannot() {
        let text = |id, case, language| remedy(id, case, language).0.text;
        assert!(text("stat-per-entry", None, Language::C).contains("d_type"));
        for language in [Language::Perl, Language::Php, Language::Java, Language::Lisp] {
            let text = text("stat-per-entry", None, language);
            assert!(!text.contains("d_type"), "{language}: {text}");
        }
        assert!(!text("small-writes", Some("bare"), Language::Rust).contains("write()"));
    }

    #[test]
    fn languages_are_spelled_right() {
        let read: BTreeMap<String, Advice> =
            toml_edit::de::from_str(include_str!("remedies.toml")).unwrap();
        for (id, advice) in read {
            let cases = advice.case.values();
            let cases = cases.flat_map(|case| case.snippet.keys().chain(case.said.keys()));
            for key in advice.snippet.keys().chain(advice.said.keys()).chain(cases) {
                assert!(key == "any" || KEYS.contains(&key.as_str()), "{id}: {key}");
            }
        }
    }
}
