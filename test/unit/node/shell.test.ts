import { existsSync } from "node:fs";
import { mkdir, readFile, rm, symlink, watch, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Shell } from "../../../src/core/ports/shell.ts";
import type { ShellOptions } from "../../../src/node/shell/process-shell.ts";
import {
  commandEnvironment,
  invocationOf,
  namedShell,
  quietFlags,
  shellKind,
  userShell,
} from "../../../src/node/shell/shell-program.ts";
import { isAlive } from "../../support/processes.ts";
import { run, shellAt } from "./shell-support.ts";
import { temporaryFolder } from "./support.ts";

// Seconds on an idle machine are many on a busy one.
const shellOf = (options?: ShellOptions) => shellAt("/bin/bash", options);

/** Resolves when the file is there; its writer renames it into place. */
async function contentOf(file: string): Promise<string> {
  for await (const _ of watch(path.dirname(file))) {
    if (existsSync(file)) break;
  }
  return (await readFile(file, "utf8")).trim();
}

describe("running a command", () => {
  it("runs exactly it, in its folder, and gives output in order with the exit code", async () => {
    const folder = await temporaryFolder();
    const shell = shellOf();
    expect(shell.kind).toBe("bash");
    const command = `pwd; for i in 1 2 3; do echo out $i; echo err $i >&2; done; echo "it's \\$HOME"; [[ a == a ]]; exit 7`;
    const { output, exitCode, signal, backgroundId, durationMs } = await run(shell, command, folder);
    expect(output).toBe(`${folder}\nout 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\nit's $HOME\n`);
    expect({ exitCode, signal, backgroundId }).toEqual({
      exitCode: 7,
      signal: null,
      backgroundId: undefined,
    });
    expect(durationMs).toBeGreaterThanOrEqual(0);
    expect(shell.terminals()).toEqual([]);
  });

  it("has the whole output of each of 20 commands", async () => {
    const folder = await temporaryFolder();
    const shell = shellOf();
    const one = async (index: number) => {
      const { output, exitCode } = await run(shell, `seq ${index} ${index + 500}; exit ${index}`, folder);
      const lines = Array.from({ length: 501 }, (_, line) => `${index + line}\n`).join("");
      expect(output).toBe(lines);
      expect(exitCode).toBe(index);
    };
    for (let batch = 0; batch < 20; batch += 10) {
      await Promise.all(Array.from({ length: 10 }, (_, index) => one(batch + index)));
    }
  });

  it("keeps characters whole that are cut by a write, and sees a signal's end", async () => {
    const folder = await temporaryFolder();
    const shell = shellOf();
    const { output } = await run(shell, `printf '\\xe7\\x8c'; sleep 0.05; printf '\\xab\\n'`, folder);
    expect(output).toBe("猫\n");
    expect(await run(shell, "kill -SEGV $$", folder)).toMatchObject({ exitCode: null, signal: "SIGSEGV" });
  });

  it("has no input to wait for, no terminal, and none of the host's secrets", async () => {
    const folder = await temporaryFolder();
    const environment = { PATH: process.env.PATH, NEKODE_API_KEY: "secret", ELECTRON_RUN_AS_NODE: "1" };
    const shell = shellOf({ environment });
    const { output } = await run(shell, "cat; [ -e /dev/tty ] && : </dev/tty; env", folder);
    expect(output).not.toContain("secret");
    expect(output).not.toContain("ELECTRON");
    expect(output).toMatch(/dev\/tty/);
  });

  it("says so when the folder is gone", async () => {
    const folder = path.join(await temporaryFolder(), "gone");
    await expect(run(shellOf(), "true", folder)).rejects.toThrow("could not be started");
  });
});

