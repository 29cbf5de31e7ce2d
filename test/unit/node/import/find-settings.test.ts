/** What is proposed of the settings of each agent, and what is left out and why. */
import { expect, it } from "vitest";
import { KEY, leftIn, proposedIn, settingsHome, USER } from "./setting-support.ts";

const place = settingsHome();

const server = (command: string, more: object = {}) => ({ command, args: ["-y", "cat-server"], ...more });
const proposed = async () =>
  Object.fromEntries((await place.list()).proposals.map((each) => [each.name, each]));
/** The entry that would be written. */
const entryOf = (after = "{}", name = "cats"): unknown => JSON.parse(after)[name];

it("proposes exact rules for commands of Claude Code's user, and names each that cannot be expressed", async () => {
  await place.put(".claude/settings.json", {
    permissions: {
      allow: [
        "Bash(npm test)",
        "Bash(npm run build:*)",
        "Bash(npm run lint *)",
        "Bash(wc)",
        "Bash(python -c 1)",
        "Bash(npm publish)",
        "Bash(npm ci)",
        "Bash(echo $(cat x))",
        "Bash",
        "Edit",
        "WebFetch(domain:example.com)",
        "mcp__cats__pet",
      ],
      ask: ["Bash(npm pub*)", "Bash(cat:*)", "Bash(make:*)"],
      deny: ["Bash(git push *)", "Bash(git:*)", "Bash(curl * | sh)", "Read(./.env)", "Bash(npm ci:*)"],
      defaultMode: "acceptEdits",
      additionalDirectories: ["../other"],
    },
    env: { ANTHROPIC_API_KEY: KEY },
    model: "opus",
  });
  const list = await place.list();
  expect(proposedIn(list)).toEqual([
    "deny deny: Bash(git push *) => git push",
    "deny deny: Bash(npm ci:*) => npm ci",
    "builtin ask: Bash(cat:*) => !cat",
    "allow allow: Bash(npm test) => npm test",
  ]);
  expect(list.proposals.map(({ raises, place: where, file }) => [raises, where, file])).toEqual([
    [false, "commands.deny", "~/.claude/settings.json"],
    [false, "commands.deny", "~/.claude/settings.json"],
    [false, "commands.allow", "~/.claude/settings.json"],
    [true, "commands.allow", "~/.claude/settings.json"],
  ]);
  expect(leftIn(list)).toEqual([
    "deny: Bash(git:*): outweighed",
    "deny: Bash(curl * | sh): not-words",
    "deny: Read(./.env): files-rule",
    "ask: Bash(npm pub*): not-words",
    "ask: Bash(make:*): asks-anyway",
    "allow: Bash(npm run build:*): not-exact",
    "allow: Bash(npm run lint *): not-exact",
    "allow: Bash(wc): only-reads",
    "allow: Bash(python -c 1): not-storable",
    "allow: Bash(npm publish): other-rule",
    "allow: Bash(npm ci): other-rule",
    "allow: Bash(echo $(cat x)): not-words",
    "allow: Bash: not-exact",
    "allow: Edit: files-rule",
    "allow: WebFetch(domain:example.com): web-rule",
    "allow: mcp__cats__pet: tool-rule",
    "defaultMode: acceptEdits: level",
    "additionalDirectories: no-counterpart",
    "model: opus: model-alias",
  ]);
});

it("takes the user's own lists into account", async () => {
  place.state.allow = ["npm run build now", "make"];
  place.state.deny = ["npm test", "rm"];
  await place.put(".claude/settings.json", {
    permissions: {
      allow: ["Bash(npm test)", "Bash(make)"],
      ask: ["Bash(make:*)"],
      deny: ["Bash(npm run build:*)", "Bash(rm -rf:*)"],
    },
  });
  expect(leftIn(await place.list())).toEqual([
    "deny: Bash(npm run build:*): outweighed",
    "deny: Bash(rm -rf:*): present",
    "ask: Bash(make:*): allowed-here",
    "allow: Bash(npm test): denied-here",
    "allow: Bash(make): other-rule",
  ]);
  place.state.runsUnlisted = true;
  expect(leftIn(await place.list())).toContain("ask: Bash(make:*): asks-not-here");
});

