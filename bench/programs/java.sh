#!/bin/sh
# Builds the Java binding and the program that measures it, into the folder that is named.
set -eu
folder=$1
bench=$(cd "$(dirname "$0")/.." && pwd)
rm -rf "$folder"
mkdir -p "$folder/classes"
"$bench/../bindings/java/natives" "$folder/classes"
javac --release 17 -d "$folder/classes" "$bench"/../bindings/java/src/main/java/fewer/*.java \
    "$bench/programs/Tree.java"
touch "$folder/built"
