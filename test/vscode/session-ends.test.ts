/** What becomes of commands in the background when the user leaves their session. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { Emitter } from "../../src/core/lifecycle.ts";
import type { Shell } from "../../src/core/ports/shell.ts";
import type { TaskEvent } from "../../src/shared/event.ts";
import { watchSessionEnds } from "../../src/vscode/terminal/background-commands.ts";
import { CommandTerminals } from "../../src/vscode/terminal/command-terminals.ts";
import { createEditorShell } from "../../src/vscode/terminal/editor-shell.ts";
import { itWhole } from "./support/kit.ts";

describe("Commands when their session is left", () => {
  let terminals: CommandTerminals;
  let shell: Shell;
  let events: Emitter<TaskEvent>;

  beforeEach(() => {
    terminals = new CommandTerminals();
    shell = createEditorShell(terminals);
    events = new Emitter();
    needed = new Set();
  });
  afterEach(() => {
    shell.dispose();
    terminals.dispose();
    events.dispose();
  });

  let shown: string;
  let needed: Set<string>;
  const show = (id: string) => {
    shown = id;
    events.emit({ session: id, type: "session", id, title: "" });
  };

  async function background(command: string): Promise<void> {
    const moveToBackground = new AbortController();
    await shell.run(`echo begun; ${command}`, {
      cwd: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "/",
      timeoutMs: 20_000,
      signal: new AbortController().signal,
      moveToBackground: moveToBackground.signal,
      onOutput: () => moveToBackground.abort(),
    });
  }

  /** What was asked, answered as `pressed` says; resolves with each sentence when its answer was dealt with. */
  function watch(endWithSession: boolean, pressed: boolean): string[] {
    const asked: string[] = [];
    watchSessionEnds({
      view: {
        onEvent: events.on,
        onSwitched: new Emitter<void>().on,
        active: {
          get chatView() {
            return { session: shown === "" ? null : { id: shown, title: "" } };
          },
        },
      },
      shell,
      stillNeeded: () => needed,
      endWithSession: () => endWithSession,
      ask: async (sentence) => {
        asked.push(sentence);
        return pressed;
      },
    });
    return asked;
  }

  async function gone(): Promise<void> {
    const { signal } = new AbortController();
    for (const { id } of shell.background()) while ((await shell.readTerminal(id, 5_000, signal))?.running);
  }

  it("leaves those of a task that works on, until it no longer does", async () => {
    const asked = watch(false, false);
    show("one");
    await background("sleep 300");
    needed = new Set(shell.background().map(({ id }) => id));
    show("two");
    assert.deepEqual(asked, []);
    needed = new Set();
    show("three");
    assert.equal(asked.length, 1);
  });

  it("says once that they still run, and leaves them", async () => {
    const asked = watch(false, false);
    show("one");
    await background("sleep 300");
    show("one");
    assert.deepEqual(asked, []);
    show("");
    assert.equal(asked.length, 1);
    assert.match(asked[0] ?? "", /echo begun; sleep 300/);
    show("two");
    show("");
    assert.equal(asked.length, 1);
    assert.equal(shell.background().length, 1);
  });

  it("ends them by one click", async () => {
    const asked = watch(false, true);
    show("one");
    await background("sleep 300");
    await background("sleep 301");
    show("two");
    assert.match(asked[0] ?? "", /2/);
    await gone();
    assert.deepEqual(shell.background(), []);
  });

  itWhole("ends them without a word where the setting says so", async () => {
    const asked = watch(true, false);
    show("one");
    await background("sleep 300");
    show("");
    await gone();
    assert.deepEqual([asked, shell.background()], [[], []]);
  });
});
