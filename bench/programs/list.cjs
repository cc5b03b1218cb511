// Lists a directory with the size and the time of each entry, with fewer and as people do without:
// measured.cjs says how.

const fs = require("node:fs");
const path = require("node:path");
const { fewer, measure } = require("./measured.cjs");

const JOBS = {
  list(directory) {
    const rows = fewer.listSync(directory, { fields: ["size", "modified"] });
    return rows.map((row) => [row.name, row.stat.size, row.stat.mtimeMs]);
  },
  stat(directory) {
    return fs.readdirSync(directory).map((name) => {
      const stat = fs.lstatSync(path.join(directory, name));
      return [name, stat.size, stat.mtimeMs];
    });
  },
  async later(directory) {
    const names = await fs.promises.readdir(directory);
    return Promise.all(names.map(async (name) => {
      const stat = await fs.promises.lstat(path.join(directory, name));
      return [name, stat.size, stat.mtimeMs];
    }));
  },
};

measure(JOBS, "entries", (rows) => `${rows.length}\n`);
