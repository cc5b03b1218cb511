//! `fewer lines`: print, count or check lines.
//!
//! | room | what lives there |
//! |---|---|
//! | here | one input after the other, and what becomes of errors |
//! | `input` | a file or the standard input, opened as the flags say |
//! | `plain` | bytes passed on as they are |
//! | `told` | line by line: numbers, JSON, those that are not UTF-8 |
//! | `sums` | counts and lengths, as wc prints them |
//! | `itself` | whether an input is what is printed to |

mod input;
mod itself;
mod plain;
mod sums;
mod told;

use clap::ArgMatches;
use fewer::LineError;
use input::{Format, Input};
use kernel::Errno;
use plain::Plain;
use sums::Sums;
use told::Told;

use crate::progress::Progress;
use crate::report;

/// Why an input is not read to its end.
enum Halt {
    /// It cannot be.
    Input(LineError),
    /// There is nobody to write to.
    Output(Errno),
    /// It is the file that is written to.
    Itself,
}

impl From<LineError> for Halt {
    fn from(error: LineError) -> Halt {
        Halt::Input(error)
    }
}

/// Writes to standard output.
fn write(bytes: &[u8]) -> Result<(), Halt> {
    kernel::write_all(kernel::STDOUT, bytes).map_err(Halt::Output)
}

/// What is done with each input.
trait Job {
    /// Does it; `read` is set once some of the input was there.
    fn input(&mut self, input: &Input, read: &mut bool) -> Result<(), Halt>;

    /// What comes behind the last input.
    fn end(&mut self) -> Result<(), Halt> {
        Ok(())
    }
}

/// Does what the flags say; back comes the exit status.
pub(crate) fn run(flags: &ArgMatches) -> u8 {
    let inputs = Input::all(flags);
    let format = Format::from_flags(flags);
    let progress = Progress::new("lines");
    let status = match format.asks_for_sums(flags) {
        true => work(&inputs, &progress, &mut Sums::new(flags, format, &inputs, &progress)),
        false if Told::is_wanted(flags) => {
            work(&inputs, &progress, &mut Told::new(flags, format, &inputs, &progress))
        }
        false => work(&inputs, &progress, &mut Plain::new(flags, format, &progress)),
    };
    if flags.get_flag("calls") {
        report::calls(flags.get_flag("json"));
    }
    status
}

fn work(inputs: &[Input], progress: &Progress, job: &mut impl Job) -> u8 {
    let (mut failed, mut nothing) = (false, 0);
    for input in inputs {
        let mut read = false;
        match job.input(input, &mut read) {
            Ok(()) => {}
            Err(Halt::Input(error)) => {
                failed = true;
                nothing += usize::from(!read);
                progress.clear();
                report::complain(&error);
            }
            Err(Halt::Itself) => {
                failed = true;
                progress.clear();
                let name = fewer::escaped(input.name());
                report::complain(&format!("'{name}': input file is output file"));
            }
            Err(Halt::Output(errno)) => {
                progress.clear();
                return report::cannot_write(errno);
            }
        }
    }
    progress.clear();
    match job.end() {
        Err(Halt::Output(errno)) => report::cannot_write(errno),
        _ if nothing == inputs.len() => report::FAILED,
        _ if failed => report::PARTLY,
        _ => report::WELL,
    }
}