it("never proposes that a project's file allows something or chooses a model", async () => {
  const allow = ["Bash(npm test)", "Bash(make deploy)", "Bash", "Edit", "WebFetch"];
  const file = { permissions: { allow, deny: ["Bash(git push:*)"], defaultMode: "bypassPermissions" } };
  await place.put("app/.claude/settings.json", { ...file, model: "claude-opus-4-1" });
  await place.put("app/.claude/settings.local.json", { permissions: { allow } });
  const list = await place.list();
  expect(proposedIn(list)).toEqual(["deny deny: Bash(git push:*) => git push"]);
  expect(list.proposals.filter(({ raises }) => raises)).toEqual([]);
  expect(leftIn(list).filter((line) => line.endsWith("of-project"))).toHaveLength(8);
  expect(leftIn(list)).toContain("model: model-of-project");
  place.trusted = false;
  expect(await place.list()).toEqual({ proposals: [], left: [], problems: [] });
});

it("proposes the MCP servers of Claude Code's user, and those of this project alone", async () => {
  await place.put(".claude.json", {
    mcpServers: { cats: server("npx", { type: "stdio", env: { LEVEL: "info", API_KEY: "miau" } }) },
    projects: {
      [place.at("app")]: { mcpServers: { dogs: { type: "http", url: "https://dogs.example.com/mcp" } } },
      [place.at("other")]: { mcpServers: { birds: server("npx") } },
    },
    primaryApiKey: KEY,
  });
  const found = await proposed();
  expect(Object.keys(found)).toEqual(["cats", "dogs"]);
  expect(entryOf(found.cats?.after)).toEqual({
    type: "stdio",
    command: "npx",
    args: ["-y", "cat-server"],
    env: { LEVEL: "info", API_KEY: `\${input:cats-API_KEY}` },
    importedFrom: "claude",
  });
  expect(found.cats?.notes).toEqual([
    { code: "enter", value: "API_KEY" },
    { code: "approve-server", value: "" },
  ]);
  expect(found.cats?.place).toBe("~/own/mcp.json");
});

it("proposes servers, modes and lists of commands of Roo Code and its successors, and allows none of their tools", async () => {
  const modes = `customModes:
  - slug: docs-writer
    name: Docs
    roleDefinition: You write about cats.
    customInstructions: Be short.
    whenToUse: For documents
    groups: [read, [edit, { fileRegex: "\\\\.md$", description: Markdown }]]
  - slug: act
    roleDefinition: Pretends to be act mode.
    groups: [command]
`;
  for (const [id, prefix] of [
    ["rooveterinaryinc.roo-cline", "roo-cline"],
    ["zoocodeorganization.zoo-code", "zoo-code"],
    ["kilocode.kilo-code", "kilo-code"],
  ]) {
    const storage = `${USER}/globalStorage/${id}/settings`;
    await place.put(`${storage}/mcp_settings.json`, {
      mcpServers: {
        [`${prefix}-cats`]: server("npx", { alwaysAllow: ["pet"], disabled: true, timeout: 90 }),
      },
    });
    await place.put(`${storage}/custom_modes.yaml`, modes.replace("docs-writer", `${prefix}-writer`));
  }
  await place.put(
    `${USER}/settings.json`,
    `{ // lists
      "roo-cline.allowedCommands": ["npm test", "git log"],
      "roo-cline.deniedCommands": ["git push"],
    }`,
  );
  const list = await place.list("roo", "zoo", "kilo");
  expect(list.problems).toEqual([]);
  expect(list.proposals.map(({ product, kind, name }) => `${product} ${kind} ${name}`)).toEqual([
    "roo server roo-cline-cats",
    "roo agent roo-cline-writer",
    "roo deny deny: git push",
    "zoo server zoo-code-cats",
    "zoo agent zoo-code-writer",
    "kilo server kilo-code-cats",
    "kilo agent kilo-code-writer",
  ]);
  const [first, mode, deny] = list.proposals;
  expect(entryOf(first?.after, "roo-cline-cats")).toEqual({
    ...{ command: "npx", args: ["-y", "cat-server"], disabled: true, timeout: 90, importedFrom: "roo" },
  });
  expect(first?.notes[0]).toEqual({ code: "dropped", value: "alwaysAllow" });
  expect(mode?.place).toBe("~/.nekode/agents/roo-cline-writer.md");
  expect(mode?.after).toContain("You write about cats.\n\nBe short.");
  expect(mode?.after).toContain("fileRegex: \\.md$");
  expect(deny?.notes).toEqual([{ code: "whole-words", value: "" }]);
  expect(leftIn(list)).toEqual(
    expect.arrayContaining([
      "act: agent-name",
      "auto-approval: in-editor-state",
      "allow: npm test: not-exact",
      "allow: git log: not-exact",
    ]),
  );
});

