// Renders a greeting for each guest; the template is reloaded when it has changed.
const fs = require('fs');

const [path] = process.argv.slice(2);
let template, stamp;

function load() {
  const { mtimeMs } = fs.statSync(path);
  if (mtimeMs !== stamp) {
    stamp = mtimeMs;
    template = fs.readFileSync(path, 'utf8').trim();
  }
  return template;
}

const pages = [];
for (let guest = 1; guest <= 10000; guest++) {
  pages.push(load().replace('NAME', `guest ${guest}`));
}
console.log(pages.join('\n'));
