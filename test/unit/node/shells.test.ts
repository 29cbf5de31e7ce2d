/** Commands in each shell that is here: the same promises, whatever the grammar. */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { UserStop } from "../../../src/core/errors.ts";
import type { Shell } from "../../../src/core/ports/shell.ts";
import { shellKind, UNATTENDED } from "../../../src/node/shell/shell-program.ts";
import { isAlive } from "../../support/processes.ts";
import { isWhole, rounds } from "../../support/random.ts";
import { posixShells, shells, shellsHere } from "../../support/shells.ts";
import { STUBBORN } from "../../support/stubborn.ts";
import { run, shellAt, watchedShellAt } from "./shell-support.ts";
import { busyUntil, neverAborted, temporaryFolder } from "./support.ts";

/** How many commands a shell is given, ten at once. */
const COMMANDS = rounds(10, 100);

// Seconds on an idle machine are many on a busy one.
it(`is tried in ${shellsHere}`, () => {
  expect(shells.map(({ name }) => name)).toContain("sh");
});

/** A program of its own, so that every shell can run it. */
async function script(folder: string, name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, `#!/bin/sh\n${text}\n`);
  await chmod(file, 0o755);
  return file;
}

describe.each(posixShells)("in $name", ({ name, path: file }) => {
  /** What takes longest is tried in both ways in one shell, and in the others on a terminal, which has more to do. */
  const ways = isWhole || name === "sh" ? ["alone", "on a terminal"] : ["on a terminal"];

  it("runs exactly the command, in its folder, with its output in order and its exit code", async () => {
    const folder = await temporaryFolder();
    const both = await script(folder, "both", "for i in 1 2 3; do echo out $i; echo err $i >&2; done");
    const { output, exitCode, signal } = await run(
      shellAt(file),
      `pwd; ${both}; echo "a  b" 'c $HOME'; exit 7`,
      folder,
    );
    expect(output).toBe(`${folder}\nout 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\na  b c $HOME\n`);
    expect({ exitCode, signal }).toEqual({ exitCode: 7, signal: null });
  });

  it.each(ways)("has the whole output of each of many commands, %s", async (how) => {
    const folder = await temporaryFolder();
    const shell = how === "alone" ? shellAt(file) : watchedShellAt(file);
    const one = async (index: number) => {
      const { output, exitCode } = await run(shell, `seq ${index} ${index + 500}; exit ${index}`, folder);
      expect(output).toBe(Array.from({ length: 501 }, (_, line) => `${index + line}\n`).join(""));
      expect(exitCode).toBe(index);
    };
    for (let batch = 0; batch < COMMANDS; batch += 10)
      await Promise.all(Array.from({ length: 10 }, (_, index) => one(batch + index)));
  });

  // Linux tells of the ends of several processes at once, and of those that have only just come.
  it("has the whole output of a command that ends while a busy process does something else", async () => {
    const folder = await temporaryFolder();
    const late = await script(
      folder,
      "late",
      "echo $$ > pid; until [ -e go ]; do sleep 0.01; done; echo late",
    );
    const running = run(shellAt(file), `exec ${late}`, folder);
    const pid = path.join(folder, "pid");
    await expect.poll(() => readFileSync(pid, "utf8")).toMatch(/\n$/);
    // Its output and its end are there together, when this process looks again ...
    const first = spawn("/bin/echo", ["first"], { stdio: ["ignore", "pipe", "ignore"] });
    busyUntil(() => !isAlive(first.pid ?? 0));
    // ... the other command prints and ends between the one and the other ...
    first.stdout.once("data", () => {
      writeFileSync(path.join(folder, "go"), "");
      const other = Number(readFileSync(pid, "utf8"));
      busyUntil(() => !isAlive(other));
    });
    // ... and much time passes before what it printed is read.
    first.once("exit", () => {
      const late = performance.now() + 500;
      busyUntil(() => performance.now() > late);
    });
    expect((await running).output).toBe("late\n");
  });

  it("has no input to wait for", async () => {
    expect((await run(shellAt(file), "cat; echo read", await temporaryFolder())).output).toBe("read\n");
  });

  it.each(ways)("is ended by Stop with all that it started, %s", async (how) => {
    const folder = await temporaryFolder();
    const tree = await script(folder, "tree", STUBBORN);
    const stop = new AbortController();
    let ready = () => {};
    const started = new Promise<void>((resolve) => {
      ready = resolve;
    });
    const shell = how === "alone" ? shellAt(file) : watchedShellAt(file);
    const running = shell.run(`${tree}; echo never`, {
      cwd: folder,
      timeoutMs: 60_000,
      signal: stop.signal,
      onOutput: ready,
    });
    await started;
    const { output } = await run(shell, "cat pids", folder);
    const pids = output.trim().split("\n").map(Number);
    expect(pids.map(isAlive)).toEqual([true, true, true, true]);
    stop.abort(new UserStop());
    const end = await running;
    expect(end.stoppedByUser).toBe(true);
    expect(pids.map(isAlive)).toEqual([false, false, false, false]);
    expect(end.exitCode).not.toBe(0);
    expect(end.backgroundId).toBeUndefined();
    expect(shell.terminals()).toEqual([]);
  });

  it("goes on in the background after its time, or when asked to, and tells its output and its end once", async () => {
    const folder = await temporaryFolder();
    const shell = shellAt(file);
    const waiting = await script(
      folder,
      "waiting",
      'echo "begin $1"; until [ -e "$1" ]; do sleep 0.02; done; echo end',
    );
    const late = await run(shell, `${waiting} one; exit 3`, folder, { timeoutMs: 300 });
    expect(late.exitCode).toBeNull();
    // On a machine that is busy it may not have begun by then.
    const first = () => shell.readTerminal(late.backgroundId ?? "", 60_000, neverAborted);
    expect(late.output || (await first())?.newOutput).toBe("begin one\n");
    const moveToBackground = new AbortController();
    const sent = shell.run(`${waiting} two`, {
      cwd: folder,
      timeoutMs: Number.POSITIVE_INFINITY,
      signal: new AbortController().signal,
      moveToBackground: moveToBackground.signal,
      onOutput: () => moveToBackground.abort(),
    });
    const ids = [late.backgroundId, (await sent).backgroundId];
    expect(shell.background().map(({ id }) => id)).toEqual(ids);
    expect(shell.terminals().map(({ running, newOutput }) => ({ running, newOutput }))).toEqual([
      { running: true, newOutput: "" },
      { running: true, newOutput: "" },
    ]);
    await mkdir(path.join(folder, "one"));
    const told: string[] = [];
    for (;;) {
      const info = await shell.readTerminal(late.backgroundId ?? "", 20_000, new AbortController().signal);
      told.push(info?.newOutput ?? "");
      if (info?.running) continue;
      expect(info).toMatchObject({ running: false, exitCode: 3 });
      break;
    }
    expect(told.join("")).toBe("end\n");
    expect(shell.terminals().map(({ id }) => id)).toEqual([ids[1]]);
    await shell.end(shell.background().map(({ id }) => id));
    expect(shell.background()).toEqual([]);
    expect(shell.terminals()).toMatchObject([{ id: ids[1], running: false }]);
  });

  it.each(["alone", "on a terminal"])(
    "has the user's environment, and reads no start-up files, %s",
    async (how) => {
      const home = await temporaryFolder();
      const noise = "echo noise; cd /; exit 9\n";
      const files =
        ".bashrc .bash_profile .profile .zshenv .zshrc .zprofile .zlogin .config/fish/config.fish";
      await mkdir(path.join(home, ".config/fish"), { recursive: true });
      for (const name of files.split(" ")) await writeFile(path.join(home, name), noise);
      const given = {
        HOME: home,
        PATH: process.env.PATH ?? "",
        SHELL: "/bin/of-the-user",
        // zsh and fish set these to who it is.
        LOGNAME: userInfo().username,
        USER: userInfo().username,
        ENV: path.join(home, ".profile"),
        ODD: `a "b" 'c' $d\nsecond line`,
        TERM: "vt100",
      };
      const options = { environment: { ...given, NEKODE_API_KEY: "secret" } };
      const shell = how === "alone" ? shellAt(file, options) : watchedShellAt(file, () => {}, options);
      const { output, exitCode } = await run(shell, "env -0", home);
      expect(exitCode).toBe(0);
      const told = Object.fromEntries(
        output
          .split("\0")
          .filter((entry) => entry !== "")
          .map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
      );
      const { PWD, OLDPWD, SHLVL, _, ...rest } = told;
      const { TERM_SESSION_ID, ...own } = rest;
      expect(own).toEqual({ ...given, ...UNATTENDED });
      expect(TERM_SESSION_ID).toMatch(/^[0-9a-f-]{36}$/);
      expect(PWD).toBe(home);
    },
  );

  it("tells a program that its terminal has another size", async () => {
    const folder = await temporaryFolder();
    const program = await script(
      folder,
      "sized",
      `trap 'size=$(stty size); echo $size; [ "$size" != "40 120" ] || exit 0' WINCH; stty size; while :; do sleep 0.05; done`,
    );
    let resized = false;
    const shell = watchedShellAt(file, ({ control, shown }) => {
      if (resized || !shown.includes("\n")) return;
      resized = true;
      control.resize({ columns: 50, rows: 10 });
      control.resize({ columns: 120, rows: 40 });
    });
    const { output } = await run(shell, program, folder);
    expect(output.split("\n")[0]).toBe("31 97");
    expect(output.trim().split("\n").at(-1)).toBe("40 120");
  });

  it("gives what is typed to the program that asks", async () => {
    const folder = await temporaryFolder();
    const program = await script(folder, "ask", 'printf "Name: "; read name; echo "hello $name"; exit 4');
    let typed = false;
    const shell = watchedShellAt(file, ({ control, shown }) => {
      if (typed || !shown.includes("Name: ")) return;
      typed = control.type("tama\r");
    });
    const { output, exitCode } = await run(shell, program, folder);
    expect(output).toBe("Name: tama\nhello tama\n");
    expect(exitCode).toBe(4);
  });

  it.each(["alone", "on a terminal"])("takes 100 KB, and says so of what is too long, %s", async (how) => {
    const folder = await temporaryFolder();
    const shell = how === "alone" ? shellAt(file) : watchedShellAt(file);
    const { output } = await run(shell, `true ${"x".repeat(102_400)}; echo long`, folder);
    expect(output).toBe("long\n");
    await expect(run(shell, `true ${"x".repeat(3_000_000)}`, folder)).rejects.toThrow(
      "could not be started: it is longer than this system takes",
    );
    await expect(run(shell, "echo a\0b", folder)).rejects.toMatchObject({ name: "ToolError" });
    expect((await run(shell, "echo next", folder)).output).toBe("next\n");
  });

  it("tells by which signal a command ended", async () => {
    const folder = await temporaryFolder();
    const dies = await script(folder, "dies", "kill -KILL $$");
    // The shell itself stays, and hands the code on.
    const last = shellKind(file) === "fish" ? "$status" : "$?";
    expect(await run(shellAt(file), `${dies}; exit ${last}`, folder)).toMatchObject({ exitCode: 137 });
    expect(await run(shellAt(file), `exec ${dies}`, folder)).toMatchObject({ signal: "SIGKILL" });
    expect(await run(watchedShellAt(file), dies, folder)).toMatchObject({ exitCode: 137 });
  });
});

describe("what a command left behind", () => {
  it.each(["alone", "on a terminal"])("is ended with the host, wherever it went, %s", async (how) => {
    const folder = await temporaryFolder();
    const tree = await script(folder, "tree", STUBBORN);
    const shell = how === "alone" ? shellAt("/bin/sh") : watchedShellAt("/bin/sh");
    const { id } = await sendAway(shell, tree, folder);
    const pids = (await readFile(path.join(folder, "pids"), "utf8")).trim().split("\n").map(Number);
    expect(pids.map(isAlive)).toEqual([true, true, true, true]);
    expect(shell.background()).toEqual([{ id, command: tree }]);
    shell.dispose();
    await expect.poll(() => pids.map(isAlive)).toEqual([false, false, false, false]);
  });
});

/** Runs it in the background as soon as it says something. */
async function sendAway(shell: Shell, command: string, cwd: string): Promise<{ id: string | undefined }> {
  const moveToBackground = new AbortController();
  const options = { cwd, timeoutMs: 60_000, signal: neverAborted, moveToBackground: moveToBackground.signal };
  const { backgroundId } = await shell.run(command, { ...options, onOutput: () => moveToBackground.abort() });
  return { id: backgroundId };
}
