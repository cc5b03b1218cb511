// Makes 300 pages of a template that is read once.
const fs = require('fs');

const template = fs.readFileSync('template.html', 'utf8');
fs.mkdirSync('site-node', { recursive: true });
for (let number = 0; number < 300; number++) {
  const page = template.replace('$title', `Page ${number}`);
  const body = 'a paragraph '.repeat(number);
  fs.writeFileSync(`site-node/${number}.html`, page.replace('$body', body));
}
