//! Installs packages of this machine in folders of their own, uses them as a stranger would, and
//! removes them.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::Release;
use crate::checkout;

/// The package is installed into a folder that knows only which C library this machine has, used,
/// compared with its list of check sums, and removed without a trace.
pub(super) fn deb(release: &Release) -> Result<(), String> {
    if !checkout::has_program("dpkg") {
        return Err("dpkg is not installed".to_owned());
    }
    let folder = release.folder("deb-trial")?;
    script(&folder, &[("DEB", &release.artefact(".deb")?)], DEB)
}

/// `$PWD` is an empty folder.
const DEB: &str = r#"
PATH=$PATH:/usr/sbin:/sbin
mkdir -p root/var/lib/dpkg/info root/var/lib/dpkg/updates root/var/lib/dpkg/triggers
libc=$(dpkg-query -W -f '${Version}' libc6)
printf 'Package: libc6\nStatus: install ok installed\nVersion: %s\n' "$libc" \
    >root/var/lib/dpkg/status
printf 'Architecture: %s\nMaintainer: x\nDescription: x\n\n' "$(dpkg --print-architecture)" \
    >>root/var/lib/dpkg/status
in_root() {
    dpkg --root="$PWD/root" --force-not-root --log="$PWD/log" "$@"
}
in_root --install "$DEB" >said 2>&1 || { cat said >&2; exit 1; }
fewer=root/usr/bin/fewer
[ "$(in_root --verify fewer)" = '' ]
[ "$("$fewer" walk root/usr | wc -l)" = "$(find root/usr | wc -l)" ]
"$fewer" man | sed -n 's/^fewer\\-\(.*\)(1)$/\1/p' | grep -vx help >verbs
[ "$(wc -l <verbs)" -ge 8 ]
while read -r verb; do
    page=root/usr/share/man/man1/fewer-$verb.1.gz
    gzip -dc "$page" | grep -c "^.TH fewer-$verb 1" >/dev/null
    if command -v man >/dev/null; then man -l "$page" | grep -c NAME >/dev/null; fi
done <verbs
completions='bash:bash-completion/completions/fewer zsh:zsh/vendor-completions/_fewer
    fish:fish/vendor_completions.d/fewer.fish'
for pair in $completions; do
    grep -q 'max-depth' "root/usr/share/${pair#*:}"
    if command -v "${pair%%:*}" >/dev/null; then
        "${pair%%:*}" -n "root/usr/share/${pair#*:}"
    fi
done
bash -c '. "$0"; complete -p fewer' root/usr/share/bash-completion/completions/fewer >/dev/null
in_root --purge fewer >said 2>&1 || { cat said >&2; exit 1; }
left=$(find root -name '*fewer*' -o -path 'root/usr*')
[ "$left" = '' ] || { echo "left behind: $left" >&2; exit 1; }
fails grep -q 'Package: fewer' root/var/lib/dpkg/status
"#;

/// A new environment, which sees neither a compiler nor a network.
pub(super) fn wheel(release: &Release) -> Result<(), String> {
    let folder = release.folder("wheel-trial")?;
    script(&folder, &[("WHEEL", &release.artefact(".whl")?)], WHEEL)
}

const WHEEL: &str = r#"
python3 -m venv venv
PATH=$PWD/venv/bin
fails command -v cc
fails command -v cargo
python -m pip install --quiet --disable-pip-version-check --no-index --no-deps "$WHEEL"
python - <<'END'
import fewer, os
mine = sorted(fewer.paths("venv"))
theirs = ["venv"] + [os.path.join(top, name) for top, folders, files in os.walk("venv")
                     for name in folders + files]
assert mine == sorted(theirs), len(mine)
assert fewer.read_lines("venv/pyvenv.cfg")
END
python -m pip uninstall --quiet --yes --disable-pip-version-check fewer
fails python -c 'import fewer' 2>/dev/null
"#;

/// Unpacked into a private prefix; an example is linked with the shared library, which it finds by
/// its rpath, and with the static one.
pub(super) fn prefix(release: &Release) -> Result<(), String> {
    let folder = release.folder("c-trial")?;
    let example = release.root.join("crates/ffi/examples/walk.c");
    let archive = release.artefact("-linux-gnu.tar.gz")?;
    script(&folder, &[("ARCHIVE", &archive), ("EXAMPLE", &example)], PREFIX)
}

const PREFIX: &str = r#"
unset LD_LIBRARY_PATH LD_RUN_PATH
mkdir prefix
tar -C prefix --strip-components=1 -xzf "$ARCHIVE"
export PKG_CONFIG_PATH=$PWD/prefix/lib/pkgconfig
# Its words are for a shell: a folder's name may have blanks.
eval "cc \"\$EXAMPLE\" -o walk $(pkg-config --cflags --libs fewer) \
    -Wl,-rpath,$(pkg-config --variable=libdir fewer)"
[ "$(./walk prefix)" = "$(find prefix | wc -l)" ]
eval "cc \"\$EXAMPLE\" -o walk-static -static $(pkg-config --cflags --libs --static fewer)"
mv prefix elsewhere
[ "$(./walk-static elsewhere)" = "$(find elsewhere | wc -l)" ]
fails ./walk elsewhere 2>/dev/null
"#;

/// `set -e` does not look at commands behind a `!`.
const FAILS: &str = r#"
fails() {
    if "$@"; then
        echo "should have failed: $*" >&2
        exit 1
    fi
}
"#;

/// Runs a script of the shell in a folder; it stops at the first command that fails.
pub(super) fn script(folder: &Path, variables: &[(&str, &Path)], text: &str) -> Result<(), String> {
    let file = folder.join("trial.sh");
    fs::write(&file, format!("{FAILS}{text}"))
        .map_err(|why| format!("{}: {why}", file.display()))?;
    let mut shell = Command::new("bash");
    shell.args(["-eux", "-o", "pipefail"]).arg(&file).current_dir(folder);
    let variables = variables.iter().map(|(name, path)| (name, path.as_os_str()));
    checkout::output(shell.envs(variables)).map(drop)
}
