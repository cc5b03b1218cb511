const fs = require("fs");
fs.writeFileSync("note", "text\n");
for (let i = 0; i < 20; i++) fs.statSync("note");
require("child_process").spawnSync("/bin/true");
Promise.all([1, 2, 3].map(() => fs.promises.readFile("note"))).then(() => fs.unlinkSync("note"));
