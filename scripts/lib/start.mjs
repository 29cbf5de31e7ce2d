// Starts a VS Code to try the product in. Import only after the packages are installed.
import { existsSync } from "node:fs";
import { cp, rm, stat } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { cacheDir, withFreeFolder } from "./cache.mjs";
import { findChromium } from "./chromium.mjs";
import { installVsix, startCodeServer } from "./code-server.mjs";
import { ensureCodeServer } from "./code-server-install.mjs";
import { writeAllSettings } from "./code-server-settings.mjs";
import { ROOT } from "./dependencies.mjs";
import { say, Trouble } from "./log.mjs";
import { packageExtension } from "./package.mjs";
import { startGuarded, tail, which } from "./processes.mjs";

/**
 * @typedef {object} StartOptions
 * @property {number | undefined} port
 * @property {boolean} open
 * @property {string | undefined} workspace
 * @property {string | undefined} baseUrl
 * @property {string | undefined} model
 * @property {boolean} desktop
 */

/**
 * Starts everything and resolves with 0 when the user presses Ctrl-C; rejects when VS Code ends by itself. Settings,
 * history and the sample workspace stay in the cache folder for the next start.
 * @param {StartOptions} options
 * @returns {Promise<number>}
 */
export async function start(options) {
  // Registered first, so that Ctrl-C also ends an installation.
  const interrupted = untilInterrupted();
  const code = options.desktop ? desktopCommand() : undefined;
  return withFreeFolder(profiles(), async (home) => {
    /** @type {(() => Promise<unknown>)[]} */
    const endings = [];
    try {
      return await Promise.race([interrupted, session(options, code, home, endings)]);
    } finally {
      await Promise.all(endings.map((end) => end()));
    }
  });
}

/** Settings, history and sample workspace of one VS Code: a second one at the same time uses another folder. */
const profiles = () =>
  ["start", ...Array.from({ length: 8 }, (_, n) => `start-${n + 2}`)].map((name) =>
    path.join(cacheDir(), name),
  );

/**
 * @param {StartOptions} options
 * @param {string | undefined} code the desktop VS Code's command, when it is wanted
 * @param {string} home
 * @param {(() => Promise<unknown>)[]} endings what ends each thing that was started
 * @returns {Promise<number>}
 */
async function session(options, code, home, endings) {
  const [vsix, codeServer] = await Promise.all([
    packageExtension({ types: false }),
    code === undefined ? ensureCodeServer() : undefined,
  ]);
  const workspace = await prepareWorkspace(options.workspace, home);
  const model = await prepareModel(options, endings);
  const env = {
    ...(model.key === undefined ? {} : { NEKODE_API_KEY: model.key }),
    // The panel says that answers are a demonstration, as long as the model at this address gives them.
    ...(model.demonstration === undefined ? {} : { NEKODE_DEMONSTRATION: model.demonstration }),
  };
  const userDataDir = path.join(home, code === undefined ? "data" : "desktop-data");

  if (code !== undefined || codeServer === undefined) {
    await writeAllSettings(userDataDir, model.settings, { keep: true, desktop: true });
    const flags = [
      `--user-data-dir=${userDataDir}`,
      `--extensionDevelopmentPath=${ROOT}`,
      "--wait",
      "--new-window",
    ];
    const window = startGuarded(code ?? "code", [...flags, workspace], {
      env: { ...process.env, NEKODE_DATA_DIR: path.join(userDataDir, "nekode"), ...env },
    });
    endings.push(() => window.stop());
    say("\nNekode is in the desktop VS Code. Ctrl-C here, or closing the window, ends it.");
    return window.exited;
  }

  const extensionsDir = path.join(home, "extensions");
  await rm(extensionsDir, { recursive: true, force: true });
  await installVsix(codeServer, extensionsDir, vsix);
  say("Nekode is installed in VS Code.");
  const server = await startCodeServer({
    userDataDir,
    extensionsDir,
    ...(options.port === undefined ? {} : { port: options.port }),
    settings: model.settings,
    keepSettings: true,
    // The user decides whether to trust their own folder.
    trust: options.workspace === undefined,
    env,
  });
  endings.push(() => server.stop());
  const url = server.folderUrl(workspace);
  say(
    `\nNekode is at  ${url}\nThe model is  ${model.description}\nThe cat in the bar at the left opens the panel. Ctrl-C here ends it all.`,
  );
  if (model.demonstration !== undefined)
    for (const hint of await localServers(model.demonstration)) say(hint);
  if (options.open) openBrowser(url, home, endings);
  const exit = await server.exited;
  throw new Trouble(`VS Code's server ended by itself, with code ${exit}.\n${tail(server.output())}`);
}

