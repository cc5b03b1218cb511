// Copies a file through a stream of small blocks.
const fs = require('fs');
const { pipeline } = require('stream');

function backup(from, to) {
  const source = fs.createReadStream(from, { highWaterMark: 4096 });
  pipeline(source, fs.createWriteStream(to), error => {
    if (error) throw error;
    console.log(fs.statSync(to).size);
  });
}

backup(process.argv[2], process.argv[3]);
