//! Prints numbers; those that are divisible by seven in red, if somebody looks at them.

use std::io::{self, BufWriter, IsTerminal, Write};

fn print(out: &mut impl Write, number: u32, in_colour: bool) -> io::Result<()> {
    if number % 7 == 0 && in_colour {
        writeln!(out, "\x1b[31m{number}\x1b[m")
    } else {
        writeln!(out, "{number}")
    }
}

fn main() -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let in_colour = io::stdout().is_terminal();
    for number in 1..=50_000 {
        print(&mut out, number, in_colour)?;
    }
    out.flush()
}
