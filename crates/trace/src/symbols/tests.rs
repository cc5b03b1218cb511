//! Programs whose debug information is somewhere else.

use std::process::Command;

use super::*;

const TEXT: &str = "
#include <unistd.h>
__attribute__((noinline)) static int inner(const char *p) { return access(p, 0); }
int outer(const char *p) {
    return inner(p) + 1;
}
int main(void) { return outer(\"/x\"); }
";

/// A program that was compiled in a folder, and the address of its call of `access`.
struct Program {
    folder: tempfile::TempDir,
    call: u64,
}

impl Program {
    fn new() -> Program {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.c"), TEXT).unwrap();
        let mut program = Program { folder, call: 0 };
        program.run("gcc -O2 -g -Wl,--build-id=sha1 -o a a.c");
        let text = program.run("objdump -d a");
        // A call, or a jump where it is the last thing in a function.
        let call = text.lines().find(|line| line.ends_with("<access@plt>")).unwrap();
        program.call = u64::from_str_radix(call.trim().split(':').next().unwrap(), 16).unwrap();
        program.run("objcopy --only-keep-debug a a.debug");
        program
    }

    fn run(&self, line: &str) -> String {
        let mut command = Command::new("sh");
        let output = command.args(["-ec", line]).current_dir(self.folder.path()).output().unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// `inner:3`: functions and lines at the call, as the file says and a folder beside it.
    fn named(&self) -> Vec<String> {
        let file = self.path("a");
        let mut symbols = Symbols::with(vec![self.path("debug")], None);
        let found = symbols.of_file(file.as_os_str().as_bytes(), &[self.call]);
        let name = |it: &Location| format!("{}:{}", it.function, it.line);
        found[0].iter().map(name).collect()
    }
}

#[test]
fn an_installed_file_is_found_by_its_build_id() {
    let program = Program::new();
    program.run("objcopy --strip-all a");
    assert_eq!(program.named(), [""; 0]);
    let id = Separate::of(program.path("a").as_os_str().as_bytes()).unwrap().build_id;
    assert_eq!(id.len(), 40);
    let file = by_build_id(&program.path("debug"), &id).unwrap();
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::copy(program.path("a.debug"), &file).unwrap();
    assert_eq!(program.named(), ["inner:3"]);
    // That of another build is not taken.
    program.run("sed -i 's/access(p, 0)/access(p, 4)/' a.c");
    program.run("gcc -O2 -g -Wl,--build-id=sha1 -o b a.c && objcopy --only-keep-debug b b.debug");
    std::fs::copy(program.path("b.debug"), &file).unwrap();
    assert_eq!(program.named(), [""; 0]);
}

#[test]
fn a_linked_file_that_is_another_programs_costs_no_names() {
    let program = Program::new();
    program.run("objcopy --strip-debug --add-gnu-debuglink=a.debug a");
    assert_eq!(program.named(), ["inner:3"]);
    program.run("printf x >> a.debug");
    assert_eq!(program.named(), ["inner:0"]);
}

#[test]
fn packed_functions_have_names() {
    let program = Program::new();
    if Command::new("xz").arg("--version").output().is_err() {
        eprintln!("skipped: there is no xz");
        return;
    }
    program.run("objcopy -S --keep-symbol=inner --keep-symbol=outer a.debug mini && xz mini");
    program.run("objcopy --strip-all a && objcopy --add-section .gnu_debugdata=mini.xz a");
    assert_eq!(program.named(), ["inner:0"]);
    program.run("objcopy --remove-section .gnu_debugdata a && printf junk > mini.xz");
    program.run("objcopy --add-section .gnu_debugdata=mini.xz a");
    assert_eq!(program.named(), [""; 0]);
}
