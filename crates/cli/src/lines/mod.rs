//! `fewer lines`: print, count or check lines.
//!
//! | module | what is in it |
//! |---|---|
//! | here | runs over the inputs, reports errors, works out the exit status |
//! | `input` | a file, the standard input or an object, opened as the flags say |
//! | `object` | an object of a store; `no_object` in a build without |
//! | `copy` | copies bytes as they are |
//! | `follow` | what is appended to files, as it comes |
//! | `line_printer` | prints line by line: numbers, JSON, lines that are not UTF-8 |
//! | `totals` | counts and lengths, printed as wc prints them |
//! | `same_file` | whether an input is the file that standard output is written to |

mod copy;
#[cfg(target_os = "linux")]
mod follow;
mod input;
mod line_printer;
#[cfg_attr(not(feature = "stores"), path = "no_object.rs")]
mod object;
mod same_file;
mod totals;

use clap::ArgMatches;
use copy::Copier;
use fewer::LineError;
use input::{Format, Input};
use line_printer::LinePrinter;
use sys::Errno;
use totals::Totals;

use crate::progress::Progress;
use crate::{exit_status, report};

/// Why reading an input stopped before its end.
enum Stop {
    /// The input cannot be read.
    Input(LineError),
    /// The object cannot be read.
    #[cfg(feature = "stores")]
    Object(stores::Error),
    /// Standard output cannot be written.
    Output(Errno),
    /// The input is the file that standard output is written to.
    SameFile,
}

impl From<LineError> for Stop {
    fn from(error: LineError) -> Stop {
        Stop::Input(error)
    }
}

#[cfg(feature = "stores")]
impl From<stores::Error> for Stop {
    fn from(error: stores::Error) -> Stop {
        Stop::Object(error)
    }
}

/// Writes to standard output.
fn write(bytes: &[u8]) -> Result<(), Stop> {
    sys::write_all(sys::STDOUT, bytes).map_err(Stop::Output)
}

/// What is done with each input.
trait InputAction {
    /// Processes one input. Sets `read` as soon as some of it has been read.
    fn input(&mut self, input: &Input, read: &mut bool) -> Result<(), Stop>;

    /// Called after the last input.
    fn end(&mut self) -> Result<(), Stop> {
        Ok(())
    }
}

/// Runs the command as the flags say, and returns the exit status.
pub(crate) fn run(flags: &ArgMatches) -> u8 {
    let inputs = Input::all(flags);
    let format = Format::from_flags(flags);
    let progress = Progress::new("lines");
    if let Some(message) = object::refused(flags) {
        return report::fail(&message);
    }
    if flags.get_flag("follow") {
        #[cfg(target_os = "linux")]
        let status = follow::run(&inputs, &mut Copier::new(flags, format, &progress));
        #[cfg(not(target_os = "linux"))]
        let status = report::fail(&crate::not_here::on_other_systems("--follow"));
        progress.clear();
        return status;
    }
    let status = match format.asks_for_totals(flags) {
        true => run_on(&inputs, &progress, &mut Totals::new(flags, format, &inputs, &progress)),
        false if LinePrinter::is_needed(flags) => {
            run_on(&inputs, &progress, &mut LinePrinter::new(flags, format, &inputs, &progress))
        }
        false => run_on(&inputs, &progress, &mut Copier::new(flags, format, &progress)),
    };
    if flags.get_flag("calls") {
        let json = flags.get_flag("json");
        object::print_requests(inputs.iter().filter_map(Input::object), json);
        report::calls(json);
    }
    status
}

fn run_on(inputs: &[Input], progress: &Progress, action: &mut impl InputAction) -> u8 {
    let (mut failed, mut nothing) = (false, 0);
    for input in inputs {
        let mut read = false;
        let done = action.input(input, &mut read);
        match done.and(input.close()) {
            Ok(()) => {}
            Err(Stop::Input(error)) => {
                failed = true;
                nothing += usize::from(!read);
                progress.clear();
                report::complain(&error);
            }
            #[cfg(feature = "stores")]
            Err(Stop::Object(error)) => {
                failed = true;
                nothing += usize::from(!read);
                progress.clear();
                report::complain(&error);
            }
            Err(Stop::SameFile) => {
                failed = true;
                progress.clear();
                let name = fewer::present::escaped(input.name());
                report::complain(&format!("'{name}': input file is output file"));
            }
            Err(Stop::Output(errno)) => {
                progress.clear();
                return report::cannot_write(errno);
            }
        }
    }
    progress.clear();
    match action.end() {
        Err(Stop::Output(errno)) => report::cannot_write(errno),
        _ if nothing == inputs.len() => exit_status::FAILED,
        _ if failed => exit_status::SOME_FAILED,
        _ => exit_status::OK,
    }
}
