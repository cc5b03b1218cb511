//! `fewer why`: which system calls a program wastes, from where, and what to do instead.

mod diff;
mod prove;
mod screen;

use std::ffi::OsString;
use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::time::Duration;

use clap::ArgMatches;
use trace::count::Counts;
use trace::explain::{self, Explainer, Finding, Thresholds};
use trace::price::{self, Pricing, Table};
use trace::recording::{Header, Writer};
use trace::report::{Moment, Palette, Report, Timeline, Timing, Top, Untraced};
use trace::served::Served;
use trace::source::{Ended, Ending, SingleUseInput, StopPrice, baseline, stop_price};
use trace::watch::{self, EventSink};
use trace::{Error, Event, Registry, report};

use self::screen::Screen;
use crate::exit_status;
use crate::watched::{self, Destination};

/// Runs the verb as the flags say; returns the exit status.
pub(crate) fn run(flags: &ArgMatches) -> u8 {
    let settings = thresholds(flags).and_then(|limits| Ok((limits, table(flags)?)));
    let ((thresholds, table), mut recorder) = match (settings, Recorder::from_flags(flags)) {
        (Ok(settings), Ok(recorder)) => (settings, recorder),
        (Err(why), _) | (_, Err(why)) => return crate::report::fail(&why),
    };
    if let Some(status) = diff::run(flags, &thresholds, table.as_ref()) {
        return status;
    }
    if let Some(status) = prove::run(flags, &thresholds, table.as_ref()) {
        return status;
    }
    let outputs = match Outputs::from_flags(flags) {
        Ok(outputs) => outputs,
        Err(status) => return status,
    };
    if flags.get_flag("baseline") {
        crate::report::complain(&"--baseline: the command is run twice, the second time unwatched");
    }
    let (mut counts, mut timeline) = (Counts::default(), Timeline::default());
    // The process ends when they have been reported: what these remember is not given back piece by
    // piece, which took a tenth of a second.
    let mut explainer = ManuallyDrop::new(Explainer::default());
    let mut input = Input::default();
    let mut served = Served::default();
    let sinks: &mut [&mut dyn EventSink] =
        &mut [&mut counts, &mut timeline, &mut *explainer, &mut served, &mut input, &mut recorder];
    let (registry, ended) = match watch(flags, table.as_ref(), sinks) {
        Ok((registry, ended)) => (ManuallyDrop::new(registry), ended),
        Err(status) => return status,
    };
    let mut status = recorder.finish();
    let stop = table.is_none().then(stop_price).flatten();
    let untraced = match table {
        None => untraced(flags, &input, ended, stop),
        Some(_) => Err("--prices was given".to_owned()),
    };
    let found = explainer.findings(&registry, &thresholds);
    let reason = match found.first() {
        Some(nearest) => report::too_cheap(nearest, &thresholds),
        None => explain::clean(explainer.below(), &thresholds),
    };
    let most = table.is_none().then(|| most(&registry, &untraced, ended, stop)).flatten();
    let hands_off = ended.is_some_and(|ended| is_over(&ended).is_some());
    let stop = stop.map(|stop| stop.processor);
    let pricing = Pricing { table, hands_off, most, stop };
    let findings = price::price(found, &registry, &thresholds, &pricing);
    let untraced = untraced.map(|run| at_least(run, &findings));
    let report = Report {
        findings: &findings,
        inside_start: explainer.inside_start(),
        reason: &reason,
        registry: &registry,
        counts: &counts,
        timeline: &timeline,
        untraced: untraced.as_ref().map_err(String::as_str).copied(),
        watched_for: watched::span(flags, ended),
        by_agent: ended.map_or(0, |ended| ended.by_agent),
        served: &served,
    };
    status = status.max(outputs.write(flags, &report));
    watched::end(ended, status)
}

/// Watches what the flags name, and shows meanwhile what is wasted if that is asked for.
fn watch(
    flags: &ArgMatches,
    table: Option<&Table>,
    sinks: &mut [&mut dyn EventSink],
) -> Result<(Registry, Option<Ended>), u8> {
    if !flags.get_flag("top") {
        return watched::watch(flags, None, sinks);
    }
    let thresholds = top_thresholds(flags).map_err(|why| crate::report::fail(&why))?;
    let mut screen = Screen::of(flags);
    let interval = screen.interval();
    let mut show = |moment: &Moment| screen.show(moment);
    let mut top = Top::new(thresholds, table.cloned(), &mut show);
    let mut all: Vec<&mut dyn EventSink> = vec![&mut top];
    all.extend(sinks.iter_mut().map(|sink| &mut **sink as &mut dyn EventSink));
    watched::watch(flags, Some(interval), &mut all)
}

/// An interval is short: what adds up to a waste in the end is little in each.
fn top_thresholds(flags: &ArgMatches) -> Result<Thresholds, String> {
    adapted(flags, &["milliseconds=0", "calls=10"])
}

fn thresholds(flags: &ArgMatches) -> Result<Thresholds, String> {
    match watched::runs_on(flags) {
        // What it saves depends on how long one looks; the share of the calls does not.
        true => adapted(flags, &["milliseconds=0"]),
        false => adapted(flags, &[]),
    }
}

/// Thresholds with these settings, and with those of the user, which come last.
fn adapted(flags: &ArgMatches, settings: &[&str]) -> Result<Thresholds, String> {
    let mut thresholds = Thresholds::default();
    let users = flags.get_many::<String>("threshold").into_iter().flatten().map(String::as_str);
    for setting in settings.iter().copied().chain(users) {
        thresholds.set(setting).map_err(|why| why.to_string())?;
    }
    Ok(thresholds)
}

/// The table of prices, if the flag names one.
fn table(flags: &ArgMatches) -> Result<Option<Table>, String> {
    flags.get_one::<PathBuf>("prices").map(|path| Table::read(path)).transpose()
}

