// Finds the route files of a web application.
const fs = require('fs');
const path = require('path');

function routes(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      return routes(full);
    }
    return entry.name.endsWith('.route.js') ? [full] : [];
  });
}

console.log(routes(process.argv[2]).sort().join('\n'));
