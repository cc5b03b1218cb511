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
}

for (let number = 1; number <= last; number++) {
  setTimeout(() => fs.utimesSync(path, number, number), number * 400);
}
const done = () => {
  watcher.close();
  console.log('read what is of', seen);
};
const watcher = fs.watch(path, () => look(done));
look(done);