/// The reason not to start anything more: the run was ended from outside.
fn is_over(ended: &Ended) -> Option<&'static str> {
    match ended.ending {
        _ if ended.interrupted => Some("it was interrupted"),
        Ending::Killed(_) => Some("a signal ended it"),
        Ending::Exited(_) | Ending::Detached => None,
    }
}

/// How long the command takes unwatched, or why that is not known.
fn untraced(
    flags: &ArgMatches,
    input: &Input,
    ended: Option<Ended>,
    stop: Option<StopPrice>,
) -> Result<Untraced, String> {
    let (Some(command), Some(ended)) = (watched::command(flags), ended) else {
        return Err("it was not started here".to_owned());
    };
    if ended.ending == Ending::Detached {
        return Err("it runs on".to_owned());
    }
    if let Some(why) = is_over(&ended) {
        return Err(why.to_owned());
    }
    if flags.get_flag("baseline") {
        return measured(&command, input, ended.ending);
    }
    let stop = stop.ok_or("what watching costs could not be measured")?;
    let (wall, watched) = (ended.run_time.unwatched(stop.wall), ended.run_time.wall);
    Ok(Untraced { wall, basis: Timing::Estimated { watched } })
}

/// Runs the command once more, unwatched. If the second run ends otherwise, it did something else,
/// and its time means nothing.
fn measured(command: &[OsString], input: &Input, ending: Ending) -> Result<Untraced, String> {
    if input.was_read {
        return Err("it has read from what can be read once only".to_owned());
    }
    let baseline = baseline(command).map_err(|error| error.to_string())?;
    if baseline.interrupted {
        return Err("it was interrupted".to_owned());
    }
    if baseline.ending() != ending {
        return Err(format!("run once more, untraced, it {}", baseline.ending()));
    }
    let (wall, user, system) = (baseline.wall, baseline.user, baseline.system);
    Ok(Untraced { wall, basis: Timing::Measured { user, system } })
}

/// An upper bound of the run time, if one is known.
fn most(
    registry: &Registry,
    untraced: &Result<Untraced, String>,
    ended: Option<Ended>,
    stop: Option<StopPrice>,
) -> Option<Duration> {
    match (untraced, ended) {
        (Ok(Untraced { wall, basis: Timing::Measured { .. } }), _) => Some(*wall),
        (_, Some(Ended { run_time, .. })) => {
            Some(stop.map_or(run_time.most(), |stop| run_time.at_most(stop.wall)))
        }
        (_, None) => registry.end().map(Duration::from_nanos),
    }
}

/// An estimated run takes at least the time that its findings save, because that was measured.
fn at_least(mut run: Untraced, findings: &[Finding]) -> Untraced {
    if let Timing::Estimated { .. } = run.basis {
        let saved = findings.iter().filter_map(|it| it.saved).map(|it| it.nanoseconds).sum();
        run.wall = run.wall.max(Duration::from_nanos(saved));
    }
    run
}

/// Notices whether the program reads from a standard input that cannot be read twice.
struct Input {
    once: Option<SingleUseInput>,
    was_read: bool,
}

impl Default for Input {
    fn default() -> Input {
        Input { once: SingleUseInput::of_this_process(), was_read: false }
    }
}

impl EventSink for Input {
    fn event(&mut self, event: &Event, registry: &Registry) {
        if let (Event::Call(call), Some(once), false) = (event, &self.once, self.was_read) {
            self.was_read = once.is_read_by(call, registry);
        }
    }
}

/// The destinations of the reports.
struct Outputs {
    report: Option<Destination>,
    html: Option<Destination>,
    flame: Option<Destination>,
}

impl Outputs {
    fn from_flags(flags: &ArgMatches) -> Result<Outputs, u8> {
        let of = |flag| Destination::of(flags, flag);
        Ok(Outputs { report: of("output")?, html: of("html")?, flame: of("flame")? })
    }

    /// Writes all reports; returns the exit status.
    fn write(&self, flags: &ArgMatches, report: &Report) -> u8 {
        let text = match flags.get_flag("json") {
            true => report.json(),
            false if watched::is_colored(flags) => report.text(&Palette::COLOR),
            false => report.text(&Palette::PLAIN),
        };
        let html = self.html.as_ref().map(|html| html.write(report.html().as_bytes()));
        let flame = self.flame.as_ref().map(|flame| flame.write(report.folded().as_bytes()));
        let written = watched::deliver(self.report.as_ref(), text.as_bytes());
        [Some(written), html, flame].into_iter().flatten().max().unwrap_or_default()
    }
}

/// Writes a recording, if the flag names a file. A write error is reported once, at the end; the
/// program runs on.
struct Recorder {
    writer: Option<Writer>,
    refused: Option<Error>,
}

impl Recorder {
    fn from_flags(flags: &ArgMatches) -> Result<Recorder, String> {
        let command = watched::command(flags).unwrap_or_default();
        let writer = flags
            .get_one::<PathBuf>("record")
            .map(|file| Writer::create(file, &Header::new(watch::words(&command))))
            .transpose()
            .map_err(|error| error.to_string())?;
        Ok(Recorder { writer, refused: None })
    }

    fn finish(self) -> u8 {
        let finished = self.writer.map_or(Ok(()), Writer::finish);
        match self.refused.map_or(finished, Err) {
            Ok(()) => exit_status::OK,
            Err(error) => crate::report::fail(&error),
        }
    }
}

impl EventSink for Recorder {
    fn event(&mut self, event: &Event, _: &Registry) {
        let Some(writer) = &mut self.writer else { return };
        if let Err(error) = writer.write(event) {
            self.refused = Some(error);
            self.writer = None;
        }
    }
}
