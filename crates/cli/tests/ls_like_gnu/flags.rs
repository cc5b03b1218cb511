//! Every flag that `fewer ls` has in common with GNU ls, and random command lines of them.

use crate::chance::Chance;
use crate::line::Line;
use crate::tree::{Tree, What};

/// Flags without a value, in short and in long.
pub(crate) const SWITCHES: &[&str] = &[
    "-l", "-1", "-a", "-A", "-d", "-R", "-r", "-t", "-S", "-X", "-U", "-f", "-v", "-h", "-i", "-s",
    "-n", "-g", "-o", "-G", "-F", "-p", "-L", "-H", "-c", "-u", "-Q", "-b", "-q", "-N", "-m", "-x",
    "-C", "-k", "-B", "--si", "--full-time", "--group-directories-first", "--color", "--hyperlink",
    "--zero", "--author",
];

#[rustfmt::skip]
const LONG_SWITCHES: &[&str] = &[
    "--all", "--almost-all", "--directory", "--recursive", "--reverse", "--human-readable",
    "--inode", "--size", "--numeric-uid-gid", "--no-group", "--classify", "--file-type",
    "--dereference", "--dereference-command-line", "--dereference-command-line-symlink-to-dir",
    "--quote-name", "--escape", "--hide-control-chars", "--show-control-chars", "--literal",
    "--kibibytes", "--ignore-backups",
];

/// Words with a value, which stands in braces: one of those below.
const VALUED: &[&str] = &[
    "-w {width}", "-w{width}", "--width={width}", "--width {width}", "-T {tab}", "--tabsize={tab}",
    "--time-style={style}", "--time-style {style}", "--time={time}", "--sort={sort}",
    "--format={format}", "--color={when}", "--hyperlink={when}", "--classify={when}",
    "--indicator-style={indicator}", "--quoting-style={quoting}", "--block-size={block}",
    "-I {glob}", "-I{glob}", "--ignore={glob}", "--hide={glob}", "--time-style=+{date}",
];

#[rustfmt::skip]
const VALUES: &[(&str, &[&str])] = &[
    ("width", &[
        "0", "1", "2", "3", "7", "20", "40", "79", "80", "81", "132", "500", "100000", "010",
        "0x20", "18446744073709551616",
    ]),
    ("tab", &["0", "1", "2", "3", "4", "8", "16", "100"]),
    ("style", &[
        "full-iso", "long-iso", "iso", "locale", "posix-long-iso", "posix-full-iso", "+%s",
        "+%Y-%m-%d %H:%M", "+", "+%F\n%T", "+old %Y\nnew %H",
    ]),
    ("time", &["atime", "access", "use", "ctime", "status", "birth", "creation"]),
    ("sort", &["none", "size", "time", "version", "extension", "width"]),
    ("format", &["across", "commas", "horizontal", "long", "single-column", "verbose", "vertical"]),
    ("when", &["always", "auto", "never", "yes", "no", "force", "none", "tty", "if-tty"]),
    ("indicator", &["none", "slash", "file-type", "classify"]),
    ("quoting", &[
        "literal", "locale", "shell", "shell-always", "shell-escape", "shell-escape-always", "c",
        "c-maybe", "escape", "clocale",
    ]),
    ("block", &[
        "1", "10", "512", "1000", "1024", "1K", "K", "KB", "kB", "2K", "M", "MB", "1M", "G",
        "GiB", "T", "P", "E", "KiB", "human-readable", "si", "'1", "'K", "3", "1000000000",
    ]),
    ("glob", &[
        "*", "a*", "*.c", "?", "[a-c]*", "*~", ".*", "[!a]*", "*.{c,h}", "a", "f1*", "\\a", "[",
        "*\n*", "[[:alpha:]]*", "[]-a]*", "*.tar.*", "**",
    ]),
    ("date", &[
        "%a %b %e", "%A %B %d", "%C%y %g %G", "%D %F %T", "%R %r", "%H:%M:%S.%N", "%I %l %k",
        "%j %U %V %W %u %w", "%p %P", "%s", "%z %:z %::z %:::z", "%Z", "%c", "%x %X", "%n|%t|%%",
        "%h", "%Ey %Od", "%-d %_d %0e %^a %#p", "%3N %6N %9N %12N", "%10Y|%_10m|%-10H", "%+4Y",
        "%q", "%Q %! % ", "%", "%5", "%E", "%-", "%^B %#b %#Z %^Z", "%010s %_20s %-20s", "%:", "",
    ]),
];

