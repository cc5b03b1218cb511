//! Packs texts that are read only when there is a finding, or when a page is written: a third as
//! large so. `src/packed.rs` unpacks them.

use std::path::Path;
use std::{env, error, fs, io};

use flate2::Compression;
use flate2::write::GzEncoder;

/// What is packed, below `src`; no two have one name.
const TEXTS: &[(&str, &[&str])] = &[
    ("explain", &["remedies.toml", "substitutes.toml"]),
    (
        "report/html",
        &[
            "page.css", "dom.js", "findings.js", "timeline.js", "flame.js", "search.js",
            "tables.js", "page.js",
        ],
    ),
];

fn main() -> Result<(), Box<dyn error::Error>> {
    let out = env::var("OUT_DIR")?;
    for (folder, names) in TEXTS {
        for name in *names {
            let text = Path::new("src").join(folder).join(name);
            println!("cargo::rerun-if-changed={}", text.display());
            let packed = fs::File::create(Path::new(&out).join(format!("{name}.gz")))?;
            let mut encoder = GzEncoder::new(packed, Compression::best());
            io::copy(&mut fs::File::open(text)?, &mut encoder)?;
            encoder.finish()?;
        }
    }
    Ok(())
}
