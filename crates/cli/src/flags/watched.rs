//! What the verbs that watch other programs have in common.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Arg, ArgAction, ValueHint, value_parser};
use fewer::filter::Size;

use super::{many, one, switch, time};

/// The exit status of these verbs.
pub(super) const AFTER: &str = "Exit status: that of the command, whatever became of the report; \
    if a signal ended it, the same signal. 127 if there is no such command, 126 if it cannot be \
    run, 2 wrong usage or nothing done.";

/// The command to run.
pub(super) fn command() -> Arg {
    Arg::new("command")
        .value_name("COMMAND")
        .num_args(1..)
        .trailing_var_arg(true)
        .value_parser(value_parser!(OsString))
        .value_hint(ValueHint::CommandWithArguments)
        .help("The command and its arguments")
}

/// What is watched, and where the report goes.
pub(super) fn subject_flags() -> Vec<Arg> {
    let flags = [
        many("pid", "PID", "Attach to a running process, until it ends or Ctrl-C; or to several")
            .short('p')
            .value_delimiter(',')
            .value_parser(value_parser!(u32).range(1..))
            .conflicts_with_all(["command", "from"]),
        many("container", "NAME", "Attach to all processes of a container")
            .long_help(
                "Attach to all processes of a container, and to those that begin in it later: by \
                 its name or the beginning of its identifier, as its control group has it \
                 (docker, podman, containerd, CRI-O, LXC); or by the number of one of its \
                 processes: those of the same pid namespace.",
            )
            .value_parser(NonEmptyStringValueParser::new())
            .conflicts_with_all(["command", "from"]),
        many("unit", "NAME", "Attach to all processes of a systemd unit; nginx is nginx.service")
            .value_parser(NonEmptyStringValueParser::new())
            .conflicts_with_all(["command", "from"]),
        switch("machine", "Watch all processes there are, with --tier kernel")
            .short('a')
            .conflicts_with_all(["command", "from", "pid", "container", "unit"]),
        one("for", "TIME", "Watch so long (30s, 5m, 500ms), then let it run on unwatched")
            .value_parser(time)
            .conflicts_with("from"),
        file("from", "Read a recording, or a log of strace -f -yy -T, instead of running anything")
            .conflicts_with("command"),
        switch("all", "Watch every system call, not only those on files").conflicts_with("from"),
        one("tier", "HOW", "How calls are watched: auto, ptrace (each stops it), agent, kernel")
            .value_parser(["auto", "ptrace", "agent", "kernel"])
            .conflicts_with("from")
            .long_help(
                "How calls are watched. With ptrace the command stops at the beginning and at the \
                 end of each. With agent a small program is brought into the command that records \
                 calls without a stop, after the first eight from a place, on x86-64; calls that \
                 it cannot record stop the command as ever. auto, which is the default, brings it \
                 in once a process has made a hundred calls. The report is the same. With kernel \
                 the kernel records calls by a program that it runs (eBPF): nothing stops, what \
                 there was no room for is counted, and functions that a runtime executes are not \
                 seen. It is for root, where fewer was built with the feature kernel; -a takes it, \
                 and what runs already can be watched by it, too.",
            ),
        one("ring", "SIZE", "How much room --tier kernel has for calls (64M)")
            .value_parser(size)
            .conflicts_with("from"),
        switch("no-stacks", "Do not find out from where calls are made: a third faster")
            .conflicts_with("from"),
        file(
            "output",
            "Write the report to FILE (- is the standard output) instead of the standard error",
        )
        .short('o'),
        color(),
    ];
    flags.into()
}

/// A number of bytes: `64K`, `64M`, `1G`.
fn size(text: &str) -> Result<u32, String> {
    let is_signed = text.starts_with(['+', '-']);
    let size = text.parse::<Size>().ok().filter(|_| !is_signed).map(Size::bytes);
    let size = size.ok_or("not a number of bytes like 64K, 64M or 1G")?;
    let size = u32::try_from(size).ok().filter(|size| (1 << 10..=1 << 31).contains(size));
    size.ok_or_else(|| "from 1K to 2G".to_owned())
}

/// A flag that takes a file.
pub(super) fn file(name: &'static str, help: &'static str) -> Arg {
    one(name, "FILE", help)
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .action(ArgAction::Set)
}

fn color() -> Arg {
    one("color", "WHEN", "Use colours: auto is on a terminal")
        .value_parser(["auto", "always", "never"])
        .default_value("auto")
}
