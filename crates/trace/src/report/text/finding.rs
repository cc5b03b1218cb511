//! One finding on a screenful.

use super::Palette;
use super::lines::{WIDTH, fit, fit_end, wrap};
use crate::explain::{Basis, Finding};
use crate::figures::{count, counted, share, time};
use crate::report::Report;
use crate::report::locations::{Origin, Spot, origins, spots};
use crate::report::notation::notation;
use crate::report::rates::rate;
use fewer::path::base_name;
use fewer::present::escaped;

/// Lines that a finding takes, with the empty one before it. Only a remedy that says more makes it
/// longer: it is never cut.
const LINES: usize = 24;
/// Columns before what stands beside a label.
const INDENT: usize = 12;
/// Columns for a function on a stack.
const FUNCTION: usize = 36;
/// Lines of a stack that are shown if there is room, and if there is none.
const STACK: (usize, usize) = (9, 3);

/// Renders lines beside labels, and counts the lines.
struct Renderer<'p> {
    palette: &'p Palette,
    out: String,
    lines: usize,
}

impl Renderer<'_> {
    /// A line; the label stands in the margin.
    fn put(&mut self, label: &str, text: &str, style: &str) {
        let Palette { faint, reset, .. } = self.palette;
        // Nothing is emphasised where there is nothing, so that plain text has no tails.
        let label = match label {
            "" => " ".repeat(INDENT),
            label => format!("   {faint}{label}{reset}{}", " ".repeat(INDENT - 3 - label.len())),
        };
        let reset = if style.is_empty() { "" } else { reset };
        self.out += &format!("{label}{style}{text}{reset}\n");
        self.lines += 1;
    }

    /// Several lines with one label.
    fn put_all(&mut self, label: &str, texts: &[String], style: &str) {
        for (at, text) in texts.iter().enumerate() {
            self.put(if at == 0 { label } else { "" }, text, style);
        }
    }
}

