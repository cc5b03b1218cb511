//! The options of a run, from the flags and the environment. As in GNU ls, the last one of
//! contradicting flags counts, so they are read in the order in which they were given.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;

use clap::ArgMatches;
use clap::parser::ValueSource;
use fewer::list::{By, Hidden, ListOrder, Moment, OperandLinks};

use super::sizes::Scale;
use super::times;
use crate::colors::Colors;
use crate::quote::{Charset, Style, charset_from_env};
use crate::{report, terminal};

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
    pub(super) hidden: Hidden,
    pub(super) ignore: Vec<OsString>,
    pub(super) hide: Vec<OsString>,
    pub(super) directory: bool,
    pub(super) recursive: bool,
    /// Whether links in directories are treated as their targets.
    pub(super) follow: bool,
    pub(super) operands: OperandLinks,
    pub(super) order: ListOrder,
    /// Whether the narrowest names come first.
    pub(super) by_width: bool,
    pub(super) inode: bool,
    pub(super) blocks: bool,
    pub(super) owner: bool,
    pub(super) group: bool,
    pub(super) author: bool,
    pub(super) numeric: bool,
    pub(super) block_scale: Scale,
    pub(super) size_scale: Scale,
    pub(super) moment: Moment,
    pub(super) time_style: fewer::present::TimeStyle,
    pub(super) style: Style,
    pub(super) charset: Charset,
    pub(super) question_marks: bool,
    pub(super) indicators: Indicators,
    pub(super) colors: Option<Colors>,
    pub(super) hyperlink: bool,
    pub(super) end: u8,
    /// Columns of a line; 0 for no limit.
    pub(super) width: usize,
    pub(super) tab: usize,
    pub(super) marks: bool,
}

/// The values of the flags read so far.
#[derive(Default)]
struct FlagValues {
    layout: Option<Layout>,
    hidden: Option<Hidden>,
    directory: bool,
    recursive: bool,
    links: Option<Links>,
    by: Option<By>,
    by_width: bool,
    reversed: bool,
    directories_first: bool,
    inode: bool,
    blocks: bool,
    no_owner: bool,
    no_group: bool,
    author: bool,
    numeric: bool,
    kibibytes: bool,
    scale: Option<Scale>,
    moment: Option<Moment>,
    time_style: Option<Vec<u8>>,
    style: Option<Style>,
    question_marks: Option<bool>,
    indicators: Option<Indicators>,
    color: Option<When>,
    hyperlink: bool,
    zero: bool,
    width: Option<usize>,
    tab: Option<usize>,
}

#[derive(Clone, Copy)]
enum Links {
    Always,
    Operands,
    OperandsToDirectories,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Always,
    Auto,
    Never,
}

impl Options {
    /// Reads the flags and the environment.
    ///
    /// Price: at most two `ioctl`: whether standard output is a terminal, and how wide.
    pub(super) fn new(flags: &ArgMatches) -> Result<Options, String> {
        let mut values = FlagValues::default();
        for (name, value) in in_order(flags) {
            values.take(&name, value.as_bytes())?;
        }
        let patterns = |name| flags.get_many(name).into_iter().flatten().cloned().collect();
        let mut options = values.options()?;
        options.ignore = patterns("ignore");
        options.hide = patterns("hide");
        if flags.get_flag("ignore-backups") {
            options.ignore.extend(["*~", ".*~"].map(OsString::from));
        }
        options.marks = flags.get_flag("marks");
        if flags.get_flag("json") {
            options.layout = Layout::Json;
        }
        Ok(options)
    }
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
    found.sort_unstable_by_key(|(place, _, _)| *place);
    found.into_iter().map(|(_, name, value)| (name.to_owned(), value.to_owned())).collect()
}

