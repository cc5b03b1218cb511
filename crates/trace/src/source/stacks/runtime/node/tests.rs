//! The functions and lines of programs that make marked calls, against those known by hand: each
//! mark is the number of the line that it stands on, and the function's name.

use std::path::Path;
use std::process::Command;

use super::super::trial::marked;

/// Runs a program; what was marked, as the mark says it and as it was found: line and the name of
/// the innermost function of the program itself.
fn found(folder: &Path, name: &str, text: &str) -> Vec<(String, String)> {
    let file = folder.join(name);
    std::fs::write(&file, text).unwrap();
    let file = file.canonicalize().unwrap();
    let path = file.to_str().unwrap();
    let calls = marked(&["node", path]).into_iter().map(|marked| {
        let own = marked.functions.iter().find(|(_, file, _)| file == path);
        let own = own.map(|(function, _, line)| format!("{line}-{function}"));
        (marked.mark, own.unwrap_or_else(|| format!("{:?}", marked.functions)))
    });
    calls.collect()
}

/// Whether Node.js is installed.
fn has_node() -> bool {
    Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// All that a program marks is found where it is, and this often.
fn assert_found(name: &str, text: &str, count: usize) {
    if !has_node() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let found = found(folder.path(), name, text);
    for (mark, own) in &found {
        // Behind the name may stand what makes the mark another one.
        assert_eq!(own, mark.split('+').next().unwrap(), "{name}");
    }
    assert_eq!(found.len(), count, "{found:?}");
}

#[test]
fn what_is_asked_for_at_once() {
    let text = r"const fs = require('fs');
fs.existsSync('/trial/2-<anonymous>');
function look(path) {
  try { fs.statSync(path); } catch {}
}
class Store {
  load() { fs.existsSync('/trial/7-Store.load'); }
  static open() { new Store().load(); }
}
Store.open();
for (let turn = 0; turn < 3000; turn++) look('/trial/4-look');
const inner = () => fs.existsSync('/trial/12-inner');
for (let turn = 0; turn < 3000; turn++) inner();
try { require('/trial/14-<anonymous>+.js'); } catch {}
try { process.chdir('/trial/15-<anonymous>'); } catch {}
";
    let folder = tempfile::tempdir().unwrap();
    if !has_node() {
        return;
    }
    let found = found(folder.path(), "sync.js", text);
    for (mark, own) in &found {
        assert_eq!(own, mark.split('+').next().unwrap());
    }
    let of = |line: &str| found.iter().filter(|(mark, _)| mark.starts_with(line)).count();
    assert_eq!((of("2-"), of("4-"), of("7-"), of("12-")), (1, 3000, 1, 3000));
    assert!(of("15-") == 1 && of("14-") > 0);
}

#[test]
fn what_is_asked_for_asynchronously() {
    let text = r"const fs = require('fs');
const none = () => {};
function back() { fs.stat('/trial/3-back', none); }
back();
async function load() {
  for (let turn = 0; turn < 100; turn++) {
    await fs.promises.readFile('/trial/7-load').catch(none);
  }
  await Promise.all([1, 2, 3].map((it) => fs.promises.stat('/trial/9-<anonymous>').catch(none)));
  for (const name of ['a']) await fs.promises.opendir('/trial/10-load').catch(none);
}
load();
function chain() { fs.promises.access('/trial/13-chain').then(none, none); }
chain();
function stream() {
  fs.createReadStream('/trial/16-stream').on('error', none);
  fs.createWriteStream('/trial/17-stream').on('error', none);
}
stream();
setTimeout(function late() { fs.readdir('/trial/20-late', none); }, 5);
process.nextTick(() => fs.lstat('/trial/21-<anonymous>', none));
fs.readFile(__filename, function then() { fs.access('/trial/22-then', none); });
";
    assert_found("later.js", text, 1 + 100 + 3 + 1 + 1 + 2 + 1 + 1 + 1);
}

#[test]
fn modules_and_workers() {
    let module = r"import fs, { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
existsSync('/trial/3-<anonymous>');
export async function look() {
  await stat('/trial/5-look').catch(() => {});
}
await look();
";
    assert_found("module.mjs", module, 2);
    let worker = r"const { Worker, isMainThread } = require('worker_threads');
const fs = require('fs');
function both(path) { fs.existsSync(path); fs.stat(path, () => {}); }
both('/trial/3-both');
if (isMainThread) setTimeout(() => new Worker(__filename), 50);
";
    assert_found("worker.js", worker, 4);
}

#[test]
fn a_program_that_hinders_it_is_not_harmed() {
    let text = r"'use strict';
const fs = require('fs');
Error.stackTraceLimit = 0;
fs.existsSync('/trial/4-<anonymous>');
Error.prepareStackTrace = () => { throw new Error('no'); };
fs.existsSync('/trial/6-<anonymous>');
Map.prototype.get = Map.prototype.set = () => { throw new Error('no'); };
fs.existsSync('/trial/8-<anonymous>');
process.env = {};
process.exit(0);
";
    assert_found("hostile.js", text, 3);
}
