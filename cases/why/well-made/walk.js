// Counts the files of a tree by extension: what a listing says needs no stat.
const fs = require('fs');
const path = require('path');

const counts = new Map();
const folders = [process.argv[2]];
while (folders.length > 0) {
  const folder = folders.pop();
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) folders.push(path.join(folder, entry.name));
    else counts.set(path.extname(entry.name), (counts.get(path.extname(entry.name)) ?? 0) + 1);
  }
}
console.log([...counts].sort());
