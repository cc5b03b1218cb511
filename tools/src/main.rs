//! The project's chores. `cargo run -p tools -- CHORE`:
//!
//! - `tidy`: the rules of style that neither rustfmt nor clippy checks (`tidy/`)
//! - `cases [WORD]...`: runs `cases/*.toml` against the released binary, or through the adapter of
//!   another language (`cases/`)
//! - `why`: runs the programs of `cases/why/` under `fewer why` (`why/`)
//! - `snippets`: compiles or runs the code in remedies (`snippets.rs`)
//! - `sh`: compares `fewer sh` with dash, bash and ksh93 (`shell/`)
//! - `release`: makes everything that can be installed (`release/`)
//! - `readme`: runs every command of README.md and of the pages in `docs` (`readme.rs`)
//! - `picture`: compares README.md's picture of a report with what is printed (`picture.rs`)
//! - `peers`: which programs here are of other versions than expected output (`peers.rs`)
//!
//! Each ends with a line `chore: N passed, N failed`, and exits 1 if anything failed.

#![forbid(unsafe_code)]

mod cases;
mod checkout;
mod peers;
mod picture;
mod readme;
mod release;
mod shell;
mod snippets;
mod spdx;
mod tally;
mod tidy;
mod why;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo run -p tools -- CHORE

  tidy                      the rules of style that rustfmt and clippy do not check
  cases [OPTIONS] [WORD]... the cases whose file or name contains every WORD
      --fewer PATH          the binary to judge (default: target/release/fewer)
      --empty PATH          the empty program, and the other programs of cases beside it
                            (default: target/release/empty)
      --through ADAPTER     run them through another language (cases/adapters.toml) instead
      --every N             a sample: the first case and each Nth after it
      --wine                by a program for Windows under Wine
      --chroot              in a root that contains nothing else; for static programs
      --list                names only, nothing is run
      --keep                leave the scratch folder behind
  why [OPTIONS] [NAME]...   the programs of cases/why whose kind or name contains a NAME
      --fewer PATH          the binary to judge (default: target/release/fewer)
      --count               count calls with strace instead, and compare what is printed
      --prove               what fewer why --prove says of those whose label says it
      --savings             compare the time promised with the time that the mended twin saves
      --all                 of slow languages not only the first program
      --list, --keep        as above
  snippets [LANGUAGE]...    the code in remedies of `fewer why`, in all languages or in those
  sh [OPTIONS] [WORD]...    the scripts of cases/sh whose file or name contains every WORD
      --fewer PATH          the binary to judge (default: target/release/fewer)
      --judge               run them with dash, bash and ksh93, where the results come from
      --shell 'WORDS'       run them with another shell
      --dialect NAME        posix, bash or ksh only
      --random N            the scripts of N seeds instead, compared with dash and bash
      --seed N              the first of them (default: 1)
      --scripts             scripts of this machine instead (cases/sh/real)
      --chroot              as above
      --every N             a sample: the first case and each Nth after it
      --list, --keep        as above
  release [OPTIONS] [PART]  archives of the command for a machine (--list names them), and the
                            packages deb, wheel, c, sbom
      --out DIR             where they go (default: target/packages)
      --profile NAME        cargo's profile (default: dist)
      --try                 also install, use and remove them, in folders of their own
      --list                what would be made, or what is missing for it; nothing is made
  readme [WORD]...          every command of README.md and of the pages in docs, or of those pages
                            whose names contain every WORD
  picture [--write]         the picture of a report that README.md shows
  peers                     the versions of other programs here, and those of cases/peers.toml";

fn main() -> ExitCode {
    let words: Vec<std::ffi::OsString> = std::env::args_os().skip(1).collect();
    if let [chore, log, words @ ..] = words.as_slice()
        && chore == cases::watcher::CHORE
    {
        return cases::watcher::run(log, words);
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((chore, rest)) = arguments.split_first() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let outcome = match chore.as_str() {
        "tidy" => tidy::run(),
        "cases" => cases::run(rest),
        "why" => why::run(rest),
        "snippets" => snippets::run(rest),
        "sh" => shell::run(rest),
        "release" => release::run(rest),
        "readme" => readme::run(rest),
        "picture" => picture::run(rest),
        "peers" => peers::run(),
        _ => Err(format!("no chore is called '{chore}'\n{USAGE}")),
    };
    match outcome {
        Ok(tally) => {
            println!("{chore}: {tally}");
            tally.exit_code()
        }
        Err(why) => {
            eprintln!("tools {chore}: {why}");
            ExitCode::from(2)
        }
    }
}
