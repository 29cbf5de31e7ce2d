/** Other real servers, as users have them. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { CHROMIUM_FLAGS, ensureChromium } from "../../../../scripts/lib/chromium.mjs";
import type { ServerContent } from "../../../../src/core/ports/servers.ts";
import { temporaryFolder } from "../support.ts";
import { connected, marked, neverAborted, packageServer, recordedEvents, withMark } from "./support.ts";

const options = { signal: neverAborted, timeoutMs: 30_000 };
const textOf = (content: readonly ServerContent[]) =>
  content.map((part) => (part.type === "text" ? part.text : "")).join("\n");

describe("real servers", () => {
  it("server-filesystem reads and writes files in its folder only", async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, "cat.txt"), "nya");
    // The server replaces the folder of its command line by the client's roots, at a time of its own choosing.
    const connection = await connected(
      packageServer("@modelcontextprotocol/server-filesystem", "dist/index.js", folder),
      recordedEvents({ roots: () => [{ name: "project", path: folder }] }),
    );
    const read = await connection.callTool("read_text_file", { path: path.join(folder, "cat.txt") }, options);
    expect(textOf(read.content)).toBe("nya");
    const file = { path: path.join(folder, "new.txt"), content: "written" };
    expect(await connection.callTool("write_file", file, options)).toMatchObject({ isError: false });
    expect(await readFile(path.join(folder, "new.txt"), "utf8")).toBe("written");
    const outside = await connection.callTool("read_text_file", { path: "/etc/hostname" }, options);
    expect(outside).toMatchObject({ isError: true });
    const tools = await connection.tools(neverAborted);
    expect(tools.find((tool) => tool.name === "read_text_file")?.hints.readOnly).toBe(true);
  });

  it("server-memory keeps what it is told", async () => {
    const folder = await temporaryFolder();
    const launch = packageServer("@modelcontextprotocol/server-memory", "dist/index.js");
    if (launch.type === "stdio") launch.env.MEMORY_FILE_PATH = path.join(folder, "memory.jsonl");
    const connection = await connected(launch);
    const entities = [{ name: "Tama", entityType: "cat", observations: ["sleeps"] }];
    await connection.callTool("create_entities", { entities }, options);
    const graph = await connection.callTool("read_graph", {}, options);
    expect(textOf(graph.content)).toContain("Tama");
    expect(graph.structured).toMatchObject({ entities: [{ name: "Tama" }] });
  });

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
