// Puts 1,500 things into a cart, which is a file.
const fs = require('fs');

function put(path, thing) {
  const cart = fs.existsSync(path) ? JSON.parse(fs.readFileSync(path, 'utf8')) : {};
  cart[thing] = (cart[thing] ?? 0) + 1;
  fs.writeFileSync(path, JSON.stringify(cart));
}

for (let thing = 0; thing < 1500; thing++) put(process.argv[2], thing % 7);
