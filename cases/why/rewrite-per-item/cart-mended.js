// Puts 1,500 things into a cart, which is a file.
const fs = require('fs');

function put(cart, thing) {
  cart[thing] = (cart[thing] ?? 0) + 1;
}

const path = process.argv[2];
const cart = fs.existsSync(path) ? JSON.parse(fs.readFileSync(path, 'utf8')) : {};
for (let thing = 0; thing < 1500; thing++) put(cart, thing % 7);
fs.writeFileSync(path, JSON.stringify(cart));
