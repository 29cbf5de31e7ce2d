// The browsers that run VS Code and the panel: one with windows for `npm start`, one without for tests.
import { existsSync } from "node:fs";
import { say } from "./log.mjs";
import { run, which } from "./processes.mjs";
import { installSystemPackages, whileInstalling } from "./system-packages.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"];
const APPLICATIONS = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/** Flags for an automated browser that must not make network requests of its own. */
export const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--no-default-browser-check",
  "--disable-dev-shm-usage",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];

/** The browser's path: $CHROMIUM_PATH, else the first one found; undefined if there is none. */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && named !== "") return named;
  for (const name of NAMES) {
    const found = which(name);
    if (found !== undefined) return found;
  }
  return APPLICATIONS.find((file) => existsSync(file));
}

/**
 * Finds the browser, or installs it where permitted (Debian, root), with a Japanese font: our users write Japanese,
 * and screenshots show it.
 * @returns {Promise<string>} path of the executable
 */
export async function ensureChromium() {
  const present = findChromium();
  if (present !== undefined && (await hasJapaneseFont())) return present;
  return whileInstalling(async () => {
    const missing = findChromium() === undefined ? ["chromium"] : [];
    if (!(await hasJapaneseFont())) missing.push("fonts-ipafont-gothic");
    try {
      if (missing.length > 0) await installSystemPackages(missing, "tests in a real browser");
    } catch (error) {
      // A missing font affects only screenshots.
      if (missing.includes("chromium") || findChromium() === undefined) throw error;
      say(`No Japanese font: ${error instanceof Error ? error.message : error}`);
    }
    const found = findChromium();
    if (found === undefined) throw new Error("Chromium was installed and is not on PATH");
    return found;
  });
}

/** Chromium without windows, which Playwright uses by default; also the name of its package on Debian. */
const HEADLESS = "chromium-headless-shell";

/**
 * The browser that shows VS Code and the panel in tests: Chromium without windows, whose pages cost less than half of the CPU
 * of those in a browser that could show one. Where it can be neither found nor installed, the ordinary one.
 * @returns {Promise<string>} path of the executable
 */
export async function ensureTestBrowser() {
  const chromium = await ensureChromium();
  if (process.env.CHROMIUM_PATH) return chromium;
  const present = which(HEADLESS);
  if (present !== undefined || which("apt-get") === undefined || process.getuid?.() !== 0)
    return present ?? chromium;
  return whileInstalling(async () => {
    try {
      if (which(HEADLESS) === undefined)
        await installSystemPackages([HEADLESS], "tests in a browser without windows");
    } catch (error) {
      say(`Tests use ${chromium}: ${error instanceof Error ? error.message : error}`);
    }
    return which(HEADLESS) ?? chromium;
  });
}

async function hasJapaneseFont() {
  if (process.platform !== "linux") return true;
  if (which("fc-list") === undefined) return false;
  return (await run("fc-list", [":lang=ja"], { anyExit: true, timeoutMs: 20_000 })).output.trim() !== "";
}
