// Renders a greeting for each guest; the template is loaded once for all of them.
const fs = require('fs');

const [path] = process.argv.slice(2);
const template = fs.readFileSync(path, 'utf8').trim();

const pages = [];
for (let guest = 1; guest <= 10000; guest++) {
  pages.push(template.replace('NAME', `guest ${guest}`));
}
console.log(pages.join('\n'));
