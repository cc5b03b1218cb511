// From top to bottom.

summary();
findings();
timeline();
stacks();
names();
files();
byId("foot").textContent = `fewer ${data.version}. Times are of one run on this machine.`;
reveal("foot");
for (const link of document.querySelectorAll("header nav a")) {
  link.hidden = byId(link.hash.slice(1)).hidden;
}
// On paper everything is open.
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
});
