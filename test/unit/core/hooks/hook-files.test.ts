/** The files of four agents become one kind of hook; what is wrong in one entry is reported and does not affect the others. */
import { expect, it } from "vitest";
import { loadHooks, timeLimit } from "../../../../src/core/hooks/hook-files.ts";
import { memoryHost } from "../../../support/memory-host.ts";

type Platform = "linux" | "darwin" | "win32";

async function load(files: Record<string, string>, { trusted = true, platform = "linux" as Platform } = {}) {
  const { host, files: all } = memoryHost({});
  for (const [path, text] of Object.entries(files)) all.set(path, text);
  const { workspace, system } = host;
  return loadHooks({
    files: host.files,
    workspace: { ...workspace, trusted },
    system: { ...system, platform },
  });
}

const run = (command: string, more: object = {}) => ({ type: "command", command, ...more });

it("reads the files of Claude Code, VS Code, the Copilot CLI and Codex, of the user before those of the project", async () => {
  const { hooks, problems } = await load({
    "/home/person/.claude/settings.json": JSON.stringify({
      hooks: { PreToolUse: [{ matcher: "Bash", hooks: [run("claude-user", { timeout: 5 })] }] },
    }),
    "/home/person/.copilot/hooks/a.json": JSON.stringify({
      version: 1,
      hooks: { userPromptSubmitted: [{ type: "command", bash: "copilot", powershell: "no", timeoutSec: 7 }] },
    }),
    "/home/person/.codex/hooks.json": JSON.stringify({
      hooks: { Stop: [{ hooks: [run("codex", { commandWindows: "codex-windows" })] }] },
    }),
    "/project/.claude/settings.local.json": `\uFEFF{ "hooks": { "PostToolUse": [ { "hooks": [ {"type":"command","command":"claude-local"}, ] } ] }, // a comment
    }`,
    "/project/.github/hooks/b.json": JSON.stringify({
      hooks: { SessionStart: [run("vscode", { linux: "vscode-linux", cwd: "tools", env: { A: 1 } })] },
    }),
  });
  expect(problems).toEqual([]);
  expect(
    hooks.map((hook) => [
      hook.reader,
      hook.source,
      hook.handler.command,
      hook.bindings,
      timeLimit(hook, "Stop"),
    ]),
  ).toEqual([
    ["claude", "user", "claude-user", [{ event: "PreToolUse", matcher: "Bash" }], 5_000],
    ["copilot", "user", "copilot", [{ event: "UserPromptSubmit" }], 7_000],
    ["codex", "user", "codex", [{ event: "Stop" }], 600_000],
    ["claude", "project", "claude-local", [{ event: "PostToolUse" }], 600_000],
    ["vscode", "project", "vscode-linux", [{ event: "SessionStart" }], 30_000],
  ]);
  expect(hooks.at(-1)?.handler).toMatchObject({ cwd: "tools", env: { A: "1" }, shell: "sh" });
});

it("uses the command of the platform", async () => {
  const files = {
    "/project/.github/hooks/b.json": JSON.stringify({
      hooks: { stop: [run("any", { windows: "for-windows", osx: "for-mac" })] },
    }),
  };
  const commands = await Promise.all(
    (["linux", "darwin", "win32"] as const).map(async (platform) => {
      const [hook] = (await load(files, { platform })).hooks;
      return [hook?.handler.command, hook?.handler.shell];
    }),
  );
  expect(commands).toEqual([
    ["any", "sh"],
    ["for-mac", "sh"],
    ["for-windows", "powershell"],
  ]);
});

it("joins the events of one command of a file, so that the user approves it once", async () => {
  const { hooks } = await load({
    "/project/.claude/settings.json": JSON.stringify({
      hooks: {
        PreToolUse: [{ hooks: [run("x")] }],
        PostToolUse: [{ matcher: "Edit", hooks: [run("x"), run("y")] }],
      },
    }),
  });
  expect(hooks.map(({ handler, bindings }) => [handler.command, bindings.map(({ event }) => event)])).toEqual(
    [
      ["x", ["PreToolUse", "PostToolUse"]],
      ["y", ["PostToolUse"]],
    ],
  );
});

it("reports what it cannot use, with its line", async () => {
  const { hooks, problems } = await load({
    "/project/.claude/settings.json": `{"hooks": {
      "WorktreeCreate": [],
      "Stop": [{"hooks": [{"type": "http", "url": "http://x"}]}],
      "PreToolUse": [{"matcher": "(a+)+", "hooks": [{"type": "command", "command": "a"}]},
        {"hooks": [{"type": "command"}, {"type": "command", "command": 7}, {"type": "command", "command": "good"}]}]
    }}`,
    "/project/.codex/hooks.json": "{ broken",
  });
  expect(hooks.map(({ handler }) => handler.command)).toEqual(["good"]);
  expect(problems.map(({ line, reason }) => [line, reason.code])).toEqual([
    [2, "hook-event-unknown"],
    [3, "hook-type-unsupported"],
    [4, "hook-matcher-unusable"],
    [5, "hook-command-missing"],
    [5, "invalid-value"],
    [1, "not-json"],
  ]);
});

it("reads no file of a workspace that is not trusted, and none that a link leads out of the project", async () => {
  const project = { "/project/.claude/settings.json": JSON.stringify({ hooks: { Stop: [run("x")] } }) };
  const own = { "/home/person/.claude/settings.json": project["/project/.claude/settings.json"] };
  expect((await load({ ...project, ...own }, { trusted: false })).hooks).toEqual([]);
  const { host, files } = memoryHost({});
  files.set("/project/.claude/settings.json", project["/project/.claude/settings.json"]);
  const linked = {
    ...host.files,
    realpath: async (path: string) => (path.endsWith("settings.json") ? "/etc/evil.json" : path),
  };
  const { hooks, problems } = await loadHooks({ ...host, files: linked });
  expect(hooks).toEqual([]);
  expect(problems.map(({ reason }) => reason)).toEqual([
    { code: "link-elsewhere", values: ["/etc/evil.json"] },
  ]);
});

it("disableAllHooks of the user switches Claude Code's hooks off everywhere, and that of a project only the project's", async () => {
  const own = (more: object) => JSON.stringify({ ...more, hooks: { Stop: [{ hooks: [run("x")] }] } });
  const files = {
    "/home/person/.claude/settings.json": own({}),
    "/project/.claude/settings.json": own({ disableAllHooks: true }),
  };
  expect((await load(files)).hooks.map(({ source }) => source)).toEqual(["user"]);
  expect(
    (await load({ ...files, "/home/person/.claude/settings.json": own({ disableAllHooks: true }) })).hooks,
  ).toEqual([]);
});
