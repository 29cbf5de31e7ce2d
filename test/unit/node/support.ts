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
