//! Units of directories.

use std::path::PathBuf;

use fewer::path::{canonical, push};
use fewer::present::escaped;
use fewer::{Answer, Fields, Walk};
use sys::OsStrExt;

use super::part::Part;
use super::{Left, Request};
use crate::walk::filter;

/// The walk of the whole scan.
pub(super) fn of_roots(roots: &[PathBuf]) -> Walk {
    roots.iter().skip(1).fold(Walk::new(&roots[0]), Walk::add_root)
}

/// Scans the unit; returns what is left of it.
pub(super) fn scan(request: &Request<'_>, part: &mut Part<'_>) -> Result<Left, String> {
    if !request.unit.ranges.is_empty() {
        return Err("the unit has ranges of keys, and no root is a bucket".to_owned());
    }
    let roots: Vec<_> = request.roots.iter().map(|it| it.as_os_str().as_bytes().to_vec()).collect();
    for tree in &request.unit.unit.trees {
        request.root_of(tree, &roots, is_below)?;
    }
    let own = paths_of_output(request, part)?;
    let mut walk = of_roots(&request.roots)
        .filter(filter::from_flags(request.flags)?)
        .one_file_system(request.flags.get_flag("one-file-system"))
        .stat(Fields::ALL);
    if let Some(&depth) = request.flags.get_one::<usize>("max-depth") {
        walk = walk.max_depth(depth);
    }
    let budget = if request.unit.single { 1 } else { request.budget };
    let mut scan = walk.scan(request.unit.unit.clone(), budget).most_names(request.budget);
    while let Some((batch, depth)) = scan.next() {
        let answer = tables::each_row(batch, depth, |row| {
            match own.iter().any(|own| is_below(own, row.path)) {
                true => Answer::Continue,
                false => part.push(row),
            }
        });
        if answer == Answer::Stop || part.answer() == Answer::Stop {
            break;
        }
    }
    Ok(scan.left().into_iter().map(|unit| (unit, Vec::new())).collect())
}

/// The paths by which the scan would find the folder that its parts go to.
fn paths_of_output(request: &Request<'_>, part: &Part<'_>) -> Result<Vec<Vec<u8>>, String> {
    let (folder, is_address) = part.folder();
    if is_address {
        return Ok(Vec::new());
    }
    let folder = canonical(None, folder);
    let mut paths = Vec::new();
    for root in &request.roots {
        let real = canonical(None, root);
        if real == folder {
            let name = escaped(root.as_os_str().as_bytes());
            return Err(format!("'{name}' is a root and --out: the scan would find itself"));
        }
        if let Ok(below) = folder.strip_prefix(&real) {
            let mut path = root.as_os_str().as_bytes().to_vec();
            push(&mut path, below.as_os_str().as_bytes());
            paths.push(path);
        }
    }
    Ok(paths)
}

/// Whether a path is that of a folder, or below it.
pub(super) fn is_below(folder: &[u8], path: &[u8]) -> bool {
    let rest = path.strip_prefix(folder);
    rest.is_some_and(|rest| rest.is_empty() || rest[0] == b'/' || folder.ends_with(b"/"))
}
