/** Servers, plugins and hooks that a policy does not name by their hash are not used, whatever the user approved. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import type { AdminPolicy } from "../../../../src/core/policy/admin-policy.ts";
import { contentHash } from "../../../../src/core/servers/content-hashes.ts";
import { createProjectHooks } from "../../../../src/node/config/hook-setup.ts";
import { InstalledPlugins } from "../../../../src/node/plugins/installed-plugins.ts";
import { createTerminalHost } from "../../../../src/node/terminal-host.ts";
import { definitionOf, memoryServers, serverTool } from "../../../support/memory-servers.ts";
import { claudeManifest, skillText } from "../../core/plugins/support.ts";
import { pluginUser } from "../plugin-support.ts";
import { neverAborted, temporaryFolder } from "../support.ts";

const BY = "Example IT";
const log = { info: () => {}, error: () => {} };
const policy = (more: Partial<AdminPolicy>): AdminPolicy => ({ managedBy: BY, file: "/etc/policy", ...more });

it("a server starts only with an allowed configuration, and its entry says why it does not", async () => {
  const hash = await contentHash(definitionOf("one"));
  const use = async (managed: AdminPolicy) => {
    const { project, connector } = memoryServers({
      servers: { one: { tools: [serverTool("a")], call: () => ({ content: [], isError: false }) } },
      policy: managed,
    });
    await project.prepare("s", neverAborted, () => undefined);
    const [entry] = project.all;
    const started = await project.restart("one", neverAborted).then(
      () => true,
      () => false,
    );
    return {
      starts: connector.starts.length > 0,
      started,
      state: entry?.server.state,
      why: entry?.server.failure,
    };
  };
  expect(await use(policy({ servers: { allowed: [hash] } }))).toMatchObject({ started: true });
  for (const servers of ["off" as const, { allowed: ["0".repeat(64)] }]) {
    expect(await use(policy({ servers }))).toEqual({
      ...{ starts: false, started: false, state: "managed" },
      why: { reason: { code: "mcp-managed", values: [BY, hash] } },
    });
  }
});

it("a plugin is used and installed only with an allowed hash", async () => {
  const user = await pluginUser();
  const from = await user.source({
    ".claude-plugin/plugin.json": claudeManifest({ version: "1.0" }),
    "skills/one/SKILL.md": skillText("one"),
  });
  expect(await user.cli(["add", from, "--yes"])).toMatchObject({ code: 0 });
  const [[name = "", plugin] = []] = await user.installed.all();
  const active = async (managed: AdminPolicy) =>
    (await new InstalledPlugins(user.dataDir, log, managed).active()).length;
  expect(await active(policy({}))).toBe(1);
  expect(await active(policy({ plugins: { allowed: [plugin?.hash ?? ""] } }))).toBe(1);
  expect(await active(policy({ plugins: { allowed: [] } }))).toBe(0);
  expect(await active(policy({ plugins: "off" }))).toBe(0);
  if (!plugin) throw new Error("nothing was installed");
  const installing = new InstalledPlugins(user.dataDir, log, policy({ plugins: "off" })).install(
    name,
    plugin,
    { files: new Map() } as never,
    plugin.hash,
  );
  await expect(installing).rejects.toMatchObject({ problem: { code: "managed", values: [BY, plugin.hash] } });
});

it("a hook runs only with an allowed hash, also one that the user approved before", async () => {
  const [root, home] = [await temporaryFolder(), await temporaryFolder()];
  const dataDir = path.join(home, "data");
  await mkdir(path.join(root, ".claude"));
  const settings = {
    hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "true" }] }] },
  };
  await writeFile(path.join(root, ".claude", "settings.json"), JSON.stringify(settings));
  const environment = { ...process.env, HOME: home };
  const hooksUnder = async (managed: AdminPolicy | undefined) => {
    const host = createTerminalHost({
      root,
      assetsDir: root,
      environment,
      dataDir,
      hasSandbox: false,
      log,
      policy: managed,
    });
    host.system = { ...host.system, home };
    const hooks = createProjectHooks(host, dataDir);
    await hooks.load();
    const [entry] = hooks.all;
    if (!entry) throw new Error("no hook");
    return { hooks, entry };
  };
  const free = await hooksUnder(undefined);
  await free.hooks.act({ action: "approve", id: free.entry.id, content: free.entry.content.lines });
  const { hash } = free.entry.content;
  for (const [hooks, refused] of [
    [{ allowed: [hash] }, undefined],
    [{ allowed: [] }, { code: "hook-managed", values: [BY, hash] }],
    ["off" as const, { code: "hook-managed", values: [BY, hash] }],
  ] as const) {
    const managed = await hooksUnder(
      policy({ hooks: typeof hooks === "string" ? hooks : { allowed: [...hooks.allowed] } }),
    );
    expect(await managed.hooks.refusal(managed.entry)).toEqual(refused);
    const approving = managed.hooks.act({
      action: "approve",
      id: managed.entry.id,
      content: managed.entry.content.lines,
    });
    if (refused) await expect(approving).rejects.toMatchObject({ fault: refused });
    else await approving;
  }
});
