// Records tasks in a real VS Code, as the user sees them: a newcomer's first one, and one from the request to the tests. Import only after the packages are installed.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import { CHROMIUM_FLAGS, ensureChromium } from "./chromium.mjs";
import { installVsix, startCodeServer } from "./code-server.mjs";
import { ensureCodeServer } from "./code-server-install.mjs";
import { ROOT } from "./dependencies.mjs";
import { say, step } from "./log.mjs";
import { packageExtension } from "./package.mjs";
import { demoScript, demoTask, FILES, firstScript, firstTask, LANGUAGES } from "./picture-task.mjs";
import { run } from "./processes.mjs";
import { startModelServer } from "./start.mjs";
import { encodeStill, encodeWebp } from "./webp.mjs";

const VIEWPORT = { width: 1040, height: 650 };
const SCALE = 1.25;
/** Milliseconds that a frame is shown during movement, and the milliseconds of streaming between two frames. */
const MOVING_MS = 130;

const SETTINGS = {
  "workbench.colorTheme": "Default Dark Modern",
  "workbench.statusBar.visible": false,
  "window.commandCenter": false,
  "workbench.layoutControl.enabled": false,
  "editor.minimap.enabled": false,
  "editor.cursorBlinking": "solid",
  "breadcrumbs.enabled": false,
  "terminal.integrated.fontSize": 12,
  "git.enabled": false,
};

/** Of the second picture, in which a model is set up. */
const MODEL_SETTINGS = {
  "nekode.provider.model": "qwen3-coder",
  "nekode.provider.protocol": "native",
};

const PICTURES = ["first-run", "demo"];

/** The walkthrough's picture of the first run: small, because it is part of the package, and it comes to rest. */
const STEPS = { quality: 0.7, scale: 0.64, repeats: 2 };
/** Milliseconds that each of its frames stays. */
const STEP_MS = 2800;

/** @param {readonly string[]} words languages and names of pictures; default: all */
export async function recordPictures(words) {
  const languages = words.filter((word) => LANGUAGES.includes(word));
  const wanted = words.filter((word) => PICTURES.includes(word));
  const executablePath = await ensureChromium();
  const codeServer = await ensureCodeServer();
  const vsix = await packageExtension({ types: false });
  for (const language of languages.length > 0 ? languages : LANGUAGES) {
    for (const picture of wanted.length > 0 ? wanted : PICTURES) {
      const isFirst = picture === "first-run";
      /** @param {string} name */
      const fileOf = (name) =>
        path.join(ROOT, "docs/images", language === "en" ? `${name}.webp` : `${name}.${language}.webp`);
      const home = await mkdtemp(path.join(tmpdir(), "nekode-"));
      /** @type {(() => Promise<unknown>)[]} */
      const endings = [() => rm(home, { recursive: true, force: true })];
      try {
        await step(`Recording ${path.relative(ROOT, fileOf(picture))}`, async () => {
          const extensionsDir = path.join(home, "extensions");
          await installVsix(codeServer, extensionsDir, vsix);
          const script = path.join(home, "script.json");
          await writeFile(script, JSON.stringify(isFirst ? firstScript(language) : demoScript(language)));
          const model = await startModelServer(endings, ["--script", script]);
          const workspace = path.join(home, "shop");
          for (const [name, text] of Object.entries(FILES)) {
            await mkdir(path.dirname(path.join(workspace, name)), { recursive: true });
            await writeFile(path.join(workspace, name), text);
          }
          await commitAll(workspace);
          const server = await startCodeServer({
            userDataDir: path.join(home, "data"),
            extensionsDir,
            settings: isFirst
              ? SETTINGS
              : { ...SETTINGS, ...MODEL_SETTINGS, "nekode.provider.baseUrl": model },
            // A newcomer has a model in Ollama, and nothing in the settings.
            env: isFirst
              ? { NEKODE_LOCAL_PORTS: `ollama=${new URL(model).port}` }
              : { NEKODE_API_KEY: "scripted" },
          });
          endings.unshift(() => server.stop());
          const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
          endings.unshift(() => browser.close());
          const url = server.folderUrl(workspace);
          const encoded = isFirst
            ? await encodeFirstRun(browser, await recordFirstRun(browser, url, language))
            : await encodeDemo(browser, await record(browser, url, language));
          for (const [name, webp] of Object.entries(encoded)) {
            await writeFile(fileOf(name), webp);
            say(`${name}: ${Math.round(webp.length / 1000)} KB`);
          }
        });
      } finally {
        for (const end of endings) await end();
      }
    }
  }
}

