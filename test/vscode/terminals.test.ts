/** Commands in the terminal that the person sees: whole output, true exit codes, and an end that is an end. */
import assert from "node:assert/strict";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Shell } from "../../src/core/ports.ts";
import { CommandTerminals } from "../../src/vscode/command-terminals.ts";
import { createEditorShell } from "../../src/vscode/editor-shell.ts";
import { Kit } from "./support/kit.ts";

describe("Commands", () => {
  let kit: Kit;
  let terminals: CommandTerminals;
  let shell: Shell;
  const root = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "/";
  const ours = () => vscode.window.terminals.filter((terminal) => terminal.name === "Nekode");

  beforeEach(() => {
    kit = new Kit();
    terminals = new CommandTerminals();
    shell = createEditorShell(terminals);
  });
  afterEach(async () => {
    shell.dispose();
    terminals.dispose();
    await kit.dispose();
  });

  async function run(
    command: string,
    { timeoutMs = 10_000, signal = new AbortController().signal, onOutput = () => {} } = {},
  ) {
    let output = "";
    const end = await shell.run(command, {
      cwd: root(),
      timeoutMs,
      signal,
      onOutput: (text) => {
        output += text;
        onOutput();
      },
    });
    return { output, ...end };
  }

  it("gives the whole output and the exit code of 20 commands, in one terminal, without taking the focus", async () => {
    await kit.file("mine.txt", "");
    const editor = await kit.show("mine.txt");
    for (let number = 0; number < 20; number++) {
      const lines = number * 97;
      const { output, exitCode } = await run(`seq 1 ${lines}; printf 'end of %s' ${number}; exit ${number}`);
      const expected = Array.from({ length: lines }, (_, line) => `${line + 1}\n`).join("");
      assert.equal(output, `${expected}end of ${number}`);
      assert.equal(exitCode, number);
      await vscode.commands.executeCommand("type", { text: "x" });
    }
    assert.equal(editor.document.getText(), "x".repeat(20));
    assert.equal(ours().length, 1);
  });

  it("ends a command with all that it started when the person stops", async () => {
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
    assert.ok(Date.now() - stopped < 2_000, "it took longer than two seconds");
    const { output } = await run(`ps -eo args | grep -c '^${mark}' || true`);
    assert.equal(output.trim(), "0");
  });

  it("moves a long command to the background, where it keeps its terminal", async () => {
    const { backgroundId, output } = await run("echo first; sleep 30", { timeoutMs: 400 });
    assert.equal(output, "first\n");
    assert.ok(backgroundId);
    assert.equal((await run("echo next")).output, "next\n");
    assert.equal(ours().length, 2);
    const [info] = shell.terminals();
    assert.equal(info?.running, true);
  });

  it("ends the command of a terminal that the person closes", async () => {
    const { exitCode } = await run("echo up; sleep 300", {
      timeoutMs: 60_000,
      onOutput: () => ours()[0]?.dispose(),
    });
    assert.notEqual(exitCode, 0);
  });

  it("judges by the shell that runs", () => {
    assert.equal(path.basename(shell.path), shell.kind === "sh" ? path.basename(shell.path) : shell.kind);
  });
});
