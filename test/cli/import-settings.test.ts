/** `nekode import settings`, as a user of the terminal has it: listed, asked one by one, written, and undone. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { env, placeOfEachTest, project, ran } from "./history-place.ts";

placeOfEachTest();

const home = (...names: string[]) => path.join(project.environment.HOME ?? "", ...names);
const config = (name: string) => path.join(project.dataDir, "../config", name);
const SECRET = "miau-miau-miau";

async function put(file: string, content: object): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(content));
}

beforeEach(async () => {
  env.NEKODE_CONFIG_DIR = path.dirname(config("config.json"));
  await put(home(".claude.json"), {
    mcpServers: { cats: { command: "npx", args: ["cat-server"], env: { CAT_TOKEN: SECRET } } },
  });
  await put(home(".claude/settings.json"), {
    permissions: { allow: ["Bash(npm test)", "Bash(npm run:*)"], deny: ["Bash(git push:*)"] },
  });
  await put(path.join(project.folder, ".claude/settings.json"), {
    permissions: { allow: ["Bash(make deploy)"] },
  });
});

it("lists everything with what would change, and changes nothing without a user", async () => {
  const listed = await ran("import", "settings", "--dry-run", "--from", "claude");
  expect(listed).toContain("Denied command: Bash(git push:*) (Claude Code, ~/.claude/settings.json)\n");
  expect(listed).toContain("  commands.deny\n  + git push\n");
  expect(listed).toContain("Not copied, because it may be secret: CAT_TOKEN.");
  expect(listed).toContain("allow: Bash(npm run:*)\n    It allows more than one command.");
  expect(listed).toContain("allow: Bash(make deploy)\n    It is in a file of the project");
  const unasked = await project.run(["import", "settings"], env);
  expect([unasked.code, unasked.stderr]).toEqual([4, expect.stringContaining("Nothing was changed.")]);
  const lines = (await ran("import", "settings", "--json")).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line)).map(({ state, kind, name }) => [state, kind, name])).toEqual([
    ["new", "deny", "deny: Bash(git push:*)"],
    ["new", "allow", "allow: Bash(npm test)"],
    ["new", "server", "cats"],
    ["left", undefined, "allow: Bash(npm run:*)"],
    ["left", undefined, "allow: Bash(make deploy)"],
  ]);
  expect(`${listed}${lines.join()}${unasked.stdout}`).not.toContain(SECRET);
  await expect(readFile(config("config.json"))).rejects.toThrow("ENOENT");
  expect(await ran("import", "settings", "--from", "codex")).toBe("There is nothing to take over.\n");
});

it("asks for each proposal, takes over what is accepted, and undoes it", async () => {
  const taken = await project.converse(["import", "settings"], env, [
    ["+ git push", ""],
    ["Take this over?", "y\r"],
    ["Taken over.", ""],
    ["+ npm test", ""],
    ["Take this over?", "n\r"],
    ["MCP server: cats", ""],
    ["Take this over?", "y\r"],
    ["Taken over.", ""],
  ]);
  expect(taken.code).toBe(0);
  expect(JSON.parse(await readFile(config("config.json"), "utf8"))).toEqual({
    version: 1,
    commands: { deny: ["git push"] },
  });
  const servers = await readFile(config("mcp.json"), "utf8");
  expect(JSON.parse(servers).mcpServers.cats).toEqual({
    ...{ command: "npx", args: ["cat-server"], env: { CAT_TOKEN: `\${input:cats-CAT_TOKEN}` } },
    importedFrom: "claude",
  });
  expect(servers).not.toContain(SECRET);
  // It is the user's own server, and still has to be approved.
  expect(await ran("mcp", "list")).toContain("cats");
  const tested = await project.run(["mcp", "test", "cats"], env);
  expect([tested.code, tested.stderr]).toEqual([4, expect.stringContaining("cats")]);

  const undone = await project.converse(["import", "settings", "--undo"], env, [
    ["+ git push", ""],
    ["Undo this?", "y\r"],
    ["Undone.", ""],
    ["MCP server: cats", ""],
    ["Undo this?", "n\r"],
  ]);
  expect(undone.code).toBe(0);
  expect(await readFile(config("config.json"), "utf8")).not.toContain("git push");
  expect(await readFile(config("mcp.json"), "utf8")).toContain("cats");
});

it("explains itself and refuses what it does not know", async () => {
  expect(await ran("import", "settings", "--help")).toContain("nekode import settings --undo");
  const wrong = await project.run(["import", "settings", "--undo", "--json"], env);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("--undo cannot be combined")]);
});