/**
 * By the names of the pictures.
 * @param {import("playwright-core").Browser} browser
 * @param {Awaited<ReturnType<typeof recordFirstRun>>} recorded
 * @returns {Promise<Record<string, Buffer>>}
 */
async function encodeFirstRun(browser, { frames, steps }) {
  return {
    "first-run": await encodeWebp(browser, frames),
    "first-steps": await encodeWebp(browser, steps, STEPS),
  };
}

/**
 * By the names of the pictures.
 * @param {import("playwright-core").Browser} browser
 * @param {Awaited<ReturnType<typeof record>>} recorded
 * @returns {Promise<Record<string, Buffer>>}
 */
async function encodeDemo(browser, { frames, stills: { diff, command } }) {
  return {
    demo: await encodeWebp(browser, frames),
    diff: await encodeStill(browser, diff),
    command: await encodeStill(browser, command),
  };
}

/**
 * Opens the panel beside nothing else.
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 * @param {string} language
 */
async function openPanel(browser, url, language) {
  const context = await browser.newContext({ viewport: VIEWPORT, deviceScaleFactor: SCALE });
  context.setDefaultTimeout(60_000);
  if (language !== "en")
    await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(language)};`);
  const page = await context.newPage();
  await page.goto(url, { waitUntil: "commit" });
  const panel = page
    .frameLocator('iframe[src*="extensionId=nekode.nekode"]:visible')
    .frameLocator("iframe#active-frame");
  await page
    .locator(".activitybar")
    .getByRole("tab", { name: /^Nekode/ })
    .click();
  await panel.locator("main[aria-busy=false]").waitFor();
  return { context, page, panel };
}

/** @param {import("playwright-core").Page} page */
function film(page) {
  /** @type {import("./webp.mjs").Frame[]} */
  const frames = [];
  /** @param {number} ms how long the picture of this moment stays */
  const shoot = async (ms) => {
    const png = await page.screenshot({ animations: "disabled" });
    const last = frames.at(-1);
    if (last?.png.equals(png)) last.ms = Math.max(last.ms, ms);
    else frames.push({ png, ms });
    return png;
  };
  /** Shoots until the locator is there. @param {import("playwright-core").Locator} locator */
  const shootUntil = async (locator) => {
    while (!(await locator.isVisible())) await shoot(MOVING_MS);
  };
  /** @param {string} text */
  const type = async (text) => {
    for (const piece of text.match(/.{1,5}/gsu) ?? []) {
      await page.keyboard.insertText(piece);
      await shoot(MOVING_MS);
    }
    await shoot(700);
  };
  return { frames, shoot, shootUntil, type };
}

/**
 * From the first look at the panel to a saved edit, with nothing in the settings. `steps`: one frame for each thing that the user does.
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 * @param {string} language
 * @returns {Promise<Record<"frames" | "steps", import("./webp.mjs").Frame[]>>}
 */
async function recordFirstRun(browser, url, language) {
  const { context, page, panel } = await openPanel(browser, url, language);
  const find = panel.getByTestId("find-local");
  await find.waitFor();
  await widenSideBar(page, 440);
  const { frames, shoot, shootUntil, type } = film(page);
  /** @type {import("./webp.mjs").Frame[]} */
  const steps = [];
  /** @param {number} ms */
  const shootStep = async (ms) => {
    steps.push({ png: await shoot(ms), ms: STEP_MS });
  };
  await shootStep(2200);
  await find.click();
  await leavePanel(page);
  await panel.locator("[data-testid=chat-input]:focus").waitFor();
  await shoot(1400);
  await type(firstTask(language));
  await shootStep(700);
  await page.keyboard.press("Enter");
  const approve = panel.getByTestId("approve");
  await shootUntil(approve);
  await page.locator(".monaco-diff-editor .line-insert").first().waitFor();
  await shootStep(2600);
  await approve.click();
  await leavePanel(page);
  await shootUntil(panel.locator("[data-testid=row][data-kind=result]"));
  await panel.getByTestId("stop").waitFor({ state: "hidden" });
  const changed = panel.locator(".strip-files .link").first();
  await changed.waitFor();
  await shoot(2200);
  // The saved edit in its file.
  await changed.click();
  await page.locator(".codelens-decoration a").first().waitFor();
  await leavePanel(page);
  await shootStep(4000);
  await context.close();
  return { frames, steps };
}

/**
 * @param {import("playwright-core").Browser} browser
 * @param {string} url
 * @param {string} language
 * @returns {Promise<{ frames: import("./webp.mjs").Frame[], stills: { diff: Buffer, command: Buffer } }>}
 */
async function record(browser, url, language) {
  const { context, page, panel } = await openPanel(browser, url, language);
  await openFile(page, "cart.js");
  await widenSideBar(page, 440);
  await page.locator(".monaco-hover").first().waitFor({ state: "hidden" });

  const { frames, shoot, shootUntil, type } = film(page);
  await shoot(900);
  await panel.getByTestId("chat-input").click();
  await type(demoTask(language));
  await page.keyboard.press("Enter");
  const approve = panel.getByTestId("approve");
  await shootUntil(approve);
  await page.locator(".monaco-diff-editor .line-insert").first().waitFor();
  const diff = await shoot(2600);
  await approve.click();
  await approve.waitFor({ state: "hidden" });
  await shootUntil(approve);
  await shoot(1800);
  await approve.click();
  await shootUntil(panel.locator("[data-testid=row][data-kind=result]"));
  await panel.getByTestId("stop").waitFor({ state: "hidden" });
  await shoot(4000);
  // The still holds the whole task, from the request on.
  await panel.getByTestId("work").click();
  await panel.locator("[data-testid=row][data-kind=command]").waitFor();
  await leavePanel(page);
  await page.setViewportSize({ ...VIEWPORT, height: 880 });
  const request = panel.locator("[data-testid=row][data-kind=user]");
  await request.evaluate(
    (row) =>
      new Promise((resolve, reject) => {
        setTimeout(() => reject(new Error("The request does not fit the window")), 10_000);
        new IntersectionObserver(
          ([seen], observer) => {
            if (seen?.intersectionRatio !== 1) return;
            observer.disconnect();
            resolve(undefined);
          },
          { threshold: 1 },
        ).observe(row);
      }),
  );
  const command = await page.screenshot({ animations: "disabled" });
  await context.close();
  return { frames, stills: { diff, command } };
}

/** Turns the folder into a Git repository: without one, the panel shows what cannot be restored. @param {string} folder */
async function commitAll(folder) {
  const git = (/** @type {string[]} */ ...args) => run("git", args, { cwd: folder });
  await git("init", "-q");
  await git("add", "-A");
  await git("-c", "user.name=Demo", "-c", "user.email=demo@example.com", "commit", "-q", "-m", "Start");
}

/** @param {import("playwright-core").Page} page @param {string} name */
async function openFile(page, name) {
  await page.keyboard.press("ControlOrMeta+p");
  const widget = page.locator(".quick-input-widget");
  await widget.locator("input").first().fill(name);
  await widget.locator(".monaco-list-row").filter({ hasText: name }).first().click();
  await page.locator(".editor-instance .monaco-editor.focused").waitFor();
}

/** @param {import("playwright-core").Page} page @param {number} width */
async function widenSideBar(page, width) {
  const box = await page.locator(".part.sidebar").boundingBox();
  if (box === null) throw new Error("The side bar is hidden");
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width, y);
  await page.mouse.down();
  await page.mouse.move(box.x + width, y, { steps: 4 });
  await page.mouse.up();
  await leavePanel(page);
}

/** Moves the pointer to where it changes nothing. @param {import("playwright-core").Page} page */
const leavePanel = (page) => page.mouse.move(VIEWPORT.width - 20, VIEWPORT.height - 20);
