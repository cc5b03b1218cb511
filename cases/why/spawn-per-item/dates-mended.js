// Puts the date of today in front of each task.
function today() {
  const now = new Date();
  const two = (number) => String(number).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

const tasks = Array.from({ length: 200 }, (_, task) => `${today()} task ${task}`);
console.log(tasks.join('\n'));
