// Runs the snippets in the folder of the first argument, each in a folder of its own.
const child_process = require("child_process");
const crypto = require("crypto");
const fs = require("fs");
const http = require("http");
const net = require("net");
const stream = require("stream");
const tty = require("tty");

const [snippets, scratch] = process.argv.slice(2);
const AsyncFunction = (async () => {}).constructor;
const nothing = () => 0;

// What programs have of their own.
function names(place) {
  fs.mkdirSync("folder");
  for (const path of ["file", "folder/name"]) fs.writeFileSync(path, "line 1\nline 2\n");
  fs.writeFileSync("local.js", "");
  const own = ["enter", "found", "handle", "lookUp", "missing", "save", "search", "show", "update",
    "work"];
  return {
    ...Object.fromEntries(own.map((name) => [name, nothing])),
    child_process, crypto, fs, http, net, tty, require,
    __dirname: place,
    path: "file", directory: "folder", folder: "folder/new/sub", name: "name",
    from: "file", to: "copy", number: 1, size: 2, when: 1e9, uid: 0,
    items: ["one", "two"], lines: ["one", "two"], paths: ["file"], item: "nothing",
    state: {}, places: new Map(),
    block: Buffer.alloc(64), record: Buffer.alloc(2), showAttributes: false,
    fd: fs.openSync("file", "r+"),
    stream: new stream.PassThrough(),
  };
}

async function run() {
  let failed = 0;
  for (const snippet of fs.readdirSync(snippets)) {
    const place = `${scratch}/${snippet}`;
    fs.mkdirSync(place);
    process.chdir(place);
    try {
      const given = names(place);
      const text = `"use strict"; { ${fs.readFileSync(`${snippets}/${snippet}`, "utf8")} }`;
      await new AsyncFunction(...Object.keys(given), text)(...Object.values(given));
    } catch (error) {
      failed += 1;
      console.log(`${snippet}: ${error}`);
    }
  }
  process.exit(failed > 0 ? 1 : 0);
}

run();
