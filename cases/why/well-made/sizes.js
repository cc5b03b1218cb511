// Reads all files of a tree, many at a time: threads of libuv wake its loop for each answer.
const fs = require("fs/promises");
const path = require("path");

async function size(directory) {
  const entries = await fs.readdir(directory, { withFileTypes: true });
  const sizes = entries.map(async (entry) => {
    const name = path.join(directory, entry.name);
    return entry.isDirectory() ? size(name) : (await fs.readFile(name)).length;
  });
  return (await Promise.all(sizes)).reduce((sum, each) => sum + each, 0);
}

size(process.argv[2]).then((sum) => console.log(sum));
