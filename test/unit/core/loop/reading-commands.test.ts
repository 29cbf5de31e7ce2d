/** Where a command runs that only reads, at the levels that ask about commands. The judge is real; there is a sandbox to run in. */
import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { Judge } from "../../../../src/core/loop/calls/permission.ts";
import { accessSchema, LEVEL_ACCESS, levelOf } from "../../../../src/shared/permission/levels.ts";
import {
  ASK_ALL,
  NO_PERMISSION,
  type SessionPermission,
  settingsWith,
} from "../../../../src/shared/permission/session-permission.ts";
import type { SandboxState } from "../../../../src/shared/sandbox-state.ts";
import { settingsSchema } from "../../../../src/shared/settings.ts";
import { project } from "../../../support/tools-on-disk.ts";

interface Given {
  settings?: unknown;
  permission?: Partial<SessionPermission>;
  requiresApproval?: boolean;
  state?: SandboxState;
}

const THERE: SandboxState = { engine: "bubblewrap", version: "0.8.0" };
const NONE: SandboxState = { engine: undefined, why: "missing", detail: "bubblewrap" };

/** "asks", "denied", or where the command runs. */
async function where(command: string, given: Given = {}): Promise<string> {
  const { settings = {}, permission = {}, requiresApproval = false, state = THERE } = given;
  const { host, at } = await project();
  await writeFile(at("a.txt"), "a\n");
  await writeFile(at(".env"), "KEY=canary\n");
  const { kind } = host.shell;
  const judge = new Judge({ ...host, shell: { kind, sandbox: async () => state } }, () =>
    settingsWith(settingsSchema.parse(settings), { ...NO_PERMISSION, ...permission }),
  );
  const invocation = { paths: [], command, requiresApproval };
  const { verdict, sandbox } = await judge.permission(
    { access: "command", name: "execute_command" },
    invocation,
    "act",
  );
  return verdict === "allow" ? (sandbox?.profile ?? "outside") : verdict === "ask" ? "asks" : "denied";
}

it("runs where nothing can be written, and everything else asks", async () => {
  expect(await where("git log --oneline; cat a.txt | wc -l")).toBe("read");
  for (const command of [
    "touch b.txt",
    "cat a.txt > b.txt",
    "cat .env",
    "cat ../b.txt",
    "npm test",
    "cat $X",
  ])
    expect(await where(command), command).toBe("asks");
  expect(await where("cat a.txt", { requiresApproval: true })).toBe("asks");
  // The secret that it would come upon is hidden there.
  expect(await where("grep -r KEY .")).toBe("read");
  expect(await where("grep -r KEY . && cat a.txt")).toBe("read");
  for (const command of ["grep -r KEY . && npm test", "grep -r KEY . && cat .env"])
    expect(await where(command), command).toBe("asks");
  expect(await where("grep -r KEY .", { state: NONE })).toBe("asks");
});

it("may have patterns, because neither a secret that they match nor an option that a name becomes does harm there", async () => {
  for (const command of ["cat *.txt", "ls *", "wc -l ./*.txt | sort"]) {
    expect(await where(command), command).toBe("read");
    expect(await where(command, { state: NONE }), command).toBe("asks");
  }
  for (const command of [
    "cat ../*",
    "cat .env *.txt",
    "cat *.txt > b.txt",
    "cat *.txt && npm test",
    "cat $X*",
  ])
    expect(await where(command), command).toBe("asks");
});

it("is one that the built-in list covers: the user's entries run outside, and none runs beside one that reads", async () => {
  const allow = ["npm test"];
  expect(await where("npm test", { settings: { commands: { allow } } })).toBe("outside");
  expect(await where("cat a.txt && npm test", { settings: { commands: { allow } } })).toBe("asks");
  expect(await where("cat a.txt", { settings: { commands: { allow: ["!cat"] } } })).toBe("asks");
  expect(await where("cat a.txt", { settings: { commands: { deny: ["cat"] } } })).toBe("denied");
});

it("asks without a sandbox", async () => {
  expect(await where("cat a.txt", { state: NONE })).toBe("asks");
  for (const sandbox of ["off", "required"])
    expect(await where("cat a.txt", { settings: { sandbox }, state: NONE }), sandbox).toBe("asks");
  expect(await where("cat a.txt", { settings: { sandbox: "off" } })).toBe("asks");
});

it("asks in a session whose user is to be asked about commands, or about reading", async () => {
  const permissions: Partial<SessionPermission>[] = [
    { exceptions: { execute_command: false } },
    { classes: { commandRead: false } },
    { classes: { read: false } },
    ASK_ALL,
  ];
  for (const permission of permissions)
    expect(await where("cat a.txt", { permission }), JSON.stringify(permission)).toBe("asks");
});

it.each([
  ["ask", {}, "read"],
  ["edits", { edit: true }, "read"],
  ["safe", { edit: true, commandSafe: true }, "work"],
] as const)(
  "knows the level %s by what was stored before there was a setting for it",
  async (level, approval, place) => {
    expect(levelOf(accessSchema.parse(settingsSchema.parse({ approval }).approval))).toBe(level);
    expect(await where("cat a.txt", { settings: { approval } })).toBe(place);
    const { commandRead: _, ...classes } = LEVEL_ACCESS[level];
    expect(await where("cat a.txt", { permission: { classes } })).toBe(place);
  },
);
