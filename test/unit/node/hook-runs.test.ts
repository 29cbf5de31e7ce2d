/** Hooks as real programs: the commands of `nekode hooks`, and what a hostile hook cannot do to the agent. */
import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { type HooksHost, runHooksCommand } from "../../../src/cli/hooks/hooks-command.ts";
import { readHooksOptions } from "../../../src/cli/hooks/hooks-options.ts";
import type { ProjectHooks } from "../../../src/core/hooks/project-hooks.ts";
import { sampleMoment } from "../../../src/core/hooks/sample-moment.ts";
import { SessionHooks } from "../../../src/core/hooks/session-hooks.ts";
import { createProjectHooks } from "../../../src/node/config/hook-setup.ts";
import { createTerminalHost } from "../../../src/node/terminal-host.ts";
import { translator } from "../../../src/shared/words/task-words.ts";
import { neverAborted, temporaryFolder } from "./support.ts";

const onPosix = it.skipIf(process.platform === "win32");

/** A project whose Claude Code settings run these scripts before each Bash call; the user has approved all of them. */
async function project(scripts: Record<string, string>, handler: object = {}) {
  const root = await temporaryFolder();
  const home = await temporaryFolder();
  const dataDir = path.join(home, "data");
  const folder = path.join(root, ".claude", "hooks");
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(scripts)) {
    await writeFile(path.join(folder, name), `#!/bin/sh\n${text}\n`);
    await chmod(path.join(folder, name), 0o755);
  }
  const hooks = Object.keys(scripts).map((name) => ({
    type: "command",
    command: `"$CLAUDE_PROJECT_DIR"/.claude/hooks/${name}`,
    ...handler,
  }));
  const settings = { hooks: { PreToolUse: [{ matcher: "Bash", hooks }] } };
  await writeFile(path.join(root, ".claude", "settings.json"), JSON.stringify(settings));
  const environment = {
    ...process.env,
    HOME: home,
    NEKODE_API_KEY: "secret",
    NEKODE_API_KEY_OTHER: "secret",
  };
  const log = { info: () => {}, error: () => {} };
  const host = createTerminalHost({
    policy: undefined,
    root,
    assetsDir: root,
    environment,
    dataDir,
    hasSandbox: false,
    log,
  });
  // The home folder of the test's user may have hooks.
  host.system = { ...host.system, home };
  const found = createProjectHooks(host, dataDir);
  const printed: string[] = [];
  const print = async (text: string) => void printed.push(text);
  const around: HooksHost = {
    ...{ hooks: found, host, t: translator({}), signal: neverAborted },
    screen: { out: print, err: print },
  };
  const cli = async (...args: string[]) => {
    printed.length = 0;
    const code = await runHooksCommand(readHooksOptions(args, root), around);
    return { code, text: printed.join("") };
  };
  return { root, folder, host, found, cli };
}

/** Runs the hooks for `git push`. Returns the verdict, and the values of each row. */
async function push(
  { found, host }: { found: ProjectHooks; host: HooksHost["host"] },
  signal = neverAborted,
) {
  const rows: string[][] = [];
  const session = new SessionHooks({
    hooks: found,
    host,
    session: {
      id: "s",
      mode: "act",
      emit: (event) => void (event.type === "notice" && rows.push(event.values ?? [])),
    },
    permissionMode: () => "default",
    stop: () => {},
  });
  const moment = sampleMoment("PreToolUse", { tool: "Bash", input: { command: "git push" } });
  return { verdict: await session.run(moment, signal), rows };
}

const GUARD = `case "$(cat)" in *'"command":"git push"'*) echo "Never push from here." >&2; exit 2;; esac`;

