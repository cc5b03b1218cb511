//! Compares a report with what a label expects.

use super::builder::Placeholders;
use super::label::Finds;
use super::report::{Finding, Report};

/// The failures of a report: findings that are missing, that differ, or that are not expected.
pub(crate) fn judge(
    expected: &[Finds],
    report: &Report,
    placeholders: &Placeholders,
) -> Vec<String> {
    let mut failures = Vec::new();
    for finds in expected {
        let mut those = report.findings.iter().filter(|finding| finding.id == finds.id).peekable();
        if those.peek().is_none() && !finds.optional {
            failures.push(format!("{} is missing; found: {}", finds.id, list(report)));
        }
        // The same kind may be found twice, for different files: one of them has to be right.
        let wrong: Option<Vec<String>> = those
            .map(|finding| differences(finds, finding, report, placeholders))
            .min_by_key(Vec::len);
        failures.extend(wrong.into_iter().flatten());
    }
    for finding in &report.findings {
        if !expected.iter().any(|finds| finds.id == finding.id) {
            failures.push(format!("not expected: {}", show(finding)));
        }
    }
    failures
}

fn differences(
    finds: &Finds,
    finding: &Finding,
    report: &Report,
    placeholders: &Placeholders,
) -> Vec<String> {
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
        for word in words.iter().map(|word| word.replace("{tree}", &placeholders.tree)) {
            if !text.to_lowercase().contains(&word.to_lowercase()) {
                wrong.push(format!("no '{word}' in the {what}: {}: {text}", finding.id));
            }
        }
    }
    let own = report.own_line(finding);
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
        match line_of(at, placeholders) {
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

/// The line of this text in the program's source.
fn line_of(text: &str, placeholders: &Placeholders) -> Result<(String, u32), String> {
    let (name, source) = placeholders.source.as_ref().ok_or("there is no source to look into")?;
    let mut lines = (1..).zip(source.lines()).filter(|(_, line)| line.contains(text));
    match (lines.next(), lines.next()) {
        (Some((number, _)), None) => Ok((name.clone(), number)),
        _ => Err(format!("'{text}' is not exactly once in {name}")),
    }
}

fn list(report: &Report) -> String {
    let shown: Vec<String> = report.findings.iter().map(show).collect();
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
        let placeholders = Placeholders { source, tree: "/t".to_owned() };
        judge(expected, &Report::read(REPORT).unwrap(), &placeholders)
    }

    #[test]
    fn the_report_must_say_what_the_label_says() {
        for right in [
            "", "wasted = [9, 9]", "caller = 'show'\nat = 'localtime('",
            "verdict = ['/etc/localtime']\nremedy = ['Localtime_R']",
        ] {
            assert_eq!(failures(&finds(right)), [""; 0], "{right}");
        }
        for wrong in [
            "wasted = [1, 8]", "caller = 'main'", "at = 'main'", "at = 'local'",
            "verdict = ['/etc/passwd']", "remedy = ['TZ']",
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
