import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** A folder of the test's own, gone when it ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "nekode-test-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
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
