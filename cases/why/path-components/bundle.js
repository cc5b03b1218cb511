// Lists the modules of a bundle by their real paths.
const fs = require('fs');
const path = require('path');

const [folder] = process.argv.slice(2);
const modules = fs.readdirSync(folder).map((name) => fs.realpathSync(path.join(folder, name)));
console.log(modules.sort().join('\n'));
