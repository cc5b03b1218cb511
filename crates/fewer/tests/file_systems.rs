//! Mount points inside a tree, and file systems that say less than others.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use std::path::{Path, PathBuf};
use std::process::Command;

use fewer::{Order, Walk};
use scene::tree::{directory, file};
use scene::{assert_same, child, is_root, see, see_iter, skip, witness};

/// Something mounted, until it is dropped.
struct Mounted(PathBuf);

impl Mounted {
    fn on(point: &Path, arguments: &[&str]) -> Option<Mounted> {
        let output = Command::new("mount").args(arguments).arg(point).output().ok()?;
        if output.status.success() {
            return Some(Mounted(point.to_owned()));
        }
        skip(&format!("mount {arguments:?}: {}", String::from_utf8_lossy(&output.stderr).trim()));
        None
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

/// The folder to work in, in a process whose mounts nobody else sees. Elsewhere it runs the test
/// called `test` in such a process, if this machine lets it.
fn own_mounts(test: &str) -> Option<PathBuf> {
    if let Some(place) = child::folder() {
        return Some(place);
    }
    if !is_root() {
        skip("needs root to mount");
        return None;
    }
    let place = tempfile::tempdir().unwrap();
    child::run(&["unshare", "--mount", "--propagation", "private"], test, place.path());
    None
}

fn like_find(walk: &Walk, options: &[&str], root: &Path, tests: &[&str]) -> usize {
    let expected = witness::find(options, root, tests);
    for order in [Order::Any, Order::Sorted] {
        let walk = walk.clone().order(order);
        assert_same(&see(&walk).sorted(), &expected, &format!("{order:?}"));
        assert_same(&see_iter(&walk).sorted(), &expected, &format!("{order:?}, iterator"));
    }
    expected.len()
}

#[test]
fn a_tmpfs_inside_is_walked_or_only_visited_with_one_file_system() {
    let Some(place) = own_mounts("a_tmpfs_inside_is_walked_or_only_visited_with_one_file_system")
    else {
        return;
    };
    file(&place, "before/x", "");
    let point = directory(&place, "m/p o\\i\nnt");
    let Some(_mounted) = Mounted::on(&point, &["-t", "tmpfs", "none"]) else { return };
    file(&point, "inside/y", "");
    let walk = Walk::new(&place);
    assert_eq!(like_find(&walk, &[], &place, &[]), 7);
    let one = walk.one_file_system(true);
    assert_eq!(like_find(&one, &[], &place, &["-xdev"]), 5);
    // Started at the mount point itself, or inside, it is the one file system.
    assert_eq!(like_find(&Walk::new(&point).one_file_system(true), &[], &point, &["-xdev"]), 3);
}

#[test]
fn each_root_decides_for_itself_which_file_system_is_the_one() {
    let Some(place) = own_mounts("each_root_decides_for_itself_which_file_system_is_the_one")
    else {
        return;
    };
    file(&place, "here/x", "");
    let point = directory(&place, "m");
    let Some(_mounted) = Mounted::on(&point, &["-t", "tmpfs", "none"]) else { return };
    file(&point, "y", "");
    let walk = Walk::new(&place).add_root(&point).add_root(place.join("here"));
    assert_eq!(see(&walk.one_file_system(true)).lines.len(), 4 + 2 + 2);
}

/// The same device, but mounted: find enters it, and so do we.
#[test]
fn a_bind_mount_of_the_same_device_is_not_another_file_system() {
    let Some(place) = own_mounts("a_bind_mount_of_the_same_device_is_not_another_file_system")
    else {
        return;
    };
    let source = directory(&place, "source");
    file(&source, "x", "");
    let point = directory(&place, "tree/point");
    let Some(_m) = Mounted::on(&point, &["--bind", source.to_str().unwrap()]) else { return };
    let root = place.join("tree");
    assert_eq!(like_find(&Walk::new(&root), &[], &root, &[]), 3);
    assert_eq!(like_find(&Walk::new(&root).one_file_system(true), &[], &root, &["-xdev"]), 3);
}

#[test]
fn a_link_to_another_file_system_is_not_entered_with_one_file_system() {
    let Some(place) =
        own_mounts("a_link_to_another_file_system_is_not_entered_with_one_file_system")
    else {
        return;
    };
    let point = directory(&place, "m");
    let Some(_mounted) = Mounted::on(&point, &["-t", "tmpfs", "none"]) else { return };
    file(&point, "x/y", "");
    let root = directory(&place, "root");
    std::os::unix::fs::symlink(point.join("x"), root.join("link")).unwrap();
    std::os::unix::fs::symlink(&root, point.join("x/back")).unwrap();
    let walk = Walk::new(&root).follow(true);
    assert_eq!(like_find(&walk.clone().one_file_system(true), &["-L"], &root, &["-xdev"]), 2);
    like_find(&walk, &["-L"], &root, &[]);
}

/// No circle without end: inside the mount the same mount point is empty. Even so GNU find refuses
/// to enter it, and says that it is a loop.
#[test]
fn a_directory_mounted_below_itself_is_not_entered_there() {
    let Some(place) = own_mounts("a_directory_mounted_below_itself_is_not_entered_there") else {
        return;
    };
    let root = directory(&place, "tree");
    let point = directory(&root, "a/point");
    file(&root, "x", "");
    let Some(_m) = Mounted::on(&point, &["--bind", root.to_str().unwrap()]) else { return };
    let start = root.as_os_str().len();
    let paths = |line: &Vec<u8>| String::from_utf8(line[4 + start..].to_vec()).unwrap();
    let seen = see(&Walk::new(&root).order(Order::Sorted));
    let lines: Vec<_> = seen.lines.iter().map(paths).collect();
    assert_eq!(lines, ["", "/a", "/a/point", "/x"]);
    assert_eq!(seen.errors.len(), 1);
    assert_eq!(seen.errors[0].2, point);
}

/// A file system in a file, made by `mkfs` with `arguments`.
fn image(place: &Path, arguments: &[&str]) -> Option<Mounted> {
    let image = place.join("image");
    std::fs::File::create(&image).unwrap().set_len(16 << 20).unwrap();
    let output = Command::new(arguments[0]).args(&arguments[1..]).arg(&image).output();
    match output {
        Ok(output) if output.status.success() => {}
        _ => {
            skip(&format!("{arguments:?} is not to be had"));
            return None;
        }
    }
    Mounted::on(&directory(place, "mounted"), &["-o", "loop", image.to_str().unwrap()])
}

/// Such a file system says of no entry what it is, so it is asked for each.
#[test]
fn where_the_directory_does_not_tell_kinds_they_are_asked_for() {
    let Some(place) = own_mounts("where_the_directory_does_not_tell_kinds_they_are_asked_for")
    else {
        return;
    };
    let made = ["mkfs.ext2", "-q", "-F", "-O", "^filetype,^dir_index"];
    let Some(mounted) = image(&place, &made) else { return };
    let root = &mounted.0;
    ["a/x", "b/c/d/y", "z"].iter().for_each(|path| drop(file(root, path, "")));
    std::os::unix::fs::symlink("a", root.join("link")).unwrap();
    std::os::unix::fs::symlink("b", root.join("a/up")).unwrap();
    assert_eq!(like_find(&Walk::new(root), &[], root, &[]), 11);
    like_find(&Walk::new(root).follow(true), &["-L"], root, &[]);
    like_find(&Walk::new(root).max_depth(1), &[], root, &["-maxdepth", "1"]);
}

#[test]
fn ext4_with_every_kind_of_directory_is_walked_as_find_walks_it() {
    const NAME: &str = "ext4_with_every_kind_of_directory_is_walked_as_find_walks_it";
    let Some(place) = own_mounts(NAME) else { return };
    for features in ["dir_index", "^dir_index", "inline_data"] {
        let place = directory(&place, features);
        let made = ["mkfs.ext4", "-q", "-F", "-b", "1024", "-N", "8000", "-O", features];
        let Some(mounted) = image(&place, &made) else { return };
        scene::tree::grow(&mounted.0, 1000, 2000, 6);
        // With lost+found.
        assert_eq!(like_find(&Walk::new(&mounted.0), &[], &mounted.0, &[]), 3002, "{features}");
    }
}
