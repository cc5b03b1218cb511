// Reads the lines of a file into an array, with fewer and as people do without: measured.cjs says
// how.

const fs = require("node:fs");
const { once } = require("node:events");
const { createInterface } = require("node:readline");
const { fewer, measure } = require("./measured.cjs");

const JOBS = {
  lines: (file) => fewer.readLinesSync(file),
  async "for-await"(file) {
    const lines = [];
    for await (const line of fewer.lines(file)) lines.push(line);
    return lines;
  },
  // Events: they are faster than its `for await`.
  async readline(file) {
    const lines = [];
    const reader = createInterface({ input: fs.createReadStream(file), crlfDelay: Infinity });
    reader.on("line", (line) => lines.push(line));
    await once(reader, "close");
    return lines;
  },
  split(file) {
    const lines = fs.readFileSync(file, "utf8").split("\n");
    if (lines.at(-1) === "") lines.pop();
    return lines;
  },
};

measure(JOBS, "lines", (lines) => `${lines.length}\n`);
