// The summary, and a card for each finding.

// Findings have a colour each; those far down share the last one.
const SHADES = 6;
const shade = (at) => `f${Math.min(at, SHADES - 1)}`;

function fact(term, value, more) {
  const small = more ? el("small", {}, more) : null;
  return el("div", {}, el("dt", {}, term), el("dd", {}, value, small));
}

// How long an unwatched run takes; what was not measured is marked as an estimate.
function runTime() {
  const [wall, processors] = data.untraced;
  return (processors ? "" : "~") + time(wall);
}

function summary() {
  const { calls, wasted, findings, untraced, saved } = data;
  byId("command").append(el("span", { "aria-hidden": "true" }, "$ "), data.command);
  if (findings.length === 0) {
    byId("headline").append(el("em", { class: "well" }, "Nothing"), " worth mending");
    byId("lead").append(sentence(`${counted(calls, "call", "calls")}: ${data.reason}.`));
  } else {
    // What is gained is time: many calls may be little of it.
    const headline = byId("headline");
    const waste = `${count(wasted)} of ${counted(calls, "call", "calls")}`;
    const lead = byId("lead");
    if (saved === null) {
      headline.append(el("em", {}, waste), " are wasted");
      lead.append("What that costs is not known.");
    } else {
      const whole = (text) => text.replaceAll(" ", "\u00a0");
      const of = untraced ? ` of ${whole(runTime())}` : "";
      const about = data.little ? "Little to gain: about" : "About";
      headline.append(`${about} `, el("em", {}, whole(time(saved))), `${of} could be saved`);
      const part = untraced ? `That is ${share(saved, untraced[0])} of a run. ` : "";
      lead.append(part, el("strong", {}, waste), ` (${share(wasted, calls)}) are wasted.`);
    }
  }
  shares();
  const facts = byId("facts");
  facts.append(fact("Calls", count(calls), data.failed ? `${count(data.failed)} failed` : null));
  if (findings.length) facts.append(fact("Wasted", count(wasted), share(wasted, calls)));
  if (saved !== null) {
    const of = untraced ? share(saved, untraced[0]) + " of a run" : null;
    facts.append(fact("Saves about", time(saved), of));
  }
  if (untraced) {
    const processors = untraced[1];
    facts.append(fact("A run takes", runTime(), processors
      ? `${time(processors[0])} user, ${time(processors[1])} system`
      : "estimated: without what watching cost"));
  }
  facts.append(fact("Processes", count(data.processes)));
  const files = data.files.length + data.other_files[0];
  facts.append(fact("Files", (data.more_files ? "more than " : "") + count(files)));
  byId("remarks").append(...data.remarks.map((remark) => el("li", {}, remark)));
  reveal("summary");
}

// What part of all calls each finding has.
function shares() {
  if (data.findings.length === 0) return;
  const bar = byId("share");
  const legend = byId("legend");
  const total = Math.max(data.calls, data.wasted, 1);
  data.findings.forEach((finding, at) => {
    const title = `${finding.id}: ${count(finding.wasted)}`;
    const piece = el("span", { class: shade(at), title });
    piece.style.flexGrow = String(finding.wasted / total);
    bar.append(piece);
    if (at >= SHADES) return;
    const more = data.findings.length > SHADES && at === SHADES - 1 ? " and others" : "";
    legend.append(el("li", {}, el("span", { class: `dot ${shade(at)}` }),
      el("a", { href: `#finding-${at + 1}` }, finding.id + more),
      el("span", { class: "faint" }, ` ${share(finding.wasted, data.calls)}`)));
  });
  const rest = el("span", { class: "rest" });
  rest.style.flexGrow = String(Math.max(total - data.wasted, 0) / total);
  bar.append(rest);
  bar.setAttribute("aria-label", `${share(data.wasted, data.calls)} of all calls are wasted`);
}

function stackList(finding) {
  const list = el("ol", { class: "stack" });
  for (const [name, site, role] of finding.stack) {
    const row = el("li", { class: ["", "own", "library"][role] }, el("code", {}, name));
    if (role === 1) row.append(el("span", { class: "tag" }, "own"));
    row.append(el("span", { class: "site" }, site));
    list.append(row);
  }
  if (finding.truncated) {
    list.append(el("li", { class: "library" }, "… could not be read further"));
  }
  return list;
}

function whereFrom(finding, at) {
  const where = el("div", { class: "where" }, el("h4", {}, "Where"));
  if (finding.origins.length === 0) {
    where.append(el("p", { class: "faint" }, "Not known: there are no stacks."));
    return where;
  }
  const list = el("ul", { class: "origins" });
  finding.origins.forEach(([calls, name, site], place) => {
    list.append(el("li", { class: place === 0 ? "own" : "" },
      el("span", { class: "number" }, count(calls)),
      el("span", {}, el("code", {}, name), " ", el("span", { class: "site" }, site))));
  });
  if (finding.more_origins > 0) {
    const more = `and ${counted(finding.more_origins, "place", "places")} more`;
    list.append(el("li", {}, el("span"), el("span", { class: "faint" }, more)));
  }
  if (finding.hint) list.append(el("li", {}, el("span"), el("small", {}, finding.hint)));
  const show = el("button", { type: "button", class: "link" }, "Show in the stacks below");
  show.hidden = finding.shown === null;
  show.addEventListener("click", () => flameSearch(finding.shown));
  const details = el("details", {}, el("summary", {}, "Stack, innermost first"));
  details.append(stackList(finding));
  details.open = at === 0;
  where.append(list, details, show);
  return where;
}

function findingCard(finding, at) {
  const { untraced } = data;
  const { saved, wasted } = finding;
  const card = el("article", { id: `finding-${at + 1}`, class: `finding ${shade(at)}` });
  const by = finding.program ? `; by ${finding.program}` : "";
  card.append(el("p", { class: "id" }, el("span", { class: "rank" }, String(at + 1)), finding.id));
  card.append(el("h3", {}, sentence(finding.verdict)));
  const figures = el("dl", { class: "facts small" });
  figures.append(fact("Wasted", count(wasted), `${share(wasted, data.calls)} of all calls${by}`));
  if (saved === null) figures.append(fact("Saves", "not known", "it was not priced"));
  else {
    const of = untraced ? `of ${runTime()} (${share(saved, untraced[0])}); ` : "";
    figures.append(fact("Saves", `~${time(saved)}`, of + finding.basis));
  }
  card.append(figures);
  const examples = el("div", { class: "examples" }, el("h4", {}, "For example"));
  const lines = el("ul", {});
  for (const example of new Set(finding.examples)) {
    const times = finding.examples.filter((other) => other === example).length;
    lines.append(el("li", {}, el("code", {}, example), times > 1 ? ` × ${times}` : null));
  }
  examples.append(lines);
  const instead = el("div", { class: "instead" }, el("h4", {}, "Instead"),
    el("p", {}, sentence(finding.remedy)));
  if (finding.snippet) {
    instead.append(el("pre", { tabindex: "0", "aria-label": `In ${finding.language}` },
      el("code", {}, finding.snippet)));
  }
  if (finding.careful) {
    instead.append(el("p", { class: "careful" }, el("strong", {}, "Careful: "),
      sentence(finding.careful)));
  }
  const left = el("div", {}, whereFrom(finding, at));
  const right = el("div", {}, instead, finding.examples.length ? examples : null);
  card.append(el("div", { class: "columns" }, left, right));
  return card;
}

function findings() {
  if (data.findings.length === 0) return;
  byId("finding-list").append(...data.findings.map(findingCard));
  reveal("findings");
}
