/** Configuration files on the disk: the user's folder, and events of files that do not exist yet. */
import { mkdirSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { defaultConfigDir } from "../../../src/node/config/config-dir.ts";
import { watchFiles } from "../../../src/node/config/config-watch.ts";
import { createServerConfig, createServerRecords } from "../../../src/node/config/server-setup.ts";
import { quietLog } from "../core/sessions/support.ts";
import { temporaryFolder } from "./support.ts";

const SERVER = '{"mcpServers": {"a": {"command": "x"}}}';

describe("the configuration folder", () => {
  it("is the system's own place, or the one that is named", () => {
    expect(defaultConfigDir({ NEKODE_CONFIG_DIR: "/x/y" })).toBe("/x/y");
    if (process.platform !== "linux") return;
    expect(defaultConfigDir({})).toBe(path.join(homedir(), ".config/nekode"));
    expect(defaultConfigDir({ XDG_CONFIG_HOME: "/x" })).toBe("/x/nekode");
    expect(defaultConfigDir({ XDG_CONFIG_HOME: "relative" })).toBe(path.join(homedir(), ".config/nekode"));
  });
});

describe("the files", () => {
  it("are read from the disk, and approvals are kept there", async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, ".mcp.json"), SERVER);
    const workspace = { root: folder, roots: [{ name: "p", path: folder }], trusted: true };
    const { servers } = await createServerConfig({ workspace, configDir: undefined }).load();
    const [server] = servers;
    if (!server) throw new Error("no server");
    const data = path.join(folder, "data");
    await createServerRecords(data, quietLog).trust(server);
    expect(await createServerRecords(data, quietLog).trustOf(server)).toEqual({ state: "trusted" });
    expect(await createServerRecords(path.join(folder, "other"), quietLog).trustOf(server)).toMatchObject({
      state: "new",
    });
  });

  it("report each change, also of folders that did not exist", async () => {
    const folder = await temporaryFolder();
    const workspace = { root: folder, roots: [{ name: "p", path: folder }], trusted: true };
    const configDir = path.join(folder, "home/config/nekode");
    const config = createServerConfig({ workspace, configDir });
    const onChange = vi.fn();
    const watching = config.onChange(onChange);
    const changed = async (work: () => Promise<unknown>) => {
      onChange.mockClear();
      await work();
      await expect.poll(() => onChange.mock.calls.length).toBeGreaterThan(0);
    };
    const names = async () => (await config.load()).servers.map(({ name }) => name);
    try {
      await changed(() => writeFile(path.join(folder, ".mcp.json"), SERVER));
      await expect.poll(names).toEqual(["a"]);
      await changed(() => writeFile(path.join(folder, ".mcp.json"), SERVER.replace('"a"', '"later"')));
      await expect.poll(names).toEqual(["later"]);
      await changed(async () => {
        await writeFile(path.join(folder, "new"), SERVER.replace('"a"', '"moved"'));
        await rename(path.join(folder, "new"), path.join(folder, ".mcp.json"));
      });
      await expect.poll(names).toEqual(["moved"]);
      await changed(() => rm(path.join(folder, ".mcp.json")));
      await mkdir(configDir, { recursive: true });
      await changed(() => writeFile(path.join(configDir, "mcp.json"), SERVER));
      await expect.poll(names).toEqual(["a"]);
      watching.dispose();
      onChange.mockClear();
      await rm(path.join(configDir, "mcp.json"));
      expect(onChange).not.toHaveBeenCalled();
    } finally {
      watching.dispose();
    }
  });

  it("report a file in a folder that is created while its parent begins to be watched", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "home/config/mcp.json");
    // The second name is read after the look for the folder of the first one, and before any watcher begins.
    const names = [file, ""];
    const second = () => {
      mkdirSync(path.dirname(file), { recursive: true });
      return path.join(folder, "other.json");
    };
    Object.defineProperty(names, 1, { get: second });
    const onChange = vi.fn();
    const watching = watchFiles(() => names, onChange);
    onTestFinished(() => watching.dispose());
    await writeFile(file, SERVER);
    await expect.poll(() => onChange.mock.calls.length).toBeGreaterThan(0);
  });
});