describe("stopping a command", () => {
  it("ends all that it started, also what ignores the request or left the group", async () => {
    const folder = await temporaryFolder();
    const shell = shellOf();
    const stop = new AbortController();
    const command = `
      (trap '' TERM; echo $BASHPID > a.tmp; mv a.tmp a; while :; do sleep 100; done) &
      setsid sh -c 'echo $$ > b.tmp; mv b.tmp b; exec sleep 100' &
      wait`;
    const both = Promise.all([contentOf(path.join(folder, "a")), contentOf(path.join(folder, "b"))]);
    // Its own limit is beyond that of the test: nothing but Stop may end it.
    const running = run(shell, command, folder, { signal: stop.signal, timeoutMs: 600_000 });
    const pids = (await both).map(Number);
    expect(pids.map(isAlive)).toEqual([true, true]);
    stop.abort();
    const { exitCode, backgroundId } = await running;
    expect({ exitCode, backgroundId }).toEqual({ exitCode: null, backgroundId: undefined });
    expect(pids.map(isAlive)).toEqual([false, false]);
    expect(shell.terminals()).toEqual([]);
  });

  it("does not start after Stop", async () => {
    const folder = await temporaryFolder();
    await expect(run(shellOf(), "touch started", folder, { signal: AbortSignal.abort() })).rejects.toThrow(
      "interrupted",
    );
    expect(existsSync(path.join(folder, "started"))).toBe(false);
  });
});

describe("the background", () => {
  it("takes a command that runs too long, tells its output once and its end once", async () => {
    const folder = await temporaryFolder();
    const shell = shellOf();
    const command = `echo begin; until [ -e go ]; do read -t 0.02 <> <(:); done; echo end; touch finished; exit 3`;
    const { backgroundId, output, exitCode } = await run(shell, command, folder, { timeoutMs: 300 });
    expect(exitCode).toBeNull();
    // On a machine that is busy it may not have begun by then.
    const first = () => shell.readTerminal(backgroundId ?? "", 60_000, new AbortController().signal);
    expect(output || (await first())?.newOutput).toBe("begin\n");
    expect(shell.terminals()).toEqual([
      { id: backgroundId, command, running: true, durationMs: expect.any(Number), newOutput: "" },
    ]);
    const finished = contentOf(path.join(folder, "finished"));
    await mkdir(path.join(folder, "go"));
    await finished;
    const told = await ended(shell);
    expect(told).toMatchObject([{ id: backgroundId, running: false, newOutput: "end\n", exitCode: 3 }]);
    expect(shell.terminals()).toEqual([]);
  });

  it("lists what a finished command left running, and ends it with the host", async () => {
    const folder = await temporaryFolder();
    const shell = shellOf();
    const { backgroundId, exitCode } = await run(shell, "sleep 100 & echo $!", folder);
    expect(exitCode).toBe(0);
    expect(shell.terminals()).toMatchObject([{ id: backgroundId, running: true }]);
    shell.dispose();
    await ended(shell);
    await expect(run(shell, "true", folder)).rejects.toThrow("interrupted");
  });

  it("is over once it was ended, although something that nobody finds still holds the output", async () => {
    const folder = await temporaryFolder();
    const shell = shellOf();
    // Told once its parent is gone, whose child it would be found as.
    const hidden = "(env -i setsid sh -c 'echo $$ > pid.tmp; exec sleep 100' &)";
    const command = `${hidden}; until [ -s pid.tmp ]; do sleep 0.02; done; mv pid.tmp pid; sleep 100`;
    const file = contentOf(path.join(folder, "pid"));
    const { backgroundId = "" } = await run(shell, command, folder, { timeoutMs: 50 });
    const pid = Number(await file);
    onTestFinished(() => void process.kill(pid, "SIGKILL"));
    await shell.end([backgroundId]);
    expect(isAlive(pid)).toBe(true);
    expect(shell.background()).toEqual([]);
    expect(shell.terminals()).toMatchObject([{ id: backgroundId, running: false }]);
  });

  it("keeps the end of endless output, and says how much is left out", async () => {
    const folder = await temporaryFolder();
    const shell = shellOf();
    const command = "while [ ! -e go ]; do :; done; seq 1 200000; touch finished";
    await run(shell, command, folder, { timeoutMs: 50 });
    const finished = contentOf(path.join(folder, "finished"));
    await mkdir(path.join(folder, "go"));
    await finished;
    const [told] = await ended(shell);
    expect(told?.newOutput.length).toBeLessThan(250_000);
    expect(told?.newOutput).toMatch(/^\[\.\.\. \d+ characters left out \.\.\.\]\n/);
    expect(told?.newOutput.endsWith("199999\n200000\n")).toBe(true);
  });
});

