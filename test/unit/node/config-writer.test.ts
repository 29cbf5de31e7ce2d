/** The user's configuration file of MCP servers on the disk. */
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { UserServersFile } from "../../../src/node/config/config-writer.ts";
import { temporaryFolder } from "./support.ts";

const entry = { entry: { command: "x" }, inputs: [] };

describe("the user's file", () => {
  it("is created in a private folder, with nothing beside it", async () => {
    const folder = path.join(await temporaryFolder(), "config/nekode");
    const file = path.join(folder, "mcp.json");
    expect(await new UserServersFile(file).add("a", entry)).toBe(true);
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ mcpServers: { a: { command: "x" } } });
    expect(await readdir(folder)).toEqual(["mcp.json"]);
    expect((await lstat(folder)).mode & 0o777).toBe(0o700);
  });

  it("is private itself, also in a folder that others can read", async () => {
    const folder = await temporaryFolder();
    const [added, created] = [path.join(folder, "added.json"), path.join(folder, "created.json")];
    expect(await new UserServersFile(added).add("a", entry)).toBe(true);
    await new UserServersFile(created).create();
    await new UserServersFile(added).create();
    for (const file of [added, created]) expect((await lstat(file)).mode & 0o777, file).toBe(0o600);
    expect(JSON.parse(await readFile(added, "utf8"))).toEqual({ mcpServers: { a: { command: "x" } } });
    expect(JSON.parse(await readFile(created, "utf8"))).toEqual({ mcpServers: {} });
    const absent = path.join(folder, "absent.json");
    expect(await new UserServersFile(absent).remove("a")).toBe(false);
    expect(await readdir(folder)).toEqual(["added.json", "created.json"]);
  });

  it("keeps an entry of the same name unless it is to be replaced", async () => {
    const file = new UserServersFile(path.join(await temporaryFolder(), "mcp.json"));
    await file.add("a", entry);
    expect(await file.add("a", { ...entry, entry: { command: "y" } })).toBe(false);
    expect(await file.add("a", { ...entry, entry: { command: "z" } }, true)).toBe(true);
    expect(await file.set("a", "disabled", true)).toBe(true);
    expect(await file.set("b", "disabled", true)).toBe(false);
    expect(await file.remove("a")).toBe(true);
    expect(await file.remove("a")).toBe(false);
  });

  it("loses nothing when several processes add at once", async () => {
    const file = path.join(await temporaryFolder(), "mcp.json");
    const names = Array.from({ length: 6 }, (_, i) => `s${i}`);
    await Promise.all(names.map((name) => new UserServersFile(file).add(name, entry)));
    expect(Object.keys(JSON.parse(await readFile(file, "utf8")).mcpServers).sort()).toEqual(names);
  });

  it("stays a link, and keeps its mode, mark and line ends", async () => {
    const folder = await temporaryFolder();
    const real = path.join(folder, "dotfiles/mcp.json");
    await mkdir(path.dirname(real));
    await writeFile(real, '\uFEFF{\r\n  "mcpServers": {\r\n    "b": {"command": "y"}\r\n  }\r\n}\r\n', {
      mode: 0o600,
    });
    const file = path.join(folder, "mcp.json");
    await symlink(real, file);
    await new UserServersFile(file).add("a", entry);
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    expect((await lstat(real)).mode & 0o777).toBe(0o600);
    const text = await readFile(real, "utf8");
    expect(text.startsWith("\uFEFF{\r\n")).toBe(true);
    expect(text.replaceAll("\r\n", "")).not.toContain("\n");
  });

  it("that is not valid JSON is left as it is", async () => {
    const file = path.join(await temporaryFolder(), "mcp.json");
    await writeFile(file, "{ oops");
    await expect(new UserServersFile(file).add("a", entry)).rejects.toThrow("not valid JSON");
    expect(await readFile(file, "utf8")).toBe("{ oops");
  });
});
