#!/bin/sh
# Builds the Node binding into the folder that is named, with what tree.js, lines.js and list.js
# are compared with.
set -eu
folder=$1
bench=$(cd "$(dirname "$0")/.." && pwd)
rm -rf "$folder"
mkdir -p "$folder"
cd "$bench/../bindings/node"
cargo build --release --quiet --target-dir "$folder/cargo"
cp -r lib package.json "$folder"
cp "$folder/cargo/release/libfewer_node.so" "$folder/fewer.node"
rm -rf "$folder/cargo"
cd "$folder"
mkdir peers
echo '{ "private": true }' >peers/package.json
cd peers
npm install --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel error \
    fdir@6.5.0 fast-glob@3.3.3 @nodelib/fs.walk@3.0.1
touch "$folder/built"
