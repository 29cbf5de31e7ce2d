/** The `@` picker's list over a real workspace, ripgrep and watcher. */
import assert from "node:assert/strict";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";
import { systemClock } from "../../src/node/clock.ts";
import { createSearch } from "../../src/node/search/ripgrep-search.ts";
import { editorRipgrep } from "../../src/vscode/editor-host.ts";
import { FileIndex } from "../../src/vscode/files/file-index.ts";
import { Kit, quietLog, until } from "./support/kit.ts";

describe("The list of files", () => {
  let kit: Kit;
  let index: FileIndex;
  const root = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "/";

  beforeEach(() => {
    kit = new Kit();
    const rgPath = editorRipgrep(vscode.env.appRoot);
    index = new FileIndex(createSearch({ roots: [root()], rgPath }), systemClock, quietLog);
  });
  afterEach(async () => {
    index.dispose();
    await kit.dispose();
  });

  const found = async (query: string) => (await index.find(query, 20)).map((hit) => hit.path);
  const inWorkspace = (name: string) => path.relative(root(), kit.path(name)).split(path.sep).join("/");

  /** Opens the picker and asks, again after each change of the files, as a user would. */
  async function eventually(query: string, holds: (paths: string[]) => boolean): Promise<void> {
    const watcher = vscode.workspace.createFileSystemWatcher("**/*");
    try {
      let changed: () => void = () => {};
      watcher.onDidCreate(() => changed());
      watcher.onDidDelete(() => changed());
      const deadline = Date.now() + 30_000;
      for (;;) {
        // An event that comes while it is asked counts too; without one it is asked again all the same.
        const next = new Promise<void>((resolve) => {
          changed = resolve;
          setTimeout(resolve, 500);
        });
        await found("");
        await index.settled();
        const paths = await found(query);
        if (holds(paths)) return;
        if (Date.now() > deadline) assert.fail(`${query}: ${paths.join(", ")}`);
        await next;
      }
    } finally {
      watcher.dispose();
    }
  }

  it("follows files that come, move and go, and leaves out what git ignores", async () => {
    await kit.file("src/first.ts", "1");
    assert.ok((await found("first.ts")).includes(inWorkspace("src/first.ts")));
    await kit.file("src/deep/second.ts", "2");
    await eventually("second.ts", (paths) => paths.includes(inWorkspace("src/deep/second.ts")));
    await eventually("deep", (paths) => paths.includes(`${inWorkspace("src/deep")}/`));
    await rename(kit.path("src/deep/second.ts"), kit.path("src/third.ts"));
    await eventually("third.ts", (paths) => paths.includes(inWorkspace("src/third.ts")));
    await eventually("second.ts", (paths) => !paths.includes(inWorkspace("src/deep/second.ts")));
    await rm(kit.path("src"), { recursive: true });
    await eventually("first.ts", (paths) => !paths.includes(inWorkspace("src/first.ts")));

    await writeFile(kit.path(".gitignore"), "out/\n");
    await mkdir(kit.path("out"));
    await writeFile(kit.path("out/hidden.ts"), "");
    await writeFile(kit.path("shown.ts"), "");
    await eventually("shown.ts", (paths) => paths.includes(inWorkspace("shown.ts")));
    assert.deepEqual(
      (await found("hidden.ts")).filter((name) => name.endsWith("hidden.ts")),
      [],
    );
  }).timeout(120_000);

  it("finds files of folders that VS Code does not watch when the picker opens again later", async () => {
    const files = vscode.workspace.getConfiguration("files");
    await files.update("watcherExclude", { "**/unwatched/**": true }, vscode.ConfigurationTarget.Global);
    try {
      index.dispose();
      let hours = 0;
      const clock = { after: systemClock.after, now: () => new Date(Date.now() + hours * 3_600_000) };
      index = new FileIndex(
        createSearch({ roots: [root()], rgPath: editorRipgrep(vscode.env.appRoot) }),
        clock,
        quietLog,
      );
      await found("");
      await kit.file("unwatched/late.ts", "1");
      hours = 1;
      await found("");
      await index.settled();
      assert.ok((await found("late.ts")).includes(inWorkspace("unwatched/late.ts")));
    } finally {
      await files.update("watcherExclude", undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it("puts what the user has open first", async () => {
    await kit.file("a-report.txt", "");
    await kit.file("b/report.txt", "");
    await kit.show("a-report.txt");
    await kit.show("b/report.txt");
    const active = () => vscode.window.activeTextEditor?.document.uri.fsPath;
    await until("the second is in front", () => active() === kit.path("b/report.txt"));
    const [first, second] = await found("report");
    assert.equal(first, inWorkspace("b/report.txt"));
    assert.equal(second, inWorkspace("a-report.txt"));
  });
});
