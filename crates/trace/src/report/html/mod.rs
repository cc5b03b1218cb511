//! The report as one page that needs nothing but itself: no network, no framework, and names that
//! are only ever text.

mod data;

use fewer::present::escaped;
use fewer::present::lossless::to_base64;
use fewer::present::quote::word;

use super::Report;
use super::text::Palette;
use crate::packed::packed;

const PAGE: &str = include_str!("page.html");

/// One script of several files; they share the scope of one function.
fn script() -> String {
    format!("(() => {{\n\"use strict\";\n{}}})();\n", packed!("script.js"))
}

impl Report<'_> {
    /// The page. Its own policy forbids it to load anything, and to run any script but its own.
    #[must_use]
    pub fn html(&self) -> String {
        let (style, script) = (packed!("page.css"), script());
        let fill = |name: &str| match name {
            "policy" => policy(&style, &script),
            "title" => escape(&format!("fewer why: {}", self.command())),
            "style" => style.clone(),
            "text" => escape(&self.text(&Palette::PLAIN)),
            "data" => island(&serde_json::to_string(&self.page()).unwrap_or_default()),
            "script" => script.clone(),
            _ => String::new(),
        };
        let mut out = String::with_capacity(PAGE.len() + style.len() + script.len() + (1 << 16));
        // What is filled in is not looked at again: a name may look like a place to fill.
        for (at, piece) in PAGE.split("{{").enumerate() {
            match piece.split_once("}}") {
                Some((name, rest)) if at > 0 => {
                    out += &fill(name);
                    out += rest;
                }
                _ => out += piece,
            }
        }
        out
    }

    /// The command, cut if it is long.
    fn command(&self) -> String {
        let Some(first) = self.registry.first() else { return "(no program)".to_owned() };
        let words: Vec<String> = first.arguments.iter().map(|it| escaped(&word(&it.0))).collect();
        let words = words.join(" ");
        match words.char_indices().nth(2_000) {
            Some((end, _)) => format!("{} ...", &words[..end]),
            None => words,
        }
    }
}

/// What the page may do: its own style and script, allowed by their digests, and its own icon.
fn policy(style: &str, script: &str) -> String {
    let digest =
        |text: &str| format!("'sha256-{}'", to_base64(&hmac_sha256::Hash::hash(text.as_bytes())));
    let (style, script) = (digest(style), digest(script));
    format!(
        "default-src 'none'; style-src {style}; script-src {script}; img-src data:; \
         base-uri 'none'; form-action 'none'"
    )
}

/// Text for HTML.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            other => out.push(other),
        }
    }
    out
}

/// JSON that can stand in a script element: nothing in it ends the element or begins a comment, and
/// it is still the same JSON. These characters occur in its strings only.
fn island(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                out += &format!("\\u{:04x}", u32::from(character));
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::sample::{finding, run};
    use super::*;
    use crate::{Event, PathId, Process, Text};

    #[test]
    fn the_page_is_whole_and_refers_to_nothing() {
        let mut run = run();
        run.findings = vec![finding()];
        let page = run.report().html();
        assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
        assert!(!page.contains("{{") && !page.contains("}}"), "a place was not filled");
        for loads in ["src=\"", "@import", "url(", "fetch(", "XMLHttpRequest", "innerHTML", "eval("]
        {
            assert!(!page.contains(loads), "{loads}");
        }
        // The name of an XML vocabulary is no address that is asked.
        let addresses = page.matches("://").count();
        assert_eq!(addresses, page.matches("http://www.w3.org/2000/svg").count());
    }

    #[test]
    fn hostile_names_stay_in_their_strings() {
        let mut run = run();
        let hostile = "</script><img src=x onerror=alert(1)><!--{{script}}\u{2028}";
        let arguments = vec![Text::from(hostile)];
        run.see(Event::Process(Process { id: 9, arguments, ..Process::default() }));
        run.see(Event::Path { id: PathId(1), path: Text::from(hostile) });
        run.findings = vec![finding()];
        run.findings[0].verdict = hostile.to_owned();
        let page = run.report().html();
        assert_eq!(page.matches("</script>").count(), PAGE.matches("</script>").count());
        assert_eq!(page.matches("<!--").count(), PAGE.matches("<!--").count());
        assert_eq!(page.matches("<img").count(), 0);
        assert_eq!(page.matches('\u{2028}').count(), 0);
    }

    #[test]
    fn the_data_are_json_behind_the_escapes() {
        let hostile = r#"{"a":"</script>&\u2028"}"#;
        let parsed: serde_json::Value = serde_json::from_str(&island(hostile)).unwrap();
        assert_eq!(parsed["a"], "</script>&\u{2028}");
    }
}
