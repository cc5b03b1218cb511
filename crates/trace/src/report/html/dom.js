// Elements, numbers and times. Texts become text nodes and nothing else.

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "class") element.className = value;
    else if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  for (const child of children) {
    if (child !== null && child !== undefined) element.append(child);
  }
  return element;
}

function svg(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

const separated = new Intl.NumberFormat("en-US");
const count = (number) => separated.format(number);
const counted = (number, one, many) => `${count(number)} ${number === 1 ? one : many}`;

function share(part, whole) {
  if (!whole) return "0 %";
  const percent = Math.round((part / whole) * 100);
  return percent === 0 && part > 0 ? "< 1 %" : `${percent} %`;
}

// As figures.rs has it.
function time(nanoseconds) {
  if (nanoseconds === 0) return "0 s";
  for (const [one, unit] of [[1, "ns"], [1e3, "µs"], [1e6, "ms"], [1e9, "s"]]) {
    const tenths = Math.round((nanoseconds * 10) / one);
    if (one > 1 && tenths < 100) return `${(tenths / 10).toFixed(1)} ${unit}`;
    const whole = Math.round(tenths / 10);
    if (whole < 1000 || unit === "s") return `${count(whole)} ${unit}`;
  }
  return "";
}

function bytes(number) {
  if (number < 1024) return `${number} B`;
  let unit = -1;
  do {
    number /= 1024;
    unit += 1;
  } while (number >= 1000 && unit < 4);
  return `${number < 10 ? number.toFixed(1) : Math.round(number)} ${"KMGTP"[unit]}iB`;
}

// A sentence in which `names` stand in backquotes.
function sentence(text) {
  const out = document.createDocumentFragment();
  const pieces = text.split("`");
  pieces.forEach((piece, at) => {
    // A backquote without a partner is one.
    if (at % 2 === 1 && at < pieces.length - 1) out.append(el("code", {}, piece));
    else out.append(at % 2 === 1 ? "`" + piece : piece);
  });
  return out;
}

// Runs once for many events in a row.
function later(run) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, 120);
  };
}

function reveal(...ids) {
  for (const id of ids) byId(id).hidden = false;
}