onPosix(
  "a guard of Claude Code's works unchanged: listed, approved, tested, and asked about again when its script changes",
  async () => {
    const { folder, cli, found } = await project({ "guard.sh": GUARD });
    expect((await cli("list")).text).toMatch(
      /^\w{8} {2}requires approval {2}PreToolUse {2}"\$CLAUDE_PROJECT_DIR".*settings\.json:1\)/,
    );
    const unapproved = await cli("test", "preToolUse");
    expect(unapproved).toMatchObject({ code: 0, text: expect.stringContaining("requires approval") });
    const [id = ""] = found.list().hooks.map((hook) => hook.id);
    const approved = await cli("approve", id);
    for (const shown of ["event: PreToolUse (Bash)", "guard.sh", "content: "])
      expect(approved.text).toContain(shown);
    expect(await cli("test", "PreToolUse")).toMatchObject({
      code: 4,
      text: expect.stringContaining("It would be blocked. Never push from here."),
    });
    expect(await cli("test", "PreToolUse", "--input", '{"command":"ls"}')).toMatchObject({ code: 0 });

    await writeFile(path.join(folder, "guard.sh"), "#!/bin/sh\nexit 0\n");
    expect((await cli("list")).text).toContain("changed, requires approval");
    expect(await cli("test", "PreToolUse")).toMatchObject({
      code: 0,
      text: expect.stringContaining("was not run"),
    });
    await cli("ask-if-it-fails", id);
    expect((await cli("test", "PreToolUse")).text).toContain("You would be asked.");
    await cli("off", id);
    expect(await cli("test", "PreToolUse")).toMatchObject({
      code: 0,
      text: expect.stringContaining("disabled"),
    });
  },
);

onPosix(
  "50 MB of output, control characters and a process that stays neither fill the memory nor keep a hook from ending",
  async () => {
    const made = await project({
      "loud.sh": "head -c 50000000 /dev/zero | tr '\\0' x",
      "red.sh": "printf '\\033[31mred\\033[0m\\007\\033]0;title\\007' >&2; exit 2",
      "stays.sh": 'sleep 600 & echo $! > "$CLAUDE_PROJECT_DIR/pid"',
    });
    await made.cli("approve", "--all");
    const { verdict, rows } = await push(made);
    process.kill(Number(await readFile(path.join(made.root, "pid"), "utf8")));
    expect(verdict).toMatchObject({ decision: "deny", reason: "red" });
    const ends = rows.filter(([, , outcome]) => outcome !== "running");
    expect(ends.map((values) => values[2]).sort()).toEqual(["blocked", "done", "done"]);
    expect(Math.max(...rows.map((values) => values[4]?.length ?? 0))).toBe(20_000);
  },
);

onPosix("a hook that hangs is ended by its time limit, decides nothing, and says so in its row", async () => {
  const made = await project({ "hang.sh": "trap '' TERM; sleep 600" }, { timeout: 0.2 });
  await made.cli("approve", "--all");
  const { verdict, rows } = await push(made);
  expect(verdict.decision).toBeUndefined();
  expect(rows.at(-1)?.slice(2, 4)).toEqual(["timed-out", "0.2"]);
});

onPosix("a hook gets the project's folder and the input of the call, and none of our keys", async () => {
  const made = await project({
    "env.sh":
      'env > "$CLAUDE_PROJECT_DIR/env"; cat > "$CLAUDE_PROJECT_DIR/input"; [ -t 0 ] && exit 2; exit 0',
  });
  await made.cli("approve", "--all");
  expect((await push(made)).verdict.decision).toBeUndefined();
  const environment = await readFile(path.join(made.root, "env"), "utf8");
  expect(environment).toContain(`CLAUDE_PROJECT_DIR=${made.root}`);
  expect(environment).not.toContain("secret");
  expect(JSON.parse(await readFile(path.join(made.root, "input"), "utf8"))).toMatchObject({
    cwd: made.root,
    tool_input: { command: "git push" },
    toolArgs: '{"command":"git push"}',
  });
});

onPosix("a script that a link leads out of the project is refused, whatever was approved", async () => {
  const made = await project({});
  const outside = path.join(await temporaryFolder(), "outside.sh");
  await writeFile(outside, "#!/bin/sh\nexit 2\n");
  await chmod(outside, 0o755);
  await symlink(outside, path.join(made.folder, "link.sh"));
  const hooks = [{ type: "command", command: ".claude/hooks/link.sh" }];
  const settings = { hooks: { PreToolUse: [{ hooks }] } };
  await writeFile(path.join(made.root, ".claude", "settings.json"), JSON.stringify(settings));
  expect((await made.cli("list")).text).toContain(
    "outside.sh may resolve to another location through a link",
  );
  await expect(made.cli("approve", "--all")).rejects.toThrow("cannot be used");
  expect((await push(made)).verdict).toEqual({ context: [] });
});
