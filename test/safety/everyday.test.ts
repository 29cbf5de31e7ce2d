/** The built-in list on a real folder: false alarms on one side, what must ask on the other. */
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Judge } from "../../src/core/loop/calls/permission.ts";
import type { ShellKind } from "../../src/core/ports/shell.ts";
import { settingsSchema } from "../../src/shared/settings.ts";
import { project } from "../support/tools-on-disk.ts";
import { ASKS, RUNS } from "./everyday.ts";
import { told } from "./judge.ts";

const FILES: Record<string, string> = {
  ".env": "KEY=canary\n",
  "../outside.txt": "canary\n",
  "../elsewhere/x": "canary\n",
  "README.md": "# TODO\n",
  "package.json": "{}\n",
  "log.txt": "error\n",
  "src/index.ts": "export function main() {}\n",
  "src/util.ts": "// TODO\n",
  "src/lib/a.ts": "a\n",
  "test/a.test.ts": "a\n",
  "docs/guide.md": "a\n",
  "my folder/x.txt": "a\n",
};

const SHELLS = ["bash", "zsh", "sh", "fish", "powershell", "cmd"] as const;

async function prepared() {
  const { host, at } = await project();
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(path.dirname(at(name)), { recursive: true });
    await writeFile(at(name), text);
  }
  await symlink(at(".env"), at("link"));
  await symlink(at("../elsewhere"), at("linked"));
  const settings = settingsSchema.parse({ approval: { commandSafe: true } });
  return async (kind: ShellKind, command: string) => {
    const judge = new Judge({ ...host, shell: { ...host.shell, kind } }, () => settings);
    const judged = await judge.permission({ access: "command" }, { paths: [], command }, "act");
    return judged.verdict === "allow" ? "runs" : `asks (${told(judged.reason)})`;
  };
}

describe.each(SHELLS)("with the built-in list, in %s", (shell) => {
  const wrong = async (commands: readonly string[], expected: string) => {
    const verdict = await prepared();
    const found: string[] = [];
    for (const command of commands) {
      const got = await verdict(shell, command);
      if (!got.startsWith(expected)) found.push(`${command}: ${got}`);
    }
    return found;
  };

  it("what only looks around runs", async () => {
    // Git is asked for each of its commands: in the shells that read them like bash, those with signs of their own are enough.
    const isLikeBash = /^(?:zsh|sh|fish)$/.test(shell);
    const commands = RUNS[shell].filter((command) => !isLikeBash || !/^git [^~^]*$/.test(command));
    expect(await wrong(commands, "runs")).toEqual([]);
  });

  it("what reads secrets, leaves the project, writes or runs something asks", async () => {
    expect(await wrong(ASKS[shell], "asks")).toEqual([]);
  });
});

it("there are more than 200 different commands of each kind", () => {
  for (const all of [RUNS, ASKS]) expect(new Set(Object.values(all).flat()).size).toBeGreaterThan(200);
});
