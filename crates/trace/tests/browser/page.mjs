// The page of `fewer why --html` in a real browser: node page.mjs CHROMIUM FOLDER [SHOTS]. FOLDER
// has the pages that the example `page` writes; screenshots go to SHOTS, if it is given.

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

import { Browser } from "./chromium.mjs";

const [program, folder, shots] = process.argv.slice(2);
const address = (name) => pathToFileURL(join(folder, `${name}.html`)).href;

// As main.rs of the example has it, after it was made safe to look at.
const HOSTILE = "</script><script>document.title='broken'</script>"
  + "<img src=x onerror=\"document.title='broken'\"><!--{{data}}&lt;"
  + "\\u{2028}\\u{202e}`;\\n\\x1b[31m";

const frame = (text) => `[...document.querySelectorAll("#flame > div")]
  .find((node) => node.textContent === ${JSON.stringify(text)})`;
const background = "getComputedStyle(document.body).backgroundColor";

const tests = {
  async "all sections are there, nothing is complained of, nothing is loaded"(browser) {
    for (const name of ["lister", "hostile", "large", "clean", "stripped", "script"]) {
      const page = await browser.open(address(name));
      assert.equal(await page.tell("document.querySelectorAll('section').length"), 6);
      const hidden = await page.tell(
        "[...document.querySelectorAll('section[hidden]')].map((section) => section.id)");
      assert.deepEqual(hidden, name === "clean" ? ["findings"] : [], name);
      await page.tell("new Promise((resolve) => setTimeout(resolve, 300))");
      assert.deepEqual(page.complaints, [], name);
      const loaded = page.requests.filter((url) => !url.startsWith("data:"));
      assert.deepEqual(loaded, [address(name)], name);
      await page.close();
    }
  },

  async "what the summary and the first finding say"(browser) {
    const page = await browser.open(address("lister"));
    const plain = (text) => text.replaceAll("\u00a0", " ");
    const text = async (selector) =>
      plain(await page.tell(`document.querySelector("${selector}").innerText`));
    assert.equal(await text("#headline"), "About 18 ms of 31 ms could be saved");
    assert.equal(await text("#lead"),
      "That is 57 % of a run. 21,657 of 31,686 calls (68 %) are wasted.");
    assert.equal(await text("#command"), "$ lister -l /srv/files");
    assert.equal(await text("#finding-1 h3"),
      "/etc/localtime was looked at 10,000 times and never changed");
    assert.equal(await text("#finding-1 .origins .own code"), "show_time");
    assert.equal(await text("#finding-1 .stack .own .site"), "/home/ada/lister/lister.c:42");
    assert.equal(await page.tell("document.querySelectorAll('.finding').length"), 4);
    const clean = await browser.open(address("clean"));
    const headline = "document.querySelector('#headline').innerText";
    assert.equal(await clean.tell(headline), "Nothing worth mending");
    // Many calls that cost next to nothing are not announced by their number.
    const little = await browser.open(address("stripped"));
    assert.equal(plain(await little.tell(headline)),
      "Little to gain: about 310 µs of 31 ms could be saved");
    const unpriced = await browser.open(address("hostile"));
    assert.equal(await unpriced.tell(headline), "45 of 51 calls are wasted");
    await Promise.all([page, clean, little, unpriced].map((open) => open.close()));
  },

  async "a click zooms in, a button and Escape lead back"(browser) {
    const page = await browser.open(address("lister"));
    const width = () => page.tell(`${frame("show_time")}.getBoundingClientRect().width`);
    const whole = await page.tell("document.querySelector('#flame').clientWidth");
    const narrow = await width();
    assert.ok(narrow < whole / 2, `${narrow} of ${whole}`);
    await page.tell(`${frame("show_time")}.id = "wanted"`);
    await page.click("#wanted");
    assert.ok(await width() > whole - 3, "zoomed in");
    const crumb = () => page.tell("document.querySelector('#crumbs strong').textContent");
    assert.equal(await crumb(), "show_time");
    if (shots) await page.shot(join(shots, "zoomed.png"));
    await page.click("#zoom-out");
    assert.equal(await crumb(), "show_entry");
    for (let up = 0; up < 9; up += 1) {
      await page.tell("document.querySelector('#flame [tabindex=\"0\"]').focus()");
      await page.press("Escape");
    }
    assert.equal(await width(), narrow);
    assert.equal(await page.tell("document.querySelector('#zoom-out').disabled"), true);
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async "the keyboard goes through the stacks"(browser) {
    const page = await browser.open(address("lister"));
    const at = () => page.tell("document.activeElement.textContent");
    await page.tell("document.querySelector('#flame [tabindex=\"0\"]').focus()");
    for (const [key, expected] of [["ArrowDown", "lister"], ["ArrowDown", "_start"],
      ["ArrowUp", "lister"], ["ArrowRight", "lister"], ["ArrowUp", "all calls"]]) {
      await page.press(key);
      assert.equal(await at(), expected, key);
    }
    for (let down = 0; down < 7; down += 1) await page.press("ArrowDown");
    assert.equal(await at(), "show_entry");
    await page.press("ArrowDown");
    const first = await at();
    await page.press("ArrowRight");
    assert.notEqual(await at(), first);
    await page.press("Enter");
    const label = await page.tell("document.activeElement.getAttribute('aria-label')");
    assert.match(label, /^\S+ – .*: [0-9,]+ calls \(\d+ %\)/);
    assert.equal(await page.tell("document.activeElement.getAttribute('aria-selected')"), "true");
    await page.close();
  },

  async "a search marks frames and tells their share"(browser) {
    const page = await browser.open(address("lister"));
    const said = () => page.tell("document.querySelector('#search-said').textContent");
    const hits = () => page.tell("document.querySelectorAll('#flame .hit').length");
    // 10,000 calls of localtime() of 31,686, counted once although three frames match.
    await page.type("#search-text", "TZ");
    assert.equal(await said(), "10,000 of 31,686 calls match (32 %)");
    assert.equal(await hits(), 3);
    if (shots) await page.shot(join(shots, "searched.png"));
    await page.type("#search-text", "^(localtime|getpwuid)$");
    assert.equal(await said(), "0 of 31,686 calls match (0 %)");
    await page.click("#search-regex");
    assert.equal(await said(), "11,000 of 31,686 calls match (35 %)");
    await page.type("#search-text", "(");
    assert.equal(await said(), "That is no regular expression yet.");
    await page.type("#search-text", "");
    assert.equal(await said(), "");
    assert.equal(await hits(), 0);
    await page.click("#finding-2 button.link");
    assert.equal(await page.tell("document.querySelector('#search-text').value"), "has_acl");
    assert.equal(await said(), "6,667 of 31,686 calls match (21 %)");
    assert.deepEqual(page.complaints, []);
    await page.close();
  },

  async "functions without names are found, and unread stacks are no second program"(browser) {
    const page = await browser.open(address("stripped"));
    await page.click("#finding-1 button.link");
    const text = (selector) => page.tell(`document.querySelector("${selector}").textContent`);
    assert.equal(await page.tell("document.querySelectorAll('#flame .hit').length"), 1);
    assert.equal(await text("#search-said"), "250 of 1,000 calls match (25 %)");
    const programs = await page.tell(`[...document.querySelectorAll("[aria-level='2']")]
      .map((node) => node.textContent)`);
    assert.deepEqual(programs, ["stripped"]);
    if (shots) await page.shot(join(shots, "stripped.png"));
    await page.close();
  },

  async "one switch hides the interpreter, where there is one"(browser) {
    const page = await browser.open(address("script"));
    const nodes = () => page.tell(`[...document.querySelectorAll("#flame > div")]
      .map((node) => node.textContent)`);
    assert.ok((await nodes()).includes("pymain_run_file"));
    await page.click("#hide-interpreter");
    assert.deepEqual(await nodes(),
      ["all calls", "python3.11", "main", "look", "stat64", "newfstatat"]);
    const label = await page.tell(`${frame("look")}.getAttribute("aria-label")`);
    assert.match(label, /: 500 calls \(100 %\), 499 wasted$/);
    await page.type("#search-text", "EvalFrame");
    const said = () => page.tell("document.querySelector('#search-said').textContent");
    assert.equal(await said(), "0 of 500 calls match (0 %)");
    if (shots) await page.shot(join(shots, "hidden.png"));
    await page.click("#hide-interpreter");
    assert.equal(await said(), "500 of 500 calls match (100 %)");
    const lister = await browser.open(address("lister"));
    const shown = "document.querySelector('#hide-interpreter').checkVisibility()";
    assert.deepEqual([await page.tell(shown), await lister.tell(shown)], [true, false]);
    await Promise.all([page.close(), lister.close()]);
  },

  async "code is not cut off"(browser) {
    for (const width of [1280, 360]) {
      const page = await browser.open(address("stripped"), { width, height: 780 });
      const cut = await page.tell(`[...document.querySelectorAll("pre, code, h1, h3, .command")]
        .filter((element) => element.checkVisibility()
          && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
        .map((element) => element.textContent.slice(0, 40))`);
      assert.deepEqual(cut, [], `${width}`);
      await page.close();
    }
  },

  async "Tab goes from top to bottom, and every stop can be seen"(browser) {
    const page = await browser.open(address("script"));
    const stops = [];
    for (let step = 0; step < 40; step += 1) {
      await page.press("Tab");
      const [name, ring] = await page.tell(`(() => {
        const at = document.activeElement;
        const marked = at.matches("input[type=radio]") ? at.nextElementSibling : at;
        const style = getComputedStyle(marked);
        const name = at.id || (at.className === "skip" ? "skip" : at.getAttribute("href"))
          || at.textContent || at.tagName;
        return [name, style.outlineStyle !== "none" || style.outlineWidth !== "0px"];
      })()`);
      if (name === "BODY" || (stops.length > 0 && name === stops[0])) break;
      assert.ok(ring, `${name} shows no focus`);
      stops.push(name);
    }
    const order = ["skip", "#findings", "#timeline", "Show in the stacks below", "bars",
      "search-text", "search-regex", "hide-interpreter", "all calls", "file-filter"];
    const places = order.map((name) => stops.findIndex((stop) => stop.startsWith(name)));
    assert.ok(!places.includes(-1), `${order} in ${stops}`);
    assert.deepEqual(places, places.toSorted((one, other) => one - other), stops.join(", "));
    await page.close();
  },

  async "the timeline shows kinds and waste, and a step at a time"(browser) {
    const page = await browser.open(address("lister"));
    const said = () => page.tell("document.querySelector('#bar-said').textContent");
    const paths = () => page.tell("document.querySelectorAll('#bars path').length");
    assert.equal(await paths(), 8);
    await page.tell("document.querySelector('#bars').focus()");
    await page.press("Home");
    assert.match(await said(), /^at 0 s: /);
    await page.press("ArrowRight");
    assert.match(await said(), /^at 524 µs: /);
    await page.press("End");
    const value = (name) => page.tell(`document.querySelector("#bars").getAttribute("${name}")`);
    assert.equal(await value("aria-valuenow"), await value("aria-valuemax"));
    await page.click("label:has(input[value=waste])");
    assert.equal(await paths(), 5);
    const legend = await page.tell("document.querySelector('#bar-legend').innerText");
    assert.match(legend, /^same-stat 9,999\n/);
    await page.close();
  },

  async "tables are sorted and filtered, a part at a time"(browser) {
    const page = await browser.open(address("lister"));
    const column = (id, at) => page.tell(`[...document.querySelectorAll("#${id} tbody tr")]
      .map((row) => row.children[${at}].innerText)`);
    const first = await column("file-table", 0);
    assert.deepEqual(first.slice(0, 2), ["/etc/localtime", "pipe:[71422]"]);
    assert.equal(first.length, 100);
    await page.click("#file-table th:first-child button");
    const sorted = await column("file-table", 0);
    assert.deepEqual(sorted, sorted.toSorted());
    assert.equal(sorted[0], "/etc/localtime");
    const order = "document.querySelector('#file-table th').getAttribute('aria-sort')";
    assert.equal(await page.tell(order), "ascending");
    await page.click("#file-table th:first-child button");
    assert.equal((await column("file-table", 0))[0], "pipe:[71422]");
    assert.equal(await page.tell(order), "descending");
    await page.click("#file-more");
    assert.equal((await column("file-table", 0)).length, 600);
    await page.type("#file-filter", "REPORT-0123");
    assert.equal((await column("file-table", 0)).length, 10);
    assert.equal(await page.tell("document.querySelector('#file-said').textContent"), "10 files");
    const calls = await column("name-table", 1);
    assert.deepEqual(calls, ["20,250", "6,667", "3,999", "250", "250", "250", "20"]);
    await page.close();
  },

  async "hostile names are shown and do nothing"(browser) {
    const page = await browser.open(address("hostile"));
    assert.match(await page.tell("document.title"), /^fewer why: 'a&b' '<\/script><script>/);
    assert.equal(await page.tell("document.images.length"), 0);
    assert.equal(await page.tell("document.scripts.length"), 2);
    for (const selector of ["#finding-1 .origins .own code", "#finding-1 .careful",
      "#finding-1 .instead p", "#remarks li:last-child", "#file-table code"]) {
      const text = await page.tell(`document.querySelector("${selector}").textContent`);
      assert.ok(text.includes(HOSTILE), `${selector}: ${text}`);
    }
    assert.ok(await page.tell(`Boolean(${frame(HOSTILE)})`), "in the flame graph");
    const files = await page.tell("document.querySelector('#file-table').innerText");
    assert.ok(files.includes("/tmp/not-utf8-\\xff\\xfe"), files);
    const text = await page.tell("document.body.innerText");
    assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069\u0000-\u0008\u001b]/);
    await page.close();
  },

  async "the policy lets nothing in or out"(browser) {
    const page = await browser.open(address("hostile"));
    const fetched = await page.tell("fetch('data:,x').then(() => 'went', () => 'refused')");
    assert.equal(fetched, "refused");
    await page.tell(`(() => {
      const script = document.createElement("script");
      script.textContent = "document.title = 'ran'";
      document.body.append(script);
      const image = document.createElement("img");
      image.src = "http://127.0.0.1:9/x.png";
      document.body.append(image);
      document.body.insertAdjacentHTML("beforeend", "<b onclick=\\"document.title='ran'\\">b</b>");
      document.querySelector("b").click();
      return new Promise((resolve) => setTimeout(resolve, 300));
    })()`);
    assert.notEqual(await page.tell("document.title"), "ran");
    assert.equal(await page.tell("document.images[0].naturalWidth"), 0);
    assert.ok(page.complaints.every((text) => text.includes("Content Security Policy")));
    assert.ok(page.complaints.length >= 4, page.complaints.join("\n"));
    await page.close();
  },

  async "light and dark have colours of their own, and enough contrast"(browser) {
    const page = await browser.open(address("lister"));
    const light = await page.tell(background);
    const poor = async () => page.tell(CONTRAST);
    assert.deepEqual(await poor(), []);
    await page.scheme(true);
    const dark = await page.tell(background);
    assert.notEqual(light, dark);
    const sum = (color) => color.match(/\d+/g).slice(0, 3).map(Number).reduce((a, b) => a + b);
    assert.ok(sum(light) > 3 * 200 && sum(dark) < 3 * 60, `${light} ${dark}`);
    assert.deepEqual(await poor(), []);
    await page.close();
  },

  async "nothing sticks out of a narrow window"(browser) {
    for (const name of ["lister", "hostile", "large", "clean", "stripped", "script"]) {
      const page = await browser.open(address(name), { width: 360, height: 780 });
      const wide = await page.tell("document.documentElement.scrollWidth");
      assert.ok(wide <= 360, `${name}: ${wide}`);
      const links = await page.tell(`[...document.querySelectorAll("header a")]
        .filter((link) => link.checkVisibility())
        .filter((link) => link.getBoundingClientRect().right > 360).map((link) => link.hash)`);
      assert.deepEqual(links, [], name);
      await page.close();
    }
  },

  async "10,000 stacks and 100,000 files do not hang it"(browser) {
    const start = Date.now();
    const page = await browser.open(address("large"));
    const elements = await page.tell("document.querySelectorAll('*').length");
    assert.ok(elements < 12_000, `${elements} elements`);
    await page.type("#search-text", "leaf_2");
    const said = await page.tell("document.querySelector('#search-said').textContent");
    assert.match(said, /calls match/);
    await page.type("#file-filter", "file-77");
    // Seconds, and some times as many where all of the machine is busy.
    assert.ok(Date.now() - start < 120_000, `${Date.now() - start} ms`);
    await page.close();
  },

  async "screenshots, where they are wanted"(browser) {
    if (!shots) return;
    for (const [name, dark, width] of [["lister", false, 1280], ["lister", true, 1280],
      ["lister", false, 390], ["lister", true, 390], ["clean", false, 1280],
      ["large", false, 1280], ["hostile", false, 800], ["stripped", false, 390],
      ["script", true, 1280]]) {
      const height = width < 500 ? 844 : 900;
      const page = await browser.open(address(name), { dark, width, height });
      for (const part of ["summary", "findings", "timeline", "stacks", "names", "files"]) {
        await page.tell(`document.getElementById("${part}").scrollIntoView()`);
        await page.shot(join(shots, `${name}-${dark ? "dark" : "light"}-${width}-${part}.png`));
      }
      await page.close();
    }
  },
};