/** The `code` command. */
function desktopCommand() {
  const code = which("code");
  if (code === undefined)
    throw new Trouble("There is no `code` on PATH. Without --desktop, VS Code opens in the browser.");
  return code;
}

/** Recreates the sample, or returns the user's folder unchanged. @param {string | undefined} own @param {string} home */
async function prepareWorkspace(own, home) {
  if (own !== undefined) {
    // npm runs scripts in the repository's folder; paths are relative to the user's current folder.
    const folder = path.resolve(process.env.INIT_CWD ?? process.cwd(), own);
    if (!(await stat(folder).catch(() => undefined))?.isDirectory())
      throw new Trouble(`--workspace: not a folder: ${folder}`);
    return folder;
  }
  const folder = path.join(home, "sample-workspace");
  await rm(folder, { recursive: true, force: true });
  await cp(path.join(ROOT, "test/fixtures/sample-workspace"), folder, { recursive: true });
  return folder;
}

/**
 * The user's model, or the scripted one.
 * @param {StartOptions} options
 * @param {(() => Promise<unknown>)[]} endings
 * @returns {Promise<{ settings: Record<string, string>, key?: string, demonstration?: string, description: string }>}
 */
async function prepareModel({ baseUrl, model }, endings) {
  if (baseUrl !== undefined) {
    const settings = {
      "nekode.provider.baseUrl": baseUrl,
      ...(model === undefined ? {} : { "nekode.provider.model": model }),
    };
    return { settings, description: `${model ?? "to be chosen"} at ${baseUrl}` };
  }
  const url = await startModelServer(endings);
  return {
    settings: { "nekode.provider.baseUrl": url, "nekode.provider.model": model ?? "scripted" },
    key: "scripted",
    demonstration: url,
    description: `scripted, at ${url}: it plays a demonstration without a key`,
  };
}

/** A line for each real model server on this machine. @param {string} own the scripted model's address */
async function localServers(own) {
  const file = path.join(ROOT, "dist/test/local-servers.mjs");
  if (!existsSync(file)) throw new Trouble(`${file} was not built`);
  /** @type {typeof import("../../test/model-server/local-servers.ts")} */
  const { localServerHints } = await import(pathToFileURL(file).href);
  return localServerHints(Number(new URL(own).port));
}

/**
 * @param {(() => Promise<unknown>)[]} endings
 * @param {string[]} [options] of the model server; default: it plays the demonstration
 * @returns {Promise<string>} the base URL
 */
export async function startModelServer(endings, options = []) {
  const file = path.join(ROOT, "dist/test/model-server.mjs");
  if (!existsSync(file)) throw new Trouble(`${file} was not built`);
  let output = "";
  /** @type {(url: string) => void} */
  let ready = () => {};
  /** @type {Promise<string>} */
  const url = new Promise((resolve) => {
    ready = resolve;
  });
  const server = startGuarded(process.execPath, [file, ...options], {
    onOutput: (text) => {
      output += text;
      const found = /^\{"url":"([^"]+)"/m.exec(output)?.[1];
      if (found !== undefined) ready(found);
    },
  });
  endings.push(() => server.stop());
  const died = server.exited.then((code) => {
    throw new Trouble(`The scripted model ended with code ${code}.\n${tail(output)}`);
  });
  died.catch(() => {});
  return Promise.race([url, died]);
}

/** @param {string} url @param {string} home @param {(() => Promise<unknown>)[]} endings */
function openBrowser(url, home, endings) {
  const display = process.platform !== "linux" || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (!display) {
    say("There is no display here: open the address in a browser.");
    return;
  }
  const chromium = findChromium();
  const flags = [`--app=${url}`, `--user-data-dir=${path.join(home, "browser")}`, "--no-first-run"];
  // As root, Chromium starts only without its sandbox.
  if (process.getuid?.() === 0) flags.push("--no-sandbox");
  const opener =
    process.platform === "darwin" ? "open" : process.platform === "win32" ? "explorer" : "xdg-open";
  const window = chromium === undefined ? startGuarded(opener, [url]) : startGuarded(chromium, flags);
  endings.push(() => window.stop());
}

/** Resolves with 0 on Ctrl-C or when this process is asked to end. @returns {Promise<number>} */
function untilInterrupted() {
  return new Promise((resolve) => {
    for (const name of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
      process.on(name, () => {
        say("\nEnding ...");
        resolve(0);
      });
    }
  });
}
