/** No browser and no profile outlives its task or its host, and a browser that fails does so with a clear result. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ensureChromium } from "../../../../scripts/lib/install.mjs";
import { Interrupt, ToolError } from "../../../../src/core/errors.ts";
import { killListed, processesNaming } from "../../../support/processes.ts";
import { sampled } from "../../../support/random.ts";
import { programFile } from "../../../support/shells.ts";
import { temporaryFolder } from "../support.ts";
import { launch, site, VIEWPORT } from "./support.ts";

const profilesOf = (pid: number | undefined) =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`nekode-browser-${pid}-`));

/** Ids of the processes whose command line names a profile of that host. */
const browsersOf = (pid: number | undefined) => namedIn(`nekode-browser-${pid}-`);
const namedIn = (text: string) => processesNaming(text).map(({ pid }) => pid);

const shell = programFile("chromium-headless-shell", ["/usr/bin", "/usr/local/bin"]);

const failure = (work: Promise<unknown>) =>
  work.then(
    () => new Error("it did not fail"),
    (error: unknown) => error,
  );

describe("a browser that is closed", () => {
  it("leaves no process and no profile", async () => {
    const { origin } = await site();
    const { page } = await launch(`${origin}/`);
    expect(browsersOf(process.pid).length).toBeGreaterThan(1);
    expect(profilesOf(process.pid)).toHaveLength(1);
    await page.close();
    expect(page.isOpen).toBe(false);
    expect(profilesOf(process.pid)).toEqual([]);
    await expect.poll(() => browsersOf(process.pid)).toEqual([]);
  });

  it("by a stop while the page loads, ends at once", async () => {
    const { origin } = await site({ "/slow": `<script>for (;;);</script>` });
    const stop = new AbortController();
    const launching = failure(launch(`${origin}/slow`, { signal: stop.signal }));
    await expect.poll(() => browsersOf(process.pid).length).toBeGreaterThan(1);
    stop.abort();
    expect(await launching).toBeInstanceOf(Interrupt);
    expect(profilesOf(process.pid)).toEqual([]);
    await expect.poll(() => browsersOf(process.pid)).toEqual([]);
  });
});

describe("a browser that fails", () => {
  it.runIf(shell !== undefined)(
    "because it is Chromium's headless shell, which does not keep pages from private addresses",
    async () => {
      const { origin } = await site();
      // Whatever its name is.
      const renamed = path.join(await temporaryFolder(), "chromium");
      await writeFile(renamed, `#!/bin/sh\nexec ${shell} "$@"\n`, { mode: 0o755 });
      for (const program of [shell ?? "", renamed]) {
        const refused = await failure(launch(`${origin}/`, { path: program }));
        expect(String(refused)).toContain(
          "The browser cannot be used: Chromium's headless shell does not keep pages",
        );
        expect(refused).toMatchObject({ fault: { code: "headless-shell" } });
      }
      expect(profilesOf(process.pid)).toEqual([]);
      await expect.poll(() => browsersOf(process.pid)).toEqual([]);
    },
  );

  it("by a crash, says so, and the next launch works", async () => {
    const { origin } = await site();
    const opened = await launch(`${origin}/`);
    const hanging = failure(
      opened.page.act({ type: "type", text: "x".repeat(150) }, new AbortController().signal),
    );
    for (const pid of browsersOf(process.pid)) killListed(pid);
    const error = await hanging;
    expect(error).toBeInstanceOf(ToolError);
    expect(String(error)).toMatch(/launch it again/i);
    expect(opened.page.isOpen).toBe(false);
    expect((await launch(`${origin}/`)).state.title).toBe("Cat shop");
  });

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
    ["when its profile is made", (host) => profileExists(host.pid)],
    [
      "when the browser has just started",
      (host) => expect.poll(() => browsersOf(host.pid).length).toBeGreaterThan(0),
    ],
    [
      "when the browser starts its processes",
      (host) => expect.poll(() => browsersOf(host.pid).length).toBeGreaterThan(3),
    ],
    ["when the page is open", (host) => said(host, "launched")],
    ["when it acts", (host) => said(host, "acted")],
  ];
  it.each(sampled(moments, 2))(
    "%s leaves no browser, and its profile goes with the next launch",
    async (_when, moment) => {
      const host = await startHost();
      await moment(host);
      await killed(host);
      await expect.poll(() => browsersOf(host.pid)).toEqual([]);
      const { origin } = await site();
      await launch(`${origin}/`);
      expect(profilesOf(host.pid)).toEqual([]);
      // The one that is in use stays.
      expect(profilesOf(process.pid)).toHaveLength(1);
    },
  );
});

describe("the user's own browser", () => {
  it("is connected to, and only our page is closed; its downloads and other tabs are left alone", async () => {
    const { origin } = await site();
    const profile = await temporaryFolder();
    const chromium = spawn(
      await ensureChromium(),
      [
        "--headless=new",
        "--no-sandbox",
        "--remote-debugging-port=0",
        `--user-data-dir=${profile}`,
        `${origin}/second`,
      ],
      { stdio: "ignore" },
    );
    onTestFinished(async () => {
      const ended = once(chromium, "exit");
      chromium.kill("SIGKILL");
      await ended;
      // Its other processes end after it, and until then write to the profile, which is about to be removed.
      await expect.poll(() => namedIn(profile)).toEqual([]);
    });
    const file = path.join(profile, "DevToolsActivePort");
    await expect.poll(() => existsSync(file) && readFileSync(file, "utf8").includes("\n")).toBe(true);
    const [port] = (await readFile(file, "utf8")).split("\n");
    const connect = `http://127.0.0.1:${port}`;
    const tabs = async (): Promise<unknown> => {
      const { stdout } = await promisify(execFile)("curl", ["-s", "--noproxy", "*", `${connect}/json/list`]);
      const list = JSON.parse(stdout) as { type: string; url: string }[];
      return list.filter(({ type }) => type === "page").map(({ url }) => url);
    };
    const other = await site({ "/secret": "x" });
    const shop = await launch(`${origin}/`, { connect });
    expect(shop.state.title).toBe("Cat shop");
    expect(shop.state.scroll.height).toBe(VIEWPORT.height);
    await shop.click("textbox", "Name");
    await shop.type("Mia\tmeow\n");
    expect(shop.state.title).toBe("Home");
    const { page } = shop;
    await page.close();
    expect(page.isOpen).toBe(false);
    // It answers that it closes the page before the page is gone.
    await expect.poll(tabs).toEqual([`${origin}/second`]);
    // It is the user's own profile.
    expect((await launch(`${origin}/home`, { connect })).state.title).toBe("Home");
    const refused = String(await failure(launch(`${origin}/to?where=${other.origin}/secret`, { connect })));
    expect(refused).toContain("was not opened, because it is on this computer");
    const wrong = await failure(launch(`${origin}/`, { connect: origin }));
    expect(String(wrong)).toContain(`No browser answers at ${origin}`);
  });
});
