//! Adds up the bytes of a file.

use std::fs::File;
use std::io::{self, Read};

fn sum(path: &str) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let mut block = vec![0; 128 * 1024];
    let mut sum = 0;
    loop {
        let size = file.read(&mut block)?;
        if size == 0 {
            return Ok(sum);
        }
        sum += block[..size].iter().map(|&byte| u64::from(byte)).sum::<u64>();
    }
}

fn main() -> io::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_default();
    println!("{}", sum(&path)?);
    Ok(())
}
