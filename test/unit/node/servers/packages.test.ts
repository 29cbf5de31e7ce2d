/** Other real servers, as users have them. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support.ts";
import { options, textOf } from "./packages-support.ts";
import { connected, neverAborted, packageServer, recordedEvents } from "./support.ts";

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
});