impl Report<'_> {
    pub(super) fn finding(&self, number: usize, finding: &Finding, palette: &Palette) -> String {
        let mut renderer = Renderer { palette, out: String::new(), lines: 1 };
        let Palette { strong, id, reset, .. } = palette;
        let head = format!("{number}. {}: ", finding.id);
        let verdict = escaped(finding.verdict.as_bytes());
        let verdict = wrap(&verdict, WIDTH - head.len().min(WIDTH / 2), 4);
        let mut before = format!("{number}. {id}{}{reset}: ", finding.id);
        for line in &verdict {
            renderer.out += &format!("{before}{strong}{line}{reset}\n");
            before = " ".repeat(head.len());
            renderer.lines += 1;
        }
        renderer.put("wasted", &self.wasted_words(finding), "");
        renderer.put("saves", &self.saved_words(finding), "");

        let examples = self.example_lines(finding);
        let whole = |text: &str| wrap(&escaped(text.as_bytes()), WIDTH - INDENT, usize::MAX);
        let remedy = whole(&finding.remedy.text);
        let snippet = snippet(&finding.remedy.snippet);
        let careful = whole(&finding.careful);
        let others = examples.len() + remedy.len() + snippet.len() + careful.len();
        let room = LINES.saturating_sub(renderer.lines + others);

        self.put_places(finding, room, &mut renderer);
        renderer.put_all("e.g.", &examples, palette.faint);
        renderer.put_all("instead", &remedy, "");
        renderer.put_all("", &snippet, palette.code);
        renderer.put_all("careful", &careful, "");
        renderer.out
    }

    /// Three calls; those that look the same take one line.
    fn example_lines(&self, finding: &Finding) -> Vec<String> {
        let mut lines: Vec<(String, usize)> = Vec::new();
        for call in finding.examples.iter().take(3) {
            let text = notation(call, self.registry);
            match lines.iter_mut().find(|line| line.0 == text) {
                Some((_, times)) => *times += 1,
                None => lines.push((text, 1)),
            }
        }
        let line = |(text, times): (String, usize)| match times {
            1 => text,
            times => format!("{text}  ({times} times)"),
        };
        let fitted = fit_calls(&lines);
        fitted.into_iter().zip(lines).map(|(text, (_, times))| line((text, times))).collect()
    }

    fn wasted_words(&self, finding: &Finding) -> String {
        let program = escaped(base_name(self.registry.path(finding.program)));
        let by = if program.is_empty() { "" } else { ", by " };
        let each = self.per_request(finding.wasted);
        let each = each.map_or_else(String::new, |each| {
            let requests = counted(self.served.requests(), "request", "requests");
            format!(", {} in each of {requests}", rate(each))
        });
        let text = format!(
            "{} of {} calls ({}){each}{by}{program}",
            count(finding.wasted),
            count(finding.made),
            share(finding.wasted, finding.made)
        );
        fit(&text, WIDTH - INDENT)
    }

    fn saved_words(&self, finding: &Finding) -> String {
        let Some(saved) = finding.saved else { return "not known: it was not priced".to_owned() };
        let time_saved = time(saved.nanoseconds);
        let of = match self.untraced {
            Ok(run) => {
                let part = share(saved.nanoseconds, run.nanoseconds());
                format!(" of {} ({part})", run.words())
            }
            Err(_) => String::new(),
        };
        let between = match saved.least == saved.most {
            true => String::new(),
            false => format!(" ({} to {})", time(saved.least), time(saved.most)),
        };
        format!("~{time_saved}{between}{of}; {}", basis_words(saved.basis))
    }

    /// From where: places of the program's own, and the stack of the first of them.
    fn put_places(&self, finding: &Finding, room: usize, renderer: &mut Renderer) {
        let origins = origins(self.registry, finding);
        let Some(first) = origins.first() else {
            return renderer.put("where", "not known: there are no stacks", "");
        };
        let named = origins.len().min(3);
        let more = usize::from(origins.len() > named);
        let own = renderer.palette.own;
        let rest: u64 = origins.iter().skip(named).map(|origin| origin.calls).sum();
        let width = count(first.calls.max(rest)).len();
        for (at, origin) in origins.iter().take(named).enumerate() {
            let text = origin_words(origin, width);
            renderer.put(if at == 0 { "where" } else { "" }, &text, if at == 0 { own } else { "" });
        }
        if more > 0 {
            let places = counted((origins.len() - named) as u64, "more place", "more places");
            let text = format!("{:>width$}  in {places}", count(rest));
            renderer.put("", &text, "");
        }
        if let Some(hint) = first.hint {
            renderer.put("", &format!("({hint})"), renderer.palette.faint);
        }
        let hints = usize::from(first.hint.is_some());
        let room = room.saturating_sub(named + more + hints).clamp(STACK.1, STACK.0);
        let spots = spots(self.registry, first.stack);
        let truncated = self.registry.is_truncated(first.stack);
        for (at, (text, is_own)) in
            stack_lines(self, &spots, truncated, room).into_iter().enumerate()
        {
            let style = if is_own { own } else { renderer.palette.faint };
            renderer.put(if at == 0 { "stack" } else { "" }, &text, style);
        }
    }
}

/// How a price was found out, in words.
pub(crate) fn basis_words(basis: Basis) -> &'static str {
    match basis {
        Basis::Replayed => "replayed: the same calls made again, untraced",
        Basis::Mixed => "partly replayed untraced, partly the price of such calls here",
        Basis::Calibrated => "calibrated: the price of such calls on this machine",
        Basis::Watched => "what those programs took, less the price of watching them",
        Basis::Given => "by the table of --prices",
    }
}

/// Calls cut to what stands beside a label, with room for how often each is meant. Where they would
/// look the same, what they begin with in common is cut, and not where they differ.
fn fit_calls(lines: &[(String, usize)]) -> Vec<String> {
    let width = |times: usize| WIDTH - INDENT - if times > 1 { 11 } else { 0 };
    let fitted: Vec<String> =
        lines.iter().map(|(text, times)| fit_call(text, width(*times))).collect();
    let alike = (1..fitted.len()).any(|at| fitted[..at].contains(&fitted[at]));
    if !alike {
        return fitted;
    }
    let first: Vec<char> = lines[0].0.chars().collect();
    let in_common = lines[1..]
        .iter()
        .map(|(text, _)| text.chars().zip(&first).take_while(|(one, other)| one == *other).count());
    let common = in_common.min().unwrap_or_default();
    lines.iter().map(|(text, times)| fit_behind(text, common, width(*times))).collect()
}

/// A call in so many columns: its beginning, and what stands from some place on.
fn fit_behind(text: &str, place: usize, width: usize) -> String {
    const FRONT: usize = 22;
    const BEFORE: usize = 4;
    let from = place.saturating_sub(BEFORE);
    if text.chars().count() <= width || from <= FRONT {
        return fit_call(text, width);
    }
    let front: String = text.chars().take(FRONT).collect();
    let rest: String = text.chars().skip(from).collect();
    format!("{front}...{}", fit_call(&rest, width - FRONT - 3))
}

