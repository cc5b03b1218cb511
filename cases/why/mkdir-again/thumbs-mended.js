// Makes 1,500 thumbnails, in folders by their first digits.
const fs = require('fs');

const made = new Set();

function thumbnail(picture) {
  const folder = `thumbs/${picture % 5}`;
  if (!made.has(folder)) {
    fs.mkdirSync(folder, { recursive: true });
    made.add(folder);
  }
  fs.writeFileSync(`${folder}/${picture}`, 'x');
}

for (let picture = 0; picture < 1500; picture++) thumbnail(picture);
