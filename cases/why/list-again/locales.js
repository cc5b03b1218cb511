// Says for 2,000 visitors whether there is a translation.
const fs = require('fs');

const LANGUAGES = ['de', 'en', 'fr', 'it'];

function hasTranslation(folder, language) {
  return fs.readdirSync(folder).includes(`${language}.json`);
}

let served = 0;
for (let visitor = 0; visitor < 2000; visitor++)
  if (hasTranslation(process.argv[2], LANGUAGES[visitor % 4])) served++;
console.log(served);
