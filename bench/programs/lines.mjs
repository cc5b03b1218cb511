// Reads the lines of a file with node:readline.
//
//   lines.mjs count FILE            the number of lines
//   lines.mjs collect ROUNDS FILE   all lines as strings, three times and then ROUNDS times more:
//                                   the number of lines and the median of the latter's times
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

const WARM_UP = 3;
const [job, ...rest] = process.argv.slice(2);
const path = rest.at(-1);

// Events, not `for await`: they are faster, and what the manual's own example for speed uses.
async function each(take) {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  lines.on("line", take);
  await once(lines, "close");
}

if (job === "collect") {
  const rounds = Number(rest[0]);
  const times = [];
  let all;
  for (let round = -WARM_UP; round < rounds; round++) {
    const start = performance.now();
    all = [];
    await each((line) => all.push(line));
    if (round >= 0) {
      times.push(performance.now() - start);
    }
  }
  times.sort((left, right) => left - right);
  console.log(`${all.length} lines, ${times[rounds >> 1].toFixed(3)} ms`);
} else {
  let count = 0;
  await each(() => count++);
  console.log(count);
}
