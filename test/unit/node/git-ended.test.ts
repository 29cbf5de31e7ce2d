/** A git that is waited for no longer ends, and so does the git that it started itself, as `git stash list` does. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { runGit } from "../../../src/node/git/git-process.ts";
import { isRunning } from "../../../src/node/process-status.ts";
import { temporaryFolder } from "./support.ts";

it.skipIf(process.platform === "win32").each([
  ["is interrupted", 1_000_000],
  ["has said enough", 1],
])("ends with all that it started when it %s", async (_, most) => {
  const folder = await temporaryFolder();
  const git = path.join(folder, "git");
  const named = path.join(folder, "child");
  const lines = [
    "#!/bin/sh",
    "sleep 600 &",
    `echo $! > ${named}.new`,
    `mv ${named}.new ${named}`,
    "echo more",
    "wait",
  ];
  writeFileSync(git, `${lines.join("\n")}\n`);
  chmodSync(git, 0o755);
  const ended = new AbortController();
  const running = runGit(git, ["log"], { ...process.env }, folder, { signal: ended.signal, most });
  const finished = running.then(String, (error: unknown) => error);
  await expect.poll(() => existsSync(named)).toBe(true);
  const child = Number(readFileSync(named, "utf8"));
  if (most > 1) ended.abort();
  expect(await finished).toEqual(most > 1 ? expect.any(Error) : "more\n");
  await expect.poll(() => isRunning(child)).toBe(false);
});
