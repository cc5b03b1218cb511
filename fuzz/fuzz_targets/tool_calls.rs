//! Any arguments for any standard tool, and any input for those that open no files: no panic, and
//! an end.
#![no_main]

use coreutils::{Input, Io, Output, TOOLS, ToolError, Uses};
use fewer::{Errno, Scope};
use libfuzzer_sys::fuzz_target;

struct Memory<'a>(&'a [u8]);

impl Input for Memory<'_> {
    fn fill(&mut self) -> Result<&[u8], Errno> {
        Ok(&self.0[..self.0.len().min(7)])
    }

    fn consume(&mut self, bytes: usize) {
        self.0 = &self.0[bytes..];
    }
}

/// Output until it is this much.
struct Limited(usize);

impl Output for Limited {
    fn write(&mut self, bytes: &[u8]) -> Result<(), ToolError> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(ToolError::Stopped)?;
        Ok(())
    }
}

fuzz_target!(|call: (u8, Vec<Vec<u8>>, Vec<u8>)| {
    let (tool, arguments, input) = call;
    let tool = &TOOLS[usize::from(tool) % TOOLS.len()];
    let arguments: Vec<&[u8]> = arguments.iter().map(|argument| &argument[..]).collect();
    let mut io = Io {
        scope: &Scope::start(),
        input: &mut Memory(&input),
        output: &mut Limited(1 << 20),
        errors: &mut Limited(1 << 20),
        environment: &|_| None,
        variables: &|_| {},
        utf8: input.len() % 2 == 0,
        input_is_terminal: false,
        output_is_terminal: false,
        sleep: &|_| Ok(()),
        interrupted: &|| true,
    };
    let opens_none = tool.uses == Uses::Streams || matches!(tool.name, "sed" | "tr");
    let Some(job) = tool.prepare(&arguments, &io) else { return };
    if opens_none {
        let _ = job.run(&mut io);
    }
});
