/** A real server that starts a browser; kill.test.ts proves for `npm test` that nothing outlives a server. */
import { describe, expect, it } from "vitest";
import { CHROMIUM_FLAGS, ensureChromium } from "../../../../scripts/lib/chromium.mjs";
import { temporaryFolder } from "../support.ts";
import { options, textOf } from "./packages-support.ts";
import { connected, marked, packageServer, withMark } from "./support.ts";

describe("real servers", () => {
  it("playwright's browser ends with its server", async () => {
    const mark = withMark();
    const launch = packageServer(
      "@playwright/mcp",
      "cli.js",
      ...["--headless", "--isolated", "--executable-path", await ensureChromium()],
      // It keeps a snapshot of each page in a file, by default in its working folder.
      ...["--output-dir", await temporaryFolder()],
      ...(CHROMIUM_FLAGS.includes("--no-sandbox") ? ["--no-sandbox"] : []),
    );
    if (launch.type === "stdio") Object.assign(launch.env, mark.env);
    const connection = await connected(launch);
    const page = "data:text/html,<title>Cats</title><h1>Nya</h1>";
    const opened = await connection.callTool("browser_navigate", { url: page }, options);
    expect(opened.isError).toBe(false);
    expect(textOf(opened.content)).toContain("Cats");
    expect(marked(mark).length).toBeGreaterThan(1);
    await connection.close();
    expect(marked(mark)).toEqual([]);
  });
});