/// Variables that change what is printed, and what they are set to.
#[rustfmt::skip]
const VARIABLES: &[(&str, &[&str])] = &[
    ("QUOTING_STYLE", &[
        "literal", "shell", "shell-always", "shell-escape", "c", "escape", "locale", "nonsense",
        "",
    ]),
    ("TIME_STYLE", &[
        "full-iso", "long-iso", "iso", "locale", "posix-iso", "+%s", "+%F\n%T", "posix-+%F",
    ]),
    ("BLOCK_SIZE", &["1", "512", "1K", "KB", "human-readable", "si", "'1", "nonsense", "0", "M"]),
    ("LS_BLOCK_SIZE", &["1", "512", "KB", "human-readable", "si", "nonsense", "MB"]),
    ("BLOCKSIZE", &["512", "K"]),
    ("COLUMNS", &["1", "20", "60", "200", "0", "nonsense", ""]),
    ("TABSIZE", &["0", "1", "4", "nonsense", ""]),
    ("TZ", &[
        "", "UTC0", "Europe/Berlin", "America/New_York", ":Asia/Kolkata", "Asia/Kathmandu",
        "Australia/Lord_Howe", "EST5EDT,M3.2.0,M11.1.0", "<+0330>-3:30", "Nowhere/Bad",
        "/usr/share/zoneinfo/Asia/Tokyo", "Africa/Casablanca", "Europe/Dublin",
        "XXX3:15YYY,J60/2,300/1:30", "America/Sao_Paulo", ":", "Pacific/Apia",
    ]),
    ("LS_COLORS", &[
        "", "di=1;34:ln=target:ex=32", "*.c=33:*.tar=31:*.gz=35:fi=36:no=2",
        "rs=0:di=01;34:ln=01;36:mh=44;37:pi=40;33:so=01;35:do=01;35:bd=40;33;01:cd=40;33;01:\
         or=40;31;01:mi=00:su=37;41:sg=30;43:tw=30;42:ow=34;42:st=37;44:ex=01;32:*.TXT=3:*~=9",
        "lc=<:rc=>:ec=!:rs=0:di=1", "lc=\\e[:rc=m:no=0:fi=0:di=^A\\_", "ln=1:or=2:mi=3:mh=4:cl=X",
        "nonsense", "di=1:xx=2:ln=3", "su=0:sg=00:tw=0:ow=0:st=0:ex=0:pi=:so=",
    ]),
    ("TERM", &["dumb", "xterm-256color", "vt100", "linux", "nonsense", ""]),
    ("COLORTERM", &["truecolor", ""]),
];

/// The values that a placeholder can have.
fn values(name: &str) -> &'static [&'static str] {
    VALUES.iter().find(|(known, _)| *known == name).map_or(&[], |(_, values)| values)
}

/// A template's words with this value.
fn fill(template: &str, value: &str) -> Vec<String> {
    let inside = template.split(' ').map(|word| match (word.find('{'), word.find('}')) {
        (Some(start), Some(end)) => [&word[..start], value, &word[end + 1..]].concat(),
        _ => word.to_owned(),
    });
    inside.collect()
}

fn placeholder(template: &str) -> &str {
    let inner = template.split_once('{').map_or("", |(_, rest)| rest);
    inner.strip_suffix('}').unwrap_or(inner)
}

