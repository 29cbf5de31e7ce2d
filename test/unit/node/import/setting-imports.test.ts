/** Taking over a setting of another agent: exactly what was shown is written, once, and can be undone. */
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { readAgents } from "../../../../src/core/instructions/agent-catalogue.ts";
import { StoredServerRecords } from "../../../../src/core/servers/server-records.ts";
import { createServerConfig } from "../../../../src/node/config/server-setup.ts";
import { nodeFiles } from "../../../../src/node/files/disk-files.ts";
import { memoryHost } from "../../../support/memory-host.ts";
import { MemoryStorage, quietLog } from "../../core/sessions/support.ts";
import { leftIn, settingsHome, USER } from "./setting-support.ts";

const place = settingsHome();
const cats = { mcpServers: { cats: { command: "npx", args: ["cat-server"], env: { API_KEY: "miau" } } } };
const own = () => readFile(place.at("own/mcp.json"), "utf8");

it("writes an MCP server that starts only after it is approved, and removes it with its inputs", async () => {
  await place.put(".claude.json", cats);
  await place.put("own/mcp.json", '{\n  // mine\n  "mcpServers": { "birds": { "command": "birds" } }\n}\n');
  const before = await own();
  const proposal = await place.proposal("cats");
  expect(await own()).toBe(before);
  const taken = await place.take(proposal);
  expect(taken.outcome).toBe("taken");
  expect(taken.proposals.map(({ name, state }) => [name, state])).toEqual([["cats", "taken"]]);
  expect(taken.left).toEqual([]);
  expect(await own()).not.toContain("miau");

  const workspace = { ...memoryHost().host.workspace, root: place.at("app"), roots: [] };
  const { servers, problems } = await createServerConfig({ workspace, configDir: place.at("own") }).load();
  expect(problems).toEqual([]);
  const [birds, added] = servers;
  const records = new StoredServerRecords(new MemoryStorage(), quietLog);
  expect(birds && (await records.trustOf(birds)).state).toBe("trusted");
  expect(added?.inputs).toMatchObject([{ id: "cats-API_KEY", password: true }]);
  if (!added) throw new Error("the server was not added");
  expect((await records.trustOf(added)).state).toBe("new");
  await records.trust(added);
  expect((await records.trustOf(added)).state).toBe("trusted");
  const changed = { ...added, launch: { type: "stdio" as const, command: "sh", args: [], env: {} } };
  expect((await records.trustOf(changed)).state).toBe("changed");

  const undone = await place.undo(proposal);
  expect(undone.outcome).toBe("undone");
  expect(undone.proposals.map(({ state }) => state)).toEqual(["new"]);
  const after = await own();
  expect(after).toContain("// mine");
  expect(after).not.toContain("cats");
});

it("writes nothing if the other agent's file changed since it was shown, and shows what it says now", async () => {
  await place.put(".claude.json", cats);
  const shown = await place.proposal("cats");
  await place.put(".claude.json", { mcpServers: { cats: { command: "sh", args: ["-c", "cats"] } } });
  const answer = await place.take(shown);
  expect(answer.outcome).toBe("changed");
  expect(answer.proposals[0]?.after).toContain('"sh"');
  expect(answer.proposals[0]?.key).toBe(shown.key);
  await expect(own()).rejects.toThrow("ENOENT");
  await place.put(".claude.json", {});
  expect(await place.take(answer.proposals[0] ?? shown)).toMatchObject({ outcome: "changed", proposals: [] });
  expect(await place.settings.take({ key: "other", hash: "x" }, { mask: (text) => text })).toMatchObject({
    outcome: "changed",
  });
});

it("replaces nothing of the user's own: a server, a file or an entry that is there", async () => {
  await place.put(".claude.json", cats);
  await place.put("Documents/Cline/Rules/short.md", "Be short.\n");
  await place.put(`${USER}/globalStorage/rooveterinaryinc.roo-cline/settings/custom_modes.yaml`, {
    customModes: [{ slug: "docs", roleDefinition: "Docs.", groups: ["read"] }],
  });
  const shown = await place.list("claude", "cline", "roo");
  expect(shown.proposals.map(({ name }) => name)).toEqual(["cats", "short.md", "docs"]);
  await place.put("own/mcp.json", { servers: { cats: { command: "mine" } } });
  await place.put(".nekode/rules/short.md", "Mine.\n");
  await place.put(".nekode/agents/docs.md", "Mine.\n");
  for (const proposal of shown.proposals) {
    const answer = await place.take(proposal);
    expect([answer.outcome, answer.proposals]).toEqual(["changed", []]);
    expect(leftIn(answer)).toContain(`${proposal.name}: name-taken`);
  }
  expect(await own()).toContain("mine");
  expect(await readFile(place.at(".nekode/agents/docs.md"), "utf8")).toBe("Mine.\n");
});

