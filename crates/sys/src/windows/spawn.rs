//! Children: start one in any directory, wait for it, end it; pipes.

use std::ffi::{CStr, CString, c_void};
use std::os::windows::io::{AsHandle, FromRawHandle, OwnedHandle};
use std::ptr::{null, null_mut};

use windows_sys::Win32::Foundation::{
    HANDLE, STILL_ACTIVE, WAIT_FAILED, WAIT_OBJECT_0, WAIT_TIMEOUT,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_GENERIC_READ, FILE_GENERIC_WRITE, FILE_READ_ATTRIBUTES, FILE_SHARE_READ, FILE_SHARE_WRITE,
    FILE_TRAVERSE,
};
use windows_sys::Win32::System::Pipes::CreatePipe;
use windows_sys::Win32::System::SystemInformation::GetSystemDirectoryW;
use windows_sys::Win32::System::Threading::{
    CREATE_UNICODE_ENVIRONMENT, CreateProcessW, EXTENDED_STARTUPINFO_PRESENT, GetExitCodeProcess,
    INFINITE, PROCESS_INFORMATION, STARTF_USESTDHANDLES, STARTUPINFOEXW, STARTUPINFOW,
    TerminateProcess, WaitForSingleObject,
};

use super::descriptor::handle_of;
use super::errno::last_error;
use super::inherited::Inherited;
use super::nt::{Opening, full_path, open};
use super::path::path_of;
use super::stat::stat_descriptor;
use super::win32_path::win32_path;
use super::{At, CWD, Descriptor, SignalMask, read_behind};
use crate::counter::{Call, count};
use crate::windows_formats::command_line::{
    ProgramKind, command_line, environment_block, program_kind, script_line,
};
use crate::windows_formats::wide::{push_wtf8, to_wide};
use crate::{Errno, Fields, Start, Stream};

/// Whether a child can be told to look for its program: here the caller does.
pub const START_SEARCHES: bool = false;

/// Whether the environment of a child takes room of its arguments.
pub const ENVIRONMENT_TAKES_ROOM: bool = false;

/// The longest single argument of a child, and of all of them: a text of 16 bits for its length.
pub const LONGEST_ARGUMENT: usize = 32_766;

/// How many units the arguments of a child may take.
///
/// Price: none.
#[must_use]
pub fn argument_limit() -> usize {
    LONGEST_ARGUMENT
}

/// What runs a file that is no program: nothing does here.
pub const SCRIPT_SHELL: Option<&CStr> = None;

/// A child that has been started. Dropping it costs one `NtClose`.
#[derive(Debug)]
pub struct Process {
    handle: Descriptor,
    id: u32,
}

impl Process {
    /// The number.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.id
    }
}

/// Starts a child. It gets its three streams, and no other handle of this process. A script of
/// `cmd.exe` (`.bat`, `.cmd`) gets each argument in quotes; one that the shell would not leave
/// alone in these is refused.
///
/// Price: one `NtCreateUserProcess` and two `NtClose` later; what Windows does for it otherwise is
/// not counted. In a directory that is held open one `NtCreateFile`, four `NtQueryInformationFile`
/// and one `NtClose`, so that it starts there and nowhere else. One `NtDuplicateObject` and one
/// `NtClose` a stream.
///
/// # Errors
/// The number for what the system says: `ENOENT` also for a directory that has no path any more,
/// `EACCES`, `ENOEXEC` for what is no program; `ENAMETOOLONG` for a directory whose path has more
/// than 258 units or names that only Windows' own calls take: no program can start there. `E2BIG`
/// for more than 32,766 units of arguments. `EINVAL` for an argument that a script cannot be given:
/// one with a quote, `%` or the end of a line.
#[doc(alias = "CreateProcessW")]
pub fn start(child: &Start<'_, SignalMask>) -> Result<Process, Errno> {
    let directory = child.directory.map(StartDirectory::hold).transpose()?;
    let program = win32_path(child.directory.unwrap_or(CWD), child.program)?;
    let program = as_programs_take_it(&program).unwrap_or(program);
    let (program, mut line) = program_and_line(program, child.arguments)?;
    let environment = environment_block(child.environment.iter().map(|it| it.to_bytes()));
    let environment = environment.ok_or(Errno::INVAL)?;
    let path = directory.as_ref().map_or(null(), |it| it.path.as_ptr());
    let mut nulls = Vec::new();
    let mut streams = [null_mut(); 3];
    for (number, (stream, place)) in child.streams.iter().zip(&mut streams).enumerate() {
        *place = match stream {
            Stream::File(file) => handle_of(*file),
            Stream::Inherit => handle_of([super::STDIN, super::STDOUT, super::STDERR][number]),
            Stream::Null => {
                nulls.push(open_null(number == 0)?);
                nulls.last().map_or(null_mut(), |null| handle_of(null.as_handle()))
            }
        };
    }
    let inherited = Inherited::new(streams)?;
    let [input, output, error] = inherited.handles();
    let startup = STARTUPINFOEXW {
        StartupInfo: STARTUPINFOW {
            cb: size_of::<STARTUPINFOEXW>() as u32,
            dwFlags: STARTF_USESTDHANDLES,
            hStdInput: input,
            hStdOutput: output,
            hStdError: error,
            ..STARTUPINFOW::default()
        },
        lpAttributeList: inherited.attribute_list(),
    };
    let mut made = PROCESS_INFORMATION::default();
    count(Call::CreateUserProcess);
    // SAFETY: the texts and the block end with NULs; they, the startup information, its list and
    // the handles in it outlive the call, which writes to the line and to `made` only.
    let done = unsafe {
        CreateProcessW(
            program.as_ptr(),
            line.as_mut_ptr(),
            null(),
            null(),
            inherited.are_some().into(),
            CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT,
            environment.as_ptr().cast::<c_void>(),
            path,
            (&raw const startup).cast(),
            &raw mut made,
        )
    };
    if done == 0 {
        return Err(last_error());
    }
    // SAFETY: the call has opened both, and nothing else has them.
    let own = |handle| Descriptor::from(unsafe { OwnedHandle::from_raw_handle(handle) });
    drop(own(made.hThread));
    Ok(Process { handle: own(made.hProcess), id: made.dwProcessId })
}

