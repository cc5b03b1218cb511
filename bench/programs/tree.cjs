// Walks a tree into an array of paths, with fewer and as people do without: measured.cjs says how.

const fs = require("node:fs");
const { fewer, measure, peer } = require("./measured.cjs");

const fdir = () => new (peer("fdir").fdir)().withBasePath().withDirs();
const withoutSlash = (path) => (path.endsWith("/") ? path.slice(0, -1) : path);

const JOBS = {
  paths: (tree) => fewer.pathsSync(tree),
  later: (tree) => fewer.paths(tree),
  walk: (tree) => Array.from(fewer.walk(tree), (entry) => entry.path),
  async "for-await"(tree) {
    const paths = [];
    for await (const entry of fewer.walk(tree)) paths.push(entry.path);
    return paths;
  },
  // With file types: without them Node 20 walks into directories a second time.
  readdir(tree) {
    const all = fs.readdirSync(tree, { recursive: true, withFileTypes: true });
    return [tree, ...all.map((entry) => `${entry.parentPath}/${entry.name}`)];
  },
  // With a slash behind directories.
  fdir: (tree) => fdir().crawl(tree).sync(),
  "fdir-later": (tree) => fdir().crawl(tree).withPromise(),
  "fast-glob"(tree) {
    const options = { dot: true, onlyFiles: false, followSymbolicLinks: false };
    return [tree, ...peer("fast-glob").sync(`${tree}/**`, options)];
  },
  "fs.walk"(tree) {
    const all = peer("@nodelib/fs.walk").walkSync(tree);
    return [tree, ...all.map((entry) => entry.path)];
  },
  // From Node 22 on.
  glob: (tree) => fs.globSync(`${tree}/**`),
};

measure(JOBS, "paths", (paths) => `${paths.map(withoutSlash).join("\n")}\n`);