impl FlagValues {
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
            "hyperlink" => self.hyperlink = is_on(when(&text)),
            "classify" if is_on(when(&text)) => self.indicators = Some(Indicators::Classify),
            _ => {}
        }
        Ok(())
    }

    /// Takes a flag without a value; false if `name` is no such flag.
    fn take_switch(&mut self, name: &str) -> bool {
        match name {
            "all" => self.hidden = Some(Hidden::ShowDots),
            "almost-all" => self.hidden = Some(Hidden::Show),
            "directory" => self.directory = true,
            "recursive" => self.recursive = true,
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
            "reverse" => self.reversed = true,
            "group-directories-first" => self.directories_first = true,
            "inode" => self.inode = true,
            "size" => self.blocks = true,
            "no-group" => self.no_group = true,
            "author" => self.author = true,
            "human-readable" => self.scale = Some(Scale::Human(1024)),
            "si" => self.scale = Some(Scale::Human(1000)),
            "kibibytes" => self.kibibytes = true,
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
            "no-owner" => (self.layout, self.no_owner) = (Some(Layout::Long), true),
            "no-group-long" => (self.layout, self.no_group) = (Some(Layout::Long), true),
            "numeric-uid-gid" => (self.layout, self.numeric) = (Some(Layout::Long), true),
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

    fn zero(&mut self) {
        self.zero = true;
        self.question_marks = Some(false);
        if self.layout != Some(Layout::Long) {
            self.layout = Some(Layout::Lines);
        }
        self.color = Some(When::Never);
        self.style = Some(Style::Literal);
    }

    fn options(self) -> Result<Options, String> {
        let layout = self.layout.unwrap_or_else(|| match terminal::is_stdout() {
            true => Layout::Columns,
            false => Layout::Lines,
        });
        let (block_scale, size_scale) = self.scales();
        let indicators = self.indicators.unwrap_or(Indicators::None);
        let (follow, operands) = self.follow(layout, indicators);
        let style = self.style.or_else(style_from_env);
        let style = style.unwrap_or_else(|| match terminal::is_stdout() {
            true => Style::Shell { escape: true, always: false },
            false => Style::Literal,
        });
        let colors = if self.wants_color() { Colors::from_env() } else { None };
        let width = self.width.unwrap_or_else(|| line_width(layout, colors.is_some()));
        let tab = self.tab.or_else(|| from_env("TABSIZE", "tab size")).unwrap_or(8);
        Ok(Options {
            layout,
            long: layout == Layout::Long,
            hidden: self.hidden.unwrap_or(Hidden::Skip),
            ignore: Vec::new(),
            hide: Vec::new(),
            directory: self.directory,
            recursive: self.recursive,
            follow,
            operands,
            order: self.order(layout),
            by_width: self.by_width && self.by == Some(By::Name),
            inode: self.inode,
            blocks: self.blocks,
            owner: !self.no_owner,
            group: !self.no_group,
            author: self.author,
            numeric: self.numeric,
            block_scale,
            size_scale,
            moment: self.moment.unwrap_or_default(),
            time_style: match layout {
                Layout::Long => times::style(self.time_style)?,
                _ => fewer::present::TimeStyle::locale(),
            },
            style,
            charset: charset_from_env(),
            question_marks: self.question_marks.unwrap_or_else(terminal::is_stdout),
            indicators,
            // Some terminals cannot take tabs and colours on one line.
            tab: if colors.is_some() { 0 } else { tab },
            colors,
            hyperlink: self.hyperlink,
            end: if self.zero { 0 } else { b'\n' },
            width,
            marks: false,
        })
    }

    /// The unit of disk space, and the unit of file sizes.
    fn scales(&self) -> (Scale, Scale) {
        if let Some(scale) = &self.scale {
            return (scale.clone(), scale.clone());
        }
        let set = |name| std::env::var(name).ok();
        let of_ls = set("LS_BLOCK_SIZE");
        let of_all = set("BLOCK_SIZE");
        let for_sizes = of_ls.is_some() || of_all.is_some();
        let text = of_ls.or(of_all).or_else(|| set("BLOCKSIZE"));
        let usual = Scale::unit(if set("POSIXLY_CORRECT").is_some() { 512 } else { 1024 });
        let scale = text.and_then(|text| Scale::parse(&text)).unwrap_or(usual);
        let sizes = if for_sizes { scale.clone() } else { Scale::BYTES };
        (if self.kibibytes { Scale::unit(1024) } else { scale }, sizes)
    }

    fn follow(&self, layout: Layout, indicators: Indicators) -> (bool, OperandLinks) {
        let itself = self.directory || indicators == Indicators::Classify || layout == Layout::Long;
        match self.links {
            Some(Links::Always) => (true, OperandLinks::Follow),
            Some(Links::Operands) => (false, OperandLinks::Follow),
            Some(Links::OperandsToDirectories) => (false, OperandLinks::FollowToDirectory),
            None if itself => (false, OperandLinks::Keep),
            None => (false, OperandLinks::FollowToDirectory),
        }
    }

    /// The order of entries. A time that is chosen but not printed determines the order.
    fn order(&self, layout: Layout) -> ListOrder {
        let moment = self.moment.unwrap_or_default();
        let by = match self.by {
            Some(By::Time(_)) => By::Time(moment),
            Some(by) => by,
            None if layout != Layout::Long && self.moment.is_some() => By::Time(moment),
            None => By::Name,
        };
        ListOrder { by, reversed: self.reversed, directories_first: self.directories_first }
    }

    fn wants_color(&self) -> bool {
        match self.color {
            Some(When::Always) => true,
            Some(When::Never) => false,
            Some(When::Auto) | None => terminal::shows_color(),
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

/// A number of columns from the environment.
fn from_env(name: &str, what: &str) -> Option<usize> {
    let text = std::env::var(name).ok().filter(|text| !text.is_empty())?;
    let found = width(&text);
    if found.is_none() {
        report::complain(&format!(
            "ignoring invalid {what} in environment variable {name}: '{}'",
            text.escape_default()
        ));
    }
    found
}

/// A number of columns in C's notation; one that is too large means no limit.
fn width(text: &str) -> Option<usize> {
    let (digits, base) = match text.as_bytes() {
        [b'0', b'x' | b'X', _, ..] => (&text[2..], 16),
        [b'0', _, ..] => (&text[1..], 8),
        _ => (text.strip_prefix('+').unwrap_or(text), 10),
    };
    let all_digits = !digits.is_empty() && digits.chars().all(|c| c.is_digit(base));
    let number = || isize::from_str_radix(digits, base).unwrap_or(0);
    all_digits.then(|| number().unsigned_abs())
}

fn style_from_env() -> Option<Style> {
    let word = std::env::var("QUOTING_STYLE").ok()?;
    let found = style(&word);
    if found.is_none() {
        report::complain(&format!(
            "ignoring invalid value of environment variable QUOTING_STYLE: '{}'",
            word.escape_default()
        ));
    }
    found
}

fn wrong(what: &str, text: &str) -> String {
    format!("invalid {what}: '{}'", text.escape_default())
}

fn by(word: &str) -> By {
    match word {
        "none" => By::Nothing,
        "size" => By::Size,
        "time" => By::Time(Moment::default()),
        "version" => By::Version,
        "extension" => By::Extension,
        _ => By::Name,
    }
}

fn layout(word: &str) -> Layout {
    match word {
        "across" | "horizontal" => Layout::Across,
        "commas" => Layout::Commas,
        "long" | "verbose" => Layout::Long,
        "vertical" => Layout::Columns,
        _ => Layout::Lines,
    }
}

fn indicators(word: &str) -> Indicators {
    match word {
        "slash" => Indicators::Slash,
        "file-type" => Indicators::Kind,
        "classify" => Indicators::Classify,
        _ => Indicators::None,
    }
}

fn style(word: &str) -> Option<Style> {
    Some(match word {
        "literal" => Style::Literal,
        "shell" => Style::Shell { escape: false, always: false },
        "shell-always" => Style::Shell { escape: false, always: true },
        "shell-escape" => Style::Shell { escape: true, always: false },
        "shell-escape-always" => Style::Shell { escape: true, always: true },
        "c" => Style::C { maybe: false },
        "c-maybe" => Style::C { maybe: true },
        "escape" => Style::Escape,
        "locale" => Style::Locale { double: false },
        "clocale" => Style::Locale { double: true },
        _ => return None,
    })
}

fn moment(word: &str) -> Moment {
    match word {
        "atime" | "access" | "use" => Moment::Accessed,
        "ctime" | "status" => Moment::Changed,
        "birth" | "creation" => Moment::Created,
        _ => Moment::Modified,
    }
}

fn when(word: &str) -> When {
    match word {
        "auto" | "tty" | "if-tty" => When::Auto,
        "never" | "no" | "none" => When::Never,
        _ => When::Always,
    }
}

fn is_on(when: When) -> bool {
    when == When::Always || (when == When::Auto && terminal::is_stdout())
}
