//! What other languages link with: a prefix for C, and wheels for Python.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Release, archive, sbom, third_party};
use crate::checkout;

/// What wheels are made and judged with.
const WHEEL_TOOLS: &[&str] = &["maturin==1.16.0", "auditwheel==6.8.2"];

/// The header, the libraries and fewer.pc, which finds them wherever they are unpacked.
pub(super) fn prefix(release: &Release) -> Result<Vec<String>, String> {
    let name = format!("libfewer-{}-{}-linux-gnu", release.version, std::env::consts::ARCH);
    let folder = release.folder(&name)?;
    let mut install = Command::new(release.root.join("crates/ffi/install"));
    install.args(["--profile", &release.profile, "--prefix", &format!("/{name}"), "--destdir"]);
    install.arg(&folder).env("CARGO_TARGET_DIR", &release.target);
    checkout::output(&mut install)?;
    let file = folder.join(&name).join("lib/pkgconfig/fewer.pc");
    let text = fs::read_to_string(&file).map_err(|why| format!("{}: {why}", file.display()))?;
    let text = text.replace(&format!("prefix=/{name}\n"), "prefix=${pcfiledir}/../..\n");
    fs::write(&file, text).map_err(|why| format!("{}: {why}", file.display()))?;
    let documents = folder.join(&name).join("share/doc/libfewer");
    for file in ["LICENSE-APACHE", "LICENSE-MIT"] {
        super::copy(&release.root.join(file), &documents.join(file))?;
    }
    let licences = third_party::text(release, "fewer-ffi", sbom::LINUX)?;
    super::write(&documents.join(third_party::NAME), licences)?;
    let archive = format!("{name}.tar.gz");
    archive::tar(release, &folder, &name, &release.out.join(&archive))?;
    Ok(vec![archive])
}

/// A wheel for the Python that is installed here. Its tags are checked by auditwheel.
pub(super) fn wheel(release: &Release) -> Result<Vec<String>, String> {
    let Some(tools) = wheel_tools(release)? else {
        let tools = WHEEL_TOOLS.join(" ");
        return Err(format!("pip could not install {tools}: is there a network?"));
    };
    let folder = release.folder("wheels")?;
    let mut maturin = Command::new(tools.join("maturin"));
    maturin.args(["build", "--release", "--locked", "--quiet", "--interpreter"]);
    maturin.arg(tools.join("python")).arg("--out").arg(&folder);
    maturin.arg("--manifest-path").arg(release.root.join("bindings/python/Cargo.toml"));
    checkout::output(maturin.env("CARGO_TARGET_DIR", release.target.join("wheel")))?;
    let mut names = Vec::new();
    for wheel in fs::read_dir(&folder).map_err(|why| why.to_string())?.flatten() {
        let name = wheel.file_name().to_string_lossy().into_owned();
        audit(&tools, &wheel.path(), &name)?;
        super::copy(&wheel.path(), &release.out.join(&name))?;
        names.push(name);
    }
    if names.is_empty() { Err("maturin made no wheel".to_owned()) } else { Ok(names) }
}

/// A wheel is for the Python that it was made by, and for no older C library than it says.
fn audit(tools: &Path, wheel: &Path, name: &str) -> Result<(), String> {
    let version = "import sys; print('cp%d%d' % sys.version_info[:2])";
    let version = checkout::output(Command::new(tools.join("python")).args(["-c", version]))?;
    let version = String::from_utf8_lossy(&version).trim().to_owned();
    let Some((_, platform)) = name.trim_end_matches(".whl").rsplit_once('-') else {
        return Err(format!("{name} has no tags"));
    };
    if !name.contains(&format!("-{version}-{version}-")) {
        return Err(format!("{name} is not for {version}"));
    }
    let shown = checkout::output(Command::new(tools.join("auditwheel")).arg("show").arg(wheel))?;
    let shown = String::from_utf8_lossy(&shown).split_whitespace().collect::<Vec<_>>().join(" ");
    // A wheel may have several tags, of which auditwheel names the first.
    let is_named = platform.split('.').any(|tag| shown.contains(&format!("tag: \"{tag}\"")));
    match is_named && platform.starts_with("manylinux_") {
        true => Ok(()),
        false => Err(format!("{name} is not what auditwheel says: {shown}")),
    }
}

/// A virtual environment with maturin and auditwheel; `None` if they cannot be had.
fn wheel_tools(release: &Release) -> Result<Option<PathBuf>, String> {
    let folder = release.target.join("packages-venv");
    let programs = folder.join("bin");
    let is_there = |name: &str| programs.join(name).is_file();
    if !is_there("python") {
        checkout::output(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    }
    if !is_there("maturin") || !is_there("auditwheel") {
        let mut pip = Command::new(programs.join("python"));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        if checkout::output(pip.args(WHEEL_TOOLS)).is_err() {
            return Ok(None);
        }
    }
    Ok(Some(programs))
}
