// Sums a column by lines of a stream, and writes through another.
const fs = require('fs');
const readline = require('readline');

async function main() {
  const out = fs.createWriteStream('rows-node');
  let sum = 0;
  let lines = [];
  for await (const line of readline.createInterface({ input: fs.createReadStream('rows.csv') })) {
    const [id, name, number] = line.split(',');
    sum += Number(number);
    lines.push(`${name};${id}\n`);
  }
  out.end(lines.join(''));
  console.log(sum);
}

main();
