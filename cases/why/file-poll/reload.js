// Reads its settings again whenever they have changed.
const fs = require('fs');

const path = process.argv[2];
let seen = 0;
let reads = 0;

function look(done) {
  const { mtimeMs } = fs.statSync(path);
  if (mtimeMs !== seen) {
    seen = mtimeMs;
    reads += 1;
    if (reads === 4) return done();
  }
  setTimeout(() => look(done), 3);
}

for (let number = 1; number <= 3; number++) {
  setTimeout(() => fs.utimesSync(path, number, number), number * 400);
}
look(() => console.log('read', reads, 'times'));
