// Adds up what is in the files of a folder.
const { readFile, readdir, stat } = require("node:fs/promises");
const path = require("node:path");

async function keep(folder) {
  const kept = [];
  for (const name of await readdir(folder)) {
    const full = path.join(folder, name);
    const info = await stat(full);
    if (info.isFile()) kept.push(full);
  }
  return kept;
}

async function main(folder) {
  let sum = 0;
  for (const file of await keep(folder)) sum += (await readFile(file)).length;
  console.log(sum);
}

main(process.argv[2]);
