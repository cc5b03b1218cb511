// Adds up the samples of a recording: four bytes each.
const fs = require('fs');

const samples = fs.readFileSync(process.argv[2]);
let sum = 0;
for (let at = 0; at + 4 <= samples.length; at += 4) {
  sum += samples.readInt32LE(at);
}
console.log(sum);
