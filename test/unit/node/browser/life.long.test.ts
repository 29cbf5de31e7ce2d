/**
 * A browser that is stopped while it loads a page, a launch after a crash, and the user's own browser, of which only our page is
 * closed. For `npm test`, life.test.ts proves that no browser outlives its host or a crash, and pages.test.ts none its task.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { ensureChromium } from "../../../../scripts/lib/install.mjs";
import { Interrupt } from "../../../../src/core/errors.ts";
import { killListed } from "../../../support/processes.ts";
import { temporaryFolder } from "../support.ts";
import { browsersOf, failure, namedIn, profilesOf } from "./life-support.ts";
import { launch, site, VIEWPORT } from "./support.ts";

describe("a browser that is closed", () => {
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

describe("a browser that crashed", () => {
  it("is launched again", async () => {
    const { origin } = await site();
    const { page } = await launch(`${origin}/`);
    for (const pid of browsersOf(process.pid)) killListed(pid);
    await expect.poll(() => page.isOpen).toBe(false);
    await page.close();
    expect((await launch(`${origin}/`)).state.title).toBe("Cat shop");
    expect(profilesOf(process.pid)).toHaveLength(1);
  });
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
