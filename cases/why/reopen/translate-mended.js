// Translates the keys of a page; the dictionary is a JSON file.
const fs = require('fs');

const [path] = process.argv.slice(2);
const dictionary = JSON.parse(fs.readFileSync(path, 'utf8'));

function translate(key) {
  return dictionary[key] ?? key;
}

const page = Array.from({ length: 5000 }, (_, row) => `${translate('row')} ${row}`);
console.log(page.join('\n'));
