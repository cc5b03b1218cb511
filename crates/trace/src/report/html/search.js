// What a search marks in the stacks, and how keys and clicks lead through them.

const nodeAt = (at) => byId("flame").querySelector(`[data-at="${at}"]`);

function focusNode(at) {
  const node = nodeAt(at);
  if (!node) return;
  const old = nodeAt(view.current);
  if (old) old.tabIndex = -1;
  view.current = at;
  node.tabIndex = 0;
  node.focus();
  tellNode(at, 0);
}

// The neighbour in the row, of those that are drawn.
function beside(at, way) {
  if (at === 0) return at;
  const row = tree.children[tree.parent[at]].filter((child) => nodeAt(child));
  return row[row.indexOf(at) + way] ?? at;
}

const keys = {
  ArrowUp: () => view.current !== 0 && focusNode(tree.parent[view.current]),
  ArrowDown: () => {
    const child = tree.children[view.current].find((at) => nodeAt(at));
    if (child !== undefined) focusNode(child);
  },
  ArrowLeft: () => focusNode(beside(view.current, -1)),
  ArrowRight: () => focusNode(beside(view.current, 1)),
  Home: () => focusNode(view.zoom),
  Enter: () => zoomTo(view.current),
  " ": () => zoomTo(view.current),
  Escape: zoomOut,
  Backspace: zoomOut,
};

// A test for labels; null where nothing is searched.
function matcher() {
  const input = byId("search-text");
  input.removeAttribute("aria-invalid");
  if (input.value === "") return null;
  if (!byId("search-regex").checked) {
    const lower = input.value.toLowerCase();
    return ([text, site]) => text.toLowerCase().includes(lower)
      || site.toLowerCase().includes(lower);
  }
  try {
    const pattern = new RegExp(input.value, "i");
    return ([text, site]) => pattern.test(text) || pattern.test(site);
  } catch {
    input.setAttribute("aria-invalid", "true");
    return null;
  }
}

function search() {
  const matches = matcher();
  view.hits = matches && new Set();
  if (matches) {
    data.flame.labels.forEach((label, number) => {
      if (matches(label)) view.hits.add(number);
    });
  }
  drawFlame();
  sayMatches();
}

// Each call counts once, however many of its frames match.
function sayMatches() {
  const said = byId("search-said");
  const invalid = byId("search-text").hasAttribute("aria-invalid");
  said.textContent = invalid ? "That is no regular expression yet." : "";
  if (view.hits === null) return;
  const { parent, label, calls } = tree;
  const within = new Uint8Array(parent.length);
  const matched = new Uint8Array(parent.length);
  let sum = 0;
  for (let at = 0; at < parent.length; at += 1) {
    within[at] = at === view.zoom || (at > 0 && within[parent[at]]) ? 1 : 0;
    matched[at] = view.hits.has(label[at]) || (at > 0 && matched[parent[at]]) ? 1 : 0;
    if (within[at] && matched[at]) sum += calls[at];
  }
  const all = tree.total[view.zoom];
  const here = view.zoom === 0 ? "" : " here";
  const of = `${count(sum)} of ${counted(all, "call", "calls")}${here}`;
  said.textContent = `${of} match (${share(sum, all)})`;
}

// Shows the frames of interpreters, or hides them.
function hideInterpreters(hides) {
  byId("hide-interpreter").checked = hides;
  Object.assign(view, { hides, zoom: 0, current: 0 });
  growTree();
  drawFlame();
  sayMatches();
}

// Marks a function wherever it is.
function flameSearch(text) {
  const is = ([label, , kind]) => kind === INTERPRETER && label === text;
  if (view.hides && data.flame.labels.some(is)) hideInterpreters(false);
  byId("search-regex").checked = false;
  byId("search-text").value = text;
  view.zoom = 0;
  view.current = 0;
  search();
  byId("stacks").scrollIntoView();
  byId("search-text").focus({ preventScroll: true });
}

function listen() {
  const box = byId("flame");
  const target = (event) => event.target.closest("[data-at]");
  box.addEventListener("click", (event) => {
    const node = target(event);
    if (node) zoomTo(Number(node.dataset.at));
  });
  box.addEventListener("pointerover", (event) => {
    const node = target(event);
    if (!node) return;
    tellNode(Number(node.dataset.at), 0);
    node.title = node.getAttribute("aria-label");
  });
  box.addEventListener("keydown", (event) => {
    if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  byId("zoom-out").addEventListener("click", zoomOut);
  byId("search").addEventListener("submit", (event) => event.preventDefault());
  byId("search-text").addEventListener("input", later(search));
  byId("search-regex").addEventListener("change", search);
  const hide = byId("hide-interpreter");
  hide.parentElement.hidden = !data.flame.labels.some((label) => label[2] === INTERPRETER);
  hide.addEventListener("change", () => hideInterpreters(hide.checked));
  addEventListener("resize", later(drawFlame));
}

function stacks() {
  if (data.flame.parent.length < 2) return;
  growTree();
  listen();
  if (data.flame.cut) {
    const calls = counted(data.flame.cut, "call", "calls");
    byId("flame-note").append(` The stacks of the rarest ${calls} are cut short.`);
  }
  const legend = [["own", "the program's own, where it can be mended"], ["function", "program"],
    ["library", "library"], ["call k0", "call, coloured by kind"], ["waste", "wasted part"]];
  byId("flame-legend").append(...legend.map(([style, word]) =>
    el("li", {}, el("span", { class: `dot ${style}` }), word)));
  reveal("stacks");
  drawFlame();
}
