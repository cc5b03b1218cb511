// Counts the characters of the pages that a site has.
const fs = require('fs');

const [folder] = process.argv.slice(2);

function read(path) {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return '';
  }
}

let letters = 0;
for (let page = 0; page < 3000; page++) {
  letters += read(`${folder}/f${page}`).length;
}
console.log(letters, 'letters');
