// Leaves a trail of 2,000 steps.
const fs = require('fs');

function leave(trail, step) {
  fs.appendFileSync(trail, `step ${step}\n`);
}

for (let step = 0; step < 2000; step++) leave(process.argv[2], step);
