// Calls by time: a bar for each step.

// What the bars show, and the step that is described.
const chart = { mode: "kind", at: 0, sums: [], peak: 1 };
const drawing = svg("svg", { preserveAspectRatio: "none", "aria-hidden": "true" });
const cursor = svg("rect", { class: "cursor", y: 0, width: 1, height: 100 });

// Colour, calls in a step, word, meaning: from the bottom of the bars upwards.
function layers() {
  const { kinds, steps } = data.timeline;
  if (chart.mode === "kind") {
    return kinds.map(([word, meaning], row) => [`k${row}`, (x) => steps[x][row], word, meaning]);
  }
  return data.findings.map((finding, row) => [shade(row), (x) => finding.steps[x], finding.id, ""]);
}

function drawBars() {
  const { sums, peak, mode } = chart;
  drawing.replaceChildren();
  if (mode === "waste") drawing.append(outline());
  const heights = sums.map(() => 0);
  for (const [style, value] of layers()) {
    // One path for each colour: 400 steps are 8 elements, not 3,200.
    let path = "";
    for (let x = 0; x < sums.length; x += 1) {
      const calls = value(x);
      if (!calls) continue;
      const top = 100 - ((heights[x] + calls) / peak) * 100;
      const bottom = 100 - (heights[x] / peak) * 100;
      path += `M${x} ${top.toFixed(2)}h1V${bottom.toFixed(2)}h-1z`;
      heights[x] += calls;
    }
    drawing.append(svg("path", { d: path, class: style }));
  }
  drawing.append(cursor);
  barLegend();
  sayStep();
}

// All calls, behind the wasted ones.
function outline() {
  const { sums, peak } = chart;
  const path = sums.map((sum, x) => `V${(100 - (sum / peak) * 100).toFixed(2)}H${x + 1}`);
  return svg("path", { d: `M0 100${path.join("")}V100H0z`, class: "rest" });
}

function barLegend() {
  const items = [];
  for (const [row, [style, value, word, meaning]] of layers().entries()) {
    // Rounded step by step, the wasted ones would not add up.
    const sum = chart.mode === "waste" ? data.findings[row].wasted
      : chart.sums.reduce((all, _, x) => all + value(x), 0);
    if (sum === 0) continue;
    items.push(el("li", { title: meaning || null }, el("span", { class: `dot ${style}` }), word,
      el("span", { class: "faint" }, ` ${count(sum)}`)));
  }
  byId("bar-legend").replaceChildren(...items);
}

function sayStep() {
  const { at, sums, mode } = chart;
  cursor.setAttribute("x", at);
  const parts = layers().map(([, value, word]) => [value(at), word]).filter(([calls]) => calls);
  parts.sort((a, b) => b[0] - a[0]);
  const what = parts.map(([calls, word]) => `${word} ${count(calls)}`).join(", ");
  const wasted = parts.reduce((sum, [calls]) => sum + calls, 0);
  const total = mode === "kind" ? counted(sums[at], "call", "calls")
    : `${count(wasted)} of ${count(sums[at])} wasted`;
  const text = `at ${time(at * data.timeline.step)}: ${total}${what ? ` – ${what}` : ""}`;
  byId("bar-said").textContent = text;
  byId("bars").setAttribute("aria-valuenow", at);
  byId("bars").setAttribute("aria-valuetext", text);
}

function goToStep(to) {
  chart.at = Math.max(0, Math.min(chart.sums.length - 1, to));
  sayStep();
}

const strides = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -20,
  PageUp: 20, Home: -Infinity, End: Infinity };

function listenToBars() {
  const bars = byId("bars");
  bars.addEventListener("pointermove", (event) => {
    const box = drawing.getBoundingClientRect();
    goToStep(Math.floor(((event.clientX - box.left) / box.width) * chart.sums.length));
  });
  bars.addEventListener("keydown", (event) => {
    if (!(event.key in strides)) return;
    event.preventDefault();
    goToStep(chart.at + strides[event.key]);
  });
  for (const input of document.querySelectorAll("input[name=bars]")) {
    input.disabled = input.value === "waste" && data.findings.length === 0;
    input.addEventListener("change", () => {
      chart.mode = input.value;
      drawBars();
    });
  }
}

function timeline() {
  const { step, steps } = data.timeline;
  if (steps.length === 0) return;
  chart.sums = steps.map((calls) => calls.reduce((sum, more) => sum + more, 0));
  chart.peak = Math.max(...chart.sums);
  chart.at = chart.sums.indexOf(chart.peak);
  drawing.setAttribute("viewBox", `0 0 ${steps.length} 100`);
  const bars = byId("bars");
  const peak = `${counted(chart.peak, "call", "calls")} in ${time(step)}`;
  bars.append(drawing, el("span", { class: "peak" }, peak));
  bars.setAttribute("aria-valuemin", 0);
  bars.setAttribute("aria-valuemax", steps.length - 1);
  byId("ticks").append(...[0, 0.25, 0.5, 0.75, 1].map((part) =>
    el("span", {}, time(Math.round(part * steps.length * step)))));
  listenToBars();
  drawBars();
  reveal("timeline");
}
