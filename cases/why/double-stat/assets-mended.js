// Adds up the sizes of the assets of a page.
const fs = require('fs');

const [folder] = process.argv.slice(2);
let bytes = 0;
for (let asset = 0; asset < 5000; asset++) {
  const about = fs.statSync(`${folder}/f${asset}`);
  if (about.isFile()) {
    bytes += about.size;
  }
}
console.log(bytes, 'bytes');
