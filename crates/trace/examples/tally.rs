//! Counts the calls of a command by name, for comparing with `strace -f -c`:
//! `tally [--all] [--stacks] [--show] (-p PID | COMMAND…)`.

use std::collections::BTreeMap;
use std::process::ExitCode;

use fewer_trace::Event;
use fewer_trace::source::{Ending, Options, Subject};

fn main() -> ExitCode {
    let mut options = Options::default();
    let mut command: Vec<_> = std::env::args_os().skip(1).collect();
    let mut shows_calls = false;
    while let Some(option) = command.first().and_then(|word| word.to_str()) {
        match option {
            "--all" => options.all = true,
            "--stacks" => options.stacks = true,
            "--show" => shows_calls = true,
            _ => break,
        }
        command.remove(0);
    }
    let mut counts = BTreeMap::new();
    let mut total = 0u64;
    let mut registry = fewer_trace::Registry::default();
    let subject = match command.first().is_some_and(|word| word == "-p") {
        true => Subject::Process(command[1].to_str().and_then(|id| id.parse().ok()).unwrap_or(0)),
        false => Subject::Command(command),
    };
    let ended = fewer_trace::source::trace(&subject, &options, &mut |events| {
        for event in events {
            registry.take(&event);
            match event {
                Event::Call(call) => {
                    total += 1;
                    *counts.entry(call.name.to_string()).or_insert(0u64) += 1;
                    if shows_calls {
                        let path = |id| String::from_utf8_lossy(registry.path(id)).into_owned();
                        eprintln!(
                            "{} {} {:?} {:?} {:?} = {} ({} {:x})",
                            call.thread,
                            call.name,
                            path(call.path),
                            path(call.file),
                            path(call.second),
                            call.result,
                            call.moved,
                            call.answer,
                        );
                    }
                }
                Event::Process(_) | Event::Ended { .. } | Event::Note(_) if shows_calls => {
                    eprintln!("{event:?}");
                }
                _ => {}
            }
        }
    });
    for (name, count) in &counts {
        eprintln!("{count:>10} {name}");
    }
    eprintln!("{total:>10} total");
    match ended.map(|ended| ended.ending) {
        Ok(Ending::Exited(status)) => ExitCode::from(status),
        Ok(ending) => {
            eprintln!("{ending:?}");
            ExitCode::from(255)
        }
        Err(error) => {
            eprintln!("tally: {error}");
            ExitCode::from(2)
        }
    }
}
