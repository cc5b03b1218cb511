#!/bin/sh
# Runs a generated configure in a folder of its own: configure.sh MADE-AT SHELL...
# MADE-AT is where autoconf makes it, once.
set -eu
here=$(cd "$(dirname "$0")/configure" && pwd)
made=$1
shift
if [ ! -x "$made/configure" ] || [ "$here/configure.ac" -nt "$made/configure" ]; then
    mkdir -p "$made"
    cp "$here"/* "$made"
    (cd "$made" && autoheader 2>/dev/null && autoconf && rm -rf autom4te.cache)
    : >"$made/install-sh"
    touch "$made/configure"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
CONFIG_SHELL="$*" "$@" "$made/configure" --srcdir="$made"
grep -c '^#define' config.h
cat Makefile
