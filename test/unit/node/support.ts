import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished } from "vitest";
import { statOf } from "../../support/processes.ts";

/** A folder of the test's own, gone when it ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "nekode-test-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Computes until it is so; nothing else happens in this process meanwhile. */
export function busyUntil(isSo: () => boolean): void {
  const deadline = performance.now() + 30_000;
  while (!isSo()) if (performance.now() > deadline) throw new Error("it did not come to pass");
}

export const neverAborted = new AbortController().signal;

/** Everything is readable to root: then what is done is done as somebody else. */
export async function asNobody(work: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return work();
  const nobody = 65_534;
  process.seteuid?.(nobody);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}

/** A process whose parent never asks how it ended: `kill` makes it a zombie. */
export async function neglectedProcess(): Promise<{ pid: number; kill(): Promise<void> }> {
  // The shell becomes `sed`, and only `sed` answers. The shell itself must not print the number: dash reaps whatever
  // has ended after each of its builtins, so a child killed right after an `echo` would leave no zombie.
  const parent = spawn("/bin/sh", ["-c", 'sleep 60 & exec sed -u "s/.*/$!/"'], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  parent.stdin.write("\n");
  const [said] = await once(parent.stdout, "data");
  const pid = Number(String(said));
  onTestFinished(() => void parent.kill("SIGKILL"));
  return {
    pid,
    async kill() {
      process.kill(pid, "SIGKILL");
      await expect.poll(() => statOf(pid)[0]).toBe("Z");
    },
  };
}
