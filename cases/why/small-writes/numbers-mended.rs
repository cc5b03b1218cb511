//! Writes the numbers from one to ten thousand, one a line.

use std::fs::File;
use std::io::{self, BufWriter, Write};

fn main() -> io::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_default();
    let mut file = BufWriter::new(File::create(path)?);
    for number in 1..=10_000 {
        writeln!(file, "{number}")?;
    }
    file.flush()
}
