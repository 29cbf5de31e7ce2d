/** The end of a tree of processes whose leader has ended already. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { endTree } from "../../../src/node/shell/process-tree.ts";
import { isAlive } from "../../support/processes.ts";
import { temporaryFolder } from "./support.ts";

/** Starts a process of its own that cleans up for `process.argv[1]` milliseconds when it is asked to end. */
const LEADER = `
  const [, pids, cleaned, ms] = process.argv;
  const work = "process.on('SIGTERM', () => setTimeout(() => { fs.writeFileSync(process.argv[1], 'yes'); process.exit(); }, "
    + ms + ")); setInterval(() => {}, 1000); console.log('ready')";
  const child = require("node:child_process").spawn(process.execPath, ["-e", work, cleaned],
    { detached: true, stdio: ["ignore", "pipe", "ignore"] });
  child.stdout.once("data", () => {
    require("node:fs").writeFileSync(pids, String(child.pid));
    process.exit();
  });`;

const IGNORES_SIGTERM = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("ready")`;

const onLinux = it.runIf(process.platform === "linux");

async function left(
  cleanUpMs: number,
): Promise<{ tree: { leader: number; mark: string }; pid: number; cleaned: string }> {
  const folder = await temporaryFolder();
  const [pids, cleaned] = [path.join(folder, "pids"), path.join(folder, "cleaned")];
  const id = randomUUID();
  const leader = spawn(process.execPath, ["-e", LEADER, pids, cleaned, String(cleanUpMs)], {
    env: { ...process.env, NEKODE_TREE: id },
    stdio: "ignore",
    detached: true,
  });
  await once(leader, "exit");
  const tree = { leader: leader.pid ?? 0, mark: `NEKODE_TREE=${id}` };
  return { tree, pid: Number(await readFile(pids, "utf8")), cleaned };
}

onLinux("gives what is left the time to clean up", async () => {
  const { tree, pid, cleaned } = await left(150);
  expect(isAlive(pid)).toBe(true);
  // On a busy machine it takes longer than it says.
  await endTree(tree, Promise.resolve(), { asked: 60_000 });
  expect(isAlive(pid)).toBe(false);
  expect(await readFile(cleaned, "utf8")).toBe("yes");
});

onLinux("ends what does not end by itself", async () => {
  const { tree, pid, cleaned } = await left(60_000);
  await endTree(tree, Promise.resolve());
  expect(isAlive(pid)).toBe(false);
  await expect(readFile(cleaned)).rejects.toThrow("ENOENT");
});

onLinux("waits until the parent of a killed process knows that it ended", async () => {
  const child = spawn(process.execPath, ["-e", IGNORES_SIGTERM], {
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  await once(child.stdout, "data");
  let isCollected = false;
  const ended = once(child, "exit").then(async () => {
    // What a busy parent does first.
    await pause(100);
    isCollected = true;
  });
  await endTree({ leader: child.pid ?? 0 }, ended, { collected: 60_000 });
  expect(child.signalCode).toBe("SIGKILL");
  expect(isCollected).toBe(true);
});
