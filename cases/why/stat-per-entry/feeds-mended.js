// Adds up what is in the files of a folder.
const { readFile, readdir } = require("node:fs/promises");
const path = require("node:path");

async function keep(folder) {
  const kept = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isFile()) kept.push(path.join(folder, entry.name));
  }
  return kept;
}

async function main(folder) {
  let sum = 0;
  for (const file of await keep(folder)) sum += (await readFile(file)).length;
  console.log(sum);
}

main(process.argv[2]);
