// Says for 2,000 visitors whether there is a translation.
const fs = require('fs');

const LANGUAGES = ['de', 'en', 'fr', 'it'];

function hasTranslation(entries, language) {
  return entries.includes(`${language}.json`);
}

const entries = fs.readdirSync(process.argv[2]);
let served = 0;
for (let visitor = 0; visitor < 2000; visitor++)
  if (hasTranslation(entries, LANGUAGES[visitor % 4])) served++;
console.log(served);
