// Puts the date of today in front of each task.
const { execFileSync } = require('child_process');

function today() {
  return execFileSync('date', ['+%Y-%m-%d'], { encoding: 'utf8' }).trim();
}

const tasks = Array.from({ length: 200 }, (_, task) => `${today()} task ${task}`);
console.log(tasks.join('\n'));