/// Every flag with every value, each as the words that it is written as.
pub(crate) fn all() -> Vec<Vec<String>> {
    let switches = SWITCHES.iter().chain(LONG_SWITCHES).map(|switch| vec![(*switch).to_owned()]);
    let valued = VALUED.iter().flat_map(|template| {
        values(placeholder(template)).iter().map(|value| fill(template, value))
    });
    switches.chain(valued).collect()
}

/// Every flag once; of those with a value, each with a kind of value of its own.
pub(crate) fn kinds() -> Vec<Vec<String>> {
    let mut kinds: Vec<Vec<String>> =
        SWITCHES.iter().map(|switch| vec![(*switch).to_owned()]).collect();
    for template in [
        "--time={time}", "--sort={sort}", "--format={format}", "--indicator-style={indicator}",
        "--quoting-style={quoting}", "--time-style={style}",
    ] {
        let values = values(placeholder(template)).iter();
        kinds.extend(values.map(|value| fill(template, value)));
    }
    let more = [
        "-w 0", "-w 40", "-T 0", "-T 3", "-I a*", "--hide=a*", "--hide=*~", "-I *.c",
        "--block-size=1", "--block-size=KB", "--block-size=M", "--color=never", "--file-type",
        "--block-size='1", "--show-control-chars", "--dereference-command-line-symlink-to-dir",
    ];
    kinds.extend(more.iter().map(|words| words.split(' ').map(str::to_owned).collect()));
    kinds
}

fn flag(chance: &mut Chance) -> Vec<String> {
    match chance.below(8) {
        0..4 => vec![chance.of(SWITCHES).to_owned()],
        4 => vec![chance.of(LONG_SWITCHES).to_owned()],
        _ => {
            let template = chance.of(VALUED);
            fill(template, chance.of(values(placeholder(template))))
        }
    }
}

/// One to seven flags; more often than not there is a long listing among them.
pub(crate) fn line(chance: &mut Chance, tree: &Tree, root: bool) -> Line {
    let mut flags: Vec<Vec<String>> = (0..1 + chance.below(6)).map(|_| flag(chance)).collect();
    if chance.one_in(2) {
        let long = chance.of(&["-l", "-l", "-la", "-ls", "-n", "-g", "-o", "-li"]);
        flags.insert(chance.below(flags.len() + 1), vec![long.to_owned()]);
    }
    let mut line = Line { flags, ..Line::default() };
    for (name, values) in VARIABLES {
        if chance.one_in(9) {
            line.env.push(((*name).to_owned(), chance.of(values).to_owned()));
        }
    }
    if tree.is_before_1970() {
        // A rule is for all years; glibc has no summer time by rule before 1970.
        line.env.retain(|(name, value)| name != "TZ" || !value.contains(','));
    }
    line.bundle = chance.one_in(3);
    line.operands = operands(chance, tree);
    line.operands_first = chance.one_in(10);
    line.nobody = root && chance.one_in(6);
    line
}

fn operands(chance: &mut Chance, tree: &Tree) -> Vec<Vec<u8>> {
    let any = |chance: &mut Chance| -> Vec<u8> {
        let of_kind = |wanted: fn(&What) -> bool| {
            let nodes = tree.0.iter().filter(move |node| wanted(&node.what));
            nodes.map(|node| &node.path[..]).collect::<Vec<_>>()
        };
        let paths = match chance.below(6) {
            0 => of_kind(|what| *what == What::Directory),
            1 => of_kind(|what| matches!(what, What::Link(_))),
            2 => vec![&b"."[..], b"missing", b"./", b"..", b"", b"mis\nsing\xff", b"/dev/null"],
            _ => of_kind(|_| true),
        };
        let path = if paths.is_empty() { b"." } else { paths[chance.below(paths.len())] };
        match chance.below(8) {
            0 if !path.is_empty() => [path, b"/"].concat(),
            1 => [b"./", path].concat(),
            _ => path.to_owned(),
        }
    };
    let count = match chance.below(4) {
        0 | 1 => 0,
        2 => 1,
        _ => 2 + chance.below(4),
    };
    (0..count).map(|_| any(chance)).collect()
}
