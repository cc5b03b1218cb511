#!/bin/sh
# Makes a virtual environment with the fewer of this checkout for Python in it: venv.sh FOLDER
set -eu
source=$(cd "$(dirname "$0")/../../bindings/python" && pwd)
venv=$1
[ -x "$venv/bin/pip" ] || python3 -m venv "$venv"
pip="$venv/bin/pip --disable-pip-version-check install --quiet"
# In the environment, so that pip does not fetch it anew for each build.
[ -x "$venv/bin/maturin" ] || $pip 'maturin>=1.9,<2'
PATH=$venv/bin:$PATH CARGO_TARGET_DIR=$(dirname "$0")/../target/python \
    $pip --force-reinstall --no-deps --no-build-isolation "$source"
touch "$venv/built"
