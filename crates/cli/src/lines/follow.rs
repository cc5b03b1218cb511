//! `--follow`: what is appended to files, as it comes.

use fewer::lines::{Change, Follow};
use fewer::{Answer, Errno, Error};

use super::copy::Copier;
use super::input::Input;
use super::{Stop, write};
use crate::{exit_status, report};

/// Prints the lines that are there, and then those that come. Ends if there is nothing to follow.
pub(super) fn run(inputs: &[Input], copier: &mut Copier<'_>) -> u8 {
    let mut status = exit_status::OK;
    match follow(inputs, copier, &mut status) {
        Ok(()) => status,
        Err(Stop::Output(errno)) => report::cannot_write(errno),
        Err(Stop::Input(error)) => report::fail(&error),
        #[cfg(feature = "stores")]
        Err(Stop::Object(error)) => report::fail(&error),
        Err(Stop::SameFile) => report::fail(&"an input file is the output file"),
    }
}

fn follow(inputs: &[Input], copier: &mut Copier<'_>, status: &mut u8) -> Result<(), Stop> {
    let mut follow = Follow::new()?;
    let mut followed = Vec::new();
    for input in inputs {
        let file = match copier.print_all(input) {
            Ok(file) => file,
            Err(Stop::Input(error)) => {
                report::complain(&error);
                *status = exit_status::SOME_FAILED;
                if error.errno() != Errno::NOENT || !input.is_file() {
                    continue;
                }
                None
            }
            Err(other) => return Err(other),
        };
        if input.is_file() && follow.add(input.name(), file)? {
            followed.push(input.name());
        }
    }
    if followed.is_empty() {
        return Ok(());
    }
    let mut partial = vec![Vec::new(); followed.len()];
    let mut refused = None;
    follow.run(|number, change| {
        let said = match change {
            Change::Bytes(bytes) => {
                refused = print(bytes, &mut partial[number], followed.len() == 1).err();
                return if refused.is_some() { Answer::Stop } else { Answer::Continue };
            }
            Change::Replaced => "is another file now, which is followed",
            Change::CutShort => "was cut short, and is followed from its beginning",
            Change::Gone => "is not there any more",
        };
        let name = fewer::present::escaped(followed[number]);
        report::complain(&format!("'{name}' {said}"));
        Answer::Continue
    })?;
    refused.map_or(Ok(()), Err)
}

/// Prints bytes; of several files only whole lines, so that no line is mixed with another's.
fn print(bytes: &[u8], partial: &mut Vec<u8>, alone: bool) -> Result<(), Stop> {
    if alone {
        return write(bytes);
    }
    let Some(end) = bytes.iter().rposition(|&byte| byte == b'\n') else {
        partial.extend_from_slice(bytes);
        return Ok(());
    };
    partial.extend_from_slice(&bytes[..=end]);
    write(partial)?;
    partial.clear();
    partial.extend_from_slice(&bytes[end + 1..]);
    Ok(())
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Input(error.into())
    }
}