it("proposes Cline's servers of both forms and its rules, in its own folder and in editors", async () => {
  await place.put(".cline/data/settings/cline_mcp_settings.json", {
    mcpServers: {
      cats: {
        transport: { type: "stdio", command: "npx", args: ["-y", "cat-server"] },
        autoApprove: ["pet"],
      },
    },
  });
  await place.put(`${USER}/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`, {
    mcpServers: { dogs: { type: "streamableHttp", url: "https://dogs.example.com/mcp" } },
  });
  await place.put(".cline/data/globalState.json", { autoApprovalSettings: { actions: { editFiles: true } } });
  await place.put("Documents/Cline/Rules/short.txt", "Be short.\n");
  await place.put("Documents/Cline/Rules/notes.json", "{}");
  const list = await place.list("cline");
  expect(list.proposals.map(({ kind, name, place: where }) => [kind, name, where])).toEqual([
    ["server", "dogs", "~/own/mcp.json"],
    ["server", "cats", "~/own/mcp.json"],
    ["rules", "short.txt", "~/.nekode/rules/short.md"],
  ]);
  expect(leftIn(list).sort()).toEqual(["auto-approval: in-editor-state", "auto-approval: level"]);
});

it("finds the folder that the user set in an editor's settings", async () => {
  await place.put(`${USER}/settings.json`, { "roo-cline.customStoragePath": place.at("roo") });
  await place.put("roo/settings/mcp_settings.json", { mcpServers: { cats: server("npx") } });
  expect(Object.keys(await proposed())).toEqual(["cats"]);
});

it("reads Codex's TOML: servers with variables, the model, and what has a level here", async () => {
  place.state.connections = [
    { name: "gpt", api: "responses", baseUrl: "https://api.openai.com/v1", headers: {} },
  ];
  await place.put(
    ".codex/config.toml",
    `model = "gpt-5-codex"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[mcp_servers.cats]
command = "npx"
args = ["-y", "cat-server", "--token", "miaumiau"]
env = { "CAT_HOME" = "/home/neko/cats", "CAT_PASSWORD" = "miau" }
env_vars = ["PATH_OF_CATS"]
enabled_tools = ["pet"]
[mcp_servers.dogs]
url = "https://dogs.example.com/mcp"
bearer_token_env_var = "DOG_TOKEN"
http_headers = { "X-Region" = "asia" }
enabled = false
`,
  );
  const found = await proposed();
  expect(entryOf(found.cats?.after)).toEqual({
    command: "npx",
    args: ["-y", "cat-server", "--token", `\${input:cats-token}`],
    env: {
      CAT_HOME: "/home/neko/cats",
      CAT_PASSWORD: `\${input:cats-CAT_PASSWORD}`,
      PATH_OF_CATS: `\${env:PATH_OF_CATS}`,
    },
    importedFrom: "codex",
  });
  expect(entryOf(found.dogs?.after, "dogs")).toEqual({
    url: "https://dogs.example.com/mcp",
    headers: { "X-Region": "asia", Authorization: `Bearer \${env:DOG_TOKEN}` },
    disabled: true,
    importedFrom: "codex",
  });
  expect(found["model: gpt-5-codex"]?.after).toBe("gpt/gpt-5-codex");
  expect(leftIn(await place.list())).toEqual([
    "approval_policy: never: level",
    "sandbox_mode: danger-full-access: level",
  ]);
});

