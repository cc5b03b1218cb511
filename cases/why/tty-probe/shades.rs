//! Prints numbers; those that are divisible by seven in red, if somebody looks at them.

use std::io::{self, BufWriter, IsTerminal, Write};

fn print(out: &mut impl Write, number: u32) -> io::Result<()> {
    if number % 7 == 0 && io::stdout().is_terminal() {
        writeln!(out, "\x1b[31m{number}\x1b[m")
    } else {
        writeln!(out, "{number}")
    }
}

fn main() -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    for number in 1..=50_000 {
        print(&mut out, number)?;
    }
    out.flush()
}
