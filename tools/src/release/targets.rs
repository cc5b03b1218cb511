//! The machines and systems that archives are made for, and what that takes on this one.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Release;
use crate::checkout;

/// What zig is installed by, if it is not in PATH.
const ZIG: &str = "ziglang==0.17.1";

pub(super) struct Target {
    /// What it is called on the command line.
    pub(super) name: &'static str,
    pub(super) triple: &'static str,
    /// Programs that build for it, and Debian's packages of them.
    needs: &'static [(&'static str, &'static str)],
    pub(super) system: System,
    pub(super) runner: Runner,
}

/// What is in an archive differs by the system.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum System {
    Linux,
    Windows,
    MacOs,
}

/// How a program is tried here.
pub(super) enum Runner {
    Native,
    /// An emulator, and where it finds the C library, unless the program is static.
    Emulator(&'static str, Option<&'static str>),
    Wine,
    /// Not at all: it is looked at by `tools/macos-check`, which calls the processor like this.
    Look(&'static str),
}

const CLANG: (&str, &str) = ("clang", "clang");

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "x86_64",
        triple: "x86_64-unknown-linux-musl",
        needs: &[("cc", "gcc")],
        system: System::Linux,
        runner: Runner::Native,
    },
    Target {
        name: "aarch64",
        triple: "aarch64-unknown-linux-musl",
        needs: &[CLANG],
        system: System::Linux,
        runner: Runner::Emulator("qemu-aarch64-static", None),
    },
    Target {
        name: "i686",
        triple: "i686-unknown-linux-musl",
        needs: &[("cc", "gcc")],
        system: System::Linux,
        runner: Runner::Native,
    },
    Target {
        name: "armv7",
        triple: "armv7-unknown-linux-gnueabihf",
        needs: &[CLANG],
        system: System::Linux,
        runner: Runner::Emulator("qemu-arm-static", Some("/usr/arm-linux-gnueabihf")),
    },
    Target {
        name: "riscv64",
        triple: "riscv64gc-unknown-linux-gnu",
        needs: &[CLANG],
        system: System::Linux,
        runner: Runner::Emulator("qemu-riscv64-static", Some("/usr/riscv64-linux-gnu")),
    },
    Target {
        name: "windows",
        triple: "x86_64-pc-windows-gnu",
        needs: &[("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64")],
        system: System::Windows,
        runner: Runner::Wine,
    },
    Target {
        name: "macos-aarch64",
        triple: "aarch64-apple-darwin",
        needs: &[],
        system: System::MacOs,
        runner: Runner::Look("arm64"),
    },
    Target {
        name: "macos-x86_64",
        triple: "x86_64-apple-darwin",
        needs: &[],
        system: System::MacOs,
        runner: Runner::Look("x86_64"),
    },
];

impl Target {
    /// What the archive is called, without its ending.
    pub(super) fn stem(&self, release: &Release) -> String {
        format!("fewer-{}-{}", release.version, self.triple)
    }

    pub(super) fn archive(&self, release: &Release) -> String {
        let ending = if self.system == System::Windows { "zip" } else { "tar.gz" };
        format!("{}.{ending}", self.stem(release))
    }

    /// Whether the C library of the system is zig's.
    fn is_linked_by_zig(&self) -> bool {
        self.system == System::MacOs || self.system == System::Linux && !self.is_static()
    }

    pub(super) fn is_static(&self) -> bool {
        self.triple.ends_with("-musl")
    }

    /// Installs zig where only this uses it, if it is needed and not here.
    pub(super) fn install(&self, release: &Release) {
        if !self.is_linked_by_zig() || zig(release).is_some() {
            return;
        }
        let folder = zig_folder(release);
        let mut venv = Command::new("python3");
        venv.args(["-m", "venv"]).arg(&folder);
        let mut pip = Command::new(folder.join("bin/python3"));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ZIG]);
        // Whether it is there now is asked by `missing`.
        let _ = checkout::output(&mut venv).and_then(|_| checkout::output(&mut pip));
    }

    /// What is missing here to build for it, by the command that installs it.
    pub(super) fn missing(&self, release: &Release) -> Result<Option<String>, String> {
        let mut libraries = Command::new("rustc");
        libraries.args(["--print", "target-libdir", "--target", self.triple]);
        let libraries = checkout::output(libraries.current_dir(&release.root))?;
        if !Path::new(String::from_utf8_lossy(&libraries).trim()).is_dir() {
            return Ok(Some(format!("rustup target add {}", self.triple)));
        }
        let mut needs = self.needs.iter();
        if let Some((_, package)) = needs.find(|(program, _)| !checkout::has_program(program)) {
            return Ok(Some(format!("apt-get install {package}")));
        }
        let has_zig = !self.is_linked_by_zig() || zig(release).is_some();
        Ok((!has_zig).then(|| format!("pip install {ZIG}")))
    }

    /// Sets what cargo needs to build for it.
    pub(super) fn prepare(&self, release: &Release, cargo: &mut Command) {
        cargo.arg(format!("--target={}", self.triple));
        if let (true, Some(Some(folder))) = (self.is_linked_by_zig(), zig(release)) {
            let mut path = folder.into_os_string();
            path.push(":");
            path.push(std::env::var_os("PATH").unwrap_or_default());
            cargo.env("PATH", path);
        }
    }
}

/// Whether `tools/zig/linker` finds zig: as things are, or with a folder in front of PATH.
fn zig(release: &Release) -> Option<Option<PathBuf>> {
    let is_found = |python: &Path| {
        let mut python = Command::new(python);
        checkout::output(python.args(["-m", "ziglang", "version"])).is_ok()
    };
    if checkout::has_program("zig") || is_found(Path::new("python3")) {
        return Some(None);
    }
    let programs = zig_folder(release).join("bin");
    is_found(&programs.join("python3")).then_some(Some(programs))
}

/// A virtual environment of Python.
fn zig_folder(release: &Release) -> PathBuf {
    release.target.join("zig-venv")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_target_has_a_name_and_a_linker() {
        let names: BTreeSet<&str> = TARGETS.iter().map(|target| target.name).collect();
        assert_eq!(names.len(), TARGETS.len());
        let config = include_str!("../../../.cargo/config.toml");
        for target in TARGETS.iter().filter(|target| target.system != System::Windows) {
            let linker = match target.is_linked_by_zig() {
                true => format!("tools/zig/{}", target.triple),
                false => "rust-lld".to_owned(),
            };
            let lines = format!("[target.{}]\nlinker = \"{linker}\"\n", target.triple);
            assert!(config.contains(&lines), "{lines}");
        }
    }

    #[test]
    fn zig_links_for_each_link_to_its_script() {
        let root = checkout::root().unwrap();
        let script = std::fs::read_to_string(root.join("tools/zig/linker")).unwrap();
        for target in TARGETS.iter().filter(|target| target.is_linked_by_zig()) {
            assert!(root.join("tools/zig").join(target.triple).is_file(), "{}", target.triple);
            assert!(script.contains(&format!("\n{}) here=", target.triple)), "{}", target.triple);
        }
    }
}