it("takes over rules and a mode, which then counts as an agent with the same tools and files", async () => {
  await place.put("Documents/Cline/Rules/short.md", "Be short.\n");
  await place.put(`${USER}/globalStorage/rooveterinaryinc.roo-cline/settings/custom_modes.yaml`, {
    customModes: [
      {
        slug: "docs",
        name: "Docs",
        roleDefinition: "You write: documents",
        description: "Writes: documents",
        groups: ["read", ["edit", { fileRegex: "\\.md$" }]],
      },
    ],
  });
  for (const name of ["short.md", "docs"])
    expect((await place.take(await place.proposal(name))).outcome).toBe("taken");
  expect(await readFile(place.at(".nekode/rules/short.md"), "utf8")).toBe("Be short.\n");
  expect((await stat(place.at(".nekode/agents/docs.md"))).mode & 0o777).toBe(0o600);
  const { host } = memoryHost();
  const system = { ...host.system, home: place.home };
  const agents = await readAgents({ ...host, files: nodeFiles, system }, { rulesOff: [] });
  const docs = agents.find(({ name }) => name === "docs");
  expect(docs).toMatchObject({ description: "Writes: documents", problems: [] });
  expect(docs?.session).toMatchObject({
    instructions: "You write: documents",
    tools: [
      { of: "access", name: "read" },
      { of: "access", name: "edit" },
    ],
    editable: [{ kind: "regex", pattern: "\\.md$" }],
  });

  const list = await place.list();
  const [rules, mode] = [
    list.proposals.find(({ kind }) => kind === "rules"),
    list.proposals.find(({ kind }) => kind === "agent"),
  ];
  if (!rules || !mode) throw new Error("nothing was taken over");
  await writeFile(place.at(".nekode/rules/short.md"), "Be short. Really.\n");
  expect((await place.undo(rules)).outcome).toBe("changed");
  expect(await readFile(place.at(".nekode/rules/short.md"), "utf8")).toBe("Be short. Really.\n");
  expect((await place.undo(mode)).outcome).toBe("undone");
  expect(await readdir(place.at(".nekode/agents"))).toEqual([]);
});

it("adds entries to the user's lists and sets the model, and takes back exactly that", async () => {
  place.state.connections = [
    { name: "claude", api: "anthropic", baseUrl: "https://api.anthropic.com/v1", headers: {} },
  ];
  Object.assign(place.state, { allow: ["make"], deny: ["rm"], model: "claude/old" });
  await place.put(".claude/settings.json", {
    permissions: { allow: ["Bash(npm test)"], ask: ["Bash(cat:*)"], deny: ["Bash(git push:*)"] },
    model: "claude-sonnet-4-5-20250929",
  });
  const shown = (await place.list()).proposals;
  expect(shown.find(({ kind }) => kind === "model")).toMatchObject({
    before: "claude/old",
    after: "claude/claude-sonnet-4-5-20250929",
  });
  for (const proposal of shown) expect((await place.take(proposal)).outcome).toBe("taken");
  expect(place.state).toMatchObject({
    allow: ["make", "!cat", "npm test"],
    deny: ["rm", "git push"],
    model: "claude/claude-sonnet-4-5-20250929",
  });
  // Nothing is proposed twice, and what the user added since stays.
  expect((await place.list()).proposals.map(({ state }) => state)).toEqual(shown.map(() => "taken"));
  place.state.allow.push("npm run build");
  for (const proposal of shown) expect((await place.undo(proposal)).outcome).toBe("undone");
  expect(place.state).toMatchObject({
    allow: ["make", "npm run build"],
    deny: ["rm"],
    model: "claude/old",
  });
});
