//! Packs the remedies: text that is read only when there is a finding is a third as large so.

use std::path::Path;
use std::{env, error, fs, io};

use flate2::Compression;
use flate2::write::GzEncoder;

/// What is packed, below `src`.
const TEXT: &str = "src/explain/remedies.toml";

fn main() -> Result<(), Box<dyn error::Error>> {
    println!("cargo::rerun-if-changed={TEXT}");
    let packed = Path::new(&env::var("OUT_DIR")?).join("remedies.toml.gz");
    let mut encoder = GzEncoder::new(fs::File::create(packed)?, Compression::best());
    io::copy(&mut fs::File::open(TEXT)?, &mut encoder)?;
    encoder.finish()?;
    Ok(())
}
