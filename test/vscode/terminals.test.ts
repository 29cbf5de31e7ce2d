/** Commands in the terminal that the user sees: whole output, true exit codes, and an end that is an end. */
import assert from "node:assert/strict";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Shell } from "../../src/core/ports/shell.ts";
import { terminalText } from "../../src/shared/terminal-output.ts";
import { CommandTerminals } from "../../src/vscode/terminal/command-terminals.ts";
import { createEditorShell, type EditorShell } from "../../src/vscode/terminal/editor-shell.ts";
import { isOwn } from "../../src/vscode/terminal/own-terminals.ts";
import { rounds } from "../support/random.ts";
import { itWhole, Kit, untilSeen } from "./support/kit.ts";

/** How many commands the terminal is given, a multiple of ten. */
const COMMANDS = rounds(10, 100);

const root = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "/";

interface RunOptions {
  timeoutMs?: number;
  signal?: AbortSignal;
  onOutput?: () => void;
  call?: string;
  onWaits?: (waits: boolean) => void;
}

async function runIn(shell: Shell, command: string, options: RunOptions = {}) {
  const { timeoutMs = 60_000, signal = new AbortController().signal, onOutput, ...more } = options;
  let output = "";
  const end = await shell.run(command, {
    cwd: root(),
    timeoutMs,
    signal,
    ...more,
    onOutput: (text) => {
      output += text;
      onOutput?.();
    },
  });
  return { output, ...end };
}

/** About a second on a machine that has time. Without Stop the commands take longer than a test may. */
function tell(took: number): void {
  console.log(`a command and all that it started ended ${took} ms after Stop`);
}

