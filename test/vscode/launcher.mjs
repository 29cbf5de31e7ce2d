#!/usr/bin/env node
// A VS Code for machines without a desktop one: takes the flags that @vscode/test-electron passes, starts the server and
// a browser that shows it, runs the extension-host suite and exits with the suite's code.
import { appendFileSync, existsSync, mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import { CHROMIUM_FLAGS, ensureTestBrowser } from "../../scripts/lib/chromium.mjs";
import { startCodeServer } from "../../scripts/lib/code-server.mjs";
import { runMain, Trouble } from "../../scripts/lib/log.mjs";

const flags = parseFlags(process.argv.slice(2));
const timeoutMs = Number(process.env.NEKODE_SUITE_TIMEOUT_MS ?? 20 * 60_000);
const results = process.env.NEKODE_RESULTS_DIR ?? path.join(tmpdir(), "nekode-results");

await runMain(async () => {
  const userDataDir = flags.get("user-data-dir");
  const extension = flags.get("extensionDevelopmentPath");
  const tests = flags.get("extensionTestsPath");
  const workspace = flags.get("");
  if (!userDataDir || !extension || !tests || !workspace)
    throw new Trouble(
      "Needed: --user-data-dir, --extensionDevelopmentPath, --extensionTestsPath and a folder",
    );

  /** @type {import("playwright-core").Page | undefined} */
  let page;
  const pictures = await servePictures((name) =>
    page?.screenshot({ path: path.join(results, `${name}.png`) }),
  );
  const server = await startCodeServer({
    ...(process.env.NEKODE_CODE_SERVER ? { version: process.env.NEKODE_CODE_SERVER } : {}),
    userDataDir,
    extensionsDir: flags.get("extensions-dir") ?? path.join(userDataDir, "extensions"),
    settings: await settingsOf(userDataDir),
    env: { NEKODE_SCREENSHOT_URL: pictures.url },
  });
  const browser = await chromium.launch({ executablePath: await ensureTestBrowser(), args: CHROMIUM_FLAGS });
  try {
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const authority = `vscode-remote://127.0.0.1:${server.port}`;
    const payload = [
      ["extensionDevelopmentPath", `${authority}${extension}`],
      ["extensionTestsPath", `${authority}${tests}`],
    ];
    await allowPayload(page);
    /** @type {Promise<number>} */
    const ended = new Promise((resolve) => {
      void page?.exposeFunction("codeAutomationExit", resolve);
    });
    let ran = false;
    /** @type {string[]} */
    const errors = [];
    await page.exposeFunction(
      "codeAutomationLog",
      (/** @type {string} */ level, /** @type {unknown[]} */ args) => {
        const text = args.map((each) => (typeof each === "string" ? each : JSON.stringify(each))).join(" ");
        appendFileSync(path.join(results, "window.log"), `${level}: ${text}\n`);
        // The workbench logs through the same function; only the suites' results are for people.
        if (/^(passed|failed|skipped) \(/.test(text)) {
          ran = true;
          process.stdout.write(`${text}\n`);
        } else if (level === "error") errors.push(text);
      },
    );
    await page.goto(server.folderUrl(workspace, { payload: JSON.stringify(payload) }), {
      waitUntil: "commit",
    });
    const code = await Promise.race([
      ended,
      late(),
      server.exited.then((exit) => `The server ended with code ${exit}`),
    ]);
    // Without any result the reason is among the window's own errors: a suite that cannot be loaded.
    if (!ran) process.stdout.write(`${errors.slice(-20).join("\n")}\n`);
    if (typeof code === "number") return code;
    await page.screenshot({ path: path.join(results, "stuck.png"), timeout: 10_000 }).catch(() => {});
    throw new Trouble(`${code}; see ${results}`);
  } finally {
    await browser.close();
    await server.saveLogs(results);
    await server.stop();
    pictures.close();
  }
});

/**
 * Released builds of a newer VS Code heed a payload that names tests only under the driver of VS Code's own smoke
 * tests. No flag of code-server turns that on; it stands in the page's configuration.
 * @param {import("playwright-core").Page} page
 */
async function allowPayload(page) {
  await page.addInitScript(() => {
    const read = Element.prototype.getAttribute;
    Element.prototype.getAttribute = function (name) {
      const value = read.call(this, name);
      if (this.id !== "vscode-workbench-web-configuration" || name !== "data-settings" || value === null)
        return value;
      const settings = JSON.parse(value);
      const developmentOptions = { ...settings.developmentOptions, enableSmokeTestDriver: true };
      return JSON.stringify({ ...settings, developmentOptions });
    };
  });
}

/** @returns {Promise<string>} */
function late() {
  return new Promise((resolve) => {
    const message = `The suite did not end within ${timeoutMs / 1000} s`;
    setTimeout(() => resolve(message), timeoutMs).unref();
  });
}

/**
 * VS Code's flags, as --name=value; the folder to open has the name "".
 * @param {string[]} args
 */
function parseFlags(args) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const arg of args) {
    const flag = /^--([^=]+)(?:=(.*))?$/s.exec(arg);
    if (flag) found.set(flag[1] ?? "", flag[2] ?? "true");
    else found.set("", path.resolve(arg));
  }
  return found;
}

/** The settings that the runner wrote for any VS Code. @param {string} userDataDir */
async function settingsOf(userDataDir) {
  const file = path.join(userDataDir, "User/settings.json");
  return existsSync(file) ? JSON.parse(await readFile(file, "utf8")) : {};
}

/**
 * Suites ask for pictures over loopback: POST ?name=...
 * @param {(name: string) => Promise<unknown> | undefined} take
 */
async function servePictures(take) {
  mkdirSync(results, { recursive: true });
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? "/", "http://localhost").searchParams.get("name") ?? "picture";
    Promise.resolve(take(name.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 100)))
      .catch((error) => process.stderr.write(`No picture: ${error}\n`))
      .finally(() => response.end());
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
}
