// Lists the modules of a bundle by their real paths.
const fs = require('fs');
const path = require('path');

const folder = fs.realpathSync(process.argv[2]);
const modules = fs.readdirSync(folder, { withFileTypes: true }).map((entry) => {
  const full = path.join(folder, entry.name);
  return entry.isSymbolicLink() ? fs.realpathSync(full) : full;
});
console.log(modules.sort().join('\n'));
