// Walks a tree, a readdir for each directory, and a stat for each file.
import fs from "node:fs";

function below(directory) {
  let count = 0;
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    const path = `${directory}/${entry.name}`;
    count += entry.isDirectory() ? 1 + below(path) : Number(fs.lstatSync(path).nlink > 0);
  }
  return count;
}

console.log(1 + below(process.argv[2]));