describe("Commands", () => {
  let kit: Kit;
  let terminals: CommandTerminals;
  let shell: EditorShell;
  /** Those of the test before may still be on their way out. */
  let earlier: readonly vscode.Terminal[] = [];
  const ours = () => vscode.window.terminals.filter((each) => isOwn(each) && !earlier.includes(each));

  beforeEach(() => {
    earlier = [...vscode.window.terminals];
    kit = new Kit();
    terminals = new CommandTerminals();
    shell = createEditorShell(terminals);
  });
  afterEach(async () => {
    shell.dispose();
    terminals.dispose();
    await kit.dispose();
  });

  const run = (command: string, options?: RunOptions) => runIn(shell, command, options);

  it("gives the whole output and the exit code of many commands, in one terminal, without taking the focus", async () => {
    await kit.file("mine.txt", "");
    const editor = await kit.show("mine.txt");
    for (let number = 0; number < COMMANDS; number++) {
      const lines = (number * 97) % 1999;
      const { output, exitCode } = await run(`seq 1 ${lines}; printf 'end of %s' ${number}; exit ${number}`);
      const expected = Array.from({ length: lines }, (_, line) => `${line + 1}\n`).join("");
      assert.equal(output, `${expected}end of ${number}`);
      assert.equal(exitCode, number);
      if (number % 10 === 0) await vscode.commands.executeCommand("type", { text: "x" });
    }
    assert.equal(editor.document.getText(), "x".repeat(COMMANDS / 10));
    assert.equal(ours().length, 1);
  });

  it("shows commands in the sandbox in a terminal of their own, whose name says so", async () => {
    const control = { end: () => undefined, type: () => false, resize: () => undefined };
    const show = (isInSandbox: boolean) =>
      terminals.watch({ command: "npm test", cwd: root(), isInSandbox, call: undefined }, control);
    for (const isInSandbox of [true, false, true])
      show(isInSandbox).ended({ exitCode: 0, signal: null, durationMs: 5 });
    const names = () => ours().map(({ name }) => name.replaceAll("\u00a0", " "));
    await untilSeen(
      "the names",
      () => names().sort().join() === "Nekode (sandbox): npm test,Nekode: npm test",
    );
  });

  it("ends a command with all that it started when the user stops", async () => {
    const controller = new AbortController();
    const mark = `nekode-${process.pid}-${Date.now()}`;
    let stopped = 0;
    const { exitCode } = await run(`(exec -a ${mark} sleep 300) & echo ready; exec -a ${mark} sleep 300`, {
      timeoutMs: 60_000,
      signal: controller.signal,
      onOutput: () => {
        stopped = Date.now();
        controller.abort();
      },
    });
    assert.notEqual(exitCode, 0);
    tell(Date.now() - stopped);
    const { output } = await run(`ps -eo args | grep -c '^${mark}' || true`);
    assert.equal(output.trim(), "0");
  });

  it("moves a long command to the background, where it keeps its terminal", async () => {
    const { backgroundId = "", output } = await run("echo first; sleep 300", { timeoutMs: 400 });
    assert.ok(backgroundId);
    // On a machine that is busy it may not have come to say so by then.
    const { signal } = new AbortController();
    const rest = output === "" ? await shell.readTerminal(backgroundId, 60_000, signal) : undefined;
    assert.equal(output + (rest?.newOutput ?? ""), "first\n");
    assert.equal((await run("echo next")).output, "next\n");
    assert.equal(ours().length, 2);
    const [info] = shell.terminals();
    assert.equal(info?.running, true);
  });

  it("names the terminal after its command, and shows the one whose command asks without taking the focus", async () => {
    await kit.file("mine.txt", "");
    const editor = await kit.show("mine.txt");
    await run("sleep 300", { timeoutMs: 100 });
    const waits: boolean[] = [];
    const asked = run('read -p "Name: " name; echo "it is $name"', {
      timeoutMs: 60_000,
      call: "s/c",
      onWaits: (now) => void waits.push(now),
    });
    await untilSeen("it waits", () => waits.at(-1) === true);
    await untilSeen(
      "its terminal is in front",
      () => vscode.window.activeTerminal?.name.startsWith("Nekode:\u00a0read\u00a0-p") === true,
    );
    await vscode.commands.executeCommand("type", { text: "x" });
    assert.equal(editor.document.getText(), "x");
    assert.equal(shell.showTerminal("s/other"), false);
    assert.equal(shell.showTerminal("s/c"), true);
    assert.equal(shell.answer("s/other", "Tama"), false);
    assert.equal(shell.answer("s/c", "Tama"), true);
    assert.match((await asked).output, /it is Tama/);
    assert.deepEqual(waits, [true, false]);
  });

  it("ends the command of a terminal that the user closes", async () => {
    const { exitCode } = await run("echo up; sleep 300", {
      timeoutMs: 60_000,
      onOutput: () => ours()[0]?.dispose(),
    });
    assert.notEqual(exitCode, 0);
  });

  it("lists a command that never ends, and gives what it printed since, until it is ended", async () => {
    const { backgroundId, output } = await run("for ((n = 0; ; n++)); do echo line $n; sleep 0.05; done", {
      timeoutMs: 300,
    });
    assert.ok(backgroundId);
    const { signal } = new AbortController();
    // On a machine that is busy it may not have begun by then.
    const begun = output || ((await shell.readTerminal(backgroundId, 60_000, signal))?.newOutput ?? "");
    assert.match(begun, /^line 0\n/);
    const [listed] = shell.terminals();
    assert.equal(listed?.running, true);
    const next = await shell.readTerminal(backgroundId, 60_000, signal);
    assert.match(next?.newOutput ?? "", /^line \d+\n/);
    const told = /(\d+)\n$/.exec(begun + (listed?.newOutput ?? ""))?.[1];
    assert.equal(Number(/\d+/.exec(next?.newOutput ?? "")?.[0]), Number(told) + 1);
    ours()[0]?.dispose();
    for (;;) {
      const last = await shell.readTerminal(backgroundId, 5_000, signal);
      if (last?.running) continue;
      assert.equal(last?.running, false);
      break;
    }
    assert.deepEqual(shell.terminals(), []);
  });

  it("takes a megabyte of output whole", async () => {
    const { output, exitCode } = await run("seq 1 160000");
    assert.equal(exitCode, 0);
    assert.equal(output.length, 1_008_895);
    assert.ok(output.endsWith("159999\n160000\n"));
  });

  itWhole("takes a binary stream and goes on", async () => {
    const { output, exitCode } = await run("head -c 300000 /dev/urandom; exit 3");
    assert.equal(exitCode, 3);
    assert.ok(output.length > 100_000);
    assert.equal((await run("echo still here")).output, "still here\n");
  });

  it("lets the user answer a prompt in the terminal", async () => {
    let asked = false;
    const { output, exitCode } = await run(`read -p "Name: " name; echo "hello $name"`, {
      onOutput: () => {
        if (asked) return;
        asked = true;
        // As keys would: into the terminal, not into the process.
        ours()[0]?.sendText("tama", true);
      },
    });
    assert.match(output, /^Name: tama\r?\nhello tama\n$/);
    assert.equal(exitCode, 0);
  });

  it("interrupts by Ctrl-C, and ends what does not heed it", async () => {
    let keys = 0;
    const { exitCode } = await run("trap 'echo again' INT; echo ready; while :; do sleep 0.1; done", {
      onOutput: () => {
        if (keys++ < 2) ours()[0]?.sendText("\x03", false);
      },
    });
    assert.notEqual(exitCode, 0);
    assert.equal(keys >= 2, true);
  });

  it("runs a command of 100 KB, and says so when one cannot be run", async () => {
    assert.equal((await run(`: ${"x".repeat(100_000)}; echo long`)).output, "long\n");
    await assert.rejects(run(`echo ${"x".repeat(3_000_000)}`), { name: "ToolError" });
    await assert.rejects(run("echo a\0b"), { name: "ToolError" });
    assert.equal((await run("echo next")).output, "next\n");
  });

  it("judges by the shell that runs", () => {
    assert.equal(path.basename(shell.path), shell.kind === "sh" ? path.basename(shell.path) : shell.kind);
  });
});

