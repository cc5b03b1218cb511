//! The root directory is never removed, by whatever name: tested in a root directory of its own.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod scene;

use fewer::{Errno, Scope};
use scene::skip;
use scene::throwaway::Throwaway;

/// Set in the process that has a root of its own.
const MARK: &str = "FEWER_TEST_THROWAWAY";

/// Runs the test called `test` again in a root of its own, after `setup`; true in that process.
fn in_own_root(test: &str, setup: &str) -> bool {
    if std::env::var_os(MARK).is_some() {
        assert!(!std::path::Path::new("/etc").exists());
        return true;
    }
    let program = std::env::current_exe().unwrap();
    let throwaway = match Throwaway::new(&[&program]) {
        Ok(throwaway) => throwaway,
        Err(why) => {
            skip(why.trim_end());
            return false;
        }
    };
    let name = program.file_name().unwrap().to_str().unwrap();
    let script = format!(
        "{setup}\nexec ${{into-}} /usr/bin/{name} --exact {test} --nocapture --test-threads=1"
    );
    let output = throwaway.run(&script, &[(MARK, "1")]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    false
}

#[track_caller]
fn refused(scope: &Scope, path: &str) {
    let error = scope.remove_tree(path).unwrap_err();
    assert_eq!((error.errno(), error.path().to_str().unwrap()), (Errno::BUSY, path), "{path}");
    assert!(std::path::Path::new("/w/keep/f").exists(), "{path}");
}

const SETUP: &str = "mkdir -p /w/keep /w/alias /w/gone/d; touch /w/keep/f; ln -s / /w/link
    mount --bind / /w/alias";

#[test]
fn the_root_directory_by_another_name_stays() {
    if !in_own_root("the_root_directory_by_another_name_stays", SETUP) {
        return;
    }
    let scope = Scope::start().enter("/w").unwrap();
    for path in ["alias", "alias//", "./alias", "../w/alias", "/w/alias", "keep/../alias", "/"] {
        refused(&scope, path);
    }
    refused(&Scope::start().enter("/w/alias/w").unwrap(), "../../alias");
    let error = scope.remove_tree("link/").unwrap_err();
    assert_eq!(error.errno(), Errno::NOTDIR);
    scope.remove_tree("alias/w/gone").unwrap();
    assert!(!std::path::Path::new("/w/gone").exists());
    let told = std::cell::RefCell::new(Vec::new());
    scope.remove_tree_telling("alias", |error| told.borrow_mut().push(error.errno()));
    assert_eq!(*told.borrow(), [Errno::BUSY]);
}

/// Below another mount it is no mount point itself.
#[test]
fn the_root_of_a_chroot_met_from_outside_stays() {
    let test = "the_root_of_a_chroot_met_from_outside_stays";
    let setup = "mkdir -p /jail/m /jail/usr /jail/w/keep; touch /jail/w/keep/f
        mount --bind /usr /jail/usr; ln -s usr/lib /jail/lib; ln -s usr/lib64 /jail/lib64
        mount --bind / /jail/m; cd /jail; into='chroot /jail'";
    if !in_own_root(test, setup) {
        return;
    }
    let scope = Scope::start();
    for path in ["/m/jail", "m/jail/", "/m/../m/jail"] {
        refused(&scope, path);
    }
}