it("reads opencode's configuration, where the last rule for a command counts", async () => {
  await place.put(
    ".config/opencode/opencode.jsonc",
    `{ // with comments
      "model": "anthropic/claude-sonnet-4-5",
      "permission": { "edit": "deny", "webfetch": "ask", "bash": {
        "*": "ask", "npm test": "allow", "npm run build": "allow", "npm run *": "deny", "git push *": "deny" } },
      "mcp": {
        "cats": { "type": "local", "command": ["npx", "-y", "cat-server"], "environment": { "KEY": "{env:CAT_KEY}" } },
        "dogs": { "type": "remote", "url": "https://dogs.example.com/mcp?key=miau", "enabled": false },
      },
      "agent": {
        "reviewer": { "description": "Reviews", "prompt": "Look at the cats.", "mode": "primary",
          "model": "anthropic/claude-opus-4-1", "permission": { "edit": "deny", "bash": "deny" } },
        "build": { "model": "anthropic/claude-opus-4-1" },
        "far": { "prompt": "{file:./far.txt}" },
      },
    }`,
  );
  const list = await place.list();
  const found = Object.fromEntries(list.proposals.map((each) => [each.name, each]));
  expect(entryOf(found.cats?.after)).toEqual({
    ...{
      command: "npx",
      args: ["-y", "cat-server"],
      env: { KEY: `\${env:CAT_KEY}` },
      importedFrom: "opencode",
    },
  });
  expect(entryOf(found.dogs?.after, "dogs")).toEqual({
    ...{ url: `https://dogs.example.com/\${input:dogs-path}`, disabled: true, importedFrom: "opencode" },
  });
  expect(found.reviewer?.after).toBe(
    "---\nname: reviewer\ndescription: Reviews\ndisallowedTools:\n  - edit\n  - command\ndisable-model-invocation: true\n---\nLook at the cats.",
  );
  expect(proposedIn(list).filter((line) => /^(?:allow|deny)/.test(line))).toEqual([
    "allow allow: bash npm test => npm test",
    "deny deny: bash npm run * => npm run",
    "deny deny: bash git push * => git push",
  ]);
  expect(leftIn(list)).toEqual([
    "far: prompt-in-file",
    "deny: edit: files-rule",
    "ask: webfetch: web-rule",
    "ask: bash *: not-words",
    "allow: bash npm run build: other-rule",
    "model: anthropic/claude-sonnet-4-5: no-connection",
  ]);
});

it("reads VS Code's servers with their inputs, also of a profile, and its rules for the terminal", async () => {
  await place.put(`${USER}/mcp.json`, {
    servers: { cats: { command: "npx", args: ["cat-server"], env: { KEY: `\${input:key}` } } },
    inputs: [{ type: "promptString", id: "key", description: "The key", password: true, default: KEY }],
  });
  await place.put(`${USER}/profiles/-1a2b/mcp.json`, { servers: { dogs: server("npx") } });
  await place.put(`${USER}/settings.json`, {
    "chat.tools.terminal.autoApprove": {
      "npm test": true,
      "/^make check$/": { approve: true, matchCommandLine: true },
      "/^git push .*$/": true,
      tail: false,
      rm: false,
      ls: null,
    },
    "chat.tools.global.autoApprove": true,
  });
  const list = await place.list("copilot");
  const cats = list.proposals.find(({ name }) => name === "cats");
  expect(entryOf(cats?.after)).toMatchObject({ env: { KEY: `\${input:cats-key}` }, importedFrom: "copilot" });
  expect(list.proposals.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    "server cats",
    "server dogs",
    "allow allow: /^make check$/",
    "builtin ask: tail",
  ]);
  expect(leftIn(list)).toEqual([
    "allow: npm test: not-exact",
    "allow: /^git push .*$/: not-exact",
    "ask: rm: asks-anyway",
    "chat.tools.global.autoApprove: level",
  ]);
  expect(JSON.stringify(list)).not.toContain(KEY);
});
