//! Error messages, and the report of `--calls`.

use std::fmt::Display;

use sys::Errno;

use crate::{exit_status, hints, terminal};

/// Prints an error message to standard error. If that fails, there is nowhere to report it.
pub(crate) fn complain(message: &dyn Display) {
    let _ = sys::write_all(sys::STDERR, format!("fewer: {message}\n").as_bytes());
}

/// Prints an error message, and returns the status of total failure.
pub(crate) fn fail(message: &dyn Display) -> u8 {
    complain(message);
    exit_status::FAILED
}

/// Prints the parser's answer: help on standard output, or an error message.
pub(crate) fn parser(answer: &clap::Error) -> u8 {
    if answer.use_stderr() {
        let _ = answer.print();
        if let Some(hint) = hints::after(answer) {
            complain(&hint);
        }
        return exit_status::FAILED;
    }
    let text = answer.render();
    let text = if terminal::shows_color() { text.ansi().to_string() } else { text.to_string() };
    print(text.as_bytes())
}

/// Prints to standard output; returns the exit status.
pub(crate) fn print(bytes: &[u8]) -> u8 {
    match sys::write_all(sys::STDOUT, bytes) {
        Ok(()) => exit_status::OK,
        Err(errno) => cannot_write(errno),
    }
}

/// Handles a failed write to standard output. If its reader has gone, the program ends without a
/// message.
pub(crate) fn cannot_write(errno: Errno) -> u8 {
    if errno == Errno::PIPE {
        sys::die_of_sigpipe();
    }
    fail(&fewer::Error::new(errno, "write to", b"standard output"))
}

/// Prints on standard error how many requests a listing took, and what these stores take for them.
#[cfg(feature = "stores")]
pub(crate) fn requests(
    outcome: &stores::Outcome,
    cents: f64,
    stores: &[stores::Store],
    json: bool,
) {
    let stores::Outcome { keys, requests, repeated, slowed, .. } = outcome;
    let names: Vec<String> = stores.iter().map(|store| format!("{}'s", store.name())).collect();
    let names = names.join(" and ");
    let text = if json {
        format!(
            "{{\"v\":1,\"keys\":{keys},\"requests\":{requests},\"repeated\":{repeated},\
             \"slowed\":{slowed},\"cents\":{cents:.4}}}\n"
        )
    } else {
        format!(
            "{requests:>8} list requests for {keys} keys, {cents:.4} cents at {names} price\n\
             {repeated:>8} of them again, {slowed} because the store wanted fewer\n"
        )
    };
    let _ = sys::write_all(sys::STDERR, text.as_bytes());
}

/// Prints on standard error how many requests it took to read objects.
#[cfg(feature = "stores")]
pub(crate) fn get_requests(requests: u64, objects: usize, json: bool) {
    let text = match json {
        true => format!("{{\"v\":1,\"objects\":{objects},\"requests\":{requests}}}\n"),
        false => format!("{requests:>8} requests for {objects} objects\n"),
    };
    let _ = sys::write_all(sys::STDERR, text.as_bytes());
}

/// Prints on standard error how many requests it took to read an inventory, and how old that is.
#[cfg(feature = "stores")]
pub(crate) fn inventory_requests(requests: u64, created: Option<fewer::Time>, json: bool) {
    let created = created.map(|time| time.seconds.to_string());
    let text = match json {
        true => format!(
            "{{\"v\":1,\"inventory_requests\":{requests},\"created\":{}}}\n",
            created.as_deref().unwrap_or("null")
        ),
        false => format!(
            "{requests:>8} requests for an inventory, made at {} (seconds since 1970)\n",
            created.as_deref().unwrap_or("an unknown time")
        ),
    };
    let _ = sys::write_all(sys::STDERR, text.as_bytes());
}

/// Prints on standard error how many calls of NameNodes a walk took.
#[cfg(feature = "stores")]
pub(crate) fn name_node_calls(outcome: &stores::hdfs::Outcome, json: bool) {
    let stores::hdfs::Outcome { entries, calls, repeated, slowed, .. } = outcome;
    let text = if json {
        format!(
            "{{\"v\":1,\"entries\":{entries},\"requests\":{calls},\"repeated\":{repeated},\
             \"slowed\":{slowed}}}\n"
        )
    } else {
        format!(
            "{calls:>8} calls of the NameNode for {entries} entries\n\
             {repeated:>8} of them again, {slowed} because it wanted fewer\n"
        )
    };
    let _ = sys::write_all(sys::STDERR, text.as_bytes());
}

/// Prints on standard error which calls this process has made.
pub(crate) fn calls(json: bool) {
    let calls = sys::calls();
    let rows = std::iter::once(("total", calls.total())).chain(calls.by_name());
    let text = if json {
        let rows: Vec<_> = rows.map(|(name, count)| format!("\"{name}\":{count}")).collect();
        format!("{{\"v\":1,\"calls\":{{{}}}}}\n", rows.join(","))
    } else {
        rows.map(|(name, count)| format!("{count:>8} {name}\n")).collect()
    };
    let _ = sys::write_all(sys::STDERR, text.as_bytes());
}