/// A call in so many columns: what its errno means goes first, then the middle of its path.
fn fit_call(text: &str, width: usize) -> String {
    let Some((call, result)) = text.rsplit_once(" = ") else { return fit(text, width) };
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let result = result.split(" (").next().unwrap_or_default();
    let room = width.saturating_sub(result.chars().count() + 3);
    format!("{} = {result}", fit(call, room))
}

fn origin_words(origin: &Origin, width: usize) -> String {
    let text = format!("{:>width$}  {}  ", count(origin.calls), fit(&origin.function, FUNCTION));
    let room = (WIDTH - INDENT).saturating_sub(text.chars().count());
    text + &fit_end(&origin.site, room)
}

/// The lines of a snippet, each made safe.
fn snippet(text: &str) -> Vec<String> {
    let line = |line: &str| format!("    {}", escaped(line.replace('\t', "    ").as_bytes()));
    text.lines().map(line).collect()
}

/// A stack in so many lines, innermost first: the own frame and its neighbours, then the innermost
/// ones, then what is farther out. What is left out is counted.
fn stack_lines(
    report: &Report,
    spots: &[Spot],
    truncated: bool,
    room: usize,
) -> Vec<(String, bool)> {
    let own = spots.iter().position(|spot| spot.is_own).unwrap_or(0);
    let mut chosen = vec![own];
    // One that fills a gap of one costs no line, so all near ones are tried.
    for at in nearest(own, spots.len()).into_iter().take(4 * room) {
        let mut more = chosen.clone();
        more.push(at);
        more.sort_unstable();
        if height(&more, spots.len(), truncated) <= room {
            chosen = more;
        }
    }
    let functions = chosen.iter().map(|at| spots[*at].function().chars().count());
    let width = functions.max().unwrap_or_default().min(FUNCTION);
    let mut lines = Vec::new();
    let mut next = 0;
    for at in chosen.into_iter().chain([spots.len()]) {
        let left_out = at - next;
        let goes_on = truncated && at == spots.len();
        if left_out > 0 || goes_on {
            lines.push((gap(report, &spots[next..at], goes_on), false));
        }
        if let Some(spot) = spots.get(at) {
            let mark = if spot.is_own { "> " } else { "  " };
            let function = fit(&spot.function(), FUNCTION);
            let site = fit_end(&spot.site(report.registry), WIDTH - INDENT - width - 4);
            lines.push((format!("{mark}{function:<width$}  {site}"), spot.is_own));
        }
        next = at + 1;
    }
    lines
}

/// What is left out of a stack, in a line.
fn gap(report: &Report, spots: &[Spot], goes_on: bool) -> String {
    let mut modules: Vec<String> = spots.iter().map(|spot| spot.module(report.registry)).collect();
    modules.dedup();
    let frames = if spots.len() == 1 { "frame" } else { "frames" };
    match (&modules[..], goes_on) {
        ([], _) => "  ... and what could not be read".to_owned(),
        (_, true) => format!("  ... {} {frames}, and what could not be read", spots.len()),
        ([module], _) => format!("  ... {} {frames} of {}", spots.len(), fit(module, FUNCTION)),
        _ => format!("  ... {} {frames}", spots.len()),
    }
}

/// The order in which frames are worth a line: the one that the own frame called, its caller, the
/// innermost one, then ever farther out.
fn nearest(own: usize, length: usize) -> Vec<usize> {
    let mut order: Vec<usize> = own.checked_sub(1).into_iter().collect();
    let outwards = own + 1..length;
    order.extend(outwards.clone().take(1));
    order.extend((own > 1).then_some(0));
    order.extend(outwards.skip(1));
    order.extend((1..own.saturating_sub(1)).rev());
    order
}

/// How many lines a choice takes, with a line for each gap.
fn height(chosen: &[usize], length: usize, truncated: bool) -> usize {
    let gaps = chosen.windows(2).filter(|pair| pair[1] - pair[0] > 1).count();
    let front = usize::from(chosen.first().is_some_and(|first| *first > 0));
    let end = chosen.last().is_some_and(|last| last + 1 < length) || truncated;
    chosen.len() + gaps + front + usize::from(end)
}
