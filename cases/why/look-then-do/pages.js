// Counts the characters of the pages that a site has.
const fs = require('fs');

const [folder] = process.argv.slice(2);
let letters = 0;
for (let page = 0; page < 3000; page++) {
  const path = `${folder}/f${page}`;
  if (fs.existsSync(path)) {
    letters += fs.readFileSync(path, 'utf8').length;
  }
}
console.log(letters, 'letters');
