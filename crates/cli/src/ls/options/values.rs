//! The flags that contradict each other: as in GNU ls the last one counts, so they are read in the
//! order in which they were given.

use std::ffi::OsString;
use sys::OsStrExt;

use clap::ArgMatches;
use clap::parser::ValueSource;
use fewer::compact;
use fewer::list::{By, Hidden, Moment};

use super::words::{When, by, indicators, layout, moment, style, when, width, wrong};
use super::{Indicators, Layout};
use crate::quote::Style;
use fewer::present::Scale;

/// The values of the flags read so far.
#[derive(Default)]
pub(super) struct FlagValues {
    pub(super) layout: Option<Layout>,
    pub(super) hidden: Option<Hidden>,
    pub(super) links: Option<Links>,
    pub(super) by: Option<By>,
    pub(super) by_width: bool,
    pub(super) blocks: bool,
    pub(super) scale: Option<Scale>,
    pub(super) moment: Option<Moment>,
    pub(super) time_style: Option<Vec<u8>>,
    pub(super) style: Option<Style>,
    pub(super) question_marks: Option<bool>,
    pub(super) indicators: Option<Indicators>,
    pub(super) color: Option<When>,
    pub(super) hyperlink: bool,
    pub(super) width: Option<usize>,
    pub(super) tab: Option<usize>,
}

#[derive(Clone, Copy)]
pub(super) enum Links {
    Always,
    Operands,
    OperandsToDirectories,
}

/// The flags that were given and their values, in order. A flag without a value, or of which only
/// the last one counts, stands where it was given last.
fn in_order(flags: &ArgMatches) -> Vec<(String, OsString)> {
    let is_given = |id: &&clap::Id| {
        flags.value_source(id.as_str()) == Some(ValueSource::CommandLine) && *id != "path"
    };
    let mut found = Vec::new();
    for id in flags.ids().filter(is_given) {
        let name = id.as_str();
        let places = flags.indices_of(name).into_iter().flatten();
        let values = flags.get_raw(name).into_iter().flatten();
        found.extend(places.zip(values).map(|(place, value)| (place, name, value)));
    }
    compact::sort_by_key(&mut found, |(place, _, _)| *place);
    found.into_iter().map(|(_, name, value)| (name.to_owned(), value.to_owned())).collect()
}

impl FlagValues {
    pub(super) fn read(flags: &ArgMatches) -> Result<FlagValues, String> {
        let mut values = FlagValues::default();
        for (name, value) in in_order(flags) {
            values.take(&name, value.as_bytes())?;
        }
        Ok(values)
    }

    fn take(&mut self, name: &str, value: &[u8]) -> Result<(), String> {
        if self.take_switch(name) {
            return Ok(());
        }
        let text = String::from_utf8_lossy(value);
        match name {
            "sort" => (self.by, self.by_width) = (Some(by(&text)), text == "width"),
            "format" => self.layout = Some(layout(&text)),
            "indicator-style" => self.indicators = Some(indicators(&text)),
            "quoting-style" => self.style = style(&text),
            "time" => self.moment = Some(moment(&text)),
            "time-style" => self.time_style = Some(value.to_vec()),
            "block-size" => {
                let scale = Scale::parse(&text);
                self.scale = Some(scale.ok_or_else(|| wrong("--block-size argument", &text))?);
            }
            "width" => self.width = Some(width(&text).ok_or_else(|| wrong("line width", &text))?),
            "tabsize" => self.tab = Some(width(&text).ok_or_else(|| wrong("tab size", &text))?),
            "color" => self.color = Some(when(&text)),
            "hyperlink" => self.hyperlink = when(&text).is_on(),
            "classify" if when(&text).is_on() => self.indicators = Some(Indicators::Classify),
            _ => {}
        }
        Ok(())
    }

    /// Takes a flag without a value; false if `name` is no such flag.
    fn take_switch(&mut self, name: &str) -> bool {
        match name {
            "all" => self.hidden = Some(Hidden::ShowDots),
            "almost-all" => self.hidden = Some(Hidden::Show),
            "dereference" => self.links = Some(Links::Always),
            "dereference-command-line" => self.links = Some(Links::Operands),
            "dereference-command-line-symlink-to-dir" => {
                self.links = Some(Links::OperandsToDirectories);
            }
            "by-time" => self.by = Some(By::Time(Moment::default())),
            "by-size" => self.by = Some(By::Size),
            "by-extension" => self.by = Some(By::Extension),
            "by-version" => self.by = Some(By::Version),
            "unsorted" => self.by = Some(By::Nothing),
            "fast" => self.fast(),
            "size" => self.blocks = true,
            "human-readable" => self.scale = Some(Scale::Human(1024)),
            "si" => self.scale = Some(Scale::Human(1000)),
            "changed" => self.moment = Some(Moment::Changed),
            "accessed" => self.moment = Some(Moment::Accessed),
            _ => return self.take_layout(name) || self.take_name(name),
        }
        true
    }

    fn take_layout(&mut self, name: &str) -> bool {
        match name {
            // As POSIX has it, -1 does not undo -l.
            "one" if self.layout == Some(Layout::Long) => {}
            "one" => self.layout = Some(Layout::Lines),
            "long" => self.layout = Some(Layout::Long),
            "columns" => self.layout = Some(Layout::Columns),
            "across" => self.layout = Some(Layout::Across),
            "commas" => self.layout = Some(Layout::Commas),
            "no-owner" | "no-group-long" | "numeric-uid-gid" => self.layout = Some(Layout::Long),
            "full-time" => {
                self.layout = Some(Layout::Long);
                self.time_style = Some(b"full-iso".to_vec());
            }
            "zero" => self.zero(),
            _ => return false,
        }
        true
    }

    fn take_name(&mut self, name: &str) -> bool {
        match name {
            "escape" => self.style = Some(Style::Escape),
            "literal" => self.style = Some(Style::Literal),
            "quote-name" => self.style = Some(Style::C { maybe: false }),
            "hide-control-chars" => self.question_marks = Some(true),
            "show-control-chars" => self.question_marks = Some(false),
            "file-type" => self.indicators = Some(Indicators::Kind),
            "slash" => self.indicators = Some(Indicators::Slash),
            _ => return false,
        }
        true
    }

    fn fast(&mut self) {
        self.hidden = Some(Hidden::ShowDots);
        self.by = Some(By::Nothing);
        if self.layout == Some(Layout::Long) {
            self.layout = None;
        }
        self.color = Some(When::Never);
        self.hyperlink = false;
        self.blocks = false;
    }

    /// -l stays as it is.
    fn zero(&mut self) {
        self.question_marks = Some(false);
        if self.layout != Some(Layout::Long) {
            self.layout = Some(Layout::Lines);
        }
        self.color = Some(When::Never);
        self.style = Some(Style::Literal);
    }
}
