// What the programs in Node have in common: one job of a table, once or often, and its median.
//
//   PROGRAM FOLDER JOB ROUNDS TREE
//
// does it once, and then ROUNDS times more: prints how many there are, and the median of the
// latter's times; with 0 rounds what `show` makes of them. The folder is what node.sh has built.

const [folder, job, rounds, tree] = process.argv.slice(2);

/** A package that fewer is compared with. */
const peer = (name) => require(`${folder}/peers/node_modules/${name}`);

async function measure(jobs, unit, show) {
  let found = await jobs[job](tree);
  const times = [];
  for (let round = 0; round < Number(rounds); round += 1) {
    // Whoever keeps one array does not pay for throwing another away.
    found = undefined;
    const start = performance.now();
    found = await jobs[job](tree);
    times.push(performance.now() - start);
  }
  if (times.length === 0) return process.stdout.write(show(found));
  times.sort((first, second) => first - second);
  const median = times[times.length >> 1].toFixed(3);
  return process.stdout.write(`${found.length} ${unit}, ${median} ms\n`);
}

module.exports = { fewer: require(folder), measure, peer };
