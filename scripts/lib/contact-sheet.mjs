// Pictures of everything that the panel can show, side by side: a contact sheet for each language, width and theme. Import only after the packages are installed.
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { CHROMIUM_FLAGS, ensureChromium } from "./chromium.mjs";
import { ROOT } from "./dependencies.mjs";
import { say, step, Trouble } from "./log.mjs";
import { run } from "./processes.mjs";

/** Where screens.long.test.ts writes a picture of each screen, NAME-LANGUAGE-WIDTH-THEME.png. */
const PICTURES = path.join(ROOT, "test-results/sheet");
const SHEETS = path.join(PICTURES, "sheets");
const PICTURE = /^(?<screen>.+)-(?<language>en|ja)-(?<width>\d+)-(?<theme>[a-z-]+)\.png$/;

/** Pixels of a sheet and of a picture. */
const SHEET_WIDTH = 1600;
const PICTURE_HEIGHT = 700;
const GAP = 10;
const ROWS = 2;
/** Milliseconds for all pictures on a busy machine. */
const MOST_MS = 60 * 60_000;

/** @param {readonly string[]} words parts of the names of the screens to draw; default: all */
export async function drawSheets(words) {
  await rm(PICTURES, { recursive: true, force: true });
  await step("Drawing every screen", () =>
    run(
      "npx",
      [
        ...["vitest", "run", "--project", "browser", "test/browser/screens.long.test.ts"],
        ...(words.length > 0 ? ["-t", words.join("|")] : []),
      ],
      { cwd: ROOT, env: { ...process.env, NEKODE_SHEET: "1" }, timeoutMs: MOST_MS, anyExit: true },
    ),
  );
  await composeSheets();
}

/** Puts the pictures that are there side by side. */
export async function composeSheets() {
  await mkdir(SHEETS, { recursive: true });
  const groups = await grouped();
  const browser = await chromium.launch({ executablePath: await ensureChromium(), args: CHROMIUM_FLAGS });
  try {
    const page = await browser.newPage();
    const html = path.join(SHEETS, "sheet.html");
    for (const [name, { width, files }] of groups) {
      const columns = Math.floor((SHEET_WIDTH + GAP) / (width + GAP));
      const each = columns * ROWS;
      await page.setViewportSize({
        width: columns * (width + GAP) + GAP,
        height: ROWS * (PICTURE_HEIGHT + 3 * GAP),
      });
      for (let at = 0; at < files.length; at += each) {
        await writeFile(html, sheet(files.slice(at, at + each), width));
        await page.goto(pathToFileURL(html).href);
        await page.screenshot({ path: path.join(SHEETS, `${name}-${1 + at / each}.png`) });
      }
    }
    await rm(html);
  } finally {
    await browser.close();
  }
  say(`${groups.size} languages, widths and themes are in ${path.relative(ROOT, SHEETS)}`);
}

/** The files of each language, width and theme. */
async function grouped() {
  /** @type {Map<string, { width: number, files: string[] }>} */
  const groups = new Map();
  for (const file of (await readdir(PICTURES)).sort()) {
    const { language, width, theme } = PICTURE.exec(file)?.groups ?? {};
    if (width === undefined) continue;
    const name = `${language}-${width}-${theme}`;
    const group = groups.get(name) ?? { width: Number(width), files: [] };
    group.files.push(file);
    groups.set(name, group);
  }
  if (groups.size === 0) throw new Trouble("No screen has such a name.");
  return groups;
}

/** A page that shows the pictures, with the names of their screens. @param {readonly string[]} files @param {number} width */
function sheet(files, width) {
  const cells = files.map(
    (file) =>
      `<figure><figcaption>${PICTURE.exec(file)?.groups?.screen}</figcaption><img width=${width} height=${PICTURE_HEIGHT} src="../${file}"></figure>`,
  );
  return `<style>
    body { background: #777; display: flex; flex-wrap: wrap; font: 12px sans-serif; gap: ${GAP}px; margin: ${GAP / 2}px }
    figure { margin: 0 } figcaption { background: #fff; line-height: 18px; padding: 0 4px } img { display: block }
  </style>${cells.join("")}`;
}
