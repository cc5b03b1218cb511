//! Whether a report says what a label expects.

use super::label::Finds;
use super::told::{Finding, Told};
use super::workshop::Places;

/// What is wrong with a report: findings that are missing, that differ, that nobody expects.
pub(crate) fn judge(expected: &[Finds], told: &Told, places: &Places) -> Vec<String> {
    let mut failures = Vec::new();
    for finds in expected {
        let mut those = told.findings.iter().filter(|finding| finding.id == finds.id).peekable();
        if those.peek().is_none() && !finds.optional {
            failures.push(format!("{} is missing; found: {}", finds.id, list(told)));
        }
        // The same kind may be found twice, for different files: one of them has to be right.
        let wrong: Option<Vec<String>> =
            those.map(|finding| differences(finds, finding, told, places)).min_by_key(Vec::len);
        failures.extend(wrong.into_iter().flatten());
    }
    for finding in &told.findings {
        if !expected.iter().any(|finds| finds.id == finding.id) {
            failures.push(format!("not expected: {}", show(finding)));
        }
    }
    failures
}

fn differences(finds: &Finds, finding: &Finding, told: &Told, places: &Places) -> Vec<String> {
    let mut wrong = Vec::new();
    if let Some([least, most]) = finds.wasted
        && !(least..=most).contains(&finding.wasted)
    {
        wrong.push(format!("{} wasted, not {least} to {most}: {}", finding.wasted, show(finding)));
    }
    let remedy = format!("{} {}", finding.remedy.text, finding.remedy.snippet);
    for (what, text, words) in
        [("verdict", &finding.verdict, &finds.verdict), ("remedy", &remedy, &finds.remedy)]
    {
        for word in words.iter().map(|word| word.replace("{tree}", &places.tree)) {
            if !text.to_lowercase().contains(&word.to_lowercase()) {
                wrong.push(format!("no '{word}' in the {what}: {}: {text}", finding.id));
            }
        }
    }
    let own = told.own(finding);
    let own = own.as_ref();
    let shown = || {
        own.map_or("nowhere".to_owned(), |own| {
            format!("{} ({}:{})", own.function, own.file, own.line)
        })
    };
    if let Some(caller) = &finds.caller
        && own.is_none_or(|own| own.function != *caller)
    {
        wrong.push(format!("{}: called from {}, not {caller}", finding.id, shown()));
    }
    if let Some(at) = &finds.at {
        match line_of(at, places) {
            Err(why) => wrong.push(why),
            Ok((file, line)) => {
                if own.is_none_or(|own| own.line != line || !own.file.ends_with(&file)) {
                    let called = format!("called at {}, not {file}:{line}", shown());
                    wrong.push(format!("{}: {called}", finding.id));
                }
            }
        }
    }
    wrong
}

/// Where the program's source has this text.
fn line_of(text: &str, places: &Places) -> Result<(String, u32), String> {
    let (name, source) = places.source.as_ref().ok_or("there is no source to look into")?;
    let mut lines = (1..).zip(source.lines()).filter(|(_, line)| line.contains(text));
    match (lines.next(), lines.next()) {
        (Some((number, _)), None) => Ok((name.clone(), number)),
        _ => Err(format!("'{text}' is not exactly once in {name}")),
    }
}

fn list(told: &Told) -> String {
    let shown: Vec<String> = told.findings.iter().map(show).collect();
    if shown.is_empty() { "nothing".to_owned() } else { shown.join("; ") }
}

pub(crate) fn show(finding: &Finding) -> String {
    let saved = finding.saved_ns.map_or("?".to_owned(), |saved| {
        format!("{} us, {}", saved / 1000, finding.basis.as_deref().unwrap_or("unknown"))
    });
    format!("{} ({}, {saved}: {})", finding.id, finding.wasted, finding.verdict)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"{
        "findings": [{
            "id": "same-stat", "verdict": "`/etc/localtime` was looked at", "wasted": 9,
            "saved_ns": null, "basis": null,
            "remedy": { "text": "Call localtime_r", "snippet": "" },
            "callers": [
                { "own": { "function": "show", "file": "/s/a.c", "line": 2 }, "stack": [] }
            ]
        }],
        "frames": []
    }"#;

    fn finds(more: &str) -> Vec<Finds> {
        vec![toml::from_str(&format!("id = 'same-stat'\n{more}")).unwrap()]
    }

    fn failures(expected: &[Finds]) -> Vec<String> {
        let source = Some(("a.c".to_owned(), "int main\nlocaltime(x)\nlocal(y)".to_owned()));
        let places = Places { source, tree: "/t".to_owned() };
        judge(expected, &Told::read(REPORT).unwrap(), &places)
    }

    #[test]
    fn what_the_label_says_must_be_told() {
        for right in [
            "",
            "wasted = [9, 9]",
            "caller = 'show'\nat = 'localtime('",
            "verdict = ['/etc/localtime']\nremedy = ['Localtime_R']",
        ] {
            assert_eq!(failures(&finds(right)), [""; 0], "{right}");
        }
        for wrong in [
            "wasted = [1, 8]",
            "caller = 'main'",
            "at = 'main'",
            "at = 'local'",
            "verdict = ['/etc/passwd']",
            "remedy = ['TZ']",
        ] {
            assert_eq!(failures(&finds(wrong)).len(), 1, "{wrong}");
        }
    }

    #[test]
    fn findings_that_are_missing_or_too_many_are_failures() {
        assert_eq!(failures(&[]).len(), 1);
        let mut other = finds("");
        other[0].id = "reopen".to_owned();
        assert_eq!(failures(&other).len(), 2);
        other[0].optional = true;
        assert_eq!(failures(&other).len(), 1);
    }
}
