//! The trees that are walked: planned from a fixed seed, made once, then kept.
//!
//! - `plan` what a tree has, `grow` how it branches, `names` how its entries are called
//! - `write` hands a plan to the disk or to a digest
//! - `random` the same numbers on every machine

mod grow;
mod names;
mod plan;
mod random;
mod write;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use plan::Plan;
pub(crate) use plan::{SHAPES, Shape};
use write::{Digest, Disk};

/// Raised whenever the same name and seed give another tree, so that old ones are made afresh.
const MAKER: u32 = 1;

pub(crate) fn shape(name: &str) -> Option<&'static Shape> {
    SHAPES.iter().find(|shape| shape.name == name)
}

/// The stamp lies beside the tree, never in it, and is written last: with it, the tree is whole.
fn stamp_path(trees: &Path, shape: &Shape) -> PathBuf {
    trees.join(format!("{}.stamp", shape.name))
}

fn stamp_text(shape: &Shape) -> String {
    format!(
        "maker = {MAKER}\nseed = {}\ndirectories = {}\nfiles = {}\nlinks = {}\n",
        shape.seed, shape.directories, shape.files, shape.links
    )
}

/// Whether the tree is there, whole and of this maker.
pub(crate) fn is_whole(trees: &Path, shape: &Shape) -> bool {
    trees.join(shape.name).is_dir()
        && std::fs::read_to_string(stamp_path(trees, shape))
            .is_ok_and(|text| text.starts_with(&stamp_text(shape)))
}

/// Makes the tree if it is not whole; says on stderr what it does.
pub(crate) fn make(trees: &Path, shape: &Shape) -> io::Result<()> {
    let root = trees.join(shape.name);
    if is_whole(trees, shape) {
        eprintln!("{}: whole", shape.name);
        return Ok(());
    }
    let started = Instant::now();
    std::fs::create_dir_all(trees)?;
    ignore_missing(std::fs::remove_file(stamp_path(trees, shape)))?;
    ignore_missing(std::fs::remove_dir_all(&root))?;
    let plan = Plan::new(*shape);
    let mut digest = Digest::default();
    write::write(&plan, &mut digest)?;
    write::write(&plan, &mut Disk::new(&root)?)?;
    let made = format!("depth = {}\ndigest = {:#018x}\n", digest.depth_most, digest.hash);
    std::fs::write(stamp_path(trees, shape), stamp_text(shape) + &made)?;
    eprintln!(
        "{}: {} entries, {} levels, made in {:.1} s",
        shape.name,
        shape.entries(),
        digest.depth_most,
        started.elapsed().as_secs_f64()
    );
    Ok(())
}

fn ignore_missing(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
