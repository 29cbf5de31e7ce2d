/** Whether a process runs: a number alone does not say so. */
import { execFileSync, spawn } from "node:child_process";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isBusyProcess, isRunning, parseStat, readStat, startOf } from "../../../src/node/process-status.ts";
import { endedProcess, statOf } from "../../support/processes.ts";
import { asNobody, neglectedProcess, temporaryFolder } from "./support.ts";

const onLinux = it.runIf(process.platform === "linux");

it("runs: this process, its parent, and one of another user", async () => {
  expect([await isRunning(process.pid), await isRunning(process.ppid)]).toEqual([true, true]);
  await asNobody(async () => expect(await isRunning(1)).toBe(true));
});

it.each([endedProcess(), 0, -1, 1.5, Number.NaN, 2 ** 31, 2 ** 40])("does not run: %s", async (pid) => {
  expect(await isRunning(pid)).toBe(false);
});

onLinux("is the process that started then, not another one of its number", async () => {
  const started = await startOf(process.ppid);
  expect(started).toBe(statOf(process.ppid)[19]);
  expect(await isRunning(process.ppid, started)).toBe(true);
  expect(await isRunning(process.ppid, "1")).toBe(false);
});

onLinux("is not running as a zombie", async () => {
  const child = await neglectedProcess();
  const started = await startOf(child.pid);
  expect([await isRunning(child.pid), await isRunning(child.pid, started)]).toEqual([true, true]);
  await child.kill();
  expect([await isRunning(child.pid), await isRunning(child.pid, started)]).toEqual([false, false]);
});

onLinux("is read whatever its name is, and not at all when it is gone", async () => {
  const fields = "S 4 5 6 34816 -1 0 0 0 0 0 0 0 0 0 0 20 0 1 777 0";
  expect(parseStat(`12 (a) R (b c) ${fields}`)).toEqual({
    state: "S",
    parent: 4,
    group: 5,
    session: 6,
    terminal: 34816,
    started: "777",
  });
  expect(parseStat("")).toBeUndefined();
  expect(await readStat(endedProcess())).toBeUndefined();
});

onLinux(
  "works while it computes, but not while it waits for a pipe or reads a device without an end",
  async () => {
    const pipe = path.join(await temporaryFolder(), "pipe");
    execFileSync("mkfifo", [pipe]);
    const works = (script: string) => {
      const child = spawn("sh", ["-c", script], { stdio: "ignore" });
      onTestFinished(() => void child.kill("SIGKILL"));
      return expect.poll(() => isBusyProcess(child.pid ?? 0));
    };
    await works("while :; do :; done").toBe(true);
    await works(`read line < ${pipe}`).toBe(false);
    await works("exec 3< /dev/zero; while :; do :; done").toBe(false);
    expect(await isBusyProcess(endedProcess())).toBe(false);
  },
);
