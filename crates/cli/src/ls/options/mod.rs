//! The options of a run, from the flags and the environment.
//!
//! | module | what is in it |
//! |---|---|
//! | here | the options, grouped by what they are about |
//! | `values` | the flags that contradict each other, of which the last counts |
//! | `words` | the words that flags and variables of the environment take |

mod values;
mod words;

use std::ffi::OsString;

use clap::ArgMatches;
use fewer::Fields;
use fewer::list::{By, Hidden, ListOrder, Moment, OperandLinks};
use fewer::present::TimeStyle;

use self::values::{FlagValues, Links};
use self::words::{When, from_env, style_from_env};
use super::times;
use crate::colors::Colors;
use crate::quote::{Charset, Style, charset_from_env};
use crate::terminal;
use fewer::present::Scale;

/// How entries are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    Long,
    Lines,
    Columns,
    Across,
    Commas,
    Json,
}

/// What is added behind names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Indicators {
    None,
    Slash,
    Kind,
    Classify,
}

/// All options.
#[derive(Debug)]
pub(super) struct Options {
    pub(super) layout: Layout,
    /// Whether the metadata of -l are wanted, in any layout.
    pub(super) long: bool,
    pub(super) selection: Selection,
    pub(super) order: ListOrder,
    /// Whether the narrowest names come first.
    pub(super) by_width: bool,
    pub(super) details: Details,
    pub(super) names: NameOptions,
    pub(super) lines: LineOptions,
}

/// Which entries are listed.
#[derive(Debug)]
pub(super) struct Selection {
    pub(super) hidden: Hidden,
    pub(super) ignore: Vec<OsString>,
    pub(super) hide: Vec<OsString>,
    pub(super) directory: bool,
    pub(super) recursive: bool,
    /// Whether links in directories are treated as their targets.
    pub(super) follow: bool,
    pub(super) operands: OperandLinks,
}

/// What is printed beside a name.
#[derive(Debug)]
pub(super) struct Details {
    /// What is known of entries at all: of files everything, of objects what a store tells.
    pub(super) known: Fields,
    pub(super) inode: bool,
    pub(super) blocks: bool,
    pub(super) owner: bool,
    pub(super) group: bool,
    pub(super) author: bool,
    pub(super) numeric: bool,
    pub(super) block_scale: Scale,
    pub(super) size_scale: Scale,
    pub(super) moment: Moment,
    pub(super) time_style: TimeStyle,
    pub(super) marks: bool,
}

/// How names are printed.
#[derive(Debug)]
pub(super) struct NameOptions {
    pub(super) style: Style,
    pub(super) charset: Charset,
    pub(super) question_marks: bool,
    pub(super) indicators: Indicators,
    pub(super) colors: Option<Colors>,
    pub(super) hyperlink: bool,
}

/// How lines are made of entries.
#[derive(Debug)]
pub(super) struct LineOptions {
    pub(super) end: u8,
    /// Columns of a line; 0 for no limit.
    pub(super) width: usize,
    pub(super) tab: usize,
}

impl Options {
    /// Reads the flags and the environment.
    ///
    /// Price: at most two `ioctl`: whether standard output is a terminal, and how wide.
    pub(super) fn new(flags: &ArgMatches) -> Result<Options, String> {
        let values = FlagValues::read(flags)?;
        let layout = values.layout.unwrap_or_else(|| match terminal::is_stdout() {
            true => Layout::Columns,
            false => Layout::Lines,
        });
        let names = NameOptions::new(&values);
        Ok(Options {
            layout: if flags.get_flag("json") { Layout::Json } else { layout },
            long: layout == Layout::Long,
            selection: Selection::new(flags, &values, layout),
            order: order(flags, &values, layout),
            by_width: values.by_width && values.by == Some(By::Name),
            lines: LineOptions::new(flags, &values, layout, names.colors.is_some()),
            names,
            details: Details::new(flags, values, layout)?,
        })
    }
}

impl Selection {
    fn new(flags: &ArgMatches, values: &FlagValues, layout: Layout) -> Selection {
        let patterns = |name| flags.get_many(name).into_iter().flatten().cloned().collect();
        let mut ignore: Vec<OsString> = patterns("ignore");
        if flags.get_flag("ignore-backups") {
            ignore.extend(["*~", ".*~"].map(OsString::from));
        }
        let directory = flags.get_flag("directory");
        let classifies = values.indicators == Some(Indicators::Classify);
        let (follow, operands) = match values.links {
            Some(Links::Always) => (true, OperandLinks::Follow),
            Some(Links::Operands) => (false, OperandLinks::Follow),
            Some(Links::OperandsToDirectories) => (false, OperandLinks::FollowToDirectory),
            None if directory || classifies || layout == Layout::Long => {
                (false, OperandLinks::Keep)
            }
            None => (false, OperandLinks::FollowToDirectory),
        };
        Selection {
            hidden: values.hidden.unwrap_or(Hidden::Skip),
            ignore,
            hide: patterns("hide"),
            directory,
            recursive: flags.get_flag("recursive"),
            follow,
            operands,
        }
    }
}

