//! An event sink that shows what is wasted now: the rates of the last interval, and its findings.

use std::time::{Duration, Instant};

use super::locations::origins;
use super::rates::{Rates, rate};
use super::text::{Palette, fit_end};
use crate::explain::{Explainer, Finding, Thresholds};
use crate::figures::time;
use crate::price::{Pricing, Table, price};
use crate::watch::EventSink;
use crate::{Event, Registry, StackId};
use fewer::present::escaped;

/// Stacks of a finding whose functions are looked up: enough to tell where most calls come from.
const STACKS: usize = 4;

/// Columns of an id, of a rate, of a function.
const ID: usize = 16;
const RATE: usize = 8;
const FUNCTION: usize = 24;

/// Explains each interval by itself, so that its memory is that of one interval.
pub struct Top<'a> {
    explainer: Explainer,
    thresholds: Thresholds,
    pricing: Pricing,
    findings: Vec<Finding>,
    rates: Option<Rates>,
    since: Instant,
    screen: &'a mut (dyn FnMut(&Moment) + Send),
}

/// What is known at the end of an interval.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    rates: Rates,
    findings: &'a [Finding],
    registry: &'a Registry,
}

impl<'a> Top<'a> {
    /// Hands what is known to `screen` at the end of each interval. What is saved is taken from a
    /// table, by default the fixed one: there is no time to measure it.
    pub fn new(
        thresholds: Thresholds,
        table: Option<Table>,
        screen: &'a mut (dyn FnMut(&Moment) + Send),
    ) -> Top<'a> {
        let table = Some(table.unwrap_or_else(Table::reference));
        Top {
            explainer: Explainer::default(),
            thresholds,
            pricing: Pricing { table, ..Pricing::default() },
            findings: Vec::new(),
            rates: None,
            since: Instant::now(),
            screen,
        }
    }
}

impl EventSink for Top<'_> {
    fn event(&mut self, event: &Event, registry: &Registry) {
        self.explainer.see(event, registry);
    }

    fn interval_ended(&mut self, registry: &Registry) -> Vec<StackId> {
        let now = Instant::now();
        let elapsed: Duration = now.duration_since(std::mem::replace(&mut self.since, now));
        // Its processes are known to the registry, where the next one finds them.
        let mut explainer = std::mem::take(&mut self.explainer);
        let found = explainer.findings(registry, &self.thresholds);
        self.findings = price(found, registry, &self.thresholds, &self.pricing);
        let wasted = self.findings.iter().map(|finding| finding.wasted).sum();
        let saved = self.findings.iter().filter_map(|it| it.saved).map(|it| it.nanoseconds).sum();
        self.rates = Some(Rates::new(elapsed, explainer.made(), wasted, Some(saved)));
        let callers = self.findings.iter().flat_map(|it| it.callers.iter().take(STACKS));
        callers.map(|(stack, _)| *stack).collect()
    }

    fn show(&mut self, registry: &Registry) {
        if let Some(rates) = self.rates {
            (self.screen)(&Moment { rates, findings: &self.findings, registry });
        }
    }
}

impl Moment<'_> {
    /// A line of rates, then one for each finding, the most time first: what kind, wasted calls a
    /// second, from where, on which file. At most so many lines of so many columns.
    #[must_use]
    pub fn lines(&self, columns: usize, most: usize, palette: &Palette) -> Vec<String> {
        let (strong, id, reset) = (palette.strong, palette.id, palette.reset);
        let mut lines = vec![format!("{strong}{}{reset}", cut(&self.summary(), columns))];
        for finding in self.findings.iter().take(most.saturating_sub(1)) {
            let name = cut(&format!("{:<ID$}", finding.id), columns);
            let room = columns.saturating_sub(name.len());
            let rest = cut(&self.row(finding, room), room);
            lines.push(format!("{id}{name}{reset}{rest}"));
        }
        lines
    }

    fn summary(&self) -> String {
        let Rates { calls, wasted, saved_ns, .. } = self.rates;
        let saved = time(saved_ns.unwrap_or_default().round() as u64);
        format!(
            "{} calls/s, {} wasted/s, {saved} of each second could be saved",
            rate(calls),
            rate(wasted)
        )
    }

    fn row(&self, finding: &Finding, columns: usize) -> String {
        let seconds = self.rates.watched_ns.max(1) as f64 / 1e9;
        let wasted = rate(finding.wasted as f64 / seconds);
        let (function, site) = origins(self.registry, finding)
            .into_iter()
            .next()
            .map_or_else(Default::default, |origin| (origin.function, origin.site));
        let file = finding.examples.first().map(|call| self.registry.path(call.file));
        let file = escaped(file.unwrap_or_default());
        let width = FUNCTION.min(columns / 4);
        let function = cut(&function, width);
        let start = format!(" {wasted:>RATE$}/s  {function:<width$}  ");
        // The line says more than the file does.
        let room = columns.saturating_sub(start.chars().count() + 2);
        let site = fit_end(&site, room.saturating_sub(file.chars().count()).max(room * 2 / 3));
        let file = fit_end(&file, room.saturating_sub(site.chars().count()));
        format!("{start}{site}  {file}")
    }
}

/// The beginning of a text, in so many columns. What is not ASCII may take two.
fn cut(text: &str, columns: usize) -> String {
    let mut used = 0;
    let fits = |letter: &char| {
        used += if letter.is_ascii() { 1 } else { 2 };
        used <= columns
    };
    text.chars().take_while(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sample::{finding, run};
    use super::*;

    fn lines(columns: usize, most: usize, palette: &Palette) -> Vec<String> {
        let run = run();
        let findings = [finding(), finding()];
        let rates = Rates::new(Duration::from_secs(2), 20_214, 10_001, Some(10_000_000));
        Moment { rates, findings: &findings, registry: &run.registry }.lines(columns, most, palette)
    }

    #[test]
    fn each_finding_has_a_line() {
        let lines = lines(200, 9, &Palette::PLAIN);
        assert_eq!(
            lines[0],
            "10,107 calls/s, 5,001 wasted/s, 5.0 ms of each second could be saved"
        );
        let words: Vec<&str> = lines[1].split_whitespace().collect();
        let site = "/home/a/src/lister.c:42";
        assert_eq!(words, ["same-stat", "5,001/s", "show_entry", site, "/etc/localtime"]);
        assert_eq!(lines.len(), 3);
    }

    #[test]
    fn lines_fit_the_terminal() {
        let lines = lines(30, 2, &Palette::PLAIN);
        assert_eq!(lines, ["10,107 calls/s, 5,001 wasted/s", "same-stat           5,001/s  s"]);
        assert_eq!(cut("a\u{65e5}b", 3), "a\u{65e5}");
        assert_eq!(cut("a\u{65e5}b", 2), "a");
    }
}
