// Adds up the samples of a recording: four bytes each.
const fs = require('fs');

const file = fs.openSync(process.argv[2]);
const sample = Buffer.alloc(4);
let sum = 0;
while (fs.readSync(file, sample) === sample.length) {
  sum += sample.readInt32LE(0);
}
fs.closeSync(file);
console.log(sum);
