// Leaves a trail of 2,000 steps.
const fs = require('fs');

function leave(trail, step) {
  fs.writeSync(trail, `step ${step}\n`);
}

const trail = fs.openSync(process.argv[2], 'a');
for (let step = 0; step < 2000; step++) leave(trail, step);
fs.closeSync(trail);
