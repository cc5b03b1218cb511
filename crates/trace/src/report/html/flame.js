// Calls by stack: a tree of which only what is wide enough to be seen is on the page.

// Classes below 8 are kinds of calls; then come programs, functions, libraries, interpreters.
const STYLES = ["program", "function", "library", "library"];
const FUNCTION = 9;
const INTERPRETER = 11;
const ROW = 22; // pixels
const NARROWEST = 1; // pixels
const MOST = 4000; // elements on the page

const tree = {};
// Where the view is, which node has the focus, and which labels match (null: no search).
const view = { zoom: 0, current: 0, hits: null, hides: false };

// The tree without the frames of interpreters: what they called belongs to their caller.
function withoutInterpreters({ parent, label, calls, wasted, own, labels }) {
  const out = { parent: [], label: [], calls: [], wasted: [], own: [], labels };
  const moved = [];
  const known = new Map();
  parent.forEach((above, at) => {
    const to = at === 0 ? 0 : moved[above];
    const key = `${to} ${label[at]}`;
    if (at > 0 && labels[label[at]][2] === INTERPRETER) moved.push(to);
    else if (at > 0 && known.has(key)) moved.push(known.get(key));
    else {
      moved.push(out.parent.length);
      known.set(key, out.parent.length);
      out.parent.push(to);
      out.label.push(label[at]);
      out.calls.push(0);
      out.wasted.push(0);
    }
    out.calls[moved[at]] += calls[at];
    out.wasted[moved[at]] += wasted[at];
  });
  out.own = own.filter((at) => labels[label[at]][2] !== INTERPRETER).map((at) => moved[at]);
  return out;
}

function growTree() {
  const flame = view.hides ? withoutInterpreters(data.flame) : data.flame;
  const { parent, calls, wasted, own, label, labels } = flame;
  tree.parent = parent;
  tree.label = label;
  tree.calls = calls;
  tree.total = calls.slice();
  tree.wasted = wasted.slice();
  tree.children = parent.map(() => []);
  tree.own = new Set(own);
  for (let at = parent.length - 1; at > 0; at -= 1) {
    tree.total[parent[at]] += tree.total[at];
    tree.wasted[parent[at]] += tree.wasted[at];
    tree.children[parent[at]].push(at);
  }
  for (const children of tree.children) children.sort((a, b) => tree.total[b] - tree.total[a]);
  tree.text = (at) => labels[label[at]][0];
  tree.site = (at) => labels[label[at]][1];
  tree.kind = (at) => labels[label[at]][2];
}

function ancestors(at) {
  const way = [];
  for (let up = at; up !== 0; up = tree.parent[up]) way.unshift(tree.parent[up]);
  return way;
}

// The nodes to be seen, with their places: those above first, then breadth-first.
function seen(zoom, width) {
  const way = ancestors(zoom);
  const places = way.map((at, depth) => ({ at, depth, left: 0, width }));
  const from = places.length;
  places.push({ at: zoom, depth: from, left: 0, width });
  let hidden = 0;
  for (let next = from; next < places.length; next += 1) {
    const place = places[next];
    const scale = place.width / Math.max(tree.total[place.at], 1);
    let { left } = place;
    for (const child of tree.children[place.at]) {
      const wide = tree.total[child] * scale;
      if (wide < NARROWEST || places.length >= MOST) hidden += 1;
      else places.push({ at: child, depth: place.depth + 1, left, width: wide });
      left += wide;
    }
  }
  return { places, hidden };
}

function nodeWords(at) {
  const [total, wasted] = [tree.total[at], tree.wasted[at]];
  const waste = wasted ? `, ${count(wasted)} wasted` : "";
  const site = tree.site(at) ? ` – ${tree.site(at)}` : "";
  const calls = counted(total, "call", "calls");
  return `${tree.text(at)}${site}: ${calls} (${share(total, tree.total[0])})${waste}`;
}

function nodeStyle(at, above) {
  const kind = tree.kind(at);
  const style = [kind < 8 ? `call k${kind}` : STYLES[kind - 8]];
  if (tree.own.has(at) && kind >= FUNCTION) style.push("own");
  if (above) style.push("above");
  if (view.hits) style.push(view.hits.has(tree.label[at]) ? "hit" : "dim");
  return style.join(" ");
}

function nodeElement({ at, depth, left, width }, whole, above) {
  const node = el("div", {
    role: "treeitem",
    class: nodeStyle(at, depth < above),
    tabindex: at === view.current ? "0" : "-1",
    "data-at": at,
    "aria-level": depth + 1,
    "aria-label": nodeWords(at),
    "aria-selected": at === view.zoom ? "true" : "false",
    "aria-expanded": tree.children[at].length ? "true" : null,
  });
  node.style.left = `${(left / whole) * 100}%`;
  node.style.width = `max(1px, calc(${(width / whole) * 100}% - 1px))`;
  node.style.top = `${depth * ROW}px`;
  if (width > 24) node.append(el("span", {}, tree.text(at)));
  if (tree.wasted[at] > 0) {
    const waste = el("i", {});
    waste.style.width = `${Math.min(tree.wasted[at] / tree.total[at], 1) * 100}%`;
    node.append(waste);
  }
  return node;
}

function drawFlame() {
  const box = byId("flame");
  const width = box.clientWidth || 800;
  const { places, hidden } = seen(view.zoom, width);
  const above = ancestors(view.zoom).length;
  box.replaceChildren(...places.map((place) => nodeElement(place, width, above)));
  const deepest = places.reduce((most, place) => Math.max(most, place.depth), 0);
  box.style.height = `${(deepest + 1) * ROW}px`;
  byId("zoom-out").disabled = view.zoom === 0;
  drawCrumbs();
  tellNode(view.current, hidden);
}

function tellNode(at, hidden) {
  const narrow = counted(hidden, "narrow one is", "narrow ones are");
  byId("flame-said").textContent = nodeWords(at) + (hidden ? ` – ${narrow} not drawn` : "");
}

function drawCrumbs() {
  const parts = ancestors(view.zoom).map((at) => {
    const button = el("button", { type: "button", class: "link" }, tree.text(at));
    button.addEventListener("click", () => zoomTo(at));
    return button;
  });
  parts.push(el("strong", {}, tree.text(view.zoom)));
  // Of a long way the middle says least.
  if (parts.length > 8) parts.splice(3, parts.length - 7, el("span", {}, "…"));
  byId("crumbs").replaceChildren(...parts);
}

function zoomTo(at) {
  const hadFocus = byId("flame").contains(document.activeElement);
  view.zoom = at;
  view.current = at;
  drawFlame();
  sayMatches();
  if (hadFocus) focusNode(at);
}

const zoomOut = () => view.zoom !== 0 && zoomTo(tree.parent[view.zoom]);
