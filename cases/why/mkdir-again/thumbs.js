// Makes 1,500 thumbnails, in folders by their first digits.
const fs = require('fs');

function thumbnail(picture) {
  const folder = `thumbs/${picture % 5}`;
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(`${folder}/${picture}`, 'x');
}

for (let picture = 0; picture < 1500; picture++) thumbnail(picture);
