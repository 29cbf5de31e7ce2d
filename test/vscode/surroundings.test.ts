/** What the editor tells the model: problems of real language servers, the output of real terminals, files and tabs. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { expandMentions } from "../../src/core/context/expand-mentions.ts";
import { EditorSurroundings } from "../../src/vscode/editor/editor-surroundings.ts";
import { CommandTerminals } from "../../src/vscode/terminal/command-terminals.ts";
import { markOwn } from "../../src/vscode/terminal/own-terminals.ts";
import { createNodeHost } from "../support/node-host.ts";
import { taskPages } from "../support/task-pages.ts";
import { itWhole, Kit, quietLog, until } from "./support/kit.ts";

describe("The surroundings", () => {
  let kit: Kit;
  let surroundings: EditorSurroundings;
  const opened: vscode.Disposable[] = [];

  beforeEach(() => {
    kit = new Kit();
    surroundings = new EditorSurroundings(async () => []);
  });
  afterEach(async () => {
    for (const item of opened.splice(0)) item.dispose();
    surroundings.dispose();
    await kit.dispose();
  });

  async function expanded(text: string): Promise<string> {
    const { host } = createNodeHost({
      root: kit.folder,
      dataDir: kit.path("data"),
      assetsDir: kit.path("assets"),
      log: quietLog,
    });
    host.surroundings = surroundings;
    const { attachments } = await expandMentions(text, {
      host,
      signal: new AbortController().signal,
      maxTokens: 100_000,
      pages: taskPages(host),
      refused: async () => undefined,
      onRead: () => {},
    });
    host.shell.dispose();
    return attachments.join("\n");
  }

  /** A terminal of the user's with shell integration. */
  async function terminal(): Promise<vscode.Terminal> {
    // Without a locale, bash takes what is typed for bytes, and VS Code no longer knows the command.
    const env = { LC_ALL: "C.UTF-8" };
    const created = vscode.window.createTerminal({ name: "mine", shellPath: "/bin/bash", env });
    opened.push(created);
    const integrated = event(
      vscode.window.onDidChangeTerminalShellIntegration,
      (each) => each.terminal === created,
    );
    created.show(true);
    await integrated;
    return created;
  }

  /**
   * Runs a command as if typed, until it has ended. It begins when its start was told: what VS Code has to pass on
   * together with the start is lost (see markLostOutput).
   */
  async function run(on: vscode.Terminal, command: string): Promise<void> {
    const started = event(vscode.window.onDidStartTerminalShellExecution, (each) => each.terminal === on);
    const ended = event(vscode.window.onDidEndTerminalShellExecution, (each) => each.terminal === on);
    assert.ok(on.shellIntegration, "the terminal has no shell integration");
    on.shellIntegration.executeCommand(`read -r; ${command}`);
    await started;
    on.sendText("");
    await ended;
  }

  it("@problems: what a language server complains about, errors first, with path and line", async () => {
    await kit.file("設定.json", '{\n  "a": 1,\n  "a" 2\n}\n');
    await kit.show("設定.json");
    await until("the JSON server complains", () =>
      vscode.languages.getDiagnostics(kit.uri("設定.json")).some(({ severity }) => severity === 0),
    );
    const warnings = vscode.languages.createDiagnosticCollection("checker");
    opened.push(warnings);
    const warning = (line: number, message: string, severity: vscode.DiagnosticSeverity) => {
      const found = new vscode.Diagnostic(new vscode.Range(line, 0, line, 1), message, severity);
      found.source = "checker";
      return found;
    };
    warnings.set(kit.uri("a.ts"), [
      warning(6, "two\n  lines", vscode.DiagnosticSeverity.Warning),
      warning(7, "only a hint", vscode.DiagnosticSeverity.Hint),
    ]);
    warnings.set(vscode.Uri.parse("untitled:new"), [warning(0, "no file", vscode.DiagnosticSeverity.Error)]);
    const text = await expanded("fix @problems");
    const folder = vscode.workspace.asRelativePath(kit.folder);
    assert.match(text, /^<workspace_diagnostics>\n/);
    assert.match(text, new RegExp(`${folder}/設定\\.json line 3: error: [^\\n]+`));
    assert.match(text, new RegExp(`${folder}/a\\.ts line 7: warning: two lines \\(checker\\)`));
    assert.ok(text.indexOf("error:") < text.indexOf("warning:"));
    assert.doesNotMatch(text, /only a hint|no file/);
  });

  itWhole("@problems: bounded, however many there are, and said where there are none", async () => {
    // The language server of a file that was just closed takes its words back in its own time.
    const reported = () => vscode.languages.getDiagnostics().flatMap(([, found]) => found);
    await until("no problems are left", () => reported().length === 0);
    assert.match(await expanded("@problems"), /\(no problems are reported\)/);
    const many = vscode.languages.createDiagnosticCollection("many");
    opened.push(many);
    const range = new vscode.Range(0, 0, 0, 1);
    for (let file = 0; file < 50; file++) {
      const complaints = Array.from({ length: 100 }, () => new vscode.Diagnostic(range, "x".repeat(5_000)));
      many.set(kit.uri(`file${file}.ts`), complaints);
    }
    const text = await expanded("@problems");
    assert.ok(text.includes("(4800 more)"), text.slice(-300));
    assert.ok(text.length < 95_000, `${text.length} characters`);
  });

  it("@terminal: the commands and their output, without control sequences", async () => {
    const on = await terminal();
    await run(on, "printf '\\033[31m赤い猫\\033[0m\\n10%%\\r100%%\\n'; seq 1 3; false");
    const text = await expanded("what went wrong? @terminal");
    assert.match(text, /^<terminal_output>\n\$ read -r; printf/);
    assert.match(text, /\n赤い猫\n100%\n1\n2\n3\n/);
    assert.ok(!text.includes("\u001b"));
  });

  itWhole("@terminal: the end of a long output, of the terminal that ran last", async () => {
    const first = await terminal();
    await run(first, "echo first terminal");
    const second = await terminal();
    await run(second, "seq 1 40000; echo the end");
    const text = await expanded("@terminal");
    assert.match(text, /39999\n40000\nthe end\n<\/terminal_output>$/);
    assert.ok(text.length < 20_200, `${text.length} characters`);
    const closed = event(vscode.window.onDidCloseTerminal, (each) => each === second);
    second.dispose();
    await closed;
    first.show(true);
    await until("the first is active", () => vscode.window.activeTerminal === first);
    assert.match(await expanded("@terminal"), /first terminal\n/);
  });

  it("@terminal: the agent's own commands, in the terminal that Nekode shows them in", async () => {
    const terminals = new CommandTerminals();
    opened.push(terminals);
    const control = { end: () => {}, type: () => false, resize: () => {} };
    const watcher = terminals.watch(
      { command: "npm test", cwd: kit.folder, isInSandbox: false, call: undefined },
      control,
    );
    watcher.output("\x1b[32mneko passed\x1b[0m\n");
    watcher.ended({ exitCode: 0, signal: null, durationMs: 1200 });
    const text = await expanded("@terminal");
    assert.match(text, /\$ npm test\nneko passed\n/);
    assert.doesNotMatch(text, /\x1b/);
  });

  it("@terminal: says so where nothing was seen", async () => {
    assert.match(await expanded("@terminal"), /no terminal output is available/);
  });

  it("names the user's own terminals with what runs in them, and none of the agent's", async () => {
    const mine = await terminal();
    const named = () => surroundings.userTerminals().filter(({ name }) => name === "mine");
    assert.deepEqual(named(), [{ name: "mine", running: false }]);
    await run(mine, "(exit 3)");
    assert.deepEqual(named(), [{ name: "mine", running: false, command: "read -r; (exit 3)", exitCode: 3 }]);
    const started = event(vscode.window.onDidStartTerminalShellExecution, (each) => each.terminal === mine);
    // As it is typed: `executeCommand` may send Ctrl-C before it, which VS Code then takes for the command.
    mine.sendText("read -r");
    await started;
    const [running] = named();
    assert.equal(running?.command, "read -r");
    assert.equal(running?.running, true);
    assert.ok((running?.durationMs ?? -1) >= 0);
    markOwn(mine);
    assert.deepEqual(named(), []);
  });

  it("names the visible files, the tabs and what the user changed, once, and not what the agent did", async () => {
    await kit.file("見える.txt", "a");
    await kit.file("tab.txt", "b");
    await kit.show("tab.txt");
    const editor = await kit.show("見える.txt");
    const folder = vscode.workspace.asRelativePath(kit.folder);
    assert.deepEqual(surroundings.visibleFiles(), [`${folder}/見える.txt`]);
    assert.ok(surroundings.openTabs().includes(`${folder}/見える.txt`));
    await editor.edit((change) => change.insert(new vscode.Position(0, 0), "typed "));
    await until("it is dirty", () => editor.document.isDirty);
    assert.deepEqual(surroundings.recentlyModified(), [`${folder}/見える.txt`]);
    assert.deepEqual(surroundings.recentlyModified(), []);
    await editor.edit((change) => change.insert(new vscode.Position(0, 0), "saved "));
    await editor.document.save();
    assert.deepEqual(surroundings.recentlyModified(), [`${folder}/見える.txt`]);
    const reloaded = event(
      vscode.workspace.onDidChangeTextDocument,
      ({ document }) => document === editor.document,
    );
    await kit.file("見える.txt", "by a command");
    await reloaded;
    assert.deepEqual(surroundings.recentlyModified(), []);
    const ours = surroundings.beginAgentChange(kit.uri("見える.txt"));
    await editor.edit((change) => change.insert(new vscode.Position(0, 0), "agent "));
    ours.dispose();
    assert.deepEqual(surroundings.recentlyModified(), []);
  });
});

/** The first event that fulfils the predicate; rejects after some seconds. */
function event<T>(on: vscode.Event<T>, wanted: (value: T) => boolean): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the event did not come")), 30_000);
    const listening = on((value) => {
      if (!wanted(value)) return;
      clearTimeout(timer);
      listening.dispose();
      resolve(value);
    });
  });
}
