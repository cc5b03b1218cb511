// Tables that can be sorted; only so many rows of a long one are on the page.

const PAGE = 100; // rows

// columns: {head, text, value, number}; a row is an array.
function table(id, rows, columns, sortedBy) {
  const { said, more, filter } = lookUp(id);
  let order = { column: sortedBy, down: true };
  let shown = PAGE;
  let wanted = rows;

  const heads = columns.map((column, at) => {
    const arrow = el("span", { "aria-hidden": "true" });
    const button = el("button", { type: "button" }, column.head, arrow);
    button.addEventListener("click", () => {
      // Names first from A on, numbers first from the largest.
      order = { column: at, down: order.column === at ? !order.down : Boolean(column.number) };
      shown = PAGE;
      draw();
    });
    return el("th", { scope: "col", class: column.number ? "number" : "" }, button);
  });
  const body = el("tbody");
  byId(id).append(el("thead", {}, el("tr", {}, ...heads)), body);

  function draw() {
    const { value } = columns[order.column];
    const sign = order.down ? -1 : 1;
    wanted.sort((a, b) => {
      const [left, right] = [value(a), value(b)];
      return left < right ? -sign : left > right ? sign : 0;
    });
    heads.forEach((head, at) => {
      if (at !== order.column) head.removeAttribute("aria-sort");
      else head.setAttribute("aria-sort", order.down ? "descending" : "ascending");
    });
    const cell = (row) => ({ number, text }) =>
      el("td", { class: number ? "number" : "" }, text(row));
    body.replaceChildren(...wanted.slice(0, shown).map((row) =>
      el("tr", {}, ...columns.map(cell(row)))));
    const left = wanted.length - shown;
    more.hidden = left <= 0;
    more.textContent = `Show ${count(Math.min(left, PAGE * 5))} more of ${count(left)}`;
    if (said) said(wanted.length);
  }

  more.addEventListener("click", () => {
    shown += PAGE * 5;
    draw();
  });
  if (filter) {
    filter.addEventListener("input", later(() => {
      const lower = filter.value.toLowerCase();
      wanted = lower ? rows.filter((row) => row[0].toLowerCase().includes(lower)) : rows;
      shown = PAGE;
      draw();
    }));
  }
  draw();
}

function lookUp(id) {
  if (id === "name-table") return { more: byId("name-more") };
  const [others, calls] = data.other_files;
  const rarer = `${others ? `${count(others)} ` : ""}rarer files are not listed`;
  const rest = calls ? `; ${counted(calls, "call", "calls")} about ${rarer}` : "";
  const said = (wanted) => {
    byId("file-said").textContent = `${counted(wanted, "file", "files")}${rest}`;
  };
  return { more: byId("file-more"), filter: byId("file-filter"), said };
}

const number = (head, at, text) => ({
  head, number: true, value: (row) => row[at], text: (row) => (row[at] ? text(row[at]) : "–"),
});

function names() {
  if (data.names.length === 0) return;
  const most = Math.max(...data.names.map((row) => row[2]));
  const bar = (row) => {
    const piece = el("span", { class: `bar k${row[1]}`, "aria-hidden": "true" });
    piece.style.width = `${(row[2] / most) * 100}%`;
    const rail = el("span", { class: "rail" }, piece);
    return el("span", { class: "named" }, el("code", {}, row[0]), rail);
  };
  table("name-table", data.names.slice(), [
    { head: "Call", value: (row) => row[0], text: bar },
    number("Calls", 2, count),
    { ...number("Share", 2, (calls) => share(calls, data.calls)) },
    number("Failed", 3, count),
    number("Moved", 4, bytes),
  ], 1);
  reveal("names");
}

function files() {
  if (data.files.length === 0) return;
  table("file-table", data.files.slice(), [
    { head: "File", value: (row) => row[0], text: (row) => el("code", {}, row[0]) },
    number("Calls", 1, count),
    number("Failed", 2, count),
    number("Moved", 3, bytes),
  ], 1);
  reveal("files");
}
