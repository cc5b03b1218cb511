//! Prints the folders of a folder.

use std::path::Path;
use std::{env, fs, io};

fn folders(of: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(of)? {
        let path = entry?.path();
        if path.is_dir() {
            found.push(path.display().to_string());
        }
    }
    found.sort();
    Ok(found)
}

fn main() -> io::Result<()> {
    let of = env::args_os().nth(1).unwrap_or_else(|| ".".into());
    println!("{}", folders(Path::new(&of))?.join("\n"));
    Ok(())
}
