/** One task that meets every kind of bad input: each call has its answer, and the task comes to its end. */
import { execFileSync } from "node:child_process";
import { chmod, mkdir, open, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { Project } from "../../../src/core/agent/project.ts";
import { ModelProfiles } from "../../../src/core/provider/model-profile.ts";
import { openSessionStore } from "../../../src/core/sessions/store.ts";
import { createAssets } from "../../../src/node/assets.ts";
import { settingsSchema } from "../../../src/shared/settings.ts";
import { rowsOf } from "../../../src/shared/view/reducer.ts";
import { startModelServer } from "../../model-server/server.ts";
import { createNodeHost } from "../../support/node-host.ts";
import { underOne } from "../../support/protocols.ts";
import { temporaryFolder } from "./support.ts";

vi.setConfig({ testTimeout: 120_000 });

type Step = [tool: string, params: Record<string, string | boolean>, answer: RegExp];
const command = (text: string) => ({ command: text, requires_approval: false });

const steps: Step[] = [
  ["read_file", { path: "nul\0.txt" }, /contains control characters/],
  ["read_file", { path: "loop" }, /refers to itself/],
  ["list_files", { path: "self", recursive: true }, /changed\.txt/],
  ["search_files", { path: "pipe", regex: "x" }, /is a pipe/],
  ["read_file", { path: "pipe" }, /is a pipe/],
  ["read_file", { path: "huge.txt" }, /has 2\.1 GB/],
  ["read_file", { path: "line.txt" }, /line 1 has 5000000 characters/],
  ["read_file", { path: "changed.txt" }, /as it was read/],
  // Somebody else writes it.
  [
    "execute_command",
    command("echo theirs, longer > changed.txt"),
    /Exit code 0 .*\nIt ran in .*\/nowhere\/zsh does not exist/,
  ],
  ["write_to_file", { path: "changed.txt", content: "ours\n" }, /changed by somebody else/],
  ["execute_command", command("echo x > /dev/full"), /No space left on device/],
  ["execute_command", command(`: ${"x".repeat(102_400)}; echo long`), /Exit code 0 .*\n.*long/s],
  ["execute_command", command(`: ${"x".repeat(140_000)}`), /more than the limit of 130000/],
  ["execute_command", command("kill -KILL $$"), /Ended by the signal SIGKILL/],
];

it.each(underOne("native"))("goes on to its end, under %s", async (protocol) => {
  const folder = await temporaryFolder();
  const root = path.join(folder, "project");
  const at = (name: string) => path.join(root, name);
  await mkdir(root);
  await symlink("loop", at("loop"));
  await symlink(root, at("self"));
  execFileSync("mkfifo", [at("pipe")]);
  const huge = await open(at("huge.txt"), "w");
  await huge.truncate(2 * 1024 ** 3);
  await huge.close();
  await writeFile(at("line.txt"), "x".repeat(5_000_000));
  await writeFile(at("changed.txt"), "as it was read\n");
  await chmod(root, 0o755);

  // The XML protocol cannot say NUL.
  const asked = protocol === "xml" ? steps.slice(1) : steps;
  const server = await startModelServer({
    script: {
      turns: [
        ...asked.map(([tool, params], index) => ({
          match: { request: index + 1 },
          answer: [{ tool, params }],
        })),
        {
          match: { request: asked.length + 1 },
          answer: [{ tool: "attempt_completion", params: { result: "All tried." } }],
        },
      ],
    },
  });
  onTestFinished(() => server.close());
  const packages = path.join(import.meta.dirname, "../../../node_modules");
  const errors: string[] = [];
  const { host, storage } = createNodeHost({
    root,
    dataDir: path.join(folder, "data"),
    assetsDir: path.join(packages, "@vscode/tree-sitter-wasm/wasm"),
    environment: { PATH: process.env.PATH, HOME: folder, SHELL: "/nowhere/zsh" },
    log: { info: () => {}, error: (text) => void errors.push(text) },
  });
  const settings = settingsSchema.parse({
    provider: { baseUrl: server.url, model: "scripted", protocol },
    approval: { edit: true, commandAll: true },
    checkpoints: { enabled: false },
  });
  const wasm = path.join(packages, "sql.js/dist");
  const store = await openSessionStore(storage, createAssets(wasm), host.clock, host.log);
  const project = new Project({
    host,
    store,
    settings: () => settings,
    apiKey: async () => "key",
    profiles: new ModelProfiles(),
  });
  const { view } = project;
  onTestFinished(async () => {
    await project.dispose();
    host.shell.dispose();
    await store.close();
  });

  // A link that refers to itself is asked for, and so may be a script by its name.
  project.onEvent((event) => {
    if (event.type === "approval") view.active.approve(event.callId);
  });
  await view.send("Try everything");
  expect((await view.active.idle)?.type).toBe("completed");
  const told = (request: number) => JSON.stringify(server.chat(request).messages.slice(-2));
  for (const [index, [tool, , answer]] of asked.entries()) {
    const text = told(index + 2)
      .replaceAll("\\\\n", "\n")
      .replaceAll("\\n", "\n");
    expect(text, `${index}: ${tool}`).toMatch(answer);
  }
  expect(server.refusals).toEqual([]);
  expect(errors).toEqual([]);
  expect(await readFile(at("changed.txt"), "utf8")).toBe("theirs, longer\n");
  expect(rowsOf(view.active.chatView).at(-1)).toMatchObject({ kind: "call", tool: "attempt_completion" });
});
