import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { alive, killTree, run, startGuarded } from "../../scripts/lib/processes.mjs";
import { killListed, runningProcesses } from "../support/processes.ts";

const PROCESSES = fileURLToPath(new URL("../../scripts/lib/processes.mjs", import.meta.url));

test("a guarded process is stopped with all that it started, heeding SIGTERM or not", async () => {
  let output = "";
  let both = () => {};
  const started = new Promise<void>((resolve) => {
    both = resolve;
  });
  const guarded = startGuarded(process.execPath, ["-e", parentOf(2, { stubborn: true })], {
    onOutput: (text) => {
      output += text;
      if (idsIn(output).length === 2) both();
    },
  });
  await started;
  const ids = idsIn(output);
  expect(ids.map(alive)).toEqual([true, true]);
  await guarded.stop();
  expect(ids.map(alive)).toEqual([false, false]);
});

test("nothing outlives a process that is killed with SIGKILL", async () => {
  const script = `
    import { startGuarded } from ${JSON.stringify(PROCESSES)};
    startGuarded(process.execPath, ["-e", ${JSON.stringify(parentOf(2))}], { onOutput: (text) => process.stdout.write(text) });
  `;
  const owner = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  for await (const chunk of owner.stdout) {
    output += chunk;
    if (idsIn(output).length === 2) break;
  }
  const ids = idsIn(output);
  onTestFinished(() => {
    for (const id of ids.filter(alive)) killListed(id);
  });
  owner.kill("SIGKILL");
  await once(owner, "exit");
  await expect.poll(() => ids.map(alive)).toEqual([false, false]);
});

test.runIf(process.platform === "linux")(
  "what a tree starts while it is being ended is ended too",
  async () => {
    const mark = randomUUID();
    // Both ignore SIGTERM, and there are always new ones.
    const script =
      "trap '' TERM; n=0; while [ $n -lt 1500 ]; do sleep 60 & echo up; n=$((n + 1)); done; wait";
    const tree = spawn("sh", ["-c", script], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, NEKODE_PROCESS_MARK: mark },
    });
    const marked = () => runningProcesses((_, environment) => environment().includes(mark));
    onTestFinished(() => {
      for (const { pid } of marked()) killListed(pid);
    });
    await once(tree.stdout.resume(), "data");
    await killTree(tree.pid ?? 0, { graceMs: 50, mark });
    expect(marked()).toEqual([]);
  },
);

// Without a parent only the mark in its environment tells whose a process is; other systems do not show that.
test.runIf(process.platform === "linux")("a process that left the tree is ended too", async () => {
  let output = "";
  const orphan = `${parentOf(1)}; process.send("up")`;
  const program = `
    const options = { stdio: ["ignore", "inherit", "inherit", "ipc"], detached: true };
    const child = require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(orphan)}], options);
    child.once("message", () => process.exit());
  `;
  const guarded = startGuarded(process.execPath, ["-e", program], {
    onOutput: (text) => {
      output += text;
    },
  });
  await guarded.exited;
  const ids = idsIn(output);
  expect(ids.map(alive)).toEqual([false]);
});

test("a command that takes too long is ended, and the error says so", async () => {
  const waiting = run(process.execPath, ["-e", "setTimeout(() => {}, 60000)"], {
    timeoutMs: 300,
  });
  await expect(waiting).rejects.toThrow(/did not end within 300 ms/);
});

test("a failing command's error holds the command, its code and its output", async () => {
  const failing = run(process.execPath, ["-e", "console.log('why'); process.exit(3)"]);
  await expect(failing).rejects.toThrow(/ended with exit code 3\.\nwhy/);
});

test("a command that does not exist is a readable error", async () => {
  await expect(run("no-such-command-here", [])).rejects.toThrow(
    /`no-such-command-here` could not be started/,
  );
});

test("killTree of a process that is gone does nothing", async () => {
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  await killTree(child.pid ?? -1);
});

/** A program that prints its id and starts, detached from it, one of `depth - 1`. */
function parentOf(depth: number, { stubborn = false } = {}): string {
  const start =
    depth === 1
      ? ""
      : `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(parentOf(depth - 1, { stubborn }))}], { stdio: "inherit", detached: true });`;
  const heed = stubborn ? `process.on("SIGTERM", () => {});` : "";
  return `${heed} setTimeout(() => {}, 60000); console.log("id", process.pid); ${start}`;
}

const idsIn = (output: string): number[] =>
  [...output.matchAll(/^id (\d+)$/gm)].map((match) => Number(match[1]));
