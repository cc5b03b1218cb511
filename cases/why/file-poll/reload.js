// Reads its settings again whenever they have changed.
const fs = require('fs');

const path = process.argv[2];
const last = 3;
let seen = 0;

function look(done) {
  const { mtimeMs } = fs.statSync(path);
  if (mtimeMs !== seen) {
    seen = mtimeMs;
    if (seen === last * 1000) return done();
  }
  setTimeout(() => look(done), 3);
}

for (let number = 1; number <= last; number++) {
  setTimeout(() => fs.utimesSync(path, number, number), number * 400);
}
look(() => console.log('read what is of', seen));
