/**
 * The end of a tree of processes where the system is Windows, as far as another system can show it: what runs Windows' program for it, and
 * what happens where that fails. A program of the test's own stands for Windows' one.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { endTree, killTree } from "../../../src/node/shell/process-tree.ts";
import { temporaryFolder } from "./support.ts";

/** Without a slash in it, other systems look for this name on PATH. */
const TASKKILL = "C:\\Windows\\System32\\taskkill.exe";

const { platform } = process;
let folder: string;
let child: ChildProcess;

const onOthers = describe.runIf(platform !== "win32");

/** `exit`: the exit code of Windows' program; undefined: there is none. */
async function startOnWindows(exit: number | undefined): Promise<void> {
  if (exit !== undefined) {
    const file = path.join(folder, TASKKILL);
    await writeFile(file, `#!/bin/sh\necho "$@" > "${folder}/asked"\nexit ${exit}\n`);
    await chmod(file, 0o755);
  }
  child = spawn("sleep", ["600"]);
  await once(child, "spawn");
  vi.stubEnv("PATH", `${folder}${path.delimiter}${process.env.PATH}`);
  Object.defineProperty(process, "platform", { value: "win32" });
}

const asked = () => readFile(path.join(folder, "asked"), "utf8").then((text) => text.trim());

onOthers("on Windows", () => {
  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(() => {
    Object.defineProperty(process, "platform", { value: platform });
    child.kill("SIGKILL");
  });

  const ways: [string, (leader: number) => Promise<void> | void][] = [
    ["Stop", (leader) => endTree({ leader }, Promise.resolve())],
    ["a shutdown", (leader) => killTree({ leader })],
  ];

  it.each(ways)("%s asks Windows to end the command with all that it started", async (_, end) => {
    await startOnWindows(0);
    await end(child.pid ?? 0);
    expect(await asked()).toBe(`/pid ${child.pid} /t /f`);
    expect(child.killed || child.exitCode !== null).toBe(false);
  });

  it.each(ways)("%s ends the command itself where Windows' program fails", async (_, end) => {
    await startOnWindows(128);
    const ended = once(child, "exit");
    await end(child.pid ?? 0);
    expect(await ended).toEqual([null, "SIGKILL"]);
    expect(await asked()).toContain("/t");
  });

  it.each(ways)("%s ends the command itself where that program cannot be run", async (_, end) => {
    await startOnWindows(undefined);
    const ended = once(child, "exit");
    await end(child.pid ?? 0);
    expect(await ended).toEqual([null, "SIGKILL"]);
  });

  it.each(ways)("%s of a command that did not start ends nothing", async (_, end) => {
    await startOnWindows(128);
    await end(0);
    await expect(asked()).rejects.toThrow("ENOENT");
    Object.defineProperty(process, "platform", { value: platform });
    // To other systems, 0 is the group of this very process.
    await end(0);
    expect(child.exitCode).toBeNull();
  });
});