/// The program's path and the line that hands it its arguments, both with a NUL at the end.
fn program_and_line(
    program: Vec<u16>,
    arguments: &[CString],
) -> Result<(Vec<u16>, Vec<u16>), Errno> {
    let mut path = Vec::new();
    push_wtf8(&mut path, program[..program.len() - 1].iter().copied());
    let words = arguments.iter().map(|word| word.to_bytes());
    let (program, line) = match program_kind(&path) {
        ProgramKind::Program => (program, command_line(words)),
        // The shell does not take such a path.
        ProgramKind::Script if path.starts_with(br"\\?\") => return Err(Errno::NAMETOOLONG),
        ProgramKind::Script => {
            let shell = shell()?;
            let line = script_line(&shell, &path, words.skip(1));
            let mut shell = to_wide(&shell).ok_or(Errno::ILSEQ)?;
            shell.push(0);
            (shell, line)
        }
    };
    let mut line = line.ok_or(Errno::INVAL)?;
    if line.len() > LONGEST_ARGUMENT {
        return Err(Errno::TOOBIG);
    }
    line.push(0);
    Ok((program, line))
}

/// The shell of the system, wherever a variable may say that another is.
fn shell() -> Result<Vec<u8>, Errno> {
    let mut units = [0_u16; 512];
    // SAFETY: the call writes at most so many units.
    let length = unsafe { GetSystemDirectoryW(units.as_mut_ptr(), units.len() as u32) } as usize;
    let mut path = Vec::new();
    push_wtf8(&mut path, units.get(..length).ok_or(Errno::NAMETOOLONG)?.iter().copied());
    path.extend_from_slice(br"\cmd.exe");
    Ok(path)
}

/// A path with a NUL, without `\\?\`, if it is one that programs take: short, and of names that
/// mean the same to them.
fn as_programs_take_it(path: &[u16]) -> Option<Vec<u16>> {
    const MOST_UNITS: usize = 258;
    let text = String::from_utf16(path.strip_suffix(&[0])?).ok()?;
    let plain = match text.strip_prefix(r"\\?\UNC\") {
        Some(server) => format!(r"\\{server}"),
        None => text.strip_prefix(r"\\?\")?.to_owned(),
    };
    let mut units: Vec<u16> = plain.encode_utf16().collect();
    let is_plain = units.len() <= MOST_UNITS && full_path(units.clone()).ok()? == units;
    units.push(0);
    is_plain.then_some(units)
}

/// The directory in which a child starts, by its path: while it is held like this, neither it nor a
/// directory above it gets another name, and nothing takes its place.
struct StartDirectory {
    path: Vec<u16>,
    _held: Descriptor,
}

impl StartDirectory {
    fn hold(at: At<'_>) -> Result<StartDirectory, Errno> {
        let path = path_of(at)?;
        let mut units = to_wide(&path).ok_or(Errno::ILSEQ)?;
        units.push(0);
        let units = as_programs_take_it(&units).ok_or(Errno::NAMETOOLONG)?;
        let access = FILE_TRAVERSE | FILE_READ_ATTRIBUTES;
        let share = FILE_SHARE_READ | FILE_SHARE_WRITE;
        let name = CString::new(path).map_err(|_| Errno::INVAL)?;
        let held = open(CWD, &name, Opening { access, share, ..Opening::EXISTING })?;
        let (wanted, found) =
            (stat_descriptor(at, Fields::INODE)?, stat_descriptor(&held, Fields::INODE)?);
        if (wanted.device(), wanted.inode()) != (found.device(), found.inode()) {
            return Err(Errno::NOENT); // something else is there now
        }
        Ok(StartDirectory { path: units, _held: held })
    }
}

fn open_null(for_reading: bool) -> Result<Descriptor, Errno> {
    let access = if for_reading { FILE_GENERIC_READ } else { FILE_GENERIC_WRITE };
    open(CWD, c"\\\\.\\NUL", Opening { access, follow: true, ..Opening::EXISTING })
}

/// How a child ended: its exit code. `None` if it has not ended and `block` is false.
///
/// Price: one `NtWaitForSingleObject`; one `NtQueryInformationProcess` when it has ended.
///
/// # Errors
/// The number for what the system says.
#[doc(alias = "WaitForSingleObject")]
pub fn wait(child: &Process, block: bool) -> Result<Option<i32>, Errno> {
    let handle = handle_of(child.handle.as_handle());
    count(Call::WaitForSingleObject);
    // SAFETY: the handle is open as long as `child` is borrowed.
    match unsafe { WaitForSingleObject(handle, if block { INFINITE } else { 0 }) } {
        WAIT_OBJECT_0 => exit_code(handle).map(Some),
        WAIT_TIMEOUT => Ok(None),
        WAIT_FAILED => Err(last_error()),
        _ => Err(Errno::IO),
    }
}

fn exit_code(process: HANDLE) -> Result<i32, Errno> {
    let mut code = STILL_ACTIVE.cast_unsigned();
    count(Call::QueryInformationProcess);
    // SAFETY: the caller has the process open; the code is written there.
    let done = unsafe { GetExitCodeProcess(process, &raw mut code) };
    if done == 0 { Err(last_error()) } else { Ok(code.cast_signed()) }
}

/// Ends a child, whose exit code is then 1. One that has ended is left alone.
///
/// Price: one `NtTerminateProcess`.
///
/// # Errors
/// The number for what the system says.
#[doc(alias = "TerminateProcess")]
pub fn kill(child: &Process) -> Result<(), Errno> {
    count(Call::TerminateProcess);
    // SAFETY: the handle is open as long as `child` is borrowed.
    let done = unsafe { TerminateProcess(handle_of(child.handle.as_handle()), 1) };
    let errno = if done == 0 { last_error() } else { return Ok(()) };
    // That is what the system says of one that has ended, too.
    if wait(child, false)?.is_some() { Ok(()) } else { Err(errno) }
}

/// A new pipe: the end to read from and the end to write to. Programs that are run do not inherit
/// them.
///
/// Price: `NtCreateNamedPipeFile`, `NtOpenFile`; two `NtClose` later.
///
/// # Errors
/// The number for what the system says.
#[doc(alias = "CreatePipe")]
pub fn pipe() -> Result<(Descriptor, Descriptor), Errno> {
    const BYTES: u32 = 64 << 10;
    let (mut reader, mut writer) = (null_mut(), null_mut());
    count(Call::CreateNamedPipeFile);
    count(Call::OpenFile);
    // SAFETY: the handles are written there; without attributes they are not inherited.
    let done = unsafe { CreatePipe(&raw mut reader, &raw mut writer, null(), BYTES) };
    if done == 0 {
        return Err(last_error());
    }
    // SAFETY: the call has opened both, and nothing else has them.
    let own = |handle| Descriptor::from(unsafe { OwnedHandle::from_raw_handle(handle) });
    Ok((own(reader), own(writer)))
}

/// A pipe to read from, and where to.
type Source<'a> = (&'a Descriptor, &'a mut Vec<u8>);

/// Reads two pipes up to their ends, each as it fills: no call here waits for two pipes, so one is
/// read on a thread of its own.
///
/// Price: one `NtReadFile` for each block that arrives, and one for each end.
///
/// # Errors
/// The number for what the system says.
pub fn read_both(a: Source<'_>, b: Source<'_>) -> Result<(), Errno> {
    const BLOCK_BYTES: usize = 64 << 10;
    let read = |(pipe, bytes): Source<'_>| -> Result<(), Errno> {
        while read_behind(pipe, bytes, BLOCK_BYTES)? > 0 {}
        Ok(())
    };
    std::thread::scope(|scope| {
        let other = std::thread::Builder::new().spawn_scoped(scope, || read(b));
        let other = other.map_err(|_| Errno::AGAIN)?;
        let this = read(a);
        other.join().unwrap_or(Err(Errno::IO)).and(this)
    })
}
