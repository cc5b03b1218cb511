// Writes a line for each event into a file.
const fs = require('fs');

const file = fs.openSync(process.argv[2], 'w');
for (let event = 1; event <= 10000; event++) {
  fs.writeSync(file, `${event}: ${event % 3 ? 'ok' : 'late'}\n`);
}
fs.closeSync(file);
