//! A record for people, in Markdown.

use std::fmt::Write;

use crate::definition::Unit;
use crate::record::{Record, Run};

pub(crate) fn markdown(record: &Record) -> String {
    let mut text = String::new();
    // Writing to a String does not fail.
    let _ = write_all(&mut text, record);
    text
}

fn write_all(out: &mut String, record: &Record) -> std::fmt::Result {
    writeln!(out, "# {}, {}\n\n{}.\n", record.definition, record.date, capital(&record.about))?;
    write_place(out, record)?;
    write_targets(out, record)?;
    write_runs(out, record)?;
    if !record.missing.is_empty() {
        writeln!(out, "\n## Missing\n")?;
        for missing in &record.missing {
            writeln!(out, "- **{}**: {}", missing.label, missing.reason)?;
        }
    }
    writeln!(out, "\n## Commands\n")?;
    for command in &record.prepared {
        writeln!(out, "- once, before all: `{command}`")?;
    }
    for run in &record.runs {
        writeln!(out, "- {}: `{}`, {}", run.label, run.command, run.version)?;
        if !run.once.is_empty() {
            writeln!(out, "  Checked and counted: `{}`", run.once)?;
        }
        if !run.differs.is_empty() {
            writeln!(out, "  ({})", run.differs)?;
        }
        if run.verified != "ok" {
            writeln!(out, "  Output: **{}**", run.verified)?;
        }
    }
    Ok(())
}

fn write_place(out: &mut String, record: &Record) -> std::fmt::Result {
    let (machine, tree) = (&record.machine, &record.tree);
    writeln!(
        out,
        "- machine: {}, {} cores, {} GiB, {}",
        machine.processor, machine.cores, machine.memory_gib, machine.kernel
    )?;
    writeln!(out, "- file system: {}, {}", machine.file_system, record.storage)?;
    let busy = machine.load_before.parse().is_ok_and(|load: f64| load > 0.5);
    let warning = if busy { " **(others were at work: doubt the times)**" } else { "" };
    writeln!(out, "- load before {}, after {}{warning}", machine.load_before, machine.load_after)?;
    writeln!(out, "- tree: {}: {}", tree.name, tree.about)?;
    if !record.nameless.is_empty() {
        writeln!(out, "- owners WITHOUT names: {}", record.nameless)?;
    }
    writeln!(out, "- fewer: commit {}", record.commit)?;
    writeln!(
        out,
        "- least that can be reported: {:.2} ms, {:.1} MiB (a program that does nothing)\n",
        record.least_wall_ms,
        record.least_peak_kib as f64 / 1024.0
    )
}

fn write_targets(out: &mut String, record: &Record) -> std::fmt::Result {
    if record.targets.is_empty() {
        return Ok(());
    }
    writeln!(out, "| target | wanted | got | |\n|---|---|---|---|")?;
    for target in &record.targets {
        let verdict = match target.reached {
            Some(true) => "reached",
            Some(false) => "**NOT REACHED**",
            None => "**not judged**",
        };
        let got = target.got.map_or("–".into(), |got| got.to_string());
        let separator = if target.note.is_empty() { "" } else { ": " };
        writeln!(
            out,
            "| {} | {} | {got} | {verdict}{separator}{} |",
            target.says.replace('|', "\\|"),
            target.wanted,
            target.note
        )?;
    }
    writeln!(out)
}

fn write_runs(out: &mut String, record: &Record) -> std::fmt::Result {
    let (unit, nothing) = match record.unit {
        Unit::Directory => ("directory", "directory"),
        Unit::Entry => ("entry", "directory"),
        Unit::Block => ("256 KiB", "file"),
    };
    let inside = record.runs.iter().any(|run| run.inside_ms.is_some());
    writeln!(
        out,
        "Times in milliseconds, whole processes; ratios are of medians. `calls` are those of a\n\
         run under strace, `start` those of the same command on an empty {nothing}.{}\n\n\
         | run | n | min | median | max | user | system | peak MiB |{} × {} | × {} | calls | \
         per {unit} | start |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|{}---:|---:|---:|---:|---:|",
        if inside { INSIDE } else { "" },
        if inside { " inside |" } else { "" },
        record.ours,
        record.floor,
        if inside { "---:|" } else { "" }
    )?;
    for run in &record.runs {
        write_run(out, run, inside)?;
    }
    Ok(())
}

const INSIDE: &str = "\n`inside` is what a process measured of itself, the median of its own \
                      rounds and then of\nall processes; ratios are of these. `calls` are those \
                      of the command named below as\ncounted, where there is one.";

fn write_run(out: &mut String, run: &Run, inside: bool) -> std::fmt::Result {
    let inside = match run.inside_ms {
        Some(inside) => format!(" {} |", time(inside)),
        None if inside => " – |".into(),
        None => String::new(),
    };
    let ratio = |number: Option<f64>| number.map_or("–".into(), |n| format!("{n:.2}"));
    let whole = |number: Option<u64>| number.map_or("–".into(), |n| n.to_string());
    let mark = if run.verified == "ok" { "" } else { " (!)" };
    writeln!(
        out,
        "| {}{mark} | {} | {} | {} | {} | {} | {} | {:.1} |{inside} {} | {} | {} | {} | {} |",
        run.label,
        run.wall_ms.len(),
        time(run.min_ms),
        time(run.median_ms),
        time(run.max_ms),
        time(run.user_ms),
        time(run.system_ms),
        run.peak_kib as f64 / 1024.0,
        ratio(run.times_ours),
        ratio(run.times_floor),
        whole(run.calls),
        run.calls_per_unit.map_or("–".into(), per_unit),
        whole(run.calls_to_start)
    )
}

/// Two places, more for what is nearly nothing.
fn per_unit(calls: f64) -> String {
    if calls < 0.1 { format!("{calls:.4}") } else { format!("{calls:.2}") }
}

/// Three digits that count, whatever the size.
fn time(milliseconds: f64) -> String {
    match milliseconds {
        ms if ms < 10.0 => format!("{ms:.2}"),
        ms if ms < 100.0 => format!("{ms:.1}"),
        ms => format!("{ms:.0}"),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}