// Texts whose contrast to what is behind them is below 4.5 (WCAG 2.2, 1.4.3); 3 where it is large.
const CONTRAST = `(() => {
  const channels = (color) => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (element) => {
    for (let up = element; up; up = up.parentElement) {
      const color = channels(getComputedStyle(up).backgroundColor);
      if (color[3] === 255) return color;
    }
    return [255, 255, 255];
  };
  const poor = new Set();
  for (const element of document.querySelectorAll("body *")) {
    const said = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const style = getComputedStyle(element);
    // What is out of order, and what is faint because it is not meant now, need not stand out.
    const out = "svg, noscript, script, :disabled, label:has(:disabled), .dim, .above, .bar";
    if (!said || !element.checkVisibility() || element.closest(out)) continue;
    const [one, two] = [light(channels(style.color)), light(behind(element))];
    const ratio = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    const large = parseFloat(style.fontSize) >= 24;
    if (ratio < (large ? 3 : 4.5)) {
      const name = element.className || element.tagName;
      poor.add(\`\${name} in \${element.parentElement.className}: \${ratio.toFixed(2)}\`);
    }
  }
  return [...poor];
})()`;

const browser = new Browser(program);
let [passed, failed] = [0, 0];
try {
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test(browser);
      passed += 1;
    } catch (error) {
      failed += 1;
      console.log(`failed: ${name}: ${error.stack}`);
    }
  }
} finally {
  await browser.close();
}
console.log(`page: ${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
