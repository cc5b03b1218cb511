// Finds the route files of a web application.
const fs = require('fs');
const path = require('path');

function routes(folder) {
  return fs.readdirSync(folder).flatMap((name) => {
    const full = path.join(folder, name);
    if (fs.statSync(full).isDirectory()) {
      return routes(full);
    }
    return name.endsWith('.route.js') ? [full] : [];
  });
}

console.log(routes(process.argv[2]).sort().join('\n'));