/// The order of entries. A time that is chosen but not printed determines the order.
fn order(flags: &ArgMatches, values: &FlagValues, layout: Layout) -> ListOrder {
    let moment = values.moment.unwrap_or_default();
    let by = match values.by {
        Some(By::Time(_)) => By::Time(moment),
        Some(by) => by,
        None if layout != Layout::Long && values.moment.is_some() => By::Time(moment),
        None => By::Name,
    };
    let directories_first = flags.get_flag("group-directories-first");
    ListOrder { by, reversed: flags.get_flag("reverse"), directories_first }
}

impl Details {
    fn new(flags: &ArgMatches, values: FlagValues, layout: Layout) -> Result<Details, String> {
        let is_on = |name| flags.get_flag(name);
        let (block_scale, size_scale) = scales(values.scale, is_on("kibibytes"));
        Ok(Details {
            known: Fields::ALL,
            inode: is_on("inode"),
            blocks: values.blocks,
            owner: !is_on("no-owner"),
            group: !is_on("no-group") && !is_on("no-group-long"),
            author: is_on("author"),
            numeric: is_on("numeric-uid-gid"),
            block_scale,
            size_scale,
            moment: values.moment.unwrap_or_default(),
            time_style: match layout {
                Layout::Long => times::style(values.time_style)?,
                _ => TimeStyle::locale(),
            },
            marks: is_on("marks"),
        })
    }
}

/// The unit of disk space, and the unit of file sizes.
fn scales(chosen: Option<Scale>, kibibytes: bool) -> (Scale, Scale) {
    if let Some(scale) = chosen {
        return (scale.clone(), scale);
    }
    let set = |name| std::env::var(name).ok();
    let of_ls = set("LS_BLOCK_SIZE");
    let of_all = set("BLOCK_SIZE");
    let for_sizes = of_ls.is_some() || of_all.is_some();
    let text = of_ls.or(of_all).or_else(|| set("BLOCKSIZE"));
    let usual = Scale::unit(if set("POSIXLY_CORRECT").is_some() { 512 } else { 1024 });
    let scale = text.and_then(|text| Scale::parse(&text)).unwrap_or(usual);
    let sizes = if for_sizes { scale.clone() } else { Scale::BYTES };
    (if kibibytes { Scale::unit(1024) } else { scale }, sizes)
}

impl NameOptions {
    fn new(values: &FlagValues) -> NameOptions {
        let style = values.style.or_else(style_from_env);
        let is_colored = match values.color {
            Some(When::Always) => true,
            Some(When::Never) => false,
            Some(When::Auto) | None => terminal::shows_color(),
        };
        NameOptions {
            style: style.unwrap_or_else(|| match terminal::is_stdout() {
                true => Style::Shell { escape: true, always: false },
                false => Style::Literal,
            }),
            charset: charset_from_env(),
            question_marks: values.question_marks.unwrap_or_else(terminal::is_stdout),
            indicators: values.indicators.unwrap_or(Indicators::None),
            colors: if is_colored { Colors::from_env() } else { None },
            hyperlink: values.hyperlink,
        }
    }
}

impl LineOptions {
    fn new(flags: &ArgMatches, values: &FlagValues, layout: Layout, colored: bool) -> LineOptions {
        let width = values.width.unwrap_or_else(|| line_width(layout, colored));
        let tab = values.tab.or_else(|| from_env("TABSIZE", "tab size")).unwrap_or(8);
        LineOptions {
            end: if flags.get_flag("zero") { 0 } else { b'\n' },
            width,
            // Some terminals cannot take tabs and colours on one line.
            tab: if colored { 0 } else { tab },
        }
    }
}

fn line_width(layout: Layout, colors: bool) -> usize {
    if !(matches!(layout, Layout::Columns | Layout::Across | Layout::Commas) || colors) {
        return 80;
    }
    let terminal = match terminal::is_stdout() {
        true => sys::terminal_columns(sys::STDOUT).map(usize::from),
        false => None,
    };
    terminal.or_else(|| from_env("COLUMNS", "width")).unwrap_or(80)
}
