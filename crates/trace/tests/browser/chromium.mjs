// Drives a headless Chromium through a pipe, in the words of its DevTools protocol. Nothing but
// Node is needed, and no port is opened.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
  "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe"];
const PATIENCE = 60_000; // milliseconds

export class Browser {
  constructor(program) {
    this.profile = mkdtempSync(join(tmpdir(), "fewer-page-"));
    const flags = [...FLAGS, `--user-data-dir=${this.profile}`, "about:blank"];
    const stdio = ["ignore", "ignore", "ignore", "pipe", "pipe"];
    this.process = spawn(program, flags, { stdio });
    this.gone = new Promise((resolve) => this.process.once("exit", resolve));
    this.waiting = new Map();
    this.listeners = new Map();
    this.next = 1;
    let rest = "";
    this.process.stdio[4].setEncoding("utf8").on("data", (chunk) => {
      const messages = (rest + chunk).split("\0");
      rest = messages.pop();
      messages.forEach((message) => this.hear(JSON.parse(message)));
    });
  }

  hear(message) {
    const asked = this.waiting.get(message.id);
    if (asked) {
      this.waiting.delete(message.id);
      clearTimeout(asked.timer);
      if (message.error) asked.reject(new Error(`${asked.method}: ${message.error.message}`));
      else asked.resolve(message.result);
    } else {
      this.listeners.get(message.sessionId)?.(message);
    }
  }

  ask(method, params = {}, sessionId = undefined) {
    const id = this.next;
    this.next += 1;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`${method}: no answer`));
      this.waiting.set(id, { method, resolve, reject, timer: setTimeout(late, PATIENCE) });
    });
  }

  // Opens a page of its own, and keeps what it complains of and what it loads.
  async open(url, { width = 1280, height = 900, dark = false } = {}) {
    const { targetId } = await this.ask("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.ask("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId);
    this.listeners.set(sessionId, (message) => page.hear(message));
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await page.ask(`${domain}.enable`);
    await page.ask("Emulation.setDeviceMetricsOverride",
      { width, height, deviceScaleFactor: 1, mobile: false });
    await page.scheme(dark);
    const loaded = new Promise((resolve) => { page.loaded = resolve; });
    await page.ask("Page.navigate", { url });
    await loaded;
    return page;
  }

  async close() {
    await this.ask("Browser.close").catch(() => this.process.kill());
    await this.gone;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Page {
  constructor(browser, session, target) {
    Object.assign(this, { browser, session, target, loaded: () => {} });
    Object.assign(this, { complaints: [], requests: [] });
  }

  ask(method, params) {
    return this.browser.ask(method, params, this.session);
  }

  hear({ method, params }) {
    if (method === "Page.loadEventFired") this.loaded();
    if (method === "Runtime.exceptionThrown") {
      this.complaints.push(params.exceptionDetails.exception?.description ?? "exception");
    }
    if (method === "Runtime.consoleAPICalled") {
      this.complaints.push(params.args.map((arg) => arg.value).join(" "));
    }
    if (method === "Log.entryAdded") this.complaints.push(params.entry.text);
    if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
  }

  scheme(dark) {
    const value = dark ? "dark" : "light";
    const features = [{ name: "prefers-color-scheme", value },
      { name: "prefers-reduced-motion", value: "reduce" }];
    return this.ask("Emulation.setEmulatedMedia", { features });
  }

  // What an expression of JavaScript gives in the page.
  async tell(expression) {
    const params = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.ask("Runtime.evaluate", params);
    if (exceptionDetails) {
      throw new Error(`${expression}: ${exceptionDetails.exception?.description}`);
    }
    return result.value;
  }

  // Presses the mouse in the middle of the first element of that kind.
  async click(selector) {
    const { x, y } = await this.tell(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      element.scrollIntoView({ block: "center" });
      const box = element.getBoundingClientRect();
      return { x: box.x + Math.min(box.width / 2, 40), y: box.y + box.height / 2 };
    })()`);
    for (const type of ["mousePressed", "mouseReleased"]) {
      await this.ask("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 });
    }
  }

  async press(key) {
    const text = key === "Enter" ? "\r" : undefined;
    const params = { key, code: key, windowsVirtualKeyCode: KEYS[key], text };
    await this.ask("Input.dispatchKeyEvent", { type: "keyDown", ...params });
    await this.ask("Input.dispatchKeyEvent", { type: "keyUp", ...params });
  }

  // Types into a field, in place of what it has, and waits until the page has taken notice.
  async type(selector, text) {
    await this.tell(`document.querySelector(${JSON.stringify(selector)}).select()`);
    if (text === "") await this.press("Backspace");
    else await this.ask("Input.insertText", { text });
    await new Promise((resolve) => setTimeout(resolve, 400));
  }

  async shot(file) {
    const { writeFileSync } = await import("node:fs");
    const { data } = await this.ask("Page.captureScreenshot", { format: "png" });
    writeFileSync(file, Buffer.from(data, "base64"));
  }

  close() {
    return this.browser.ask("Target.closeTarget", { targetId: this.target });
  }
}

const KEYS = { Enter: 13, Escape: 27, Backspace: 8, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39,
  ArrowDown: 40, End: 35, Home: 36, Tab: 9 };