describe("Commands in the user's own shell", () => {
  let terminals: CommandTerminals;
  let shell: Shell;

  beforeEach(() => {
    terminals = new CommandTerminals();
    // A shell that starts late on a busy machine would have its commands run elsewhere.
    shell = createEditorShell(terminals, { mode: () => "shellIntegration", timeoutFactor: 10 });
  });
  afterEach(() => {
    shell.dispose();
    terminals.dispose();
  });

  async function run(command: string, options?: RunOptions) {
    const end = await runIn(shell, command, options);
    return { ...end, output: terminalText(end.output) };
  }
  const integrated = () => vscode.window.terminals.filter(({ shellIntegration }) => shellIntegration);

  it("reads output and exit code, leaves one terminal to be read, and is judged as typed", async () => {
    assert.equal(shell.interactive, true);
    // Those of the tests before may still be on their way out.
    const earlier = [...vscode.window.terminals];
    const first = await run("pwd; (exit 3)");
    assert.equal(first.exitCode, 3);
    assert.ok(first.output.includes(root()), first.output);
    for (let number = 1; number < 3; number++) {
      const { output, exitCode } = await run(`echo "number ${number}"`);
      assert.equal(output.trim(), `number ${number}`);
      assert.equal(exitCode, 0);
    }
    const ofThis = () => integrated().filter((each) => !earlier.includes(each)).length;
    // Those before the last one may still be on their way out.
    while (ofThis() > 1) {
      await new Promise<void>((resolve) => {
        const listening = vscode.window.onDidCloseTerminal(() => {
          listening.dispose();
          resolve();
        });
      });
    }
    assert.equal(ofThis(), 1);
  });

  itWhole("begins in the project's folder, wherever the command before went", async () => {
    await run("cd /");
    assert.ok((await run("pwd")).output.includes(root()));
  });

  itWhole("goes on in the background, is read from there, and is ended with the session", async () => {
    const { backgroundId } = await run("echo begun; sleep 300", { timeoutMs: 3_000 });
    assert.ok(backgroundId);
    assert.equal(shell.terminals()[0]?.running, true);
    assert.equal((await run("echo beside")).output.trim(), "beside");
  });

  it("ends a command when the user stops", async () => {
    const controller = new AbortController();
    const mark = `nekode-${process.pid}-${Date.now()}`;
    let stopped = 0;
    const { backgroundId } = await run(`echo ready; (exec -a ${mark} sleep 300)`, {
      timeoutMs: 60_000,
      signal: controller.signal,
      onOutput: () => {
        stopped ||= Date.now();
        controller.abort();
      },
    });
    tell(Date.now() - stopped);
    assert.equal(backgroundId, undefined);
    assert.equal((await run(`ps -eo args | grep -c '^${mark}' || true`)).output.trim(), "0");
  });

  it("runs a command of several lines exactly, in a terminal of our own", async () => {
    assert.equal((await run("echo one\necho two")).output, "one\ntwo\n");
  });
});
