// Writes a line for each event into a file.
const fs = require('fs');

const lines = [];
for (let event = 1; event <= 10000; event++) {
  lines.push(`${event}: ${event % 3 ? 'ok' : 'late'}\n`);
}
fs.writeFileSync(process.argv[2], lines.join(''));
