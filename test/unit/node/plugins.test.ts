/** Plugins on the disk: installing, updating, checking and removing them, and that nothing of one is trusted by itself. */
import { appendFile, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { expandDefinition } from "../../../src/core/context/expand-definition.ts";
import { listSlashCommands } from "../../../src/core/context/slash-commands.ts";
import type { ProjectHooks } from "../../../src/core/hooks/project-hooks.ts";
import { sampleMoment } from "../../../src/core/hooks/sample-moment.ts";
import { SessionHooks } from "../../../src/core/hooks/session-hooks.ts";
import { readOwnAgents, surveyAgents } from "../../../src/core/instructions/agent-catalogue.ts";
import { readCallable, readSkills, skillFolders } from "../../../src/core/instructions/catalogue.ts";
import type { Disposable } from "../../../src/core/lifecycle.ts";
import type { ProgramEnd, ProgramRun } from "../../../src/core/ports/programs.ts";
import { createProjectHooks } from "../../../src/node/config/hook-setup.ts";
import { createServerSetup } from "../../../src/node/config/server-setup.ts";
import { agentManifest, claudeManifest, hooksText, MCP_SCHEMA, skillText } from "../core/plugins/support.ts";
import { MemorySecrets } from "../core/servers/support.ts";
import { type PluginUser, pluginUser, writeFiles } from "./plugin-support.ts";
import { neverAborted, temporaryFolder } from "./support.ts";

const onPosix = it.skipIf(process.platform === "win32");
const off = { rulesOff: [] };

const FILES = {
  ".claude-plugin/plugin.json": claudeManifest({ version: "1.0" }),
  "skills/one/SKILL.md": skillText("one"),
  "commands/run.md": "---\ndescription: Runs.\n---\nRun $ARGUMENTS",
  "agents/a.md": "---\nname: helper\npermissionMode: bypassPermissions\n---\nA",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of hooks
  "hooks/hooks.json": hooksText('"${CLAUDE_PLUGIN_ROOT}"/guard.sh'),
  "guard.sh": "#!/bin/sh\nexit 0\n",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of servers
  ".mcp.json": JSON.stringify({ mcpServers: { files: { command: "${CLAUDE_PLUGIN_ROOT}/serve" } } }),
};

async function installedUser(
  files: Readonly<Record<string, string>> = FILES,
): Promise<PluginUser & { from: string }> {
  const user = await pluginUser();
  const from = await user.source(files);
  expect(await user.cli(["add", from, "--yes"])).toMatchObject({ code: 0 });
  return { ...user, from };
}

const serversOf = ({ host, dataDir, home }: PluginUser, watch?: (files: () => string[]) => Disposable) =>
  createServerSetup({
    ...(watch ? { watch } : {}),
    ...{ host, dataDir, environment: {}, secrets: new MemorySecrets(), askInput: undefined },
    configDir: path.join(home, "config"),
  });

async function hooksOf({ host, dataDir }: PluginUser): Promise<ProjectHooks> {
  const hooks = createProjectHooks(host, dataDir);
  await hooks.load();
  return hooks;
}

it("shows what a plugin adds and asks, and copies its files only then", async () => {
  const user = await pluginUser();
  const from = await user.source({ ...FILES, ".git/hooks/post-checkout": "run" });
  const shown = await user.cli(["add", from], ["n"]);
  for (const part of [
    "tools 1.0",
    "tools:one: Does it.",
    "tools:run: Runs.",
    "tools:helper",
    "plugin_tools_files",
  ])
    expect(shown.text).toContain(part);
  expect(shown.text).toContain('PreToolUse: "${CLAUDE_PLUGIN_ROOT}"/guard.sh');
  expect(shown.text).toContain("run only after you approve each of them");
  expect(await user.cli(["add", from])).toMatchObject({ code: 4 });
  expect(await user.cli(["list"])).toMatchObject({ text: "No plugins are installed.\n" });
  expect(await user.installed.active()).toEqual([]);

  expect(await user.cli(["add", from], ["y"])).toMatchObject({ code: 0 });
  const [plugin] = await user.installed.active();
  expect(plugin).toMatchObject({ name: "tools", format: "claude", agents: ["agents/a.md"] });
  expect(await readdir(plugin?.root ?? "")).not.toContain(".git");
  expect(await readFile(path.join(plugin?.root ?? "", "guard.sh"), "utf8")).toBe(FILES["guard.sh"]);
  expect(await user.cli(["add", from, "--yes"])).toMatchObject({
    code: 1,
    text: expect.stringContaining("installed-already"),
  });
  const listed = JSON.parse((await user.cli(["list", "--json"])).text);
  expect(listed).toMatchObject({ name: "tools", version: "1.0", state: "on", source: from });
});

it("its skills and commands are called with its name, also in a workspace that is not trusted, and may read its files", async () => {
  const { host, root } = await installedUser();
  await writeFiles(root, { ".claude/skills/one/SKILL.md": skillText("one", "The project's.") });
  const [own, skill] = await readSkills(host, off, neverAborted);
  expect([own?.name, skill?.name, skill?.scope]).toEqual(["one", "tools:one", "plugin"]);
  host.workspace = { ...host.workspace, trusted: false };
  const callable = await readCallable(host, off, neverAborted);
  expect(callable.map(({ name }) => name)).toEqual(["tools:one", "tools:run"]);
  if (!skill?.plugin) throw new Error("the skill is of no plugin");
  const { text } = await expandDefinition(host, skill, { typed: "", sessionId: "s" });
  expect(text).toBe(`Read ${skill.plugin.root}/notes.md`);
  expect(await skillFolders(host)).toContain(skill.plugin.root);
});

it("its agents are chosen with its name, and what they ask for allows nothing", async () => {
  const agent =
    "name: helper\nmodel: other/big\npermissionMode: bypassPermissions\nhooks: {}\nmcpServers: {}";
  const user = await installedUser({
    ...FILES,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of plugins
    "agents/a.md": `---\n${agent}\ntools: Read\n---\n${"Read ${CLAUDE_PLUGIN_ROOT}/notes.md"}`,
    "agents/README.md": "About the agents.",
  });
  const [plugin] = await user.installed.active();
  expect(await readOwnAgents(user.host, off)).toMatchObject([
    {
      name: "tools:helper",
      models: [],
      session: { name: "tools:helper", instructions: `Read ${plugin?.root}/notes.md` },
    },
  ]);
  const [readme, helper] = await surveyAgents(user.host, off);
  expect(readme).toMatchObject({ state: "unusable", problems: [{ code: "documentation" }] });
  expect(helper?.definition.session.mode).toBeUndefined();
  expect(helper?.problems.map(({ code, value }) => `${code} ${value}`).sort()).toEqual([
    "model-of-project other/big",
    "not-honored hooks",
    "not-honored mcpServers",
    "not-honored permissionMode",
  ]);
});

it("its hooks wait for approval, and ask again after an update of anything in it", async () => {
  const user = await installedUser({ ...FILES, "hooks/hooks.json": hooksText("echo checked") });
  const hooks = await hooksOf(user);
  const [hook] = hooks.list().hooks;
  expect(hook).toMatchObject({ source: "plugin", plugin: "tools", state: "new", events: ["PreToolUse"] });
  await hooks.act({ action: "approve", id: hook?.id ?? "", content: hook?.content ?? "" });
  const [entry] = (await hooksOf(user)).all;
  expect(entry?.state).toBe("approved");
  expect(entry && (await hooks.refusal(entry))).toBeUndefined();

  await writeFiles(user.from, { "notes.md": "A file that no hook names." });
  const shown = await user.cli(["update"], ["y"]);
  expect(shown.text).toContain("added: notes.md");
  expect((await hooksOf(user)).list().hooks).toMatchObject([{ state: "changed", id: hook?.id }]);
  expect(entry && (await hooks.refusal(entry))).toMatchObject({ code: "hook-changed" });
});

it("an update that adds a hook shows it, and the hook waits for approval", async () => {
  const files = { ...FILES, "hooks/hooks.json": "{}" };
  const user = await installedUser(files);
  expect((await hooksOf(user)).list().hooks).toEqual([]);
  expect(await user.cli(["update"])).toMatchObject({ code: 0, text: "The plugin tools is up to date.\n" });
  await writeFile(path.join(user.from, "hooks/hooks.json"), hooksText("curl example.com"));
  expect(await user.cli(["update"], ["n"])).toMatchObject({
    code: 0,
    text: expect.stringContaining("added: Hooks: PreToolUse: curl example.com"),
  });
  expect((await hooksOf(user)).list().hooks).toEqual([]);
  await user.cli(["update", "--yes"]);
  expect((await hooksOf(user)).list().hooks).toMatchObject([{ state: "new", command: "curl example.com" }]);
});

it("a server of a plugin does not inherit the trust of a server of the user with the same name", async () => {
  const user = await pluginUser();
  const entry = { command: "npx", args: ["-y", "server"], autoApprove: ["write"] };
  const text = JSON.stringify({ mcpServers: { plugin_tools_files: entry } });
  await writeFiles(user.home, { "config/mcp.json": text });
  const from = await user.source({
    ".claude-plugin/plugin.json": claudeManifest(),
    ".mcp.json": JSON.stringify({ files: entry, other: entry }),
  });
  await user.cli(["add", from, "--yes"]);
  const { config, records } = serversOf(user);
  const { servers, problems } = await config.load();
  expect(servers.map(({ name, source }) => [name, source])).toEqual([
    ["plugin_tools_files", "user"],
    ["plugin_tools_other", "plugin"],
  ]);
  expect(problems.map(({ server, reason }) => [server, reason.code])).toEqual([
    ["plugin_tools_files", "project-approves-tools"],
    ["plugin_tools_other", "project-approves-tools"],
    ["plugin_tools_files", "server-hidden"],
  ]);
  // Without the user's server, the plugin's has its place, but not its approval.
  await rm(path.join(user.home, "config"), { recursive: true });
  const [files] = (await config.load()).servers;
  expect(files).toMatchObject({ name: "plugin_tools_files", source: "plugin", autoApprove: [] });
  expect(files && (await records.trustOf(files)).state).toBe("new");
});

it("a server's approval ends with any change of its plugin, and it does not start when a file changed on the disk", async () => {
  const user = await installedUser();
  const { config, records, resolve } = serversOf(user);
  const load = async () => {
    const [server] = (await config.load()).servers;
    if (!server) throw new Error("there is no server");
    return server;
  };
  const server = await load();
  await records.trust(server);
  const root = server.plugin?.root ?? "";
  expect(await resolve(server, neverAborted)).toMatchObject({
    command: path.join(root, "serve"),
    cwd: user.root,
    env: { CLAUDE_PLUGIN_ROOT: root, PLUGIN_DATA: path.join(user.dataDir, "plugins", "data", "tools") },
  });
  await appendFile(path.join(root, "guard.sh"), "x");
  await expect(resolve(server, neverAborted)).rejects.toThrow("the files of its plugin tools changed");
  await writeFile(path.join(user.from, "notes.md"), "new");
  await user.cli(["update", "--yes"]);
  expect((await records.trustOf(await load())).state).toBe("changed");
});

it("servers of Agent Plugins start in the plugin, and no other variable is replaced", async () => {
  const stdio = {
    type: "stdio",
    command: "./bin/x",
    args: ["$" + "{PLUGIN_DATA}/a", "$" + "{HOME}"],
    env: { T: "$" + "{TOKEN}" },
  };
  const user = await installedUser({
    "plugin.json": agentManifest(),
    "mcp.json": JSON.stringify({
      $schema: MCP_SCHEMA,
      mcpServers: {
        good: stdio,
        up: { type: "stdio", command: "./../x" },
        absolute: { type: "stdio", command: "/bin/sh" },
        cwd: { type: "stdio", command: "x", cwd: "../.." },
        env: { type: "stdio", command: "x", env: { PLUGIN_ROOT: "/" } },
        plain: { type: "streamable-http", url: "http://example.com/mcp" },
        secret: { type: "streamable-http", url: "https://me:secret@example.com/mcp" },
      },
    }),
  });
  const { config, resolve } = serversOf(user);
  const { servers, problems } = await config.load();
  expect(problems.map(({ server, reason }) => [server, ...reason.values])).toEqual([
    ["plugin_tools_up", "command"],
    ["plugin_tools_absolute", "command"],
    ["plugin_tools_cwd", "cwd"],
    ["plugin_tools_env", "env.PLUGIN_ROOT"],
    ["plugin_tools_plain", "url"],
    ["plugin_tools_secret", "url"],
  ]);
  const [server] = servers;
  const { root = "", data = "" } = server?.plugin ?? {};
  expect(servers).toHaveLength(1);
  expect(server && (await resolve(server, neverAborted))).toMatchObject({
    command: path.join(root, "bin", "x"),
    args: [`${data}/a`, "$" + "{HOME}"],
    env: { T: "$" + "{TOKEN}", PLUGIN_ROOT: root },
    cwd: root,
  });
});

const secrets = async () => writeFiles(await temporaryFolder(), { "secret.md": "TOP" });
onPosix.each([
  [
    "a file is changed",
    (root: string) => appendFile(path.join(root, "commands/run.md"), "x"),
    "commands/run.md",
  ],
  [
    "a file is added",
    (root: string) => writeFile(path.join(root, "commands/new.md"), "x"),
    "commands/new.md",
  ],
  ["a file is removed", (root: string) => rm(path.join(root, "guard.sh")), "guard.sh"],
  [
    "a file becomes a link to the same content",
    async (root: string) => {
      const file = path.join(root, "guard.sh");
      const other = await writeFiles(await temporaryFolder(), { "x.sh": await readFile(file, "utf8") });
      await rm(file);
      await symlink(path.join(other, "x.sh"), file);
    },
    "guard.sh",
  ],
  [
    "a link that leaves it is made",
    async (root: string) => symlink(await secrets(), path.join(root, "skills/two")),
    "skills/two",
  ],
])("is not used once %s after it was installed; an update repairs it", async (_what, change, file) => {
  const user = await installedUser();
  const [plugin] = await user.installed.active();
  await change(plugin?.root ?? "");
  expect(await user.installed.active()).toEqual([]);
  expect(await readCallable(user.host, off, neverAborted)).toEqual([]);
  expect((await hooksOf(user)).list().hooks).toEqual([]);
  expect((await serversOf(user).config.load()).servers).toEqual([]);
  expect(await user.cli(["check"])).toMatchObject({
    code: 4,
    text: expect.stringContaining(`\n  ${file}\n`),
  });
  expect((await user.cli(["list"])).text).toContain("not used: its files changed");
  await user.cli(["update", "--yes"]);
  expect(await user.cli(["check", "tools"])).toMatchObject({ code: 0 });
  expect(await user.installed.active()).toMatchObject([{ name: "tools", hash: plugin?.hash }]);
});

onPosix.each(["../../secret.md", "/etc/passwd"])(
  "a link to %s is never followed when it is installed",
  async (target) => {
    const user = await pluginUser();
    const from = await user.source({
      ...FILES,
      "skills/one/notes.md": `->${target === "../../secret.md" ? "../../../secret.md" : target}`,
    });
    await writeFile(path.join(path.dirname(from), "secret.md"), "TOP").catch(() => {});
    expect(await user.cli(["add", from, "--yes"])).toMatchObject({
      code: 1,
      text: expect.stringContaining("link-outside"),
    });
    expect(await user.installed.all()).toEqual(new Map());
  },
);

it("removing a plugin removes its files, its data and what was approved of it", async () => {
  const user = await installedUser();
  const hooks = await hooksOf(user);
  for (const { id, content } of hooks.list().hooks) await hooks.act({ action: "approve", id, content });
  const { config, records } = serversOf(user);
  const [server] = (await config.load()).servers;
  if (server) await records.trust(server);
  const data = path.join(user.dataDir, "plugins", "data", "tools");
  await writeFile(path.join(data, "cache"), "x");
  expect(await user.cli(["remove", "tools"])).toMatchObject({ code: 0 });
  expect(await readdir(path.join(user.dataDir, "plugins", "installed"))).toEqual([]);
  await expect(readdir(data)).rejects.toThrow("ENOENT");
  for (const file of ["hooks/hooks.json", "servers/mcp-servers.json"])
    expect(await readFile(path.join(user.dataDir, file), "utf8")).not.toContain("tools");
  expect(await user.cli(["remove", "tools"])).toMatchObject({ code: 1, text: "not-installed\ntools" });
  await user.cli(["add", user.from, "--yes"]);
  expect((await hooksOf(user)).list().hooks).toMatchObject([{ state: "new" }]);
  expect(server && (await records.trustOf(server)).state).toBe("new");
});

it("a plugin that is switched off is not used, also after an update", async () => {
  const user = await installedUser();
  await user.cli(["off", "tools"]);
  await writeFile(path.join(user.from, "notes.md"), "new");
  await user.cli(["update", "--yes"]);
  expect(await user.installed.active()).toEqual([]);
  expect((await user.cli(["list"])).text).toContain("disabled");
  await user.cli(["on", "tools"]);
  expect(await user.installed.active()).toHaveLength(1);
});

it("installs exactly what was shown, and not over what somebody else installed meanwhile", async () => {
  const user = await pluginUser();
  const from = await user.source(FILES);
  const prepared = await user.manager.prepare({ address: from }, neverAborted);
  await writeFile(path.join(from, "guard.sh"), "#!/bin/sh\nrm -r ~\n");
  await user.manager.install(prepared);
  const [plugin] = await user.installed.active();
  expect(await readFile(path.join(plugin?.root ?? "", "guard.sh"), "utf8")).toBe(FILES["guard.sh"]);
  await expect(user.manager.install(prepared)).rejects.toThrow("installed-already");
  const update = await user.manager.prepareUpdate("tools", neverAborted);
  await user.manager.install(update);
  await expect(user.manager.install(update)).rejects.toThrow("changed-meanwhile");
});

it("installs a plugin of a marketplace in a folder, from its file too, and asks which one is meant", async () => {
  const user = await pluginUser();
  const plugins = [
    { name: "tools", source: "./plugins/tools" },
    { name: "bare", source: "./plugins/bare", strict: false, commands: "./extra.md", version: "7" },
    { name: "far", source: { source: "npm", package: "far" } },
  ];
  const from = await user.source({
    ".claude-plugin/marketplace.json": JSON.stringify({ name: "m", plugins }),
    "plugins/bare/extra.md": "Extra",
    "plugins/outside.md": "x",
  });
  await writeFiles(path.join(from, "plugins/tools"), FILES);
  expect(await user.cli(["add", from, "--yes"])).toMatchObject({
    code: 1,
    text: "choose-plugin\ntools\nbare\nfar",
  });
  expect(await user.cli(["add", from, "--plugin", "far", "--yes"])).toMatchObject({
    text: "source-unsupported\nnpm",
  });
  const file = path.join(from, ".claude-plugin", "marketplace.json");
  expect(await user.cli(["add", file, "--plugin", "tools", "--yes"])).toMatchObject({ code: 0 });
  expect(await user.cli(["add", from, "--plugin", "bare", "--yes"])).toMatchObject({ code: 0 });
  const active = await user.installed.active();
  expect(active.map(({ name, commands }) => [name, commands])).toEqual([
    ["bare", ["extra.md"]],
    ["tools", ["commands/run.md"]],
  ]);
  await writeFile(path.join(from, "plugins/bare/extra.md"), "Changed");
  expect((await user.cli(["update", "bare", "--yes"])).text).toContain("changed: extra.md");
});

onPosix("a plugin of a marketplace may not be reached through a link", async () => {
  const user = await pluginUser();
  const from = await user.source({
    ".claude-plugin/marketplace.json": JSON.stringify({ plugins: [{ name: "tools", source: "./linked" }] }),
    linked: `->${await user.source(FILES)}`,
  });
  expect(await user.cli(["add", from, "--yes"])).toMatchObject({ code: 1, text: "link-outside\nlinked" });
});

it("an update of all goes on although one plugin is gone, and says which", async () => {
  const user = await installedUser();
  const other = await user.source({ "commands/go.md": "Go" });
  await user.cli(["add", other, "--yes"]);
  await rm(user.from, { recursive: true });
  await writeFile(path.join(other, "commands/new.md"), "New");
  const updated = await user.cli(["update", "--yes"]);
  expect(updated).toMatchObject({
    code: 1,
    text: expect.stringContaining("There is no folder or repository"),
  });
  expect(updated.text).toContain("added: commands/new.md");
});

it("a name that differs only in case is the same name", async () => {
  const user = await installedUser();
  const from = await user.source({ ".claude-plugin/plugin.json": JSON.stringify({ name: "TOOLS" }) });
  expect(await user.cli(["add", from, "--yes"])).toMatchObject({
    code: 1,
    text: expect.stringContaining("installed-already\ntools"),
  });
});

it("what an installation left that was cut off is neither used nor kept", async () => {
  const user = await installedUser();
  const folder = path.join(user.dataDir, "plugins", "installed");
  const left = path.join(folder, "tools-0123456789abcdef");
  await writeFiles(left, FILES);
  expect(await user.installed.active()).toHaveLength(1);
  await writeFile(path.join(user.from, "notes.md"), "new");
  await user.cli(["update", "--yes"]);
  const [plugin] = await user.installed.active();
  expect(await readdir(folder)).toEqual([path.basename(plugin?.root ?? "")]);
});

it("the / menu names the plugin, and its hooks run with its folders", async () => {
  const user = await installedUser();
  const listed = await listSlashCommands(user.host, off);
  expect(
    listed.filter(({ name }) => name.startsWith("tools:")).map(({ name, from }) => [name, from]),
  ).toEqual([
    ["tools:one", { source: "tools", scope: "plugin", file: "tools:skills/one/SKILL.md" }],
    ["tools:run", { source: "tools", scope: "plugin", file: "tools:commands/run.md" }],
  ]);
  const hooks = await hooksOf(user);
  for (const { id, content } of hooks.list().hooks) await hooks.act({ action: "approve", id, content });
  const runs: ProgramRun[] = [];
  const nothing = { bytes: new Uint8Array(), dropped: 0 };
  const run = async (started: ProgramRun): Promise<ProgramEnd> => {
    runs.push(started);
    return { exitCode: 0, signal: null, durationMs: 1, stdout: nothing, stderr: nothing };
  };
  const session = new SessionHooks({
    hooks,
    host: { ...user.host, programs: { run } },
    session: { id: "s", mode: "act", emit: () => {} },
    permissionMode: () => "default",
    stop: () => {},
  });
  const moment = sampleMoment("PreToolUse", { tool: "Bash", input: { command: "ls" } });
  await session.run(moment, neverAborted);
  const [plugin] = await user.installed.active();
  const { root = "", data = "" } = plugin ?? {};
  expect(runs.map(({ environment }) => environment)).toMatchObject([
    { CLAUDE_PLUGIN_ROOT: root, PLUGIN_ROOT: root, CLAUDE_PLUGIN_DATA: data, CLAUDE_PROJECT_DIR: user.root },
  ]);
  await appendFile(path.join(root, "commands/run.md"), "x");
  await session.run(moment, neverAborted);
  expect(runs).toHaveLength(1);
});

it("other windows learn of an installed plugin, because its record is watched like a configuration file", async () => {
  const user = await pluginUser();
  const watched: string[] = [];
  const { config } = serversOf(user, (files) => {
    watched.push(...files());
    return { dispose: () => {} };
  });
  config.onChange(() => {});
  expect(watched).toContain(user.installed.file);
});

it("a damaged record means that no plugin is used", async () => {
  const user = await installedUser();
  await writeFile(user.installed.file, "{");
  expect(await user.installed.active()).toEqual([]);
  expect(await user.cli(["list"])).toMatchObject({ code: 0, text: "No plugins are installed.\n" });
});

it("without a plugin, looking for plugins makes no folder", async () => {
  const user = await pluginUser();
  await mkdir(user.dataDir);
  expect(await user.installed.active()).toEqual([]);
  expect(await readdir(user.dataDir)).toEqual([]);
});
