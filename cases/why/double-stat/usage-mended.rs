//! Adds up the sizes of files.

use std::io;
use std::path::Path;

fn size(path: &Path) -> io::Result<u64> {
    let about = path.metadata()?;
    Ok(if about.is_file() { about.len() } else { 0 })
}

fn main() -> io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_default();
    let mut bytes = 0;
    for number in 0..5000 {
        bytes += size(&Path::new(&folder).join(format!("f{number}")))?;
    }
    println!("{bytes} bytes");
    Ok(())
}
