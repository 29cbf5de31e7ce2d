/** No browser and no profile outlives its task or its host, and a browser that fails does so with a clear result. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureChromium } from "../../../../scripts/lib/install.mjs";
import { ToolError } from "../../../../src/core/errors.ts";
import { killListed } from "../../../support/processes.ts";
import { sampled } from "../../../support/random.ts";
import { programFile } from "../../../support/shells.ts";
import { temporaryFolder } from "../support.ts";
import { browsersOf, failure, profilesOf } from "./life-support.ts";
import { launch, type Opened, site, told } from "./support.ts";

/** Each look at the machine's processes reads a file of every one of them. */
const SELDOM = { interval: 200 };

const shell = programFile("chromium-headless-shell", ["/usr/bin", "/usr/local/bin"]);

describe("a browser that fails", () => {
  it.runIf(shell !== undefined)(
    "because it is Chromium's headless shell, which does not keep pages from private addresses",
    async () => {
      const { origin } = await site();
      // Whatever its name is.
      const renamed = path.join(await temporaryFolder(), "chromium");
      await writeFile(renamed, `#!/bin/sh\nexec ${shell} "$@"\n`, { mode: 0o755 });
      for (const program of sampled([renamed, shell ?? ""], 2)) {
        const refused = await failure(launch(`${origin}/`, { path: program }));
        expect(String(refused)).toContain(
          "The browser cannot be used: Chromium's headless shell does not keep pages",
        );
        expect(refused).toMatchObject({ fault: { code: "headless-shell" } });
      }
      expect(profilesOf(process.pid)).toEqual([]);
      await expect.poll(() => browsersOf(process.pid), SELDOM).toEqual([]);
    },
  );

  it("by not being one, or not being there, says what to install or to set", async () => {
    const { origin } = await site();
    const fails = async (options: Parameters<typeof launch>[1]) =>
      String(await failure(launch(`${origin}/`, options)));
    expect(await fails({ path: "/bin/false" })).toContain("The browser ended as soon as it started");
    expect(await fails({ path: "/nowhere/chrome" })).toContain(
      "The browser in the setting nekode.browser.path cannot be used: there is no such program",
    );
    const everywhere = ["/usr", "/opt", "/snap", "/bin", path.dirname(await ensureChromium())];
    expect(await fails({ path: "", ports: { roots: everywhere } })).toContain(
      "No browser was found. Tell the user to install Google Chrome, Chromium or Microsoft Edge, or to set nekode.browser.path",
    );
    expect(profilesOf(process.pid)).toEqual([]);
  });
});

/** Launches a browser on a file that uses two others, one of which may not be read. */
async function openFile(): Promise<Opened> {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, ".env"), "SECRET=meow");
  await writeFile(path.join(folder, "style.css"), "h1 { color: red }");
  const file = path.join(folder, "page.html");
  await writeFile(
    file,
    `<title>File</title><link rel="stylesheet" href="style.css"><h1>File</h1><iframe src=".env"></iframe>`,
  );
  const asked: string[] = [];
  const mayRead = async (name: string) => {
    asked.push(path.basename(name));
    return !name.endsWith(".env");
  };
  const opened = await launch(pathToFileURL(file).href, { mayRead });
  expect(opened.state.title).toBe("File");
  expect(asked.sort()).toEqual([".env", "page.html", "style.css"]);
  expect(told(opened.state, "refused")).toContain(
    ".env was not opened, because it is not a file that may be read",
  );
  expect(JSON.stringify(opened.state.elements)).not.toContain("meow");
  return opened;
}

describe("a host that is killed", () => {
  let program = "";
  const folder = mkdtempSync(path.join(tmpdir(), "nekode-host-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeAll(async () => {
    program = path.join(folder, "host.mjs");
    await build({
      ...{ entryPoints: [path.join(import.meta.dirname, "host-process.ts")], outfile: program },
      ...{ bundle: true, platform: "node", format: "esm", target: "node20", logLevel: "error" },
      banner: {
        js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
      },
    });
  });

  async function startHost(): Promise<ChildProcess> {
    const { origin } = await site();
    return spawn(process.execPath, [program, `${origin}/`, await ensureChromium()], {
      stdio: ["ignore", "pipe", "inherit"],
    });
  }

  /** Resolves when the host prints that word. */
  async function said(host: ChildProcess, word: string): Promise<void> {
    if (!host.stdout) throw new Error("the host has no output");
    for await (const chunk of host.stdout.iterator({ destroyOnReturn: false }))
      if (String(chunk).includes(word)) return;
  }

  async function killed(host: ChildProcess): Promise<void> {
    const ended = once(host, "exit");
    host.kill("SIGKILL");
    await ended;
  }

  const profileExists = (pid: number | undefined) => expect.poll(() => profilesOf(pid)).toHaveLength(1);

  const moments: [string, (host: ChildProcess) => Promise<unknown>][] = [
    [
      "when the browser starts its processes",
      (host) => expect.poll(() => browsersOf(host.pid).length, SELDOM).toBeGreaterThan(3),
    ],
    ["when its profile is made", (host) => profileExists(host.pid)],
    [
      "when the browser has just started",
      (host) => expect.poll(() => browsersOf(host.pid).length, SELDOM).toBeGreaterThan(0),
    ],
    ["when the page is open", (host) => said(host, "launched")],
    ["when it acts", (host) => said(host, "acted")],
  ];
  it.each(sampled(moments, moments.length))(
    "%s leaves no browser; its profile goes with the next launch, of a file, whose crash is said and leaves nothing",
    async (_when, moment) => {
      const host = await startHost();
      await moment(host);
      await killed(host);
      await expect.poll(() => browsersOf(host.pid), SELDOM).toEqual([]);
      const { page } = await openFile();
      expect(profilesOf(host.pid)).toEqual([]);
      // The one that is in use stays.
      expect(profilesOf(process.pid)).toHaveLength(1);

      const typing = page.act({ type: "type", text: "x".repeat(150) }, new AbortController().signal);
      const hanging = failure(typing);
      for (const pid of browsersOf(process.pid)) killListed(pid);
      const error = await hanging;
      expect(error).toBeInstanceOf(ToolError);
      expect(String(error)).toMatch(/launch it again/i);
      expect(page.isOpen).toBe(false);
      expect(profilesOf(process.pid)).toEqual([]);
      await expect.poll(() => browsersOf(process.pid), SELDOM).toEqual([]);
    },
  );
});
