//! The project's chores. `cargo run -p tools -- CHORE`:
//!
//! - `tidy`: the rules of style that neither rustfmt nor clippy checks (`tidy/`)
//! - `cases [WORD]...`: runs `cases/*.toml` against the released binary, or through the adapter of
//!   another language (`cases/`)
//! - `readme`: runs every command of README.md (`readme.rs`)
//!
//! Each ends with a line `chore: N passed, N failed`, and exits 1 if anything failed.

#![forbid(unsafe_code)]

mod cases;
mod place;
mod readme;
mod spdx;
mod tally;
mod tidy;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo run -p tools -- CHORE

  tidy                      the rules of style that rustfmt and clippy do not check
  cases [OPTIONS] [WORD]... the cases whose file or name contains every WORD
      --fewer PATH          the binary to judge (default: target/release/fewer)
      --empty PATH          the empty program, and the other programs of cases beside it
                            (default: target/release/empty)
      --through ADAPTER     run them through another language (cases/adapters.toml) instead
      --list                names only, nothing is run
      --keep                leave the scratch folder behind
  readme                    every command of README.md";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((chore, rest)) = arguments.split_first() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let outcome = match chore.as_str() {
        "tidy" => tidy::run(),
        "cases" => cases::run(rest),
        "readme" => readme::run(),
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