/** What is told once the only background command has ended. */
async function ended(shell: Shell) {
  let output = "";
  for (;;) {
    const infos = shell.terminals();
    output += infos[0]?.newOutput ?? "";
    if (infos.every((info) => !info.running)) return infos.map((info) => ({ ...info, newOutput: output }));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("choosing a shell", () => {
  it("takes the user's own where it is there and its grammar is known, else says in whose place another is", () => {
    expect(userShell({ SHELL: "/bin/dash" }, undefined, "linux")).toEqual({
      kind: "sh",
      path: "/bin/dash",
    });
    expect(userShell({ SHELL: "/bin/bash" }, "/bin/dash", "linux").path).toBe("/bin/dash");
    const bash = { kind: "bash", path: "/bin/bash" };
    expect(userShell({ SHELL: "/bin/cat" }, undefined, "linux")).toEqual({
      ...bash,
      insteadOf: { path: "/bin/cat", why: "unknown" },
    });
    expect(userShell({}, "/nowhere/zsh", "linux")).toEqual({
      ...bash,
      insteadOf: { path: "/nowhere/zsh", why: "missing" },
    });
    expect(userShell({}, undefined, "linux")).toEqual(bash);
    expect(() => namedShell("/bin/cat")).toThrow("not a supported shell");
    expect(shellKind("C:\\Program Files\\PowerShell\\7\\pwsh.exe")).toBe("powershell");
  });

  it("does not run in another shell when its own went away", async () => {
    const folder = await temporaryFolder();
    const own = path.join(folder, "bash");
    await symlink("/bin/bash", own);
    const shell = shellOf({ shell: own });
    expect((await run(shell, "echo here", folder)).output).toBe("here\n");
    await rm(own);
    await expect(run(shell, "echo here", folder)).rejects.toThrow(`the shell ${own} is no longer there`);
  });

  it("keeps start-up files out where fish has not said in time whether it can, and asks it again", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "fish");
    // What the end of the patience does to it.
    await writeFile(file, "#!/bin/sh\nkill -TERM $$\n", { mode: 0o755 });
    const fish = { kind: "fish", path: file } as const;
    expect(await quietFlags(fish)).toEqual(["--no-config"]);
    await writeFile(file, "#!/bin/sh\nexit 1\n");
    expect(await quietFlags(fish)).toEqual([]);
    await rm(file);
    expect(await quietFlags(fish)).toEqual([]);
  });

  it("hands the command over unchanged", () => {
    const command = `echo "a b" 'c' $d \`e\``;
    const zsh = invocationOf({ kind: "zsh", path: "/bin/zsh" }, ["-f"], command);
    expect(zsh.args.slice(-4)).toEqual(["/bin/zsh", "-f", "-c", command]);
    expect(invocationOf({ kind: "powershell", path: "pwsh" }, [], command).args.at(-1)).toBe(command);
    expect(invocationOf({ kind: "cmd", path: "cmd.exe" }, [], command).args.at(-1)).toBe(`"${command}"`);
  });

  it("keeps what git needs and drops what is the editor's", () => {
    const environment = commandEnvironment({
      VSCODE_PID: "1",
      VSCODE_IPC_HOOK_CLI: "x",
      HOME: "/h",
      nekode_api_key: "k",
    });
    expect(environment).toMatchObject({ HOME: "/h", VSCODE_IPC_HOOK_CLI: "x", GIT_PAGER: "cat" });
    expect(Object.keys(environment)).not.toContain("VSCODE_PID");
    expect(Object.keys(environment)).not.toContain("nekode_api_key");
  });
});
