//! System calls that a stopped thread makes for the tracer.

use std::io;

use crate::source::ptrace::{self, AllRegisters, Info, Pid, Resume, Stop};

/// Why a remote call has no result.
pub(crate) enum Failure {
    /// The thread is no more; its last stop.
    Gone(Stop),
    /// Another thread of its process has become another program, in its place.
    Program(Stop),
    /// The tracer could not do it.
    Kernel(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Kernel(error)
    }
}

/// A thread that was stopped before a call, by the filter. No signal reaches it meanwhile.
pub(crate) struct Remote {
    thread: Pid,
    /// What it is to find again.
    registers: AllRegisters,
    signals: u64,
    /// Whether it was told to stop meanwhile, by a signal that cannot be held back.
    is_to_stop: bool,
    /// Whether the call that it stopped at has given way to another.
    call_is_replaced: bool,
}

impl Remote {
    pub(crate) fn new(thread: Pid, registers: &AllRegisters) -> io::Result<Remote> {
        let signals = ptrace::signal_mask(thread)?;
        ptrace::set_signal_mask(thread, u64::MAX)?;
        Ok(Remote {
            thread,
            registers: *registers,
            signals,
            is_to_stop: false,
            call_is_replaced: false,
        })
    }

    /// Of a thread that stopped anywhere: behind a `syscall` is where `registers` have it.
    pub(crate) fn behind_call(thread: Pid, registers: &AllRegisters) -> io::Result<Remote> {
        Ok(Remote { call_is_replaced: true, ..Remote::new(thread, registers)? })
    }

    pub(crate) fn thread(&self) -> Pid {
        self.thread
    }

    /// The thread has these registers again, and holds back one signal more. It stands still.
    pub(crate) fn leave(self, registers: &AllRegisters, held_back: Option<i32>) -> io::Result<()> {
        let mut registers = *registers;
        registers.no_call();
        registers.put(self.thread)?;
        let one_more = held_back.map_or(0, |signal| 1 << (signal - 1));
        ptrace::set_signal_mask(self.thread, self.signals | one_more)?;
        if self.is_to_stop {
            ptrace::send(self.thread, libc::SIGSTOP);
        }
        Ok(())
    }

    /// Makes a call, and waits for its end.
    pub(crate) fn call(&mut self, number: i64, arguments: [u64; 6]) -> Result<u64, Failure> {
        let mut registers = self.registers;
        registers.set_call(number.cast_unsigned(), arguments);
        if self.call_is_replaced {
            // Onto the instruction once more.
            registers.set_ip(self.registers.start().ip - super::patch::SYSCALL);
            *registers.result() = number.cast_unsigned();
            registers.no_call();
        }
        self.call_is_replaced = true;
        registers.put(self.thread)?;
        loop {
            ptrace::resume(self.thread, Resume::Call, 0)?;
            let stop = loop {
                match ptrace::wait_for(self.thread) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    stop => break stop?,
                }
            };
            if !libc::WIFSTOPPED(stop.status) {
                return Err(Failure::Gone(stop));
            }
            if stop.status >> 16 == libc::PTRACE_EVENT_EXEC {
                return Err(Failure::Program(stop));
            }
            self.is_to_stop |= stop.status >> 8 == libc::SIGSTOP;
            if let Info::Exit { result } = ptrace::info(self.thread)? {
                let is_error = (-4095..0).contains(&result);
                return if is_error {
                    Err(io::Error::from_raw_os_error((-result) as i32).into())
                } else {
                    Ok(result.cast_unsigned())
                };
            }
        }
    }

    /// Lets the thread make its own call after all: at `call`, where an instruction for it stands,
    /// and with this base of %gs if there is to be another. It stops there again.
    pub(crate) fn end(self, call: u64, gs: Option<u64>) -> io::Result<()> {
        let mut registers = self.registers;
        let (number, _) = registers.call();
        registers.set_ip(call);
        *registers.result() = number;
        registers.no_call();
        if let Some(gs) = gs {
            *registers.block() = gs;
        }
        registers.put(self.thread)?;
        ptrace::set_signal_mask(self.thread, self.signals)?;
        if self.is_to_stop {
            ptrace::send(self.thread, libc::SIGSTOP);
        }
        ptrace::resume(self.thread, Resume::Continue, 0)
    }
}
